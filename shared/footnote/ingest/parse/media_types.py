"""Finds a file's format by its content.

The name distinguishes text formats, and a damaged file from one in an unknown format.
"""

import re
from pathlib import PurePosixPath

from footnote.errors import BadDocumentError
from footnote.ingest.parse import text_formats, unread, zip_bounds
from footnote.ingest.parse.formats import (
    BINARY_ENDINGS,
    DOCX,
    EPUB,
    MSG,
    ODP,
    ODS,
    ODT,
    PDF,
    PPTX,
    RTF,
    TEXT,
    TNEF,
    XLS,
    XLSX,
    ZIP,
)
from footnote.ingest.parse.refusals import corrupt, locked_office_file, unsupported

_BEGINNINGS = {
    re.compile(rb"\{\\rtf"): RTF,
    re.compile(rb"\x78\x9f\x3e\x22"): TNEF,
    # the first record of a workbook outside of a compound file: of Excel before 5, or embedded
    re.compile(rb"\x09[\x00\x02\x04\x08][\x04\x06\x08\x10]\x00"): XLS,
    re.compile(rb"\x89PNG\r\n"): "image/png",
    re.compile(rb"\xff\xd8\xff"): "image/jpeg",
    re.compile(rb"II\*\0|MM\0\*|II\+\0|MM\0\+"): "image/tiff",
    re.compile(rb"GIF8[79]a"): "image/gif",
    re.compile(rb"RIFF.{4}WEBP", re.DOTALL): "image/webp",
    re.compile(rb"BM.{12}[\x0c(4@l|]\0\0\0", re.DOTALL): "image/bmp",
}

_LONGEST_TYPE = 1_000  # bytes of the member that names a package's type
_FOLDERS = {"word/": DOCX, "ppt/": PPTX, "xl/": XLSX}
_DECLARED = {ODT, ODS, ODP, EPUB}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_CONVERT = "Save it as {0}, for example with `soffice --convert-to {0}`, and upload that."
_MESSAGE = "__properties_version1.0"
_SHEETS = ("Workbook", "Book")
_LEGACY = (
    ("WordDocument", "an old Word file (.doc)", _CONVERT.format("docx")),
    ("PowerPoint Document", "an old PowerPoint file (.ppt)", _CONVERT.format("pptx")),
)


def media_type(body: bytes, name: str) -> str:
    """Returns the media type of a file that `parse` reads.

    Raises UnsupportedError for any other format, BadDocumentError for a damaged or encrypted file.
    """
    # before PDF: an archive may hold one unpacked near its start
    if body.startswith(b"PK\x03\x04"):
        return _zip_type(body, name)
    if body.startswith(_OLE):
        return _ole_type(body, name)
    if b"%PDF-" in body[:1024]:
        return PDF
    for sign, kind in _BEGINNINGS.items():
        if sign.match(body):
            return kind
    unread.refuse_by_content(body, name)
    ending = PurePosixPath(name.casefold()).suffix
    kind = text_formats.sniff(body, name)
    if ending in BINARY_ENDINGS and kind == TEXT:
        raise corrupt(name, f"it does not begin as a {ending} file must")
    return kind


def _zip_type(body: bytes, name: str) -> str:
    try:
        with zip_bounds.open_package(body, name) as package:
            names = package.names
            declared = package.read("mimetype", _LONGEST_TYPE) if "mimetype" in names else b""
    except BadDocumentError as refused:
        if refused.code == "too_large":
            raise
        raise corrupt(name, "it ends too early, or its directory is broken") from refused
    kind = declared.decode("latin-1").strip().removesuffix("-template")
    if kind in _DECLARED:
        return kind
    unread.refuse_by_members(kind, names, name)
    is_office = "[Content_Types].xml" in names
    if is_office or PurePosixPath(name.casefold()).suffix in BINARY_ENDINGS:
        for folder, office in _FOLDERS.items():
            if any(entry.startswith(folder) for entry in names):
                return office
        raise corrupt(name, "it has no document in it")
    return ZIP


def _ole_type(body: bytes, name: str) -> str:
    """Finds the media type by the names of the streams.

    Messages come first: any of the other types may be attached to one.
    """

    def has(stream: str) -> bool:
        return stream.encode("utf-16-le") in body

    if has(_MESSAGE):
        return MSG
    if has("EncryptedPackage"):
        raise locked_office_file(name)
    for stream, what, action in _LEGACY:
        if has(stream):
            raise unsupported(name, what, action)
    if any(map(has, _SHEETS)):
        return XLS
    if PurePosixPath(name.casefold()).suffix in BINARY_ENDINGS:
        raise corrupt(name, "it ends too early, or its directory is broken")
    raise unsupported(name, "an old office file")
