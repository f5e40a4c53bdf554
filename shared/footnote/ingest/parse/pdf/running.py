"""Running headers and footers: lines that return at the same place of many pages."""

import re
from collections import Counter
from collections.abc import Sequence

from footnote.ingest.parse.pdf.marks import Row, Sheet

_MARGIN = 0.1  # of the page's height, above and below
_EDGE = 2  # rows at each end of a page: a page that is not full ends above its margin
_SHARE = 0.2  # of the pages have it at the same height of the margin
_SHARE_EDGE = 0.4  # of the pages have it as one of their first or last rows
_FEWEST = 3
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b")
_PAGE_NUMBER = re.compile(
    r"(?i)(?:page\s*)?[-\u2013\u2014|\s]*\d{1,4}[-\u2013\u2014|\s]*(?:(?:of|/)\s*\d+)?"
)

type Mark = tuple[str, int | str]  # a line without its numbers, and where it stands


def without_running(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The pages without the lines that only say where one is."""
    marks = [[_marks(row, i, sheet) for i, row in enumerate(sheet.rows)] for sheet in sheets]
    counts = Counter(mark for page in marks for mark in {mark for row in page for mark in row})
    usual = {mark for mark, n in counts.items() if n >= max(_FEWEST, _share(mark) * len(sheets))}
    numbered = counts[_NUMBERED] >= max(_FEWEST, 0.5 * len(sheets))
    return [
        sheet._replace(
            rows=tuple(
                row
                for row, own in zip(sheet.rows, page, strict=True)
                if not (usual.intersection(own) and (numbered or _NUMBERED not in own))
            )
        )
        for sheet, page in zip(sheets, marks, strict=True)
    ]


_NUMBERED: Mark = ("#", "number")


def _share(mark: Mark) -> float:
    return _SHARE if isinstance(mark[1], int) else _SHARE_EDGE


def _marks(row: Row, i: int, sheet: Sheet) -> list[Mark]:
    """What a row at the edge of a page may be known by; nothing for other rows."""
    margin = _MARGIN * sheet.height
    in_margin = row.y1 < margin or row.y0 > sheet.height - margin
    edge = "first" if i < _EDGE else "last" if i >= len(sheet.rows) - _EDGE else ""
    if not in_margin and not edge:
        return []
    if _PAGE_NUMBER.fullmatch(row.text):
        return [_NUMBERED]
    words = _NUMBER.sub("#", row.text.casefold())
    # the same height within two points either way
    near = {round((row.y0 + shift) / 4) for shift in (-2, 2)} if in_margin else set[int]()
    return [*((words, height) for height in sorted(near)), *([(words, edge)] if edge else [])]
