"""Running headers and footers of a PDF: lines that recur at the same place on many pages.

Some recur on one side only: the other side names the chapter, whose title stands alone elsewhere.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

from footnote.ingest.parse.pdf.page_items import Row, Sheet, cell_text

_MARGIN = 0.1  # of the page's height, above and below
_EDGE = 2  # rows at each end may be running, too: a page that is not full ends above its margin
_FULL = 6  # the least rows on a page whose first and last ones may be running
_SHARE = 0.2  # the least share of pages that have it at the same height in the margin
_SHARE_EDGE = 0.4  # the least share of pages that have it among their first or last rows
# the least share of pages that have one side of it at the same height in the margin
_SHARE_SIDE = 0.4
_FEWEST = 3  # pages
_LETTERS = 10  # the least of a side: "Name" may head a table on many pages
_SIDES = 3  # the most; rows of tables have more
_NUMBER = re.compile(r"\d+")
_NUMBERS = 12  # numbers of a line that are tried: a row of a table at a page's end has many

_ENDS = ("first", "last")

type Mark = tuple[str, int | str]  # the text of a line, and its place
_SIDE = "\N{INFORMATION SEPARATOR ONE}"  # stands before the text of one side of a line


def remove_running(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Removes running lines. A page of such lines alone keeps them."""
    alone = {row.text.casefold() for sheet in sheets for row in sheet.rows if len(row.cells) == 1}
    marks = [[_marks(row, i, sheet, alone) for i, row in enumerate(sheet.rows)] for sheet in sheets]
    counts = Counter(mark for page in marks for mark in set[Mark]().union(*page))
    usual = {mark for mark, n in counts.items() if n >= max(_FEWEST, _share(mark) * len(sheets))}
    return [_drop_rows(sheet, page, usual) for sheet, page in zip(sheets, marks, strict=True)]


def _drop_rows(sheet: Sheet, marks: Sequence[set[Mark]], usual: set[Mark]) -> Sheet:
    rows = tuple(row for row, own in zip(sheet.rows, marks, strict=True) if usual.isdisjoint(own))
    return sheet._replace(rows=rows) if rows else sheet


def _share(mark: Mark) -> float:
    if mark[0].startswith(_SIDE):
        return _SHARE_SIDE
    return _SHARE if isinstance(mark[1], int) else _SHARE_EDGE


def _marks(row: Row, i: int, sheet: Sheet, alone: Collection[str]) -> set[Mark]:
    """Returns the marks of a row at the edge of a page; none for other rows.

    `alone` are the texts of all lines with one cell.
    """
    margin = _MARGIN * sheet.height
    places: set[int | str] = set()
    if row.y1 < margin or row.y0 > sheet.height - margin:
        # the same height within two points either way
        places |= {round((row.y0 + shift) / 4) for shift in (-2, 2)}
    if len(sheet.rows) >= _FULL and (i < _EDGE or i >= len(sheet.rows) - _EDGE):
        places.add(_ENDS[0] if i < _EDGE else _ENDS[1])
    if not places:
        return set()
    wordings = _wordings(row.text, sheet.number)
    sides = {
        (side, place)
        for side in _sides(row, sheet, alone)
        for place in places
        if place not in _ENDS
    }
    return {(words, place) for words in wordings for place in places} | sides


def _sides(row: Row, sheet: Sheet, alone: Collection[str]) -> set[str]:
    """Returns the texts of a line's sides, if the other sides are titles or the page's number.

    A title stands `alone` somewhere. "Responsible person | Anna Berg" on each page of a form is no
    running header: its sides stand nowhere else.
    """
    cells = [cell_text(cell).casefold() for cell in row.cells]
    if not 1 < len(cells) <= _SIDES:
        return set()
    is_title = [cell in alone or cell == str(sheet.number) for cell in cells]
    return {
        f"{_SIDE}{cell}"
        for n, cell in enumerate(cells)
        if sum(map(str.isalpha, cell)) >= _LETTERS and all(is_title[:n] + is_title[n + 1 :])
    }


def _wordings(text: str, page: int) -> set[str]:
    """Returns the line, and versions with a number as its distance from the page's number.

    "54" on page 60 is "#-6", as is "55" on page 61. In "May 2024, page 3 of
    12" it is the second number.
    """
    folded = text.casefold()
    return {folded} | {
        f"{folded[: n.start()]}#{int(n[0][:9]) - page}{folded[n.end() :]}"
        for n in islice(_NUMBER.finditer(folded), _NUMBERS)
    }
