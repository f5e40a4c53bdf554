"""Reads the rows of ODF's tables, without hidden rows and columns."""

from bisect import bisect_left
from collections.abc import Callable, Iterator

from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.odf import MAX_TABLE_CHARACTERS, OpenDocument
from footnote.ingest.parse.odf.xml import attribute, children, number, own_attribute
from footnote.ingest.parse.refusals import too_large
from footnote.ingest.parse.safe_xml import Element, local_name

_MAX_REPEATED = 1_000
_HIDDEN = frozenset({"collapse", "filter"})
_ROW_GROUPS = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_COLUMN_GROUPS = frozenset({"table-header-columns", "table-columns", "table-column-group"})
TABLE_PARTS = _ROW_GROUPS | _COLUMN_GROUPS | {"table-row", "table-column"}
_CELLS = frozenset({"table-cell", "covered-table-cell"})

type Span = tuple[int, int]  # first column, the one behind the last


class Rows:
    """The rows of a table as lists of texts; `read` gives the text of a cell with blocks in it."""

    def __init__(
        self,
        table: Element,
        document: OpenDocument,
        ledger: Ledger,
        read: Callable[[Element, str], str],
    ) -> None:
        self._table = table
        self._name = document.name
        self._blank_cells = document.styles.blank_cells
        self._place = attribute(table, "name")
        self._ledger = ledger
        self._read = read
        self._hidden = [(-1, -1), *_hidden_columns(table)]
        if len(self._hidden) == 1:
            self._hidden.clear()
        self._hidden_with_text: set[int] = set()
        self._row_number = 0

    def header_rows(self) -> int:
        """Returns how many rows the table marks as its header; 1 where it marks none."""
        header = next(children(self._table, "table-header-rows"), None)
        return sum(1 for _ in _rows(header)) or 1 if header is not None else 1

    def __iter__(self) -> Iterator[list[str]]:
        """Yields the rows. Blank cells at the end of a row are cut.

        A repeated blank row comes once. Raises BadDocumentError past `MAX_TABLE_CHARACTERS`.
        """
        room = MAX_TABLE_CHARACTERS
        for row in _rows(self._table):
            times = number(row, "number-rows-repeated")
            if own_attribute(row, "visibility") in _HIDDEN:
                self._count_hidden(row, times)
                self._row_number += times
                continue
            cells = self._cells(row)
            self._row_number += times
            for _ in range(min(times, _MAX_REPEATED) if cells else 1):
                room -= sum(map(len, cells)) + len(cells) + 1
                if room < 0:
                    raise too_large(
                        self._name, f"more than {MAX_TABLE_CHARACTERS:,} characters in a table"
                    )
                yield cells
        if self._hidden_with_text:
            self._ledger.count("hidden_column", self._place, len(self._hidden_with_text))

    def _count_hidden(self, row: Element, times: int) -> None:
        is_filled = any(len(cell) or attribute(cell, "value") for cell in children(row, *_CELLS))
        if is_filled:
            self._ledger.count("hidden_row", self._place, times)

    def _cells(self, row: Element) -> list[str]:
        cells: list[str] = []
        blank = column = 0
        for cell in row:
            tag = local_name(cell.tag)
            if tag not in _CELLS:
                continue
            start, column = column, column + max(1, number(cell, "number-columns-repeated"))
            times = min(self._shown(cell, start, column), _MAX_REPEATED)
            text = self._text(cell, start) if times and tag == "table-cell" else ""
            if text.strip():
                cells += [""] * blank + [text] * times
                blank = 0
            else:
                blank = min(blank + times, _MAX_REPEATED)
        return cells

    def _shown(self, cell: Element, start: int, end: int) -> int:
        """Returns how many of a cell's columns show, and remembers hidden ones with text."""
        shown = end - start
        if not self._hidden:
            return shown
        for first, last in self._hidden[bisect_left(self._hidden, (start, 0)) - 1 :]:
            if first >= end:
                break
            overlap = range(max(first, start), min(last, end))
            shown -= len(overlap)
            if len(cell) or attribute(cell, "value"):
                self._hidden_with_text.update(overlap[:_MAX_REPEATED])
        return shown

    def _text(self, cell: Element, column: int) -> str:
        if self._blank_cells and own_attribute(cell, "style-name") in self._blank_cells:
            # what stands beside the cell, such as a comment, shows all the same
            hidden = self._read(cell, self._where(column)) if len(cell) else ""
            if hidden or attribute(cell, "value"):
                self._ledger.count("hidden_cells", self._place)
            return ""
        first = cell[0] if len(cell) else None
        if first is None:
            return self._value(cell)
        if len(cell) == 1 and not len(first) and local_name(first.tag) == "p":
            return first.text or ""
        text = self._read(cell, self._where(column))
        has_paragraph = any(local_name(child.tag) == "p" for child in cell)
        return text if text or has_paragraph else self._value(cell)

    def _where(self, column: int) -> str:
        return f"{_letters(column)}{self._row_number + 1}"

    def _value(self, cell: Element) -> str:
        """Returns the value of a cell that stores no text; counts a formula without a result."""
        for name in ("value", "string-value", "date-value", "time-value", "boolean-value"):
            if value := attribute(cell, name):
                return value
        if own_attribute(cell, "formula"):
            self._ledger.count("formula", self._place)
        return ""


def _rows(container: Element) -> Iterator[Element]:
    for child in container:
        tag = local_name(child.tag)
        if tag == "table-row":
            yield child
        elif tag in _ROW_GROUPS:
            yield from _rows(child)


def _hidden_columns(table: Element) -> Iterator[Span]:
    start = 0
    for column in _columns(table):
        end = start + number(column, "number-columns-repeated")
        if own_attribute(column, "visibility") in _HIDDEN:
            yield start, end
        start = end


def _columns(container: Element) -> Iterator[Element]:
    for child in container:
        tag = local_name(child.tag)
        if tag == "table-column":
            yield child
        elif tag in _COLUMN_GROUPS:
            yield from _columns(child)


def _letters(column: int) -> str:
    letters = ""
    column += 1
    while column:
        column, place = divmod(column - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters
