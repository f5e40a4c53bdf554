"""The PDF parser: text in reading order, with word boxes, sections and tables.

Sections come from the outline or the type, tables from the positions of words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pymupdf

from footnote.ingest.parse import properties
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import pages, sections, title
from footnote.ingest.parse.formats import PDF
from footnote.ingest.parse.pdf import attachments, doubts, headings
from footnote.ingest.parse.pdf.footnotes import put_footnotes_last
from footnote.ingest.parse.pdf.headings import Entry
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.page_items import Sheet
from footnote.ingest.parse.pdf.reader import PDF_ERRORS, PageResult, Reader, notes
from footnote.ingest.parse.pdf.running_headers import remove_running
from footnote.ingest.parse.pdf.writer import Writer
from footnote.ingest.parse.refusals import corrupt, encrypted, too_large, translate_errors
from footnote.ingest.parse.titles import is_cover_title, is_form_number
from footnote.model import Document, ParsedDocument
from footnote.text.language import detect_language

MAX_PAGES = 5_000
_HEAD = 10  # lines that may hold a form's number
# skips the first half of a word that a hyphen breaks at a line's end
_WORD = re.compile(r"(?<![^\W\d_])(?<![^\W\d_]-)[^\W\d_]++(?:-[^\W\d_]++)*+(?![-\w])")


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    """Reads a PDF into a document, with OCR as far as `allowance` allows.

    Raises BadDocumentError if the file cannot be opened or none of its pages can be read.
    """
    reader = Reader(Ocr(allowance.engines, pages=allowance.ocr_pages))
    with open_pdf(body, name) as (file, warnings):
        results = [reader.read(file, number) for number in range(1, file.page_count + 1)]
        outline, info = outline_of(file), file.metadata or {}
        parsed = compose(results, name, outline, info, warnings)
        files = attachments.read(file, allowance)
    return attachments.join(parsed, files)


@contextmanager
def open_pdf(body: bytes, name: str) -> Iterator[tuple[Any, list[str]]]:
    """Opens a PDF and yields the file, unlocked, with warnings about it.

    Raises BadDocumentError if it is damaged, needs a password or has more than `MAX_PAGES` pages.
    """
    library: Any = pymupdf
    library.TOOLS.mupdf_display_errors(False)
    library.TOOLS.mupdf_display_warnings(False)
    with translate_errors(name, PDF_ERRORS), library.open(stream=body, filetype="pdf") as file:
        if file.needs_pass:
            raise encrypted(name)
        if file.page_count > MAX_PAGES:
            raise too_large(name, f"{file.page_count:,} pages, and {MAX_PAGES:,} is the limit")
        yield file, [*_warnings(file)]


def _warnings(file: Any) -> Iterator[str]:
    if file.xref_get_key(file.pdf_catalog(), "NeedsRendering")[1] == "true":
        yield "Its pages are made by Adobe's own programs from a form (XFA), which is not read."


def compose(
    results: Sequence[PageResult],
    name: str,
    outline: Sequence[Entry],
    info: Mapping[str, Any],
    warnings: Sequence[str],
) -> ParsedDocument:
    """Makes the document from all pages in order, the outline and the file's own metadata.

    Raises BadDocumentError if no page could be read.
    """
    if all(result.outcome in ("damaged", "stopped") for result in results):
        raise corrupt(name, "no page can be read")
    parsed = write_sheets(
        [result.sheet for result in results],
        [*warnings, *notes(results)],
        name,
        outline=outline,
        titles=[info.get("title") or ""],
    )
    return properties.add_metadata(parsed, properties.pdf(info))


def outline_of(file: Any) -> list[Entry]:
    """Returns the bookmarks. A file with broken bookmarks is read without them."""
    try:
        entries = file.get_toc(simple=False)
    except PDF_ERRORS:
        return []
    return [
        (level, heading, number, getattr(target.get("to"), "y", 0.0))
        for level, heading, number, target in entries
    ]


def write_sheets(
    sheets: Sequence[Sheet],
    warnings: Sequence[str],
    name: str,
    *,
    outline: Sequence[Entry] = (),
    titles: Sequence[str] = (),
    media_type: str = PDF,
) -> ParsedDocument:
    """Writes pages as one document, without running headers and with footnotes last on each page.

    `titles` are candidates for the document's title; the largest type on page 1 comes after them.
    """
    ordered = put_footnotes_last(remove_running(sheets))
    writer = Writer(headings.headings(ordered, outline), _vocabulary(ordered))
    for index, sheet in enumerate(ordered):
        writer.page(sheet, index)
    text = writer.text
    document = Document(
        title=title([*titles, *_largest_lines(ordered)], name),
        media_type=media_type,
        language=detect_language(text),
        text=text,
        pages=tuple(
            page.model_copy(
                update={
                    "label": sheet.label,
                    "read": sheet.read,
                    "doubts": tuple(writer.doubts.get(sheet.number, ())),
                }
            )
            for page, sheet in zip(pages(writer.starts, len(text)), sheets, strict=True)
        ),
        sections=sections(writer.headings, len(text)),
        tables=tuple(writer.tables),
        warnings=(*warnings, *doubts.warn(writer.doubts)),
    )
    return ParsedDocument(document, writer.words)


def _vocabulary(sheets: Sequence[Sheet]) -> frozenset[str]:
    """Returns all words of the document, to distinguish "decom-pose" from
    "well-known" at a line's end.
    """
    return frozenset(
        word
        for sheet in sheets
        for row in sheet.rows
        for word in _WORD.findall(row.text.casefold())
    )


def _largest_lines(sheets: Sequence[Sheet]) -> list[str]:
    """Returns the first page's lines in the largest type, joined: the first three.

    Six or more lines of that size are body text, so there is no title among them. On a form they
    are searched below its number: above it stands the form's issuer.
    """
    lines = [row for sheet in sheets[:1] for row in sheet.rows if row.cells[0][0].upright]
    numbers = [i for i, row in enumerate(lines[:_HEAD]) if is_form_number(row.text)]
    rows = [row for row in lines[max(numbers, default=-1) + 1 :] if is_cover_title(row.text)]
    if not rows:
        return []
    size = max(row.size for row in rows)
    largest = [row for row in rows if row.size > size - 1]
    return [" ".join(row.text for row in largest[:3])] if len(largest) < 6 else []
