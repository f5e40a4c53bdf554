"""Writes a PDF's rows as text: paragraphs, headings, tables, and a box for each word."""

import re
from collections.abc import Container, Sequence

from footnote.ingest.parse.builder import Heading
from footnote.ingest.parse.pdf import orientation, scripts, tables
from footnote.ingest.parse.pdf.doubts import find_doubt
from footnote.ingest.parse.pdf.grid import Grid, grid
from footnote.ingest.parse.pdf.headings import Found
from footnote.ingest.parse.pdf.page_items import Row, Sheet
from footnote.model import CELL, Doubt, Table, WordBox
from footnote.text.sentences import BULLETS, TICKS

_BULLET = re.compile(
    rf"[{BULLETS}{TICKS}*"
    r"\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207d]"
    r"|[-\u2013\u2014o]\s|\(?(?:\d{1,2}|\w)[.)]\s|(?i:item)\s\d"
)
_ENDS = (".", "!", "?", ":", ";", "\u201d", '"', ")")
_FULL = 0.8  # of the column's width: a line that reaches this far goes on in the next
_CLOSE = 0.75  # of a line's height: the widest gap between two lines of a paragraph
_INDENT = 0.8  # of the type's size: the least indent at the start of a paragraph
_BROKEN = re.compile(r"[^\W\d_]{2}-\Z")

PARAGRAPH, LINE, BLANK = "\n\n", "\n", " "


class Writer:
    """Holds the text so far, with its headings, tables, word boxes and page starts.

    `doubts` are the figures that OCR may have misread, by page.
    """

    def __init__(self, found: Found, vocabulary: Container[str]) -> None:
        self._found = found
        self._vocabulary = vocabulary
        self._parts: list[str] = []
        self._length = 0
        self._before: Row | None = None  # the last row of the page before
        self._is_interrupted = False  # notes follow that row
        self._open_table: Grid | None = None  # the table at the end of the last page
        self._last: list[WordBox] = []  # the boxes of the page that was written last
        self.headings: list[Heading] = []
        self.tables: list[Table] = []
        self.words: dict[int, list[WordBox]] = {}
        self.doubts: dict[int, list[Doubt]] = {}
        self.starts: list[tuple[int, float, float]] = []

    @property
    def text(self) -> str:
        return "".join(self._parts)

    def page(self, sheet: Sheet, index: int) -> None:
        places = {row: place for (page, row), place in self._found.items() if page == index}
        heading_rows = {row + i: row for row, place in places.items() for i in range(place[2])}
        runs = tables.find_tables(sheet.rows, heading_rows)
        rest = self._rest_of_table(sheet.rows, runs)
        if rest and (0, rest) not in runs:
            runs.insert(0, (0, rest))
        groups = heading_rows | {i: -1 - first for first, end in runs for i in range(first, end)}
        boxes = self.words.setdefault(sheet.number, [])
        spans: list[tuple[int, int]] = []
        self._open(sheet, in_table=rest > 0)
        for i, row in enumerate(sheet.rows):
            if i:
                self._separate(_separator(sheet.rows, i, groups), row)
            start = self._length
            self._write(row, sheet, boxes)
            spans.append((start, self._length))
        self.headings += [(place[0], place[1], spans[i][0]) for i, place in sorted(places.items())]
        self._tables(sheet.rows, runs, spans)
        for note in sheet.notes:
            self._add(f"{PARAGRAPH if self._parts else ''}{note}")
        self._is_interrupted = bool(sheet.notes) or (self._is_interrupted and not sheet.rows)

    def _tables(
        self, rows: Sequence[Row], runs: Sequence[tables.Run], spans: Sequence[tuple[int, int]]
    ) -> None:
        """Adds the tables of a page. One may go on from the page before, or from above."""
        above: tuple[int, Grid] | None = None
        for first, end in runs:
            current = grid(rows[first:end])
            start = spans[first][0]
            whole = None
            if self._open_table is not None and tables.is_continued(rows, first):
                whole = tables.join_tables(self._open_table, current)
            elif above is not None and tables.is_parted(rows, above[0], first):
                whole = tables.join_parts(above[1], current)
            if whole is not None:
                current, start = whole, self.tables.pop().start
            self._open_table = current if end == len(rows) else None
            above = end, current
            self.tables.append(
                Table(
                    start=start,
                    end=spans[end - 1][1],
                    rows=current.rows,
                    header_rows=current.header_rows,
                )
            )
        if rows and not runs:
            self._open_table = None

    def _rest_of_table(self, rows: Sequence[Row], runs: Sequence[tables.Run]) -> int:
        """Returns how many rows at the top of a page belong to the last page's open table.

        A single row is no table of its own, and may be the last one of the open table.
        """
        if self._open_table is None or not rows or len(rows[0].cells) < 2:
            return 0
        end = runs[0][1] if runs and runs[0][0] == 0 else 1
        is_rest = tables.join_tables(self._open_table, grid(rows[:end])) is not None
        return end if is_rest else 0

    def _open(self, sheet: Sheet, *, in_table: bool) -> None:
        """Begins a page. A sentence or a table may go on from the page before."""
        if sheet.rows and self._parts:
            first = sheet.rows[0]
            before = None if self._is_interrupted else self._before
            goes = before is not None and (in_table or goes_on(before, first))
            self._separate(LINE if goes else PARAGRAPH, first)
        self.starts.append((self._length, *orientation.shown_size(sheet)))
        self._before = sheet.rows[-1] if sheet.rows else self._before

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _separate(self, separator: str, row: Row) -> None:
        """Adds the separator, or joins the halves of a word broken over lines, columns or pages.

        Scripts without blanks get none.
        """
        last, following = self._parts[-1], row.cells[0][0].words[0].text
        if separator == PARAGRAPH or not following[0].isalpha():
            self._add(separator)
        elif scripts.are_unspaced(last, following):
            self._add(LINE if separator == LINE else "")
        elif not _BROKEN.search(last) or (separator == LINE and not following[0].islower()):
            self._add(separator)
        elif self._is_one_word(last, following):
            self._parts[-1] = last[:-1]
            self._length -= 1
            self._last[-1] = self._last[-1]._replace(end=self._length)

    def _is_one_word(self, broken: str, rest: str) -> bool:
        """Tells whether two halves are one word: "decom-pose" is, "well-known" keeps its hyphen."""
        first, second = _last_word(broken), _first_word(rest)
        if not second[:1].islower() or f"{first}-{second}" in self._vocabulary:
            return False
        return first + second in self._vocabulary or first not in self._vocabulary

    def _write(self, row: Row, sheet: Sheet, boxes: list[WordBox]) -> None:
        add, at = self._parts.append, self._length  # this runs for every word
        is_read_by_ocr = sheet.read == "ocr"
        for i, cell in enumerate(row.cells):
            words = [word for fragment in cell for word in fragment.words]
            if i:
                add(CELL)
                at += 3
            before = None
            for word, (x0, y0, x1, y1, text, confidence, _) in zip(
                words, orientation.to_shown(sheet, words), strict=True
            ):
                if before and (text.isascii() or not scripts.is_joined(before, word)):
                    add(BLANK)
                    at += 1
                add(text)
                boxes.append(WordBox(x0, y0, x1, y1, at, at + len(text), confidence))
                if is_read_by_ocr and (doubt := find_doubt(word, at)):
                    self.doubts.setdefault(sheet.number, []).append(doubt)
                at += len(text)
                before = word
        self._length = at
        self._last = boxes


def goes_on(above: Row, row: Row) -> bool:
    """Tells whether a sentence runs on from the end of a column or page to the next."""
    is_open = len(above.cells) == 1 and not above.text.endswith(_ENDS)
    return is_open and row.text[:1].islower()


def _last_word(text: str) -> str:
    return re.split(r"[\W\d_]", text.casefold().rstrip("-"))[-1]


def _first_word(text: str) -> str:
    return re.split(r"[\W\d_]", text, maxsplit=1)[0]


def _separator(rows: Sequence[Row], i: int, groups: dict[int, int]) -> str:
    """Returns the separator between a row and the one before.

    `groups` maps the rows of a heading (0 and up) or a table (below 0) to a number of theirs.
    """
    if groups.get(i) != groups.get(i - 1):
        return PARAGRAPH
    if i in groups:
        return BLANK if groups[i] >= 0 else LINE
    above, row = rows[i - 1], rows[i]
    if row.column != above.column:
        return LINE if row.size == above.size and goes_on(above, row) else PARAGRAPH
    return _column_separator(rows, above, row)


def is_new_paragraph(rows: Sequence[Row], i: int) -> bool:
    """Tells whether a paragraph of text begins with row `i`."""
    return _separator(rows, i, {}) == PARAGRAPH


def _column_separator(rows: Sequence[Row], above: Row, row: Row) -> str:
    height = above.y1 - above.y0
    is_near = -height < row.y0 - above.y1 < _CLOSE * height
    if not is_near or abs(row.size - above.size) > 1.1:
        return PARAGRAPH
    if _BULLET.match(row.text) or len(row.cells) > 1 or len(above.cells) > 1:
        return LINE
    if above.text.endswith(_ENDS) and row.x0 - above.x0 > _INDENT * row.size:
        return PARAGRAPH
    return BLANK if _reaches_edge(rows, above) else LINE


def _reaches_edge(rows: Sequence[Row], row: Row) -> bool:
    column = [other for other in rows if other.column == row.column]
    left = min(other.x0 for other in column)
    right = max(other.x1 for other in column if len(other.cells) == 1)
    return row.x1 - left > _FULL * (right - left)
