"""Charts, diagrams and text in the drawings of Word, PowerPoint and Excel (DrawingML).

A chart becomes a table, its title and axis titles lines above it: a row for each category, a column
for each series, values as the file has them cached. A diagram (SmartArt) becomes a list.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple, Protocol

from lxml import etree

from footnote.ingest.parse import omml
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import to_superscript

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MAX_POINTS = 20_000  # of a series
_MAX_SERIES = 200
_MAX_TITLES = 20  # of a chart and its axes
_LONGEST_FORMULA = 1_000
_SHEET = re.compile(r"'((?:[^']|'')++)'!|(?<![^\s'!,()])([^\s'!,()]++)!")
"""The sheet in a reference such as 'A b'!$B$2."""
_MAX_LEVEL = 50  # of a diagram's points in each other


class Part(Protocol):
    """A part of a package, as python-docx and python-pptx have it."""

    @property
    def partname(self) -> str: ...

    @property
    def blob(self) -> bytes: ...


class Chart(NamedTuple):
    """A chart's titles, its tables (most have one), and the sheets whose cells it shows."""

    titles: tuple[str, ...]
    tables: tuple[list[list[str]], ...]
    sheets: frozenset[str] = frozenset()


class _Series(NamedTuple):
    name: str
    categories: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]  # a header and its values: y, or x, y and size


def open_alternatives(root: Element) -> None:
    """Puts the first choice of each mc:AlternateContent in its place, or else its fallback."""
    for alternative in list(root.iter(f"{MC}AlternateContent")):
        parent = alternative.getparent()
        kept = next((each for each in alternative if len(each)), ())
        for child in reversed(list(kept)):
            alternative.addnext(child)
        if parent is not None:
            parent.remove(alternative)


def paragraph_text(paragraph: Element) -> str:
    """Returns a paragraph's text with its equations; raised marks stay apart from words."""
    pieces: list[str] = []
    for node in _leaves(paragraph):
        name = local_name(node.tag)
        if name == "br":
            pieces.append("\n")
        elif name == "tab":
            pieces.append("\t")
        elif name == "oMath":
            pieces.append(omml.to_linear(node))
        else:
            pieces.append(_raise(node))
    return "".join(pieces)


def _leaves(paragraph: Element) -> Iterator[Element]:
    """Yields texts, breaks and equations. What lies in an equation comes with it."""
    stack = list(reversed(paragraph))
    while stack:
        node = stack.pop()
        name = local_name(node.tag)
        if name in {"t", "br", "tab", "oMath"}:
            yield node
        elif name != "AlternateContent":
            stack += reversed(node)
        else:
            stack += reversed(next((list(each) for each in node if len(each)), []))


def _raise(text: Element) -> str:
    properties = text.getparent().find(f"{A}rPr")  # type: ignore[union-attr]
    baseline = "0" if properties is None else properties.get("baseline", "0").rstrip("%")
    written = text.text or ""
    if not baseline.startswith("-") and baseline.strip("0."):
        return to_superscript(written.strip()) or written
    return written


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
        chart = Chart((), ()) if part is None else read_chart(to_tree(part.blob))
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
        for _, text in () if part is None else diagram_items(to_tree(part.blob)):
            self._builder.paragraph(f"- {text}", before)
            before = "\n"
        if before == "\n\n":
            self._builder.ledger.count("diagram", place)


def to_tree(body: bytes) -> Element:
    """Parses a part of a package whose size and DTD were checked before."""
    root: Element = etree.fromstring(body, etree.XMLParser(resolve_entities=False))
    return root


def read_chart(root: Element) -> Chart:
    """Reads a part with a chart: of the older kind (c:chartSpace) or the newer (cx:chartSpace)."""
    headed = (node for node in root.iter() if local_name(node.tag) == "title")
    titles = filter(None, map(_title, islice(headed, _MAX_TITLES)))
    written = (node for node in root.iter() if local_name(node.tag) == "ser")
    older = [_series(node) for node in islice(written, _MAX_SERIES)]
    series = older or list(islice(_newer_series(root), _MAX_SERIES))
    tables = [_table(list(alike)) for _, alike in groupby(series, key=lambda each: each.categories)]
    formulas = (node.text or "" for node in root.iter() if local_name(node.tag) == "f")
    sheets = frozenset(
        (found[1] or found[2]).replace("''", "'")
        for formula in formulas
        for found in _SHEET.finditer(formula[:_LONGEST_FORMULA])
    )
    return Chart(tuple(dict.fromkeys(titles)), tuple(table for table in tables if table), sheets)


def _title(node: Element) -> str:
    lines = [paragraph_text(paragraph) for paragraph in node.iter(f"{A}p")]
    if not any(lines):
        lines = [each.text or "" for each in node.iter() if local_name(each.tag) == "v"]
    return " ".join(" ".join(lines).split())


def _series(node: Element) -> _Series:
    parts = {local_name(child.tag): child for child in node}
    name = " ".join(_points(parts["tx"])) if "tx" in parts else ""
    values = [
        (header, tuple(_points(parts[key])))
        for key, header in (("xVal", "x"), ("val", ""), ("yVal", "y"), ("bubbleSize", "size"))
        if key in parts
    ]
    return _Series(name, tuple(_points(parts["cat"])) if "cat" in parts else (), tuple(values))


def _points(node: Element) -> list[str]:
    """Returns the cached points of a series, each at its index; levels of a label are joined."""
    levels = [each for each in node.iter() if local_name(each.tag) == "lvl"]
    if len(levels) > 1:
        columns = [_level(level) for level in reversed(levels)]
        length = max(map(len, columns))
        outer: list[str] = []
        for column in columns[:-1]:
            outer = [" ".join(filter(None, pair)) for pair in _zip(outer, _fill(column, length))]
        return [" ".join(filter(None, pair)) for pair in _zip(outer, columns[-1])]
    return _level(node)


def _zip(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[str, str]]:
    for i in range(max(len(left), len(right))):
        yield (left[i] if i < len(left) else "", right[i] if i < len(right) else "")


def _fill(column: Sequence[str], length: int) -> list[str]:
    """Carries a label on to the places that it stands for."""
    filled: list[str] = []
    for i in range(length):
        own = column[i] if i < len(column) else ""
        filled.append(own or (filled[-1] if filled else ""))
    return filled


def _level(node: Element) -> list[str]:
    points: dict[int, str] = {}
    plain: list[str] = []
    for each in node.iter():
        name = local_name(each.tag)
        if name == "pt":
            index = each.get("idx", "")
            value = next((v.text or "" for v in each.iter() if local_name(v.tag) == "v"), "")
            if index.isdecimal() and int(index) < _MAX_POINTS:
                points[int(index)] = _number(value or each.text or "")
        elif name == "v" and local_name(each.getparent().tag) != "pt":  # type: ignore[union-attr]
            plain.append(each.text or "")
    if not points:
        return plain
    return [points.get(i, "") for i in range(max(points) + 1)]


def _number(value: str) -> str:
    """Writes a cached number as people do: 19.199999999999999 is 19.2."""
    try:
        number = float(value)
    except ValueError:
        return " ".join(value.split())
    plain = value.strip()
    return plain if len(plain) < 15 and "e" not in plain.casefold() else f"{number:.12g}"


def _table(series: Sequence[_Series]) -> list[list[str]]:
    """Returns series with the same categories as a table with a header."""
    columns = [
        (" ".join(filter(None, (one.name, header))), values)
        for one in series
        for header, values in one.values
    ]
    categories = series[0].categories
    length = max((len(values) for _, values in columns), default=0)
    if not length:
        return []
    length = max(length, len(categories))
    named = bool(categories)
    rows = [[*([""] if named else []), *(name for name, _ in columns)]]
    for i in range(length):
        label = [categories[i] if i < len(categories) else ""] if named else []
        rows.append([*label, *(values[i] if i < len(values) else "" for _, values in columns)])
    return rows


def _newer_series(root: Element) -> Iterator[_Series]:
    """Yields the series of a chart of the newer kind, whose data stand apart from them."""
    data = {each.get("id", ""): each for each in root.iter() if local_name(each.tag) == "data"}
    for node in root.iter():
        if local_name(node.tag) != "series":
            continue
        key = next((e.get("val", "") for e in node.iter() if local_name(e.tag) == "dataId"), "")
        if key not in data:
            continue
        labels = next((e for e in data[key] if local_name(e.tag) == "strDim"), None)
        numbers = [e for e in data[key] if local_name(e.tag) == "numDim"]
        name = next((_title(e) for e in node if local_name(e.tag) == "tx"), "")
        yield _Series(
            name,
            () if labels is None else tuple(_points(labels)),
            tuple(("", tuple(_level(each))) for each in numbers),
        )
