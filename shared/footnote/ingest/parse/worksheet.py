"""Writes a sheet as a section: blocks of rows become tables, single lines above them paragraphs."""

from collections.abc import Iterator, Sequence

from footnote.ingest.parse.builder import MAX_CHARACTERS, DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.refusals import too_large

MAX_CELLS = 5_000_000  # of all sheets, blank ones included
_MAX_HEADER_ROWS = 4
_AROUND_DIGITS = dict.fromkeys(map(ord, ".,-+%()/ $€£¥"))


class Room:
    """The bounds of all sheets of a file together.

    A cell can be short in the file and long in the document: its text may be stored there once.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self.cells = MAX_CELLS
        self._characters = MAX_CHARACTERS

    def take(self, row: Sequence[str]) -> None:
        """Counts a row. Raises BadDocumentError for more characters than a document may have."""
        self.cells -= max(1, len(row))
        self._characters -= sum(map(len, row))
        if self._characters < 0:
            raise too_large(self._name, f"more than {MAX_CHARACTERS:,} characters in its cells")


def write(builder: DocumentBuilder, sheet: str, rows: Sequence[Sequence[str]]) -> None:
    if not any(any(row) for row in rows):
        return
    builder.heading(sheet, 1)
    for block in _blocks(rows):
        table = list(block)
        while table and sum(map(bool, table[0])) == 1:
            builder.paragraph(" ".join(table.pop(0)))  # a line alone above a table
        used = sorted({i for row in table for i, cell in enumerate(row) if cell})
        cells = [[row[i] if i < len(row) else "" for i in used] for row in table]
        builder.table(cells, _header_rows(cells))


def write_comment(builder: DocumentBuilder, author: str, cell: str, text: str) -> None:
    """Writes a comment below a line that announces it.

    The line stands apart: no quote may contain a word that is not in the file.
    """
    text = text.strip().removeprefix(f"{author}:").strip()
    if text:
        builder.paragraph(f"Comment by {author or 'an unnamed author'}, {cell}:")
        builder.paragraph("\n".join(map(squeeze, text.splitlines())))


def _blocks(rows: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Yields the blocks of rows between blank rows.

    A row with numbers after a blank row still belongs to the same table.
    """
    block: list[Sequence[str]] = []
    after_blank = False
    for row in rows:
        if not any(row):
            after_blank = True
            continue
        if block and after_blank and not any(map(_is_number, row)):
            yield block
            block = []
        block.append(row)
        after_blank = False
    if block:
        yield block


def _header_rows(rows: Sequence[Sequence[str]]) -> int:
    """Returns the number of rows above the first one with a number.

    The first column does not count, and a year may be a heading. Returns 1 if no number comes soon.
    """
    for i, row in enumerate(rows[: _MAX_HEADER_ROWS + 1]):
        if any(_is_number(cell) for cell in row[1:]):
            return i
    return 1


def _is_number(cell: str) -> bool:
    digits = cell.translate(_AROUND_DIGITS)
    return digits.isdecimal() and not (len(cell) == 4 and cell[:2] in {"19", "20"})
