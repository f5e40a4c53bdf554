"""Names the formats that footnote does not read, and says what to do with such a file."""

import re
from collections.abc import Collection
from typing import NamedTuple

from footnote.ingest.parse.refusals import unsupported

_UNPACK = "Unpack it, and upload its files or a ZIP of them."
_AS_PDF = "Export it as PDF and upload that."
_AS_XLSX = "Open it in Excel or LibreOffice, save it as XLSX and upload that."
_AS_DOCX = "Open it in LibreOffice or Word, save it as DOCX and upload that."
_AS_PICTURE = "Save it as PNG or JPEG and upload that."
_AS_TEXT = "Upload a transcript of it."
_AS_CSV = "Export its tables as CSV and upload those."
_NOTHING = "Upload the documents that it belongs to."


class _Unread(NamedTuple):
    pattern: re.Pattern[bytes]
    what: str
    action: str


def _signs(pattern: bytes, what: str, action: str) -> _Unread:
    return _Unread(re.compile(pattern, re.DOTALL), what, action)


_SIGNATURES = (
    _signs(
        rb"\x1f\x8b|7z\xbc\xaf|Rar!|BZh[1-9]|\xfd7zXZ\x00|\x28\xb5\x2f\xfd",
        "a compressed archive",
        _UNPACK,
    ),
    _signs(rb".{257}ustar", "a tar archive", _UNPACK),
    _signs(rb"MSCF|!<arch>\n|xar!", "an archive", _UNPACK),
    _signs(rb".{4}ftyp(?:hei|hev|mif1|msf1)", "a HEIC picture", _AS_PICTURE),
    _signs(rb".{4}ftypavi", "an AVIF picture", _AS_PICTURE),
    _signs(rb".{4}ftypM4[AB]", "a sound file", _AS_TEXT),
    _signs(
        rb".{4}ftyp|\x1a\x45\xdf\xa3|RIFF.{4}AVI |\x00\x00\x01[\xb3\xba]|FLV\x01",
        "a film",
        _AS_TEXT,
    ),
    _signs(
        rb"ID3[\x02-\x04]|RIFF.{4}WAVE|OggS|fLaC|FORM.{4}AIF|\xff[\xf1-\xf3\xf9-\xfb]|#!AMR|MThd",
        "a sound file",
        _AS_TEXT,
    ),
    _signs(
        rb"\xff\x0a|\x00\x00\x00\x0c(?:JXL |jP  )|8BPS|\x00\x00\x01\x00|"
        rb"\xd7\xcd\xc6\x9a|\x01\x00\x00\x00.{36} EMF",
        "a picture of a format that is not read",
        _AS_PICTURE,
    ),
    _signs(
        rb"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3|"
        rb"\xa1\x2f\xff\x43\xd9\xef\x76\x4c",
        "a OneNote file",
        _AS_PDF,
    ),
    _signs(rb"\xffWPC", "a WordPerfect file", _AS_DOCX),
    _signs(rb"AC10\d\d\x00", "a drawing of AutoCAD", _AS_PDF),
    _signs(rb"\x00\x01\x00\x00Standard (?:ACE|Jet) DB|SQLite format 3", "a database", _AS_CSV),
    _signs(rb"!BDN", "a mailbox of Outlook (.pst)", "Save its messages as .msg or .eml."),
    _signs(rb"\x06\x06\xed\xf5\xd8\x1d\x46\xe5", "an InDesign file", _AS_PDF),
    _signs(rb"AT&TFORM", "a DjVu file", _AS_PDF),
    _signs(rb".{60}(?:BOOKMOBI|TEXtREAd)", "a book for Kindle", "Convert it to EPUB."),
    _signs(rb"ITSF", "a help file (.chm)", "Unpack it, and upload a ZIP of its pages."),
    _signs(
        rb"bplist00",
        "a property list or a web archive",
        "Save the page as HTML or PDF and upload that.",
    ),
    _signs(
        rb"\x00\x00\x02\x00\x06\x04\x06\x00|\x00\x00\x1a\x00[\x00-\x05]\x10\x04\x00",
        "a Lotus 1-2-3 file",
        _AS_XLSX,
    ),
    _signs(rb"MZ.[\x00\x01]|\x7fELF|\x00asm|\xca\xfe\xba\xbe", "a program", _NOTHING),
    _signs(rb"%!PS|\xc5\xd0\xd3\xc6", "a PostScript file", "Convert it to PDF and upload that."),
    _signs(rb"PAR1", "a Parquet file", _AS_CSV),
    _signs(rb"\x89HDF|Obj\x01|ARROW1\x00", "a file of data tables", _AS_CSV),
    _signs(rb"OTTO\x00|wOF[F2]|\x00\x01\x00\x00\x00", "a font", _NOTHING),
    _signs(
        rb"\x30[\x80-\x84].{0,4}\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07",
        "a signed or encrypted container",
        "Upload the document in it.",
    ),
)
"""The beginnings of files, in the order in which they are tried."""
_DRAWING = ("an OpenDocument drawing or chart", _AS_PDF)
_DECLARED = {
    "application/vnd.oasis.opendocument.graphics": _DRAWING,
    "application/vnd.oasis.opendocument.chart": _DRAWING,
    "application/vnd.oasis.opendocument.image": _DRAWING,
    "application/vnd.oasis.opendocument.formula": ("an OpenDocument formula", _AS_PDF),
    "application/vnd.oasis.opendocument.database": ("an OpenDocument database", _AS_CSV),
    "application/vnd.oasis.opendocument.base": ("an OpenDocument database", _AS_CSV),
    "application/vnd.adobe.indesign-idml-package": ("an InDesign file", _AS_PDF),
    "application/hwp+zip": ("a Hangul document (.hwpx)", _AS_DOCX),
    "image/openraster": ("a picture of a format that is not read", _AS_PICTURE),
    "application/x-krita": ("a picture of a format that is not read", _AS_PICTURE),
}
"""What the member `mimetype` of a zip file says → what it is, what to do."""
_MEMBERS = (
    (re.compile(r"\Axl/workbook\.bin\Z"), "a binary Excel file (.xlsb)", _AS_XLSX),
    (re.compile(r"\Avisio/"), "a Visio drawing", _AS_PDF),
    (re.compile(r"\.(?:fdseq|fdoc)\Z"), "an XPS file", "Convert it to PDF and upload that."),
    (re.compile(r"\A3D/.*\.model\Z"), "a model for printing (.3mf)", _NOTHING),
    (re.compile(r"\.iwa\Z|\Aindex\.apxl(?:\.gz)?\Z|(?:\A|/)buildVersionHistory\.plist\Z"),
     "a Pages, Numbers or Keynote file", "Export it as PDF."),
    (re.compile(r"\Adesignmap\.xml\Z"), "an InDesign file", _AS_PDF),
    (re.compile(r"\A(?:AndroidManifest\.xml|META-INF/MANIFEST\.MF)\Z"), "a program", _NOTHING),
)  # fmt: skip
_TAR_BLOCK = 512
_CHECKSUM = slice(148, 156)


def refuse_by_content(body: bytes, name: str) -> None:
    """Raises UnsupportedError for a file that begins like one of a format that is not read."""
    for unread in _SIGNATURES:
        if unread.pattern.match(body):
            raise unsupported(name, unread.what, unread.action)
    if _is_old_tar(body):
        raise unsupported(name, "a tar archive", _UNPACK)


def refuse_by_members(declared: str, members: Collection[str], name: str) -> None:
    """Raises UnsupportedError for a zip file that is the package of a format that is not read.

    `declared` is the content of its member `mimetype`.
    """
    if declared in _DECLARED:
        raise unsupported(name, *_DECLARED[declared])
    for pattern, what, action in _MEMBERS:
        if any(map(pattern.search, members)):
            raise unsupported(name, what, action)


def _is_old_tar(body: bytes) -> bool:
    """Tells whether the first block has a tar header's checksum: old ones have no magic."""
    block = body[:_TAR_BLOCK]
    stored = block[_CHECKSUM].strip(b" \0")
    if len(block) < _TAR_BLOCK or not stored or stored.strip(b"01234567"):
        return False
    return sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ") == int(stored, 8)
