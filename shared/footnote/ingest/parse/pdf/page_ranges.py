"""Long PDFs in parts: the pages of an invocation, the stored form of a part, and the join.

A part is raw: the rows of its pages. Running headers, headings and tables over pages need
the whole document, so they are found when all parts are read. So parts give the same
document as one invocation.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.pdf import attachments, compose, open_pdf, outline_of
from footnote.ingest.parse.pdf.headings import Entry
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.page_items import Fragment, Row, Sheet, Word
from footnote.ingest.parse.pdf.reader import PageResult, Reader, unread_page
from footnote.model import ParsedDocument
from footnote.wire import from_row

ONLY_PAGES = "Nothing of the file but its pages could be read: headings are told by their type."
type Span = tuple[int, int]  # first and last page


class Part(NamedTuple):
    """Some pages in a row. `outline`, `info`, `warnings` and `embedded` belong to the whole file.

    The first part brings them. If its pages are lost, the part that begins with page 2 does.
    """

    read: Sequence[PageResult]
    outline: Sequence[Entry] = ()
    info: dict[str, str] | None = None
    warnings: Sequence[str] = ()
    ms: float = 0.0
    embedded: int = 0  # files in it, which are not read

    @property
    def first(self) -> int:
        return self.read[0].sheet.number

    @property
    def last(self) -> int:
        return self.read[-1].sheet.number


def spans(body: bytes, name: str, pages_a_part: int) -> list[Span]:
    """Returns the parts in which to read a PDF. Raises BadDocumentError, as `parse` does."""
    with open_pdf(body, name) as (file, _):
        pages = file.page_count
    starts = range(1, pages + 1, pages_a_part)
    return [(first, min(first + pages_a_part - 1, pages)) for first in starts]


def read_part(body: bytes, name: str, allowance: Allowance, span: Span) -> Part:
    """Reads the pages of a part, or as many as OCR has time for: at least one."""
    ocr = Ocr(allowance.engines, pages=allowance.ocr_pages)
    reader = Reader(ocr)
    with open_pdf(body, name) as (file, warnings):
        read: list[PageResult] = []
        for number in range(span[0], span[1] + 1):
            if read and ocr.is_used_up:
                break
            read.append(reader.read(file, number))
        if span[0] > 2:
            return Part(read)
        # only a file that is read at once is read with what is embedded in it
        info, embedded = dict(file.metadata or {}), attachments.count(file)
        return Part(read, outline_of(file), info, warnings, embedded=embedded)


def lost_part(span: Span) -> Part:
    """Makes a part of pages that are not read, because they stop any step that tries."""
    return Part([unread_page(number, "stopped") for number in range(span[0], span[1] + 1)])


def combine_parts(parts: Sequence[Part], name: str) -> ParsedDocument:
    """Joins parts into the document. Together they hold each page once, in order."""
    read = [*chain.from_iterable(part.read for part in parts)]
    first = next(
        (part for part in parts if part.info is not None), Part(read, warnings=[ONLY_PAGES])
    )
    parsed = compose(read, name, first.outline, first.info or {}, first.warnings)
    return attachments.count_unread(parsed, first.embedded)


# -- stored --------------------------------------------------------------------------------------


def dump_part(part: Part) -> bytes:
    return gzip.compress(json.dumps(part, separators=(",", ":")).encode(), 1, mtime=0)


def load_part(body: bytes, after: int, texts: dict[str, str]) -> Part:
    """Loads a stored part without its pages up to `after`.

    `texts` holds the words so far: equal ones share one string.
    """
    read, outline, info, warnings, ms, *embedded = json.loads(gzip.decompress(body))
    return Part(
        read=[_read(page, texts) for page in read if page[0][0] > after],
        outline=[(level, title, page, y) for level, title, page, y in outline],
        info=info,
        warnings=warnings,
        ms=ms,
        embedded=next(iter(embedded), 0),
    )


def _read(stored: Sequence[Any], texts: dict[str, str]) -> PageResult:
    (number, width, height, rows, *frame), *became = stored
    restored = tuple(_row(row, texts) for row in rows)
    sheet = from_row(Sheet, (number, width, height, restored, *frame))
    sheet = sheet._replace(notes=tuple(sheet.notes))
    return from_row(PageResult, (sheet, *became))


def _row(stored: Sequence[Any], texts: dict[str, str]) -> Row:
    cells, *rest = stored
    return from_row(Row, (tuple(tuple(_fragments(cell, texts)) for cell in cells), *rest))


def _fragments(cell: Iterable[Sequence[Any]], texts: dict[str, str]) -> Iterator[Fragment]:
    for x0, y0, x1, y1, words, *style in cell:
        restored = tuple(
            from_row(Word, (left, top, right, bottom, texts.setdefault(text, text), *others))
            for left, top, right, bottom, text, *others in words
        )
        yield from_row(Fragment, (x0, y0, x1, y1, restored, *style))
