"""Streams the rows of a worksheet, and keeps the rest of it for later."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from footnote.ingest.parse import zip_bounds
from footnote.ingest.parse.refusals import too_large
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.xlsx.workbook import (
    Workbook,
    ended,
    forget,
    is_true,
    pull_parser,
    rich_text,
    unescape,
)

MAX_ROWS = 1 << 20  # of a sheet, as in Excel
MAX_COLUMNS = 1 << 14
_IN_CELLS = frozenset({"v", "f", "is", "extLst"})


class Cell(NamedTuple):
    """A cell as it is stored. `formula` is set only where its result is not stored."""

    column: int  # counts from 1
    value: float | str
    style: str | None
    formula: str = ""
    has_unknown: bool = False


class Row(NamedTuple):
    number: int  # counts from 1
    cells: list[Cell]
    is_hidden: bool
    has_unknown: bool


class Worksheet:
    """A worksheet. `rows` streams it; `root` is what stands around the rows, once they are read."""

    def __init__(self, book: Workbook, path: str) -> None:
        self._book = book
        self._path = path
        self.has_hidden_columns = False
        self._hidden_columns = bytearray(MAX_COLUMNS + 1)
        self._names: dict[str, str] = {}  # of tags without their namespaces
        self.root: Element | None = None

    def hides(self, column: int) -> bool:
        return bool(self._hidden_columns[column])

    def rows(self) -> Iterator[Row]:
        parser = pull_parser("row", "cols")
        table: Element | None = None
        number = nodes = 0
        for piece in self._book.package.pieces(self._path, zip_bounds.MAX_UNPACKED):
            parser.feed(piece)
            count = 0
            for element in ended(parser):
                if local_name(element.tag) == "cols":
                    self._hide_columns(element)
                    continue
                parent = element.getparent()
                table = parent if table is None else table
                if parent is not table:
                    continue  # not of the sheet's own table
                number = _int(element.get("r")) or number + 1
                count += 1
                if number <= MAX_ROWS:
                    yield self._row(element, number)
                forget(element)
            # only rows are freed while the sheet is read: whatever else it holds is bounded
            nodes += 0 if count else piece.count(b"<") + piece.count(b"=")
            if nodes > zip_bounds.MAX_NODES:
                raise too_large(self._book.name, f"more than {zip_bounds.MAX_NODES:,} tags")
        self.root = parser.close()

    def _row(self, element: Element, number: int) -> Row:
        cells: list[Cell] = []
        column, has_unknown = 0, False
        for child in element:
            if self._name(child) != "c":
                has_unknown |= _has_text(child)
                continue
            column = _column(child.get("r", "")) or column + 1
            if column <= MAX_COLUMNS and len(child):
                cells.append(self._cell(child, column))
        is_hidden = is_true(element.get("hidden")) or element.get("ht") in {"0", "0.0"}
        return Row(number, cells, is_hidden, has_unknown)

    def _cell(self, element: Element, column: int) -> Cell:
        kind, stored, formula, has_unknown = element.get("t", "n"), None, None, False
        value: float | str = ""
        for child in element:
            tag = self._name(child)
            if tag == "v":
                stored = child.text
            elif tag == "f":
                formula = child.text or "?"
            elif tag == "is":
                value = rich_text(child)
            else:
                has_unknown |= tag not in _IN_CELLS and _has_text(child)
        if stored:
            return Cell(column, self._value(kind, stored), element.get("s"), "", has_unknown)
        pending = formula if formula and kind != "str" and not value else ""
        return Cell(column, value, element.get("s"), pending, has_unknown)

    def _name(self, element: Element) -> str:
        tag = element.tag
        return self._names.get(tag) or self._names.setdefault(tag, local_name(tag))

    def _value(self, kind: str, stored: str) -> float | str:
        match kind:
            case "n":
                with suppress(ValueError):
                    return float(stored)
            case "s":
                return self._book.strings[int(stored)]
            case "b":
                return "TRUE" if is_true(stored) else "FALSE"
            case "d":
                with suppress(ValueError):
                    return _serial(datetime.fromisoformat(stored), is_1904=self._book.is_1904)
        return unescape(stored)

    def _hide_columns(self, element: Element) -> None:
        for each in element:
            if is_true(each.get("hidden")) or each.get("width") in {"0", "0.0"}:
                first, last = _int(each.get("min")), min(_int(each.get("max")), MAX_COLUMNS)
                if 0 < first <= last:
                    self.has_hidden_columns = True
                    self._hidden_columns[first : last + 1] = b"\1" * (last - first + 1)


def _serial(moment: datetime, *, is_1904: bool) -> float:
    first = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 of no zone
    return (moment.replace(tzinfo=None) - first).total_seconds() / 86_400


def _has_text(element: Element) -> bool:
    return any(text.strip() for text in element.itertext())


def _int(text: str | None) -> int:
    return int(float(text)) if text else 0


def _column(reference: str) -> int:
    """Returns the number of a column: 1 for "A7", 27 for "AA7"; 0 for no reference."""
    column = 0
    for letter in reference:
        if not "A" <= letter <= "Z":
            break
        column = column * 26 + ord(letter) - 64
    return column
