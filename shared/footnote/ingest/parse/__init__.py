"""From any file to a canonical document: `PARSERS` has one function a format, `parse` picks it.

A format is a module here with `parse(body, name)`; it is imported when the first such file comes.
One whose files hold other files, or pictures of text, has `parse(body, name, room)`: the room says
how much, and who reads pictures.
"""

from collections.abc import Callable
from importlib import import_module

from footnote.errors import BadDocumentError
from footnote.ingest.parse.kinds import Parsed, Parser, Room, WordBox, no_text, too_large
from footnote.ingest.parse.signs import EML, HTML, JSON, JSONL, MBOX, XML
from footnote.ingest.parse.sniff import (
    DOCX,
    EPUB,
    IMAGES,
    MSG,
    ODP,
    ODS,
    ODT,
    PDF,
    PPTX,
    RTF,
    XLS,
    XLSX,
    ZIP,
    media_type,
)

__all__ = ["PARSERS", "Parsed", "Parser", "Room", "WordBox", "media_type", "parse"]


def _lazy(module: str) -> Parser:
    def parse_with(body: bytes, name: str, _: Room) -> Parsed:
        parser: Callable[[bytes, str], Parsed] = import_module(f"{__name__}.{module}").parse
        return parser(body, name)

    return parse_with


def _in_a_room(module: str) -> Parser:
    def parse_with(body: bytes, name: str, room: Room) -> Parsed:
        parser: Parser = import_module(f"{__name__}.{module}").parse
        return parser(body, name, room)

    return parse_with


PARSERS: dict[str, Parser] = {
    PDF: _in_a_room("pdf"),
    DOCX: _lazy("word"),
    PPTX: _lazy("slides"),
    XLSX: _lazy("sheets"),
    XLS: _lazy("old_sheets"),
    ODT: _lazy("odf_text"),
    ODS: _lazy("odf_sheets"),
    ODP: _lazy("odf_slides"),
    EPUB: _lazy("book"),
    RTF: _lazy("rich_text"),
    HTML: _lazy("web"),
    "text/markdown": _lazy("markdown"),
    "text/csv": _lazy("delimited"),
    "text/tab-separated-values": _lazy("delimited"),
    "text/plain": _lazy("plain"),
    JSON: _lazy("values"),
    JSONL: _lazy("values"),
    XML: _lazy("markup"),
    EML: _in_a_room("mail"),
    MBOX: _in_a_room("mbox"),
    **dict.fromkeys(IMAGES.values(), _in_a_room("images")),
    MSG: _in_a_room("outlook"),
    ZIP: _in_a_room("zipped"),
}
_SLIDES = frozenset({PPTX, ODP})
_MAY_BE_LARGE = frozenset({PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, EPUB, ZIP, *IMAGES.values()})
"""Most of a large one is pictures."""
MAX_BYTES = 50_000_000  # of any other
MAX_CHARACTERS = 25_000_000
"""Of text in one document: some 50,000 chunks, which the chunk step cuts in half its time and
memory (docs/benchmarks.md)."""


def parse(body: bytes, name: str, room: Room | None = None) -> Parsed:
    """The document in a file called `name`. Raises BadDocumentError or UnsupportedError.

    `room`: what is left for files inside files, where this is one of them.
    """
    if not body.strip(b"\x00 \t\r\n"):
        raise BadDocumentError(
            f"{name} is empty.",
            code="empty_file",
            action="Upload the file again, with its content.",
        )
    room = room or Room()
    kind = media_type(body, name)
    if len(body) > MAX_BYTES and kind not in _MAY_BE_LARGE:
        raise too_large(name, f"{len(body):,} bytes, and of {kind} {MAX_BYTES:,} is the limit")
    return with_text(PARSERS[kind](body, name, room), kind, name, room)


def with_text(parsed: Parsed, kind: str, name: str, room: Room) -> Parsed:
    """The document, if it has text and not too much. Raises BadDocumentError."""
    length = len(parsed.document.text)
    if length > MAX_CHARACTERS:
        raise too_large(name, f"{length:,} characters, and {MAX_CHARACTERS:,} is the limit")
    if parsed.document.text.strip():
        return parsed
    if kind in _SLIDES or _is_scan(kind):
        raise no_text(
            name,
            f"none of its {len(parsed.document.pages)} pages has text; they are images or blank.",
            _advice(kind, room),
        )
    raise no_text(name, "there is no text in it.", "Upload a version that has some.")


def _is_scan(kind: str) -> bool:
    return kind == PDF or kind in IMAGES.values()


def _advice(kind: str, room: Room) -> str:
    if not _is_scan(kind):
        return "OCR reads PDFs and images: save it as PDF and upload that."
    if not room.sight.is_available:
        return (
            "OCR is not installed: whoever operates footnote runs `make setup` and deploys again;"
            " then `footnote retry`."
        )
    return "OCR found nothing to read: upload a sharper scan (300 dpi) or a version with text."
