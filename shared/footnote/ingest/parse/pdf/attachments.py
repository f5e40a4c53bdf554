"""Reads the files that are embedded in a PDF, within bounds, and joins them to its document.

The catalog lists some. Others hang on a page by a paperclip: an annotation with a file.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from footnote.ingest.parse.allowance import MAX_BYTES, Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.pdf.annotations import MAX_ANNOTATIONS, file_name
from footnote.ingest.parse.pdf.page_bounds import unpack_stream
from footnote.ingest.parse.pdf.reader import PDF_ERRORS
from footnote.ingest.parse.refusals import too_large, translate_errors, unsupported
from footnote.model import Doubt, Page, ParsedDocument, Section, Table

_LIST = "Names/EmbeddedFiles/Names"
# in the list a file is either written out, or named by the number of its object
_FILE = re.compile(r"/EF\s*<<[^<>]*?/U?F\s+(\d+)\s+\d+\s+R|[)>]\s*(\d+)\s+\d+\s+R")
_REFERENCE = re.compile(r"(?<!\d)(\d++)\s++\d++\s++R")
_PAPERCLIP = "/FileAttachment"

type File = tuple[int, str]  # the object with its content (0 if that is not known), its name


def count(file: Any) -> int:
    """Returns the number of embedded files."""
    return _count_listed(file) + len(_paperclips(file))


def _count_listed(file: Any) -> int:
    """Returns the number of listed files. A file with a broken list has none."""
    with suppress(RuntimeError, ValueError):
        return int(file.embfile_count())
    return 0


def count_unread(parsed: ParsedDocument, number: int) -> ParsedDocument:
    """Returns the document of a PDF whose embedded files are only counted."""
    ledger = Ledger()
    ledger.count("embedded_file", number=number)
    warnings = (*parsed.document.warnings, *ledger.warnings())
    update = {"warnings": warnings, "not_read": ledger.entries()}
    return parsed._replace(document=parsed.document.model_copy(update=update))


def read(file: Any, allowance: Allowance) -> DocumentBuilder:
    """Reads the embedded files as sections of a document of their own."""
    builder = DocumentBuilder()
    inside = NestedFiles(builder, allowance)
    number = _count_listed(file)
    try:
        streams = [*islice(_streams(file), number)] if number else []
    except PDF_ERRORS:
        streams = []
    builder.ledger.count("embedded_file", "", number - len(streams))
    listed = [
        (stream, _path(file, index) or f"file {index + 1}") for index, stream in enumerate(streams)
    ]
    clipped = [each for each in _paperclips(file) if not each[0] or each[0] not in streams]
    for stream, path in (*listed, *clipped):
        with inside.skip_refused():
            inside.add(_content(file, stream, path), path)
    return builder


def _path(file: Any, index: int) -> str:
    try:
        info = file.embfile_info(index)
    except PDF_ERRORS:
        return ""
    return squeeze(info.get("ufilename") or info.get("filename") or "")


def _streams(file: Any) -> Iterator[int]:
    """Yields the object that holds each embedded file."""
    written = file.xref_get_key(file.pdf_catalog(), _LIST)[1]
    for inline, indirect in _FILE.findall(written):
        if inline:
            yield int(inline)
        else:
            found = _REFERENCE.match(file.xref_get_key(int(indirect), "EF/F")[1])
            yield int(found[1]) if found else 0


def _paperclips(file: Any) -> list[File]:
    """Returns the files that hang on pages. Nothing is loaded of a page without annotations."""
    found: list[File] = []
    with suppress(*PDF_ERRORS):
        for number in range(file.page_count):
            kind, written = file.xref_get_key(file.page_xref(number), "Annots")
            if kind == "xref":
                written = file.xref_object(int(written.split()[0]), compressed=True)
            for reference in islice(_REFERENCE.finditer(written), MAX_ANNOTATIONS):
                annotation = int(reference[1])
                if file.xref_get_key(annotation, "Subtype")[1] == _PAPERCLIP:
                    found.append(_clipped(file, annotation, number + 1))
    return found


def _clipped(file: Any, annotation: int, page: int) -> File:
    stream = _REFERENCE.match(file.xref_get_key(annotation, "FS/EF/F")[1])
    name = file_name(file, annotation) or f"file on page {page}"
    return int(stream[1]) if stream else 0, name


def _content(file: Any, stream: int, path: str) -> bytes:
    """Unpacks a file as far as it may be large. Raises BadDocumentError for any other."""
    if not stream:
        raise unsupported(path, "embedded in a way that is not known")
    with translate_errors(path, PDF_ERRORS):
        content = unpack_stream(file, stream, MAX_BYTES)
    if content is None:
        raise too_large(path, "it unpacks to too much, or in a way that cannot be bounded")
    return content


def join(parsed: ParsedDocument, files: DocumentBuilder) -> ParsedDocument:
    """Returns the PDF's document with the embedded files as sections behind its own."""
    inner = files.to_parsed(parsed.document.media_type, parsed.document.title)
    document, added = parsed.document, inner.document
    if not added.text:
        warnings = (*document.warnings, *added.warnings)
        update = {"warnings": warnings, "not_read": (*document.not_read, *added.not_read)}
        return parsed._replace(document=document.model_copy(update=update))
    gap = "\n\n" if document.text else ""
    shift, first = len(document.text) + len(gap), len(document.pages)
    whole = document.model_copy(
        update={
            "text": f"{document.text}{gap}{added.text}",
            "sections": (*document.sections, *(_move(each, shift) for each in added.sections)),
            "tables": (*document.tables, *(_move(each, shift) for each in added.tables)),
            "pages": (*document.pages, *(_move_page(each, shift, first) for each in added.pages)),
            "warnings": (*document.warnings, *added.warnings),
            "not_read": (*document.not_read, *added.not_read),
        }
    )
    words = {
        number + first: [
            box._replace(start=box.start + shift, end=box.end + shift) for box in boxes
        ]
        for number, boxes in inner.words.items()
    }
    return ParsedDocument(whole, {**parsed.words, **words})


def _move[T: (Section, Table, Page, Doubt)](span: T, shift: int) -> T:
    return span.model_copy(update={"start": span.start + shift, "end": span.end + shift})


def _move_page(page: Page, shift: int, first: int) -> Page:
    doubts = tuple(_move(doubt, shift) for doubt in page.doubts)
    update = {"number": page.number + first, "doubts": doubts}
    return _move(page, shift).model_copy(update=update)
