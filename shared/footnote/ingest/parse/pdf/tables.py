"""Tables of a PDF page: runs of rows with several cells, aligned to columns."""

import re
from collections.abc import Container, Sequence

from footnote.ingest.parse.pdf.marks import Row, cell_text

type Run = tuple[int, int]  # index of the first row and one past the last
type Interval = tuple[float, float]

_FEWEST = 2  # rows of cells
_LOOKAHEAD = 2  # rows of one cell ("Current assets:") may stand between rows of cells
_LABEL = 110  # characters that such a row may have
_NUMBER = re.compile(
    r"[-\u2013\u2014(+$€£¥\s]*\d[\d.,]*\s*[)%*]*(?:\s*\([a-z0-9]\))?\Z|[-\u2013\u2014]\Z"
)
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_MAX_HEADER = 5


def runs(rows: Sequence[Row], is_heading: Container[int]) -> list[Run]:
    """The tables on a page, as runs of its rows."""
    found: list[Run] = []
    i = 0
    while i < len(rows):
        end = _end(rows, i, is_heading) if len(rows[i].cells) > 1 else i
        if sum(len(row.cells) > 1 for row in rows[i:end]) >= _FEWEST:
            found.append((i, end))
        i = max(end, i + 1)
    return found


def _end(rows: Sequence[Row], first: int, is_heading: Container[int]) -> int:
    end = first
    for i in range(first, len(rows)):
        if rows[i].column != rows[first].column or i in is_heading or i - end > _LOOKAHEAD:
            break
        if i > first and rows[i].y0 - rows[i - 1].y1 > 3 * (rows[i].y1 - rows[i].y0):
            break
        if len(rows[i].cells) > 1:
            end = i + 1
        elif len(rows[i].text) > _LABEL:
            break
    return end


def header_rows(rows: Sequence[Row]) -> int:
    """The rows above the first that holds a number which is not a year."""
    for i, row in enumerate(rows[: _MAX_HEADER + 1]):
        if any(_is_number(cell_text(cell)) for cell in row.cells[1:]):
            return i
    return 1


def cells(rows: Sequence[Row]) -> tuple[tuple[str, ...], ...]:
    """The rows' cells, each in the column it stands in; blank where a row has none."""
    columns = _columns(rows)
    return tuple(_aligned(row, columns) for row in rows)


def _is_number(text: str) -> bool:
    return bool(_NUMBER.match(text)) and not _YEAR.match(text)


def _columns(rows: Sequence[Row]) -> list[Interval]:
    """Where cells stand: spans of the rows that have the most, grown by what overlaps one only."""
    columns: list[Interval] = []
    for row in sorted(rows, key=lambda row: -len(row.cells)):
        for cell in row.cells:
            x0, x1 = cell[0].x0, cell[-1].x1
            hit = [i for i, (left, right) in enumerate(columns) if x0 < right and x1 > left]
            if not hit:
                columns.append((x0, x1))
            elif len(hit) == 1:
                left, right = columns[hit[0]]
                columns[hit[0]] = (min(left, x0), max(right, x1))
    return sorted(columns)


def _aligned(row: Row, columns: Sequence[Interval]) -> tuple[str, ...]:
    aligned = [""] * len(columns)
    for cell in row.cells:
        x0, x1 = cell[0].x0, cell[-1].x1
        overlaps = [min(x1, right) - max(x0, left) for left, right in columns]
        best = overlaps.index(max(overlaps))
        aligned[best] = f"{aligned[best]} {cell_text(cell)}".strip()
    return tuple(aligned)
