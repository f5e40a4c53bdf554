"""What catalogue questions call formats, languages and statuses, and how records show them."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

from footnote.metadata.attributes import merge_attributes
from footnote.model import Record


class Family(NamedTuple):
    """A kind of files: media types, or parts of them, and endings of names.

    The endings decide for a file that was never read. `words` is a pattern of what people call it.
    """

    types: tuple[str, ...]
    endings: tuple[str, ...]
    words: str


FAMILIES: Mapping[str, Family] = {
    "PDF": Family(("application/pdf",), ("pdf",), r"pdf"),
    "Word": Family(
        ("wordprocessingml", "application/msword"), ("docx", "docm", "doc"),
        r"(?:ms |microsoft )?word|docx?",
    ),
    "PowerPoint": Family(
        ("presentationml", "application/vnd.ms-powerpoint"), ("pptx", "pptm", "ppt"),
        r"(?:ms |microsoft )?powerpoint|pptx?",
    ),
    "Excel": Family(
        ("spreadsheetml", "application/vnd.ms-excel"), ("xlsx", "xlsm", "xls"),
        r"(?:ms |microsoft )?excel|xlsx?",
    ),
    "ODT": Family(("opendocument.text",), ("odt",), r"odt"),
    "ODS": Family(("opendocument.spreadsheet",), ("ods",), r"ods"),
    "ODP": Family(("opendocument.presentation",), ("odp",), r"odp"),
    "HTML": Family(("text/html",), ("html", "htm", "xhtml"), r"html?"),
    "Markdown": Family(("text/markdown",), ("md", "markdown"), r"markdown|md"),
    "text": Family(("text/plain",), ("txt",), r"plain text|text|txt"),
    "CSV": Family(("text/csv", "text/tab-separated"), ("csv", "tsv", "tab"), r"csv"),
    "JSON": Family(("application/json",), ("json", "jsonl", "ndjson", "geojson"), r"json"),
    "XML": Family(("application/xml",), ("xml",), r"xml"),
    "notebook": Family(("ipynb",), ("ipynb",), r"jupyter|notebook"),
    "e-mail": Family(
        ("message/rfc822", "application/mbox", "ms-outlook", "ms-tnef"), ("eml", "msg", "mbox"),
        r"e-?mail|outlook",
    ),
    "image": Family(
        ("image/",), ("png", "jpg", "jpeg", "tif", "tiff", "gif", "webp", "bmp"),
        r"image|picture|bild|png|jpe?g|tiff?",
    ),
    "EPUB": Family(("application/epub",), ("epub",), r"epub"),
    "RTF": Family(("application/rtf",), ("rtf",), r"rtf"),
    "ZIP": Family(("application/zip",), ("zip",), r"zip"),
}  # fmt: skip
OTHER = "other"

NOUNS: Mapping[str, tuple[str, ...]] = {
    r"spreadsheets?|tabellendateien?": ("Excel", "ODS", "CSV"),
    r"presentations?|slide decks?|pr\u00e4sentation(?:en)?": ("PowerPoint", "ODP"),
}
"""Words for files of several formats."""

LANGUAGES: Mapping[str, tuple[str, str]] = {
    "en": ("english", "englisch"), "de": ("german", "deutsch"),
    "fr": ("french", "franz\u00f6sisch"),
    "es": ("spanish", "spanisch"), "it": ("italian", "italienisch"),
    "pt": ("portuguese", "portugiesisch"), "nl": ("dutch", "niederl\u00e4ndisch"),
    "pl": ("polish", "polnisch"), "cs": ("czech", "tschechisch"), "sv": ("swedish", "schwedisch"),
    "da": ("danish", "d\u00e4nisch"), "no": ("norwegian", "norwegisch"),
    "fi": ("finnish", "finnisch"), "hu": ("hungarian", "ungarisch"),
    "ro": ("romanian", "rum\u00e4nisch"), "ru": ("russian", "russisch"),
    "uk": ("ukrainian", "ukrainisch"), "tr": ("turkish", "t\u00fcrkisch"),
    "el": ("greek", "griechisch"), "zh": ("chinese", "chinesisch"),
    "ja": ("japanese", "japanisch"), "ko": ("korean", "koreanisch"),
    "ar": ("arabic", "arabisch"),
}  # fmt: skip
"""Code of a language → its names in English and in German."""

WORKING = ("RECEIVED", "PARSING", "CHUNKING", "INDEXING")
FAILED = ("FAILED", "UNSUPPORTED")

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATED = ("year", "date", "published")


def format_of(record: Record) -> str:
    """Returns the family of a document's format: by what was read, else by its name."""
    media_type = record.media_type
    ending = PurePosixPath(record.revision.path).suffix.removeprefix(".").casefold()
    for name, family in FAMILIES.items():
        if media_type:
            if any(part in media_type for part in family.types):
                return name
        elif ending in family.endings:
            return name
    return OTHER


def year_of(record: Record) -> int | None:
    """Returns a document's year: of its attribute year, date or published, else of its name.

    It is None where neither has one, or the name has several.
    """
    attributes = merge_attributes((record.sidecar.attributes, record.metadata))
    for name in _DATED:
        if year := _YEAR.match(str(attributes.get(name, ""))):
            return int(year[0])
    years = set(_YEAR.findall(record.revision.path))
    return int(years.pop()) if len(years) == 1 else None
