"""The formats that footnote reads. A new one needs a line in `FORMATS` and the module it names.

`media_types` recognises a file by its content. Texts all look alike, so
their names' endings decide.
"""

from typing import NamedTuple

_OFFICE = "application/vnd.openxmlformats-officedocument"
_OPEN = "application/vnd.oasis.opendocument"
PDF = "application/pdf"
DOCX = f"{_OFFICE}.wordprocessingml.document"
PPTX = f"{_OFFICE}.presentationml.presentation"
XLSX = f"{_OFFICE}.spreadsheetml.sheet"
XLS = "application/vnd.ms-excel"
ODT, ODS, ODP = f"{_OPEN}.text", f"{_OPEN}.spreadsheet", f"{_OPEN}.presentation"
EPUB = "application/epub+zip"
RTF = "application/rtf"
HTML = "text/html"
MARKDOWN = "text/markdown"
TEXT = "text/plain"
CSV = "text/csv"
TSV = "text/tab-separated-values"
JSON = "application/json"
JSONL = "application/jsonl"
NOTEBOOK = "application/x-ipynb+json"
XML = "application/xml"
EML = "message/rfc822"
MBOX = "application/mbox"
MSG = "application/vnd.ms-outlook"
TNEF = "application/vnd.ms-tnef"
ZIP = "application/zip"
IMAGES = {  # media type → endings
    "image/png": (".png",),
    "image/jpeg": (".jpg", ".jpeg"),
    "image/tiff": (".tif", ".tiff"),
    "image/gif": (".gif",),
    "image/webp": (".webp",),
    "image/bmp": (".bmp",),
}


class Format(NamedTuple):
    """A media type and the module of this package whose `parse(body, name)` reads it.

    `endings` are endings of file names, in lower case. A text with such a name has this
    format. A file with a binary format's ending counts as damaged if its content shows no
    format. `nests` marks formats whose files hold other files, or pictures of text. Their
    `parse` also takes an `Allowance`.
    """

    media_type: str
    module: str
    name: str
    endings: tuple[str, ...] = ()
    is_text: bool = False
    nests: bool = False


FORMATS = (
    Format(PDF, "pdf", "PDF", (".pdf",), nests=True),
    Format(DOCX, "docx", "DOCX", (".docx",), nests=True),
    Format(PPTX, "pptx", "PPTX", (".pptx",), nests=True),
    Format(XLSX, "xlsx", "XLSX", (".xlsx",), nests=True),
    Format(XLS, "xls", "XLS", (".xls",), nests=True),
    Format(ODT, "odt", "ODT", (".odt", ".fodt")),
    Format(ODS, "ods", "ODS", (".ods", ".fods")),
    Format(ODP, "odp", "ODP", (".odp", ".fodp")),
    Format(EPUB, "epub", "EPUB", (".epub",)),
    Format(RTF, "rtf", "RTF"),
    Format(HTML, "html", "HTML", (".html", ".htm", ".xhtml"), is_text=True),
    Format(MARKDOWN, "markdown", "Markdown", (".md", ".markdown"), is_text=True),
    Format(TEXT, "txt", "text", is_text=True),
    Format(CSV, "csv_", "CSV", (".csv",), is_text=True),
    Format(TSV, "csv_", "TSV", (".tsv", ".tab"), is_text=True),
    Format(JSON, "json_", "JSON", (".json", ".geojson"), is_text=True),
    Format(JSONL, "json_", "JSON lines", (".jsonl", ".ndjson"), is_text=True),
    Format(NOTEBOOK, "ipynb", "notebooks", (".ipynb",), is_text=True),
    Format(XML, "xml_", "XML", (".xml",), is_text=True),
    Format(EML, "eml", "EML", (".eml",), is_text=True, nests=True),
    Format(MBOX, "mbox", "MBOX", (".mbox",), is_text=True, nests=True),
    Format(TNEF, "tnef", "winmail.dat", nests=True),
    Format(MSG, "msg", "MSG", (".msg",), nests=True),
    *(Format(kind, "images", "images", ends, nests=True) for kind, ends in IMAGES.items()),
    Format(ZIP, "zip_", "ZIP of these", nests=True),
)
NAMES = ", ".join(dict.fromkeys(each.name for each in FORMATS))
"""The names of all formats, as people read them."""
TEXT_ENDINGS = {
    ending: each.media_type for each in FORMATS if each.is_text for ending in each.endings
}
BINARY_ENDINGS = {ending for each in FORMATS if not each.is_text for ending in each.endings}
