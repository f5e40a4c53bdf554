"""From any file to a canonical document: `PARSERS` has one function a format, `parse` picks it.

A format is a module here with `parse(body, name)`; it is imported when the first such file comes.
"""

from importlib import import_module

from footnote.errors import BadDocumentError
from footnote.ingest.parse import tessdata
from footnote.ingest.parse.kinds import Parsed, Parser, WordBox, no_text
from footnote.ingest.parse.sniff import DOCX, HTML, IMAGES, PDF, PPTX, XLSX, media_type

__all__ = ["PARSERS", "Parsed", "Parser", "WordBox", "media_type", "parse"]


def _lazy(module: str) -> Parser:
    def parse_with(body: bytes, name: str) -> Parsed:
        parser: Parser = import_module(f"{__name__}.{module}").parse
        return parser(body, name)

    return parse_with


PARSERS: dict[str, Parser] = {
    PDF: _lazy("pdf"),
    DOCX: _lazy("word"),
    PPTX: _lazy("slides"),
    XLSX: _lazy("sheets"),
    HTML: _lazy("web"),
    "text/markdown": _lazy("markdown"),
    "text/csv": _lazy("delimited"),
    "text/tab-separated-values": _lazy("delimited"),
    "text/plain": _lazy("plain"),
    **dict.fromkeys(IMAGES.values(), _lazy("images")),
}


def parse(body: bytes, name: str) -> Parsed:
    """The document in a file called `name`. Raises BadDocumentError or UnsupportedError."""
    if not body.strip(b"\x00 \t\r\n"):
        raise BadDocumentError(
            f"{name} is empty.",
            code="empty_file",
            action="Upload the file again, with its content.",
        )
    kind = media_type(body, name)
    parsed = PARSERS[kind](body, name)
    if parsed.document.text.strip():
        return parsed
    if kind == PPTX or _is_scan(kind):
        raise no_text(
            name,
            f"none of its {len(parsed.document.pages)} pages has text; they are images or blank.",
            _advice(kind),
        )
    raise no_text(name, "there is no text in it.", "Upload a version that has some.")


def _is_scan(kind: str) -> bool:
    return kind == PDF or kind in IMAGES.values()


def _advice(kind: str) -> str:
    if not _is_scan(kind):
        return "OCR reads PDFs and images: save it as PDF and upload that."
    if tessdata.folder() is None:
        return (
            "OCR is not installed: whoever operates footnote runs `make setup` and deploys again;"
            " then `footnote retry`."
        )
    return "OCR found nothing to read: upload a sharper scan (300 dpi) or a version with text."
