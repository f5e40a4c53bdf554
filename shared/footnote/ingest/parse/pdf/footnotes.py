"""Footnotes of a PDF: small lines at the foot of a column, moved out of the running text.

Otherwise they would cut sentences that run on to the next column or page.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from footnote.ingest.parse.pdf.page_items import Row, Sheet
from footnote.ingest.parse.pdf.writer import goes_on, is_new_paragraph

_SMALLER = 0.93  # of the usual type size: the largest type of footnotes
_LOWER = 0.5  # of the page's height: footnotes stand below this
_MOST = 0.5  # of a page's lines: if more look like footnotes, none is one
_MARK = re.compile(
    r"[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d\u1d43\u1d47\u1d9c*\u2020\u2021\u00a7]"
    r"|\[?\d{1,3}[\].)]?\s*[^\W\d]|\([a-z0-9]{1,2}\)\s"
)


def put_footnotes_last(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Moves the footnotes of each page to its end.

    If the last paragraph goes on overleaf, they stand before it. So they stay on their
    page, and no sentence is cut in two.
    """
    size = _usual_size(sheets)
    split = [_split(sheet, size) for sheet in sheets]
    overleaf = [*(text for text, _ in split[1:]), ()]
    return [
        _place_notes(sheet, text, notes, following) if text and notes else sheet
        for sheet, (text, notes), following in zip(sheets, split, overleaf, strict=True)
    ]


def _usual_size(sheets: Sequence[Sheet]) -> float:
    """Returns the type size of most words."""
    sizes: Counter[float] = Counter()
    for sheet in sheets:
        for row in sheet.rows:
            sizes[row.size] += sum(len(part.words) for cell in row.cells for part in cell)
    return max(sizes, key=lambda size: sizes[size]) if sizes else 0.0


def _split(sheet: Sheet, size: float) -> tuple[tuple[Row, ...], tuple[Row, ...]]:
    """Separates the rows of the text from those of the footnotes."""
    text: list[Row] = []
    notes: list[Row] = []
    for _, column in groupby(sheet.rows, key=lambda row: row.column):
        rows = list(column)
        first = _first_note(rows, sheet, size)
        text += rows[:first]
        notes += rows[first:]
    if len(notes) > _MOST * len(sheet.rows):
        return sheet.rows, ()
    return tuple(text), tuple(notes)


def _first_note(rows: Sequence[Row], sheet: Sheet, size: float) -> int:
    """Returns the index of a column's first footnote; the column's end if it has none."""
    first = len(rows)
    for i in range(len(rows) - 1, -1, -1):
        row = rows[i]
        if row.size > _SMALLER * size or row.y0 < _LOWER * sheet.height or len(row.cells) > 1:
            break
        first = i if _MARK.match(row.text) else first
    return first


def _place_notes(
    sheet: Sheet, text: Sequence[Row], notes: Sequence[Row], following: Sequence[Row]
) -> Sheet:
    beyond = max(row.column for row in sheet.rows) + 1
    moved = [row._replace(column=beyond) for row in notes]
    at = len(text)
    if following and goes_on(text[-1], following[0]):
        at = _last_paragraph(text) or at
    return sheet._replace(rows=(*text[:at], *moved, *text[at:]))


def _last_paragraph(rows: Sequence[Row]) -> int:
    first = len(rows) - 1
    while first > 0 and not is_new_paragraph(rows, first):
        first -= 1
    return first
