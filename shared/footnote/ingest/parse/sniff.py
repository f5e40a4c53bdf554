"""Which format a file is in: by its content; its name only tells text formats apart."""

import re
from io import BytesIO
from pathlib import PurePosixPath
from zipfile import BadZipFile, ZipFile

from footnote.ingest.parse.kinds import corrupt, encrypted, unsupported

_OFFICE = "application/vnd.openxmlformats-officedocument"
DOCX = f"{_OFFICE}.wordprocessingml.document"
PPTX = f"{_OFFICE}.presentationml.presentation"
XLSX = f"{_OFFICE}.spreadsheetml.sheet"
PDF = "application/pdf"
HTML = "text/html"

IMAGES = {
    re.compile(rb"\x89PNG\r\n"): "image/png",
    re.compile(rb"\xff\xd8\xff"): "image/jpeg",
    re.compile(rb"II\*\0|MM\0\*|II\+\0|MM\0\+"): "image/tiff",
    re.compile(rb"GIF8[79]a"): "image/gif",
    re.compile(rb"RIFF.{4}WEBP", re.DOTALL): "image/webp",
    re.compile(rb"BM.{12}[\x0c(4@l|]\0\0\0", re.DOTALL): "image/bmp",
}

_FOLDERS = {"word/": DOCX, "ppt/": PPTX, "xl/": XLSX}
_ENDINGS = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".tab": "text/tab-separated-values",
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
}
_BINARY_ENDINGS = {".pdf", ".docx", ".pptx", ".xlsx"}
_UNREAD = {  # text, but its marks would be indexed as if they were words
    ".eml": "an e-mail",
    ".mbox": "a mailbox",
    ".json": "a JSON file",
    ".jsonl": "a JSON file",
    ".ndjson": "a JSON file",
    ".ipynb": "a notebook",
    ".xml": "an XML file",
    ".svg": "an image",
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LEGACY = (
    # streams of an OLE file, as they are named in it
    ("WordDocument", "an old Word file (.doc)", "Save it as .docx and upload that."),
    ("PowerPoint Document", "an old PowerPoint file (.ppt)", "Save it as .pptx and upload that."),
    ("Workbook", "an old Excel file (.xls)", "Save it as .xlsx and upload that."),
    ("Book", "an old Excel file (.xls)", "Save it as .xlsx and upload that."),
    ("__substg1.0", "an Outlook message (.msg)", "Save it as PDF and upload that."),
)
_BINARY = (
    (b"\x1f\x8b", "a compressed archive"),
    (b"7z\xbc\xaf", "a compressed archive"),
    (b"Rar!", "a compressed archive"),
    (b"BZh", "a compressed archive"),
    (b"MZ", "a program"),
    (b"\x7fELF", "a program"),
    (b"ID3", "a sound file"),
    (b"{\\rtf", "a rich text file (.rtf)"),
    (b"%!PS", "a PostScript file"),
    (b"SQLite format 3", "a database"),
    (b"PAR1", "a Parquet file"),
)
_PAGE = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)


def media_type(body: bytes, name: str) -> str:
    """The media type of a file that `parse` reads; raises UnsupportedError for any other."""
    if b"%PDF-" in body[:1024]:
        return PDF
    if body.startswith(b"PK\x03\x04"):
        return _in_zip(body, name)
    if body.startswith(_OLE):
        _refuse_ole(body, name)
    for signs, kind in IMAGES.items():
        if signs.match(body):
            return kind
    for magic, what in _BINARY:
        if body.startswith(magic):
            raise unsupported(name, what)
    return _of_text(body, name)


def _of_text(body: bytes, name: str) -> str:
    ending = PurePosixPath(name.casefold()).suffix
    if _PAGE.match(
        body[:4096].replace(b"\x00", b"").decode("latin-1").lstrip("\xef\xbb\xbf\xff\xfe")
    ):
        return HTML
    if ending in _UNREAD:
        raise unsupported(name, _UNREAD[ending])
    if ending in _BINARY_ENDINGS:
        raise corrupt(name, f"it does not begin as a {ending} file must")
    return _ENDINGS.get(ending, "text/plain")


def _in_zip(body: bytes, name: str) -> str:
    try:
        with ZipFile(BytesIO(body)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError, OSError):
        # without its directory at the end; the entries before it still tell what it was
        if (
            b"[Content_Types].xml" in body
            or PurePosixPath(name.casefold()).suffix in _BINARY_ENDINGS
        ):
            raise corrupt(name, "it ends too early, or its directory is broken") from None
        raise unsupported(name, "a broken archive") from None
    for folder, kind in _FOLDERS.items():
        if any(entry.startswith(folder) for entry in names):
            return kind
    if "[Content_Types].xml" in names or PurePosixPath(name.casefold()).suffix in _BINARY_ENDINGS:
        raise corrupt(name, "it has no document in it")
    raise unsupported(name, "an archive")


def _refuse_ole(body: bytes, name: str) -> None:
    if "EncryptedPackage".encode("utf-16-le") in body:
        raise encrypted(name)
    for stream, what, action in _LEGACY:
        if stream.encode("utf-16-le") in body:
            raise unsupported(name, what, action)
    raise unsupported(name, "an old office file")
