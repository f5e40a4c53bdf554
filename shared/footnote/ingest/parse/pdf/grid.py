"""Grids of a PDF's tables: turns rows into cells that are aligned to columns.

Finds the columns that a label spans, the header rows, and labels that take several lines.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from footnote.ingest.parse.pdf.page_items import Row, cell_text, span

type Interval = tuple[float, float]
type Cells = tuple[str, ...]

_NUMBER = re.compile(
    r"[-\u2013\u2014(+$€£¥\s]*\d[\d.,]*\s*+[)%*]*+(?:\s*\([a-z0-9]\))?[\s\u2070-\u207f\u00b9\u00b2\u00b3]*\Z"
    r"|[-\u2013\u2014]\Z"
)
_YEAR = re.compile(
    r"(?:\d{1,2}\.\d{1,2}\.)?(?:19|20)\d\d(?:\s*\([a-z0-9]\))?[\s\u2070-\u207f\u00b9\u00b2\u00b3]*\Z"
)
_MAX_HEADER = 6
_SAME_MIDDLE = 12.0  # points that a label may be off the middle of its columns
_CLOSE = 0.8  # of a line's height: the widest gap between the lines of one label


class Grid(NamedTuple):
    """A table's cells (one tuple per row), its number of header rows, and its columns' edges."""

    rows: tuple[Cells, ...]
    header_rows: int
    columns: tuple[Interval, ...]


def grid(rows: Sequence[Row]) -> Grid:
    """Returns the cells of a table.

    A missing cell is blank. A label over several columns stands in each of them.
    """
    first = _first_figures(rows)
    body = rows[first:] if first is not None else rows
    columns = _columns(body)
    header = _header_rows(rows[:first], columns) if first is not None else []
    header_rows = next((i for i in range(len(header), 0, -1) if any(header[i - 1][1:])), 0)
    aligned = [*header[header_rows:], *(_align(row, columns) for row in body)]
    lines = [*rows[header_rows : first or 0], *body]
    joined = _join_lines(aligned, lines)
    count = header_rows if first is not None else int(_has_header(rows))
    return Grid((*header[:header_rows], *joined), count, tuple(columns))


def _has_header(rows: Sequence[Row]) -> bool:
    """Tells whether the first row of a table without figures is set in another type: a header."""
    head, *others = rows
    return any((head.bold, head.size) != (row.bold, row.size) for row in others[:2])


def _first_figures(rows: Sequence[Row]) -> int | None:
    """Returns the index of the first row with a number that is no year; None if it comes late.

    It must be among the first `_MAX_HEADER` + 1 rows. The first column, the labels, does not count.
    """
    for i, row in enumerate(rows[: _MAX_HEADER + 1]):
        if any(is_number(cell_text(cell)) for cell in row.cells[1:]):
            return i
    return None


def is_number(text: str) -> bool:
    return bool(_NUMBER.match(text)) and not _YEAR.match(text)


def _columns(rows: Sequence[Row]) -> list[Interval]:
    """Returns the columns' left and right edges, from left to right.

    It begins with the rows that have the most cells. A column grows by each cell that
    overlaps only this column.
    """
    columns: list[Interval] = []
    for row in sorted(rows, key=lambda row: -len(row.cells)):
        for cell in row.cells:
            x0, x1 = span(cell)
            hit = [i for i, (left, right) in enumerate(columns) if x0 < right and x1 > left]
            if not hit:
                columns.append((x0, x1))
            elif len(hit) == 1:
                left, right = columns[hit[0]]
                columns[hit[0]] = (min(left, x0), max(right, x1))
    return sorted(columns)


def _align(row: Row, columns: Sequence[Interval]) -> Cells:
    aligned = [""] * len(columns)
    for cell in row.cells:
        best = _nearest(*span(cell), columns)
        aligned[best] = f"{aligned[best]} {cell_text(cell)}".strip()
    return tuple(aligned)


def _nearest(x0: float, x1: float, columns: Sequence[Interval]) -> int:
    overlaps = [min(x1, right) - max(x0, left) for left, right in columns]
    return overlaps.index(max(overlaps))  # negative where there is no overlap: the distance


def _header_rows(rows: Iterable[Row], columns: Sequence[Interval]) -> list[Cells]:
    return [_header_cells(row, columns) for row in rows]


def _header_cells(row: Row, columns: Sequence[Interval]) -> Cells:
    """Returns the cells of a header row. A label stands in all columns that it is centred over."""
    places = [span(cell) for cell in row.cells]
    own = [_columns_under(x0, x1, columns) for x0, x1 in places]
    labels = [""] * len(columns)
    lowest = 1
    for i, cell in enumerate(row.cells):
        highest = own[i + 1][0] - 1 if i + 1 < len(own) else len(columns) - 1
        first, last = _centred_columns(places[i], own[i], (lowest, highest), columns)
        for column in range(first, last + 1):
            labels[column] = f"{labels[column]} {cell_text(cell)}".strip()
        lowest = last + 1
    return tuple(labels)


def _columns_under(x0: float, x1: float, columns: Sequence[Interval]) -> tuple[int, int]:
    """Returns the first and last column below a label; if there is none, the nearest one twice."""
    hit = [i for i, (left, right) in enumerate(columns) if x0 < right and x1 > left]
    if len(hit) > 1 and hit[0] == 0 and x0 > columns[0][0]:
        hit = hit[1:]  # long row labels reach under the head of the first figures
    if hit:
        return hit[0], hit[-1]
    nearest = _nearest(x0, x1, columns)
    return nearest, nearest


def _centred_columns(
    place: Interval, own: tuple[int, int], bounds: tuple[int, int], columns: Sequence[Interval]
) -> tuple[int, int]:
    """Returns the first and last of the columns that a label is centred over.

    It chooses among all spans within `bounds` that contain its `own` columns.
    """
    if own[0] == 0:
        return own
    middle = sum(place) / 2
    spans = [
        (first, last)
        for first in range(min(bounds[0], own[0]), own[0] + 1)
        for last in range(own[1], max(bounds[1], own[1]) + 1)
    ]
    return min(
        spans,
        key=lambda span: (
            round(abs((columns[span[0]][0] + columns[span[1]][1]) / 2 - middle) / _SAME_MIDDLE),
            span[0] - span[1],  # widest first: a label over the middle one of three spans all
        ),
    )


def _join_lines(aligned: Sequence[Cells], rows: Sequence[Row]) -> list[Cells]:
    """Joins rows where labels or other words take several lines of one cell."""
    joined: list[Cells] = []
    for i, cells in enumerate(aligned):
        above = joined[-1] if joined else ()
        if i and above and _is_close(rows[i - 1], rows[i]) and _goes_on(above, cells):
            joined[-1] = tuple(
                f"{upper} {lower}".strip() for upper, lower in zip(above, cells, strict=True)
            )
        else:
            joined.append(cells)
    return joined


def _is_close(upper: Row, lower: Row) -> bool:
    is_near = lower.y0 - upper.y1 < _CLOSE * (upper.y1 - upper.y0)
    return is_near and lower.x0 > upper.x0 - 2


def _goes_on(above: Cells, cells: Cells) -> bool:
    if above[0] and not any(above[1:]):  # a label whose figures stand beside its last line
        return cells[0][:1].islower() and not above[0].endswith(":")
    words = [(upper, lower) for upper, lower in zip(above, cells, strict=True) if lower]
    return not cells[0] and all(_is_words(upper) and _is_words(lower) for upper, lower in words)


def _is_words(text: str) -> bool:
    return sum(map(str.isalpha, text)) > 2 and not is_number(text)
