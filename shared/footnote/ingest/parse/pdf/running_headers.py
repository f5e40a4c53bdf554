"""Running headers and footers of a PDF: lines that recur at the same place on many pages.

Of some only one side recurs: the other says the chapter, whose title stands by itself elsewhere.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

from footnote.ingest.parse.pdf.page_items import Row, Sheet, cell_text

_MARGIN = 0.1  # of the page's height, above and below
_EDGE = 2  # rows at each end may be running, too: a page that is not full ends above its margin
_FULL = 6  # rows at least on a page whose first and last ones may be running
_SHARE = 0.2  # of the pages, at least, have it at the same height in the margin
_SHARE_EDGE = 0.4  # of the pages, at least, have it among their first or last rows
_SHARE_SIDE = 0.4  # of the pages, at least, have one side of it at the same height in the margin
_FEWEST = 3  # pages
_LETTERS = 10  # of a side at least: "Name" may head a table on many pages
_SIDES = 3  # at most; rows of tables have more
_NUMBER = re.compile(r"\d+")
_NUMBERS = 12  # of a line that are looked at: a row of a table at a page's end has many

_ENDS = ("first", "last")

type Mark = tuple[str, int | str]  # what a line says, and where it stands
_SIDE = "\N{INFORMATION SEPARATOR ONE}"  # before what one side of a line says


def remove_running(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Removes the lines that only say where one is. A page of such lines alone keeps them."""
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
    """Returns the marks that a row at the edge of a page is known by; none for other rows.

    `alone` are the lines of one cell of all pages.
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
    said = _wordings(row.text, sheet.number)
    sides = {
        (side, place)
        for side in _sides(row, sheet, alone)
        for place in places
        if place not in _ENDS
    }
    return {(words, place) for words in said for place in places} | sides


def _sides(row: Row, sheet: Sheet, alone: Collection[str]) -> set[str]:
    """Returns what each side of a line says, if the others are titles or the page's number.

    A title stands `alone` somewhere. "Responsible person | Anna Berg" on each page of a form is no
    running header: what it says stands nowhere else.
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
    """Returns the line as it is, and with a number in it as its distance from the page's.

    "54" on page 60 is "#-6", as is "55" on page 61. Of "May 2024, page 3 of 12" it is the second.
    """
    folded = text.casefold()
    return {folded} | {
        f"{folded[: n.start()]}#{int(n[0][:9]) - page}{folded[n.end() :]}"
        for n in islice(_NUMBER.finditer(folded), _NUMBERS)
    }
