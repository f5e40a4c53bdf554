"""Charts of Word, PowerPoint and Excel as tables.

A table has a row for each category and a column for each series, with values as the file has them
cached. The titles of the chart and of its axes stand above it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from footnote.ingest.parse.ooxml.drawingml import A, paragraph_text
from footnote.ingest.parse.safe_xml import Element, local_name

_MAX_POINTS = 20_000  # of a series
_MAX_SERIES = 200
_MAX_TITLES = 20  # of a chart and its axes
_LONGEST_FORMULA = 1_000
_SHEET = re.compile(r"'((?:[^']|'')++)'!|(?<![^\s'!,()])([^\s'!,()]++)!")
"""The sheet in a reference such as 'A b'!$B$2."""


class Chart(NamedTuple):
    """A chart's titles, its tables (most have one), and the sheets whose cells it shows."""

    titles: tuple[str, ...]
    tables: tuple[list[list[str]], ...]
    sheets: frozenset[str] = frozenset()


class _Series(NamedTuple):
    name: str
    categories: tuple[str, ...]
    values: tuple[tuple[str, tuple[str, ...]], ...]  # a header and its values: y, or x, y and size


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
