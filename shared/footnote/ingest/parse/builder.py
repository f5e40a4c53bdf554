"""A document under construction: parsers of flowing formats add to it piece by piece."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from footnote.ingest.parse.characters import clean, squeeze
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.refusals import too_large
from footnote.ingest.parse.titles import is_title
from footnote.model import CELL, Document, NotRead, Page, ParsedDocument, Section, Table, WordBox
from footnote.text.language import detect_language

type Heading = tuple[str, int, int]  # title, level, start offset

MAX_LEVEL = 6
MAX_CHARACTERS = 25_000_000
"""Limit on the text of one document.

So much text makes some 53,000 chunks. Four fifths of it, 20 MB, took the chunk step 6 s and a
quarter of its memory (docs/benchmarks.md). The builder stops there, too: a small file may repeat
one long cell a million times.
"""
MAX_SECTIONS = MAX_TABLES = 100_000
"""Later sections and tables become text of the last one. 2 million sections took 2 GB."""
_LONGEST_TITLE = 200
_BEGINNING = 300
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class DocumentBuilder:
    """The text so far, with its headings, tables, pages and word boxes."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._tables: list[Table] = []
        self._pages: list[tuple[int, float, float]] = []
        self._pages_inside: list[Page] = []
        self._words: dict[int, list[WordBox]] = {}
        self.warnings: list[str] = []
        self.ledger = Ledger()
        self._inner: list[tuple[str, NotRead]] = []  # of files inside this one, with their names

    def paragraph(self, text: str, before: str = "\n\n") -> int:
        """Adds text after the separator `before`, by default a blank line.

        Returns the offset of the text's start, or of the document's end if `text` is empty.
        """
        text = clean(text).strip()
        if not text:
            return self._length
        separator = before if self._parts else ""
        start = self._length + len(separator)
        if start + len(text) > MAX_CHARACTERS:
            raise too_large("The document", f"more than {MAX_CHARACTERS:,} characters")
        self._parts.append(separator + text)
        self._length = start + len(text)
        return start

    def item(self, text: str) -> None:
        self.paragraph(text, before="\n")

    def notes(self, text: str, announced: str = "Notes:") -> None:
        """Adds the notes of a slide or a comment, below a line that announces them.

        The line stands apart: no quote may contain a word that is not in the file.
        """
        if text := squeeze(text):
            self.paragraph(announced)
            self.paragraph(text)

    def heading(self, text: str, level: int) -> None:
        text = squeeze(text)
        if text:
            start = self.paragraph(text)
            if len(self._headings) < MAX_SECTIONS:
                self._headings.append((text, min(level, MAX_LEVEL), start))

    def table(self, rows: Iterable[Sequence[str]], header_rows: int = 1) -> None:
        cells = tuple(row for row in (tuple(map(squeeze, row)) for row in rows) if any(row))
        if not cells:
            return
        start = self.paragraph("\n".join(to_line(row) for row in cells))
        if len(self._tables) >= MAX_TABLES:
            return
        self._tables.append(
            Table(
                start=start, end=self._length, rows=cells, header_rows=min(header_rows, len(cells))
            )
        )

    def embed(self, document: Document, level: int, name: str = "") -> int:
        """Adds a whole document; its headings go under a heading of `level`.

        Returns by how many characters its spans have moved.
        """
        before = len(document.text) - len(document.text.lstrip())
        shift = self.paragraph(document.text) - before
        self._headings += [
            (section.title, min(section.level + level, MAX_LEVEL), section.start + shift)
            for section in document.sections
        ]
        self._tables += [
            table.model_copy(
                update={
                    "start": table.start + shift,
                    "end": min(table.end + shift, self._length),  # blanks at the end were cut
                }
            )
            for table in document.tables
        ]
        self._inner += [(name, entry) for entry in document.not_read]
        self.warnings += [
            f"{name}: {warning}" if name else warning for warning in document.warnings
        ]
        return shift

    def embed_file(self, parsed: ParsedDocument, level: int, name: str) -> None:
        """Adds a file that this one contains, with its pages and word boxes."""
        text = parsed.document.text
        shift = self.embed(parsed.document, level, name)
        first = shift + len(text) - len(text.lstrip())  # blanks at both ends were cut
        for page in parsed.document.pages:
            number = len(self._pages_inside) + 1
            self._pages_inside.append(
                page.model_copy(
                    update={
                        "number": number,
                        "start": min(max(page.start + shift, first), self._length),
                        "end": min(page.end + shift, self._length),
                        "doubts": tuple(
                            doubt.model_copy(
                                update={"start": doubt.start + shift, "end": doubt.end + shift}
                            )
                            for doubt in page.doubts
                        ),
                        "label": page.label or str(page.number),
                        "inside": f"{name}, {page.inside}" if page.inside else name,
                    }
                )
            )
            if boxes := parsed.words.get(page.number):
                self._words[number] = [
                    box._replace(start=box.start + shift, end=box.end + shift) for box in boxes
                ]

    def page(self, width: float = 0.0, height: float = 0.0) -> None:
        """Starts the next page, of this size in points. Text added from now on lies on it."""
        self._pages.append((self._length, width, height))

    def opening_title(self) -> list[str]:
        """Returns the first heading if the text begins with it, as a candidate for the title."""
        return opening_title(self._headings)

    def to_parsed(self, media_type: str, name: str, titles: Iterable[str] = ()) -> ParsedDocument:
        """Returns the finished document. `titles` are candidates for its title, best first."""
        text = "".join(self._parts)
        document = Document(
            title=title(titles, name),
            media_type=media_type,
            language=detect_language(text),
            text=text,
            pages=pages(self._pages, len(text)) or tuple(self._pages_inside),
            sections=sections(self._headings, len(text)),
            tables=tuple(self._tables),
            warnings=(*self.warnings, *self.ledger.warnings()),
            not_read=self.ledger.joined(self._inner).entries(),
        )
        return ParsedDocument(document, self._words)


def to_line(row: Sequence[str]) -> str:
    """Joins a table row into a line of text. Blank cells stay where filled ones follow."""
    return CELL.join(row).rstrip(" |") if any(row) else ""


def pages(starts: Sequence[tuple[int, float, float]], length: int) -> tuple[Page, ...]:
    """Makes pages that tile the text: each ends where the next starts."""
    ends = [*(start for start, _, _ in starts), length][1:]
    return tuple(
        Page(number=n, start=start if n > 1 else 0, end=end, width=width, height=height)
        for n, ((start, width, height), end) in enumerate(zip(starts, ends, strict=True), start=1)
    )


def sections(headings: Sequence[Heading], length: int) -> tuple[Section, ...]:
    """Makes a section of each heading. It ends at the next heading of its level or above."""
    headings = headings[:MAX_SECTIONS]
    ends = [length] * len(headings)
    is_open: list[int] = []
    for i, (_, level, start) in enumerate(headings):
        while is_open and headings[is_open[-1]][1] >= level:
            ends[is_open.pop()] = start
        is_open.append(i)
    return tuple(
        Section(title=heading, level=level, start=start, end=end)
        for (heading, level, start), end in zip(headings, ends, strict=True)
    )


def opening_title(headings: Sequence[Heading]) -> list[str]:
    """Returns the first heading if the text begins with it; a later one names only a part."""
    return [heading for heading, _, start in headings[:1] if start < _BEGINNING]


def title(candidates: Iterable[str], name: str) -> str:
    """Returns the first candidate that is a title, else the file's name.

    If the file's name holds a year that the title lacks, it follows the title in brackets:
    otherwise a company's yearly reports may have equal titles.
    """
    stem = squeeze(re.sub(r"[_+]+", " ", PurePosixPath(name).stem))
    for candidate in map(squeeze, candidates):
        if is_title(candidate):
            best = candidate[:_LONGEST_TITLE]
            years = _YEAR.findall(stem)
            return best if set(years) <= set(_YEAR.findall(best)) else f"{best} ({stem})"
    return stem or "Untitled"
