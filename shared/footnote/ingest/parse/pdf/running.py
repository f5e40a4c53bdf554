"""Running headers and footers: lines that return at the same place of many pages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from footnote.ingest.parse.pdf.marks import Row, Sheet

_MARGIN = 0.1  # of the page's height, above and below
_SHARE = 0.2  # of the pages
_FEWEST = 3
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(
    r"(?i)(?:page\s*)?[-\u2013\u2014|\s]*\d{1,4}[-\u2013\u2014|\s]*(?:(?:of|/)\s*\d+)?"
)

type _Mark = tuple[str, int]  # the line without its numbers, and its height on the page


def without_running(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The pages without lines that only say where one is."""
    counts = Counter(mark for sheet in sheets for mark in {_mark(row) for row in _outer(sheet)})
    usual = {mark for mark, n in counts.items() if n >= max(_FEWEST, _SHARE * len(sheets))}
    numbered = _numbered(sheets)
    return [
        sheet._replace(
            rows=tuple(
                row for row in sheet.rows if not _is_running(row, sheet, usual, numbered=numbered)
            )
        )
        for sheet in sheets
    ]


def _numbered(sheets: Sequence[Sheet]) -> bool:
    """Whether most pages show a bare number at their edge."""
    shown = sum(any(_PAGE_NUMBER.fullmatch(row.text) for row in _outer(sheet)) for sheet in sheets)
    return shown >= max(_FEWEST, 0.5 * len(sheets))


def _is_running(row: Row, sheet: Sheet, usual: Iterable[_Mark], *, numbered: bool) -> bool:
    if not _is_outer(row, sheet):
        return False
    words, height = _mark(row)
    if any((words, near) in usual for near in (height - 1, height, height + 1)):
        return True
    return numbered and bool(_PAGE_NUMBER.fullmatch(row.text))


def _outer(sheet: Sheet) -> list[Row]:
    return [row for row in sheet.rows if _is_outer(row, sheet)]


def _is_outer(row: Row, sheet: Sheet) -> bool:
    margin = _MARGIN * sheet.height
    return row.y1 < margin or row.y0 > sheet.height - margin


def _mark(row: Row) -> _Mark:
    return _NUMBER.sub("#", row.text.casefold()), round(row.y0 / 4)
