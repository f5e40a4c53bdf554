"""Writes the charts and diagrams of an office file: a chart as a table, a diagram as a list."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import Protocol

from footnote.errors import BadDocumentError
from footnote.ingest.parse import safe_xml
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.ooxml.charts import Chart, read_chart
from footnote.ingest.parse.ooxml.drawingml import A, paragraph_text
from footnote.ingest.parse.safe_xml import Element, local_name

_MAX_LEVEL = 50  # of a diagram's points in each other


class Part(Protocol):
    """A part of a package, as python-docx and python-pptx have it."""

    @property
    def partname(self) -> str: ...

    @property
    def blob(self) -> bytes: ...


class Drawings:
    """Writes the charts and diagrams of one file to a builder, each part once.

    A hostile file could show one of them a million times.
    """

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._written: set[str] = set()

    def is_new(self, part: Part) -> bool:
        """Tells whether a part is met for the first time."""
        name = str(part.partname)
        is_new = name not in self._written
        self._written.add(name)
        return is_new

    def write_chart(self, part: Part | None, place: str = "", shown: Collection[str] = ()) -> None:
        """Adds a chart as its titles and a table; counts one without anything to add.

        A chart of cells of `shown` sheets has only its titles: the cells are read themselves.
        """
        if part is not None and not self.is_new(part):
            return
        tree = _tree(part)
        chart = Chart((), ()) if tree is None else read_chart(tree)
        for title in chart.titles:
            self._builder.paragraph(title)
        if chart.sheets and chart.sheets <= set(shown):
            return
        for table in chart.tables:
            self._builder.table(table)
        if not chart.titles and not chart.tables:
            self._builder.ledger.count("chart", place)

    def write_diagram(self, part: Part | None, place: str = "") -> None:
        """Adds a diagram's points as a list; counts one without any."""
        if part is not None and not self.is_new(part):
            return
        before = "\n\n"
        tree = _tree(part)
        for _, text in () if tree is None else diagram_items(tree):
            self._builder.paragraph(f"- {text}", before)
            before = "\n"
        if before == "\n\n":
            self._builder.ledger.count("diagram", place)


def diagram_items(data: Element) -> Iterator[tuple[int, str]]:
    """Yields the points of a diagram's data model in its order: level and text."""
    points: dict[str, Element] = {}
    for point in data.iter():
        if local_name(point.tag) == "pt" and point.get("type", "node") in {"node", "asst"}:
            points[point.get("modelId", "")] = point
    children: dict[str, list[tuple[int, str]]] = {}
    inner: set[str] = set()
    for link in data.iter():
        if local_name(link.tag) == "cxn" and link.get("type", "parOf") == "parOf":
            order, target = link.get("srcOrd", "0"), link.get("destId", "")
            if target in points:
                place = int(order) if order.isdecimal() else 0
                children.setdefault(link.get("srcId", ""), []).append((place, target))
                if link.get("srcId", "") in points:
                    inner.add(target)
    stack = [(0, key) for key in reversed(points) if key not in inner]
    written: set[str] = set()
    while stack:
        level, key = stack.pop()
        if key in written or level > _MAX_LEVEL:
            continue
        written.add(key)
        lines = (paragraph_text(p) for p in points[key].iter(f"{A}p"))
        if text := " ".join(" ".join(lines).split()):
            yield level, text
        below = sorted(children.get(key, []), reverse=True)
        stack += [(level + 1, child) for _, child in below]


def _tree(part: Part | None) -> Element | None:
    """Returns a part's root element; None where there is no part, or it is damaged."""
    if part is None:
        return None
    with suppress(BadDocumentError):
        return safe_xml.root(part.blob, str(part.partname))
    return None
