"""Cuts a document's text into blocks, which a page can show and mark to the character.

Blocks are in order and without gaps: joined, their texts are the document's text. A block ends with
the blank lines after it. So a citation's span has the same offsets in the blocks.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal, NamedTuple

from footnote.ingest.parse.formats import EML, MBOX, MSG, ODS, XLS, XLSX
from footnote.model import CELL, Document, Section, Table, Value

type Kind = Literal["heading", "paragraph", "row", "table_header", "mail_header"]

MAX_BLOCK = 4_000  # characters: a longer paragraph is cut, at a blank if there is one
MAX_REPLY = 60_000  # characters of the blocks of one reply
BEFORE = 1_500  # characters before the offset `around`
SHEETS = frozenset({XLSX, XLS, ODS})
MAILS = frozenset({EML, MBOX, MSG})
_MAIL_HEADER = re.compile(r"(From|To|Cc|Date): (.*)")
_GAP = re.compile(r"\n[^\S\n]*\n\s*")  # blank lines, and the blanks up to the next word
_BLANK = re.compile(r"\s+")
_LONGEST_WORD = 200  # characters to look ahead for a heading's next word
_RULE = re.compile(r"[\s|:]*-[\s|:-]*")  # between a Markdown table's header and its rows


class Cell(Value):
    """A cell of a row, or the name or value of a mail's header line."""

    text: str
    start: int
    end: int


class TextBlock(Value):
    """A piece of a document's text: `text == document.text[start:end]`.

    `level` belongs to a heading. `cells` are those of a row, or name and value of a mail's header
    line. `table` is the start of the row's table. `page` and `sheet` are those of the block.
    """

    kind: Kind
    text: str
    start: int
    end: int
    level: int | None = None
    page: int | None = None
    sheet: str | None = None
    table: int | None = None
    header: bool | None = None
    cells: tuple[Cell, ...] | None = None


class _Piece(NamedTuple):
    """A block before its text is cut out: most blocks before the wanted ones need none."""

    kind: Kind
    start: int
    end: int
    level: int | None = None
    table: Table | None = None
    row: int = 0


class Blocks:
    """The blocks of one document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._text = document.text
        self._headings = {section.start: section for section in document.sections}
        self._tables = sorted(document.tables, key=lambda table: table.start)
        self._table_starts = [table.start for table in self._tables]
        self._page_starts = [page.start for page in document.pages]
        is_sheet = document.media_type in SHEETS
        self._sheets = [section for section in document.sections if section.level == 1 and is_sheet]
        self._sheet_starts = [section.start for section in self._sheets]
        self._is_mail = document.media_type in MAILS
        self._lines_of: dict[int, list[tuple[int, int]]] = {}
        marks = {0, *self._headings, *self._table_starts, *self._page_starts}
        marks |= {self._skip_blanks(table.end) for table in self._tables}
        self._marks = sorted(mark for mark in marks if mark < len(self._text))

    def between(self, start: int, end: int, most: int = MAX_REPLY) -> list[TextBlock]:
        """Returns the blocks from the one with `start` to the one that ends at or past `end`.

        They have `most` characters, or one block more.
        """
        blocks: list[TextBlock] = []
        length = 0
        for piece in self._from(start):
            if blocks and (piece.start >= end or length >= most):
                break
            blocks.append(self._block(piece))
            length += piece.end - piece.start
        return blocks

    def start_around(self, offset: int) -> int:
        """Returns the start of a block some `BEFORE` characters before an offset."""
        return next((piece.start for piece in self._from(max(0, offset - BEFORE))), 0)

    def _from(self, start: int) -> Iterator[_Piece]:
        """Yields the pieces from the one that holds `start`."""
        if not 0 <= start < len(self._text):
            return
        for n in range(bisect_right(self._marks, start) - 1, len(self._marks)):
            end = self._marks[n + 1] if n + 1 < len(self._marks) else len(self._text)
            yield from (piece for piece in self._cut(self._marks[n], end) if piece.end > start)

    def _cut(self, start: int, end: int) -> Iterator[_Piece]:
        """Yields the pieces between two marks: of a table, or of a heading and its text."""
        n = bisect_right(self._table_starts, start) - 1
        if n >= 0 and start < self._tables[n].end:
            yield from self._rows(self._tables[n], start, end)
            return
        section = self._headings.get(start)
        if section:
            stop = self._heading_end(section, start, end)
            yield from self._pieces("heading", start, stop, section.level)
            start = stop
        may_be_header = self._is_mail and section is not None
        while start < end:
            gap = _GAP.search(self._text, start, end)
            stop = gap.end() if gap else end
            if may_be_header and self._is_mail_header(start, stop):
                for first, after in self._lines(start, stop):
                    yield _Piece("mail_header", first, after)
            else:
                yield from self._pieces("paragraph", start, stop)
            start, may_be_header = stop, False

    def _heading_end(self, section: Section, start: int, end: int) -> int:
        """Returns the end of a heading, with the blanks after it. It may take several lines.

        The rest of its last line belongs to it, such as the mark of a footnote.
        """
        at = start
        for word in section.title.split():
            place = self._text.find(word, at, min(end, at + _LONGEST_WORD))
            if place < 0 or self._text[at:place].strip():
                break
            at = place + len(word)
        line = self._text.find("\n", at, end)
        return self._skip_blanks(line if line >= 0 else end, end)

    def _pieces(
        self, kind: Kind, start: int, end: int, level: int | None = None
    ) -> Iterator[_Piece]:
        """Yields a piece, or several where it is too long. Only its own text decides where it is
        cut.
        """
        while end - start > MAX_BLOCK:
            stop = start + MAX_BLOCK
            for blank in ("\n", " "):
                cut = self._text.rfind(blank, start + MAX_BLOCK // 2, stop)
                if cut > start:
                    stop = cut + 1
                    break
            yield _Piece(kind, start, stop, level)
            start = stop
        if start < end:
            yield _Piece(kind, start, end, level)

    def _rows(self, table: Table, start: int, end: int) -> Iterator[_Piece]:
        """Yields the rows of a table between two marks; header rows have their own kind."""
        for n, (first, after) in enumerate(self._lines_in(table)):
            if start <= first < end:
                # the blanks after the table belong to its last row
                stop = end if after >= table.end else min(after, end)
                kind: Kind = "table_header" if n < table.header_rows else "row"
                yield _Piece(kind, first, stop, table=table, row=n)
            elif first < start < after:  # a page begins in the middle of a line
                yield from self._pieces("paragraph", start, min(after, end))

    def _lines_in(self, table: Table) -> list[tuple[int, int]]:
        """Returns the spans of a table's lines. Markdown's rule belongs to the line above it."""
        if table.start not in self._lines_of:
            spans: list[tuple[int, int]] = []
            for first, after in self._lines(table.start, table.end):
                if spans and _RULE.fullmatch(self._text, first, after):
                    spans[-1] = (spans[-1][0], after)
                else:
                    spans.append((first, after))
            self._lines_of[table.start] = spans
        return self._lines_of[table.start]

    def _lines(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yields the spans of lines. Blank lines belong to the line before."""
        while start < end:
            line = self._text.find("\n", start, end)
            after = self._skip_blanks(line, end) if line >= 0 else end
            yield start, after
            start = after

    def _cells(self, piece: _Piece) -> tuple[Cell, ...] | None:
        """Returns the cells of a row. If the table's cells are not in the text, its line is cut at
        the bars.
        """
        if piece.kind == "mail_header":
            header = _MAIL_HEADER.match(self._text, piece.start, piece.end)
            return tuple(_cell(header, n) for n in (1, 2)) if header else None
        if piece.table is None:
            return None
        rows = piece.table.rows
        if len(self._lines_in(piece.table)) != len(rows):
            return self._cut_cells(piece)
        cells, at = [], piece.start
        for cell in rows[piece.row]:
            place = self._text.find(cell, at, piece.end)
            if place < 0:
                return self._cut_cells(piece)
            at = place + len(cell)
            cells.append(Cell(text=cell, start=place, end=at))
        return tuple(cells)

    def _cut_cells(self, piece: _Piece) -> tuple[Cell, ...]:
        """Returns the texts between the bars of a line."""
        line = self._text.find("\n", piece.start, piece.end)
        at, cells = piece.start, []
        for part in self._text[at : line if line >= 0 else piece.end].split(CELL):
            cell = part.strip("| ")
            place = at + part.index(cell)
            cells.append(Cell(text=cell, start=place, end=place + len(cell)))
            at += len(part) + len(CELL)
        return tuple(cells)

    def _is_mail_header(self, start: int, end: int) -> bool:
        return all(map(_MAIL_HEADER.fullmatch, self._text[start:end].strip().split("\n")))

    def _skip_blanks(self, at: int, end: int | None = None) -> int:
        blanks = _BLANK.match(self._text, at, len(self._text) if end is None else end)
        return blanks.end() if blanks else at

    def _block(self, piece: _Piece) -> TextBlock:
        is_row = piece.table is not None
        return TextBlock(
            kind=piece.kind,
            text=self._text[piece.start : piece.end],
            start=piece.start,
            end=piece.end,
            level=piece.level,
            page=self._page(piece.start),
            sheet=self._sheet(piece.start),
            table=piece.table.start if piece.table else None,
            header=piece.kind == "table_header" if is_row else None,
            cells=self._cells(piece),
        )

    def _page(self, offset: int) -> int | None:
        # of the pages that begin here, only the last one has text
        n = bisect_right(self._page_starts, offset) - 1
        if n < 0 or offset >= self._document.pages[n].end:
            return None
        return self._document.pages[n].number

    def _sheet(self, offset: int) -> str | None:
        n = bisect_right(self._sheet_starts, offset) - 1
        return self._sheets[n].title if n >= 0 else None


def _cell(match: re.Match[str], group: int) -> Cell:
    return Cell(text=match[group], start=match.start(group), end=match.end(group))
