"""Turns any file into a canonical document: `PARSERS` has one per media type, `parse` picks it.

Each format is a module of this package with `parse(body, name)`, imported at its first file.
Formats whose files hold other files, or pictures of text, have `parse(body, name, allowance)`. The
allowance limits nested files, and holds the OCR engines.
"""

import re
from importlib import import_module

from footnote.errors import BadDocumentError
from footnote.ingest.parse.allowance import Allowance, Parser
from footnote.ingest.parse.builder import MAX_CHARACTERS
from footnote.ingest.parse.formats import (
    DOCX,
    EPUB,
    FORMATS,
    IMAGES,
    ODP,
    ODS,
    ODT,
    PDF,
    PPTX,
    XLSX,
    ZIP,
    Format,
)
from footnote.ingest.parse.ledger import is_counted
from footnote.ingest.parse.media_types import media_type
from footnote.ingest.parse.refusals import no_text, too_large
from footnote.model import ParsedDocument, WordBox
from footnote.text.condense import condense

__all__ = ["PARSERS", "ParsedDocument", "Parser", "WordBox", "media_type", "parse"]


def _parser(entry: Format) -> Parser:
    """Returns a parser that imports the module of the format when it is called."""

    def parse_with(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
        module = import_module(f"{__name__}.{entry.module}")
        parsed: ParsedDocument = (
            module.parse(body, name, allowance) if entry.nests else module.parse(body, name)
        )
        return parsed

    return parse_with


PARSERS: dict[str, Parser] = {each.media_type: _parser(each) for each in FORMATS}
_BLANK = re.compile(rb"[\x00 \t\r\n]*+")
_SLIDES = frozenset({PPTX, ODP})
_MAY_BE_LARGE = frozenset({PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, EPUB, ZIP, *IMAGES})
"""Formats without the limit `MAX_BYTES`: pictures make up most of a large file."""
MAX_BYTES = 50_000_000  # of a file in any other format


def parse(body: bytes, name: str, allowance: Allowance | None = None) -> ParsedDocument:
    """Parses the file called `name`. Raises BadDocumentError or UnsupportedError.

    `allowance` limits nested files and holds the OCR engines. A nested file gets the rest
    of the outer file's allowance.
    """
    if _BLANK.fullmatch(body):
        raise BadDocumentError(
            f"{name} is empty.",
            code="empty_file",
            action="Upload the file again, with its content.",
        )
    allowance = allowance or Allowance()
    kind = media_type(body, name)
    if len(body) > MAX_BYTES and kind not in _MAY_BE_LARGE:
        raise too_large(name, f"{len(body):,} bytes, and of {kind} {MAX_BYTES:,} is the limit")
    return require_text(PARSERS[kind](body, name, allowance), kind, name, allowance)


def require_text(
    parsed: ParsedDocument, kind: str, name: str, allowance: Allowance
) -> ParsedDocument:
    """Returns the document. Raises BadDocumentError if it has no text, or too much."""
    length = len(parsed.document.text)
    if length > MAX_CHARACTERS:
        raise too_large(name, f"{length:,} characters, and {MAX_CHARACTERS:,} is the limit")
    if parsed.document.text.strip():
        warnings = condense(parsed.document.warnings)
        return parsed._replace(document=parsed.document.model_copy(update={"warnings": warnings}))
    unread = " ".join(warning for warning in parsed.document.warnings if is_counted(warning))
    unread = unread and f" What it holds: {unread}"
    if kind in _SLIDES or _is_scan(kind):
        pages = len(parsed.document.pages)
        raise no_text(
            name,
            f"none of its {pages} pages has text; they are images or blank.{unread}",
            _advice(kind, allowance),
        )
    raise no_text(name, f"there is no text in it.{unread}", "Upload a version that has some.")


def _is_scan(kind: str) -> bool:
    return kind == PDF or kind in IMAGES


def _advice(kind: str, allowance: Allowance) -> str:
    if not _is_scan(kind):
        return "OCR reads PDFs and images: save it as PDF and upload that."
    if not allowance.engines.is_available:
        return (
            "OCR is not installed: whoever operates footnote runs `make setup` and deploys again;"
            " then `footnote retry`."
        )
    return "OCR found nothing to read: upload a sharper scan (300 dpi) or a version with text."
