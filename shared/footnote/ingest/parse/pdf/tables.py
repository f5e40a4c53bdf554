"""Tables of a PDF page: runs of rows with several cells, aligned to columns."""

import re
from collections.abc import Container, Sequence

from footnote.ingest.parse.pdf.grid import Grid
from footnote.ingest.parse.pdf.page_items import Row

type Run = tuple[int, int]  # index of the first row and one past the last

_FEWEST = 2  # the least rows of cells in a table
_LOOKAHEAD = 3  # rows of one cell ("Current assets:") may stand between rows of cells
_LABEL = 110  # the most characters in such a row
_FIRST_COLUMN = 30.0  # the least points that the labels of rows take
_SAME = 3.0  # the most points between the starts of a cell's lines
_SHORT = 40  # the most characters of a label that may run under the figures
_PARTING = 2  # the most rows between two parts of one table
_HEAD = 2  # the most rows of one label above the first row of cells
_CONTINUED = re.compile(r"(?is).*\b(?:continued|forts\.|suite)\W*\Z")
_SHIFT = 6.0  # points that a table's columns may shift on its next page


def find_tables(rows: Sequence[Row], is_heading: Container[int]) -> list[Run]:
    """Returns the tables on a page, as runs of its rows."""
    runs: list[Run] = []
    i = 0
    while i < len(rows):
        end = _end(rows, i, is_heading) if len(rows[i].cells) > 1 else i
        if sum(len(row.cells) > 1 for row in rows[i:end]) >= _FEWEST:
            runs.append((_start(rows, i, runs[-1][1] if runs else 0, is_heading), end))
        i = max(end, i + 1)
    return runs


def _start(rows: Sequence[Row], first: int, lowest: int, is_heading: Container[int]) -> int:
    """Returns the start of a table, with the label above its figures ("Year ended"), if any."""
    left = min(row.x0 for row in rows[first : first + 6]) + _FIRST_COLUMN
    for i in range(first - 1, max(first - 1 - _HEAD, lowest - 1), -1):
        row, below = rows[i], rows[i + 1]
        is_near = below.y0 - row.y1 < 0.8 * (row.y1 - row.y0) and row.column == below.column
        if i in is_heading or not is_near or row.x0 < left or len(row.text) > _LABEL / 2:
            break
        first = i
    return first


def _end(rows: Sequence[Row], first: int, is_heading: Container[int]) -> int:
    end = first
    for i in range(first, len(rows)):
        if rows[i].column != rows[first].column or i in is_heading or i - end > _LOOKAHEAD:
            break
        if i > first and rows[i].y0 - rows[i - 1].y1 > 3 * (rows[i].y1 - rows[i].y0):
            break
        if len(rows[i].cells) > 1:
            end = i + 1
        elif len(rows[i].text) > _LABEL or _is_prose(rows, first, i):
            break
    return _cell_end(rows, first, end)


def _cell_end(rows: Sequence[Row], first: int, end: int) -> int:
    """Returns the end of a table, with the further lines of a cell in its last row."""
    if end == first:
        return end
    starts = [cell[0].x0 for cell in rows[end - 1].cells[1:]]
    for row in rows[end:]:
        above = rows[end - 1]
        is_near = row.column == above.column and row.y0 - above.y1 < 0.4 * (row.y1 - row.y0)
        if len(row.cells) > 1 or not is_near or all(abs(row.x0 - x) > _SAME for x in starts):
            break
        end += 1
    return end


def _is_prose(rows: Sequence[Row], first: int, i: int) -> bool:
    """Tells whether a line of text that begins after a gap runs under the table's figures."""
    row, above = rows[i], rows[i - 1]
    edge = min((r.cells[1][0].x0 for r in rows[first:i] if len(r.cells) > 1), default=row.x1)
    runs_under = row.x0 < edge and row.x1 > edge + row.size
    gap = (row.y0 - above.y1) / (row.y1 - row.y0)
    is_apart = gap > (1.0 if row.text.endswith(":") else 0.6)
    return runs_under and is_apart and len(row.text) > _SHORT


def is_continued(rows: Sequence[Row], first: int) -> bool:
    """Tells whether only a note of continuation, or nothing, stands above a page's first table."""
    return all(_CONTINUED.match(row.text) for row in rows[:first])


def is_parted(rows: Sequence[Row], last: int, first: int) -> bool:
    """Tells whether only headings of rows ("Costs and expenses") separate two tables of a page.

    `last` is one past the rows of the upper one, `first` is the first row of the lower one.
    """
    between = rows[last:first]
    return 0 < len(between) <= _PARTING and all(
        len(row.cells) == 1
        and len(row.text) <= _SHORT
        and row.column == rows[first].column
        and not row.text.endswith(".")
        for row in between
    )


def join_tables(above: Grid, below: Grid) -> Grid | None:
    """Joins a table and its part on the next page, without that part's
    header; None if they differ.
    """
    if len(above.columns) != len(below.columns) or not _are_aligned(above, below):
        return None
    head = below.rows[: below.header_rows]
    if head and head != above.rows[: above.header_rows]:
        return None
    return above._replace(rows=(*above.rows, *below.rows[below.header_rows :]))


def join_parts(above: Grid, below: Grid) -> Grid | None:
    """Joins two parts of a table of a page; None if one has no header, or the other has its own."""
    return join_tables(above, below) if above.header_rows and not below.header_rows else None


def _are_aligned(above: Grid, below: Grid) -> bool:
    return all(
        min(right, end) - max(left, start) > -_SHIFT
        and (abs(left - start) < 2 * _SHIFT or abs(right - end) < 2 * _SHIFT)
        for (left, right), (start, end) in zip(above.columns, below.columns, strict=True)
    )
