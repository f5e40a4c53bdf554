"""Headings of a PDF: their rows and their levels.

They come from the outline; without a usable one, from the size, weight and numbering of rows.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.pdf.page_items import Row, Sheet

type Place = tuple[int, int]  # index of the sheet, index of the row on it
type Entry = tuple[int, str, int, float]  # an outline's: level, title, page (from 1), height on it
type Found = dict[Place, tuple[str, int, int]]  # place → title, level, number of rows

_LONGEST = 120
_MOST_WORDS = 18
_MOST_ROWS = 5
_WORDS = 12  # the most words of a sentence that is a heading
_PROSE = 8  # the least words on a line of prose
_ENOUGH = 0.15  # of the letters: with more prose, prose alone decides the body size
_LARGER = 1.12  # times the size of body text
_FEWEST_ENTRIES = 4
_MAX_LEVEL = 5
_PART = re.compile(r"(?i)part\s+[ivx]+\b")
_ITEM = re.compile(r"(?i)item\s*\d+[a-c]?\b")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\.?\s+[^\W\d_]")
_UNITS = re.compile(
    r"\((?:[$€£]|(?:in|amounts|dollars|millions|thousands|unaudited)\b)", re.IGNORECASE
)
_NO_HEADING = re.compile(
    r"[(\u2022\u2610-\u2612\u25a0-\u25ff$€£]|[-\u2013\u2014*]\s"
    r"|(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:septem|octo|novem|decem)ber)\s+\d"
    r"|(?:(?:three|six|nine|twelve)\s+months|(?:fiscal\s+)?(?:years?|quarter)|as\s+of)\b.*"
    r"\b(?:ended|ending|\d{4})\b|.*continued\)?\W*$|total\b|page\s+\d",
    re.IGNORECASE,
)


def headings(sheets: Sequence[Sheet], outline: Sequence[Entry]) -> Found:
    """Finds headings by the outline if it has enough entries for the pages, else by their type."""
    if len(outline) >= max(_FEWEST_ENTRIES, len(sheets) / 8):
        return _from_outline(sheets, outline)
    return _from_type(sheets)


def _from_outline(sheets: Sequence[Sheet], outline: Sequence[Entry]) -> Found:
    placed: Found = {}
    for level, title, number, height in outline:
        if not 1 <= number <= len(sheets) or not squeeze(title):
            continue
        place = _find_title(sheets[number - 1], squeeze(title), height)
        if place is not None and (number - 1, place[0]) not in placed:
            placed[number - 1, place[0]] = (squeeze(title), min(level, _MAX_LEVEL), place[1])
    return placed


def _find_title(sheet: Sheet, title: str, height: float) -> tuple[int, int] | None:
    """Returns the row of an outline entry, and the number of rows that its title takes.

    If the title is not on the page, that is the first row at or below `height`, and 0.
    """
    letters = _letters(title)
    for i, row in enumerate(sheet.rows):
        row_letters = _letters(row.text)
        if row_letters and (
            row_letters == letters or (len(letters) > 5 and row_letters.endswith(letters))
        ):
            return i, 1
        following = "".join(row.text for row in sheet.rows[i + 1 : i + 2])
        if len(row_letters) > 3 and row_letters + _letters(following) == letters:
            return i, 2
    below = [i for i, row in enumerate(sheet.rows) if row.y0 >= height - 2]
    return (below[0], 0) if below else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _from_type(sheets: Sequence[Sheet]) -> Found:
    body, bold_counts = _body(sheets)
    styles: Counter[tuple[float, bool]] = Counter()
    runs: list[tuple[Place, list[Row]]] = []
    for s, sheet in enumerate(sheets):
        for first, rows in _runs(sheet, body, bold_counts=bold_counts):
            runs.append(((s, first), rows))
            styles[_style(rows[0])] += 1
    ranks = _ranks(styles)
    has_items = sum(bool(_ITEM.match(rows[0].text)) for _, rows in runs) >= 3
    return {
        place: (title, _level(title, ranks[_style(rows[0])], has_items=has_items), len(rows))
        for place, rows in runs
        if (title := squeeze(" ".join(row.text for row in rows)))
    }


def _ranks(styles: Counter[tuple[float, bool]]) -> dict[tuple[float, bool], int]:
    """Returns levels by style, 1 for the largest. A rare style shares that of the next larger."""
    ranks: dict[tuple[float, bool], int] = {}
    rank = 0
    few = 0.03 * styles.total()
    for style in sorted(styles, reverse=True):
        rank += 1 if styles[style] >= few or rank == 0 else 0
        ranks[style] = rank
    return ranks


def _body(sheets: Sequence[Sheet]) -> tuple[float, bool]:
    """Returns the size of body text, and whether bold type is rare enough to mark headings.

    The size is that of most prose; with little prose, that of most text.
    """
    sizes: Counter[float] = Counter()
    prose: Counter[float] = Counter()
    bold = letters = 0
    for sheet in sheets:
        for row in sheet.rows:
            words = [word for cell in row.cells for part in cell for word in part.words]
            length = sum([len(word.text) for word in words])
            sizes[row.size] += length
            letters += length
            bold += length if row.bold else 0
            if len(row.cells) == 1 and len(words) >= _PROSE and not row.bold:
                prose[row.size] += length
    # a press release is mostly tables, in smaller type than its prose
    usual = prose if prose.total() > _ENOUGH * letters else sizes
    return (usual.most_common(1)[0][0] if usual else 0.0), bold < 0.4 * letters


def _runs(sheet: Sheet, body: float, *, bold_counts: bool) -> Iterator[tuple[int, list[Row]]]:
    """Yields the headings of a page: the index of the first row, and the rows."""
    edges = _edges(sheet)
    i = 0
    while i < len(sheet.rows):
        run = []
        if _may_be_heading(sheet, i, body, edges, bold_counts=bold_counts):
            run = _run(sheet.rows, i)
        if run and len(run) <= _MOST_ROWS and not _is_prose(" ".join(row.text for row in run)):
            yield i, run
        i += max(1, len(run))


def _is_prose(text: str) -> bool:
    """Tells whether text is too long for a heading, or a whole sentence, however large its type."""
    is_sentence = text.endswith(".") and text.count(" ") > _WORDS and not _ITEM.match(text)
    return is_sentence or len(text) > 2 * _LONGEST


def _run(rows: Sequence[Row], first: int) -> list[Row]:
    """Returns the rows from `first` on that are one heading: alike and close together."""
    run = [rows[first]]
    for above, row in pairwise(rows[first:]):
        alike = _style(row) == _style(above) and row.column == above.column and len(row.cells) == 1
        starts_new = _ITEM.match(row.text) or _PART.match(row.text) or _NUMBERED.match(row.text)
        if (
            not alike
            or starts_new
            or _UNITS.match(row.text)
            or row.y0 - above.y1 > 0.6 * (above.y1 - above.y0)
        ):
            break
        run.append(row)
    return run


def _edges(sheet: Sheet) -> Mapping[int, tuple[float, float]]:
    """Returns the left and right edge of each column of the page."""
    edges: dict[int, tuple[float, float]] = {}
    for row in sheet.rows:
        left, right = edges.get(row.column, (row.x0, row.x1))
        edges[row.column] = (min(left, row.x0), max(right, row.x1))
    return edges


def _may_be_heading(
    sheet: Sheet,
    i: int,
    body: float,
    edges: Mapping[int, tuple[float, float]],
    *,
    bold_counts: bool,
) -> bool:
    row = sheet.rows[i]
    if len(row.cells) != 1:
        return False
    text = row.text
    stands_out = row.size >= _LARGER * body or (row.bold and bold_counts and row.size > 0.85 * body)
    if not stands_out or len(text) > _LONGEST or text.count(" ") > _MOST_WORDS:
        return False
    if sum(map(str.isalpha, text)) < 3 or _NO_HEADING.match(text):
        return False
    if text[0].islower() and not _is_set_as_heading(row, body):
        return False
    if text.endswith((".", ",", ";")) and not _ITEM.match(text) and row.size < _LARGER * body:
        return False
    placed = _is_placed(row, *edges[row.column])
    return placed and not _in_table(sheet.rows, i) and not _opens_paragraph(sheet.rows, i)


def _is_set_as_heading(row: Row, body: float) -> bool:
    """Tells whether the type alone makes a heading, as of "child.kill([signal])" in a manual."""
    return row.bold and row.size >= _LARGER * body and row.text[-1] not in ".,;"


def _is_placed(row: Row, left: float, right: float) -> bool:
    """Tells whether a row stands at the left edge or is centred.

    Elsewhere it is the head of a table's column.
    """
    width = max(right - left, 1.0)
    centred = abs((row.x0 + row.x1) - (left + right)) / 2 < 0.08 * width
    return centred or row.x0 - left < 0.2 * width


def _in_table(rows: Sequence[Row], i: int) -> bool:
    """Tells whether a row is a label in a table, such as "Current assets".

    Rows of cells stand close above it and, in the same columns, below it.
    """
    row = rows[i]
    height = row.y1 - row.y0
    above = _cells_above(rows, i, 1.6 * height)
    if above is None:
        return False
    below = [other for other in rows[i + 1 : i + 5] if len(other.cells) > 1][:1]
    return any(
        other.cells[1][0].x0 - 3 * height < above.x1 < other.x1 + 3 * height
        and other.column == row.column
        for other in below
    )


def _cells_above(rows: Sequence[Row], i: int, gap: float) -> Row | None:
    """Returns the nearest row of cells above, if at most two labels stand between."""
    for above, row in zip(reversed(rows[max(i - 3, 0) : i]), reversed(rows[: i + 1]), strict=False):
        if row.y0 - above.y1 > gap:
            return None
        if len(above.cells) > 1:
            return above
    return None


def _opens_paragraph(rows: Sequence[Row], i: int) -> bool:
    """Tells whether a row is the bold words that open a paragraph.

    The next line then goes on in lower case and another type.
    """
    if i + 1 == len(rows):
        return False
    row, below = rows[i], rows[i + 1]
    near = below.column == row.column and below.y0 - row.y1 < 0.6 * (row.y1 - row.y0)
    return near and below.text[:1].islower() and _style(below) != _style(row)


def _style(row: Row) -> tuple[float, bool]:
    return row.size, row.bold


def _level(title: str, rank: int, *, has_items: bool) -> int:
    if has_items:
        if _PART.match(title):
            return 1
        return 2 if _ITEM.match(title) else min(2 + rank, _MAX_LEVEL)
    numbered = _NUMBERED.match(title)
    if numbered and len(numbered[1]) < 8:
        return min(numbered[1].count(".") + 2, _MAX_LEVEL)
    return min(rank, _MAX_LEVEL)
