"""Reads a file's own metadata: title, authors, dates and the like.

The names are the same in all formats: `title`, `author` (a list), `created`, `modified`, `subject`,
`keywords` (a list), … .
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from email.errors import MessageError
from email.utils import getaddresses, parsedate_to_datetime

from footnote.errors import BadDocumentError
from footnote.ingest.parse import safe_xml, zip_bounds
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.metadata.attributes import clean_attributes, split_list, to_scalar
from footnote.metadata.filters import period
from footnote.model import ParsedDocument

_MAX_BYTES = 1 << 20  # of the XML with a file's metadata
_LISTS = frozenset({"author", "keywords", "to", "cc"})
_DATES = frozenset({"created", "modified", "date", "published"})
_PDF_DATE = re.compile(
    r"D?:?(\d{4})(\d\d)?(\d\d)?(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?"
)
_FRONT_LINE = re.compile(r"([\w][\w .-]{0,60}?)[ \t]*:(?:[ \t]++(.*))?")
_QUOTED = re.compile(r"([\"'])(.*)\1")

_CORE = {
    "title": "title",
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
}
"""Tags of docProps/core.xml (ECMA-376, part 2, 11.1)."""
_ODF = {
    "title": "title",
    "initial-creator": "author",
    "creation-date": "created",
    "date": "modified",
    "subject": "subject",
    "keyword": "keywords",
    "description": "description",
}
"""Tags of meta.xml (OpenDocument 1.3, part 3, 4.3)."""
_BOOK = {
    "title": "title",
    "creator": "author",
    "date": "published",
    "publisher": "publisher",
    "subject": "keywords",
    "description": "description",
    "identifier": "identifier",
}
"""Tags of Dublin Core in EPUB, without its language: the document has one."""
_WEB = {
    "og:title": "title",
    "author": "author",
    "article:author": "author",
    "article:published_time": "created",
    "article:modified_time": "modified",
    "date": "created",
    "dcterms.created": "created",
    "dcterms.modified": "modified",
    "keywords": "keywords",
    "description": "description",
    "og:description": "description",
}


def add_metadata(parsed: ParsedDocument, fields: Mapping[str, object]) -> ParsedDocument:
    """Returns the document with its file's own metadata, cleaned and within bounds."""
    metadata = clean_attributes({name: _normalise(name, value) for name, value in fields.items()})
    return parsed._replace(document=parsed.document.model_copy(update={"metadata": metadata}))


def _normalise(name: str, value: object) -> object:
    """Makes lists of authors and keywords, and empties malformed dates."""
    if name in _LISTS and isinstance(value, str):
        return split_list(value, ";" if name == "author" else ";,")
    if name in _DATES and not (isinstance(value, str) and period(value.strip())):
        return ""
    return value


def pdf(info: Mapping[str, str | None]) -> dict[str, object]:
    """Reads the document information of a PDF (ISO 32000-1, 14.3.3)."""
    return {
        **{name: info.get(name) or "" for name in ("title", "author", "subject", "keywords")},
        "created": pdf_date(info.get("creationDate") or ""),
        "modified": pdf_date(info.get("modDate") or ""),
    }


def pdf_date(text: str) -> str:
    """Converts a date such as `D:20230501103000+02'00'` to ISO 8601; "" for another text."""
    match = _PDF_DATE.fullmatch(text.strip())
    if not match:
        return ""
    year, month, day, hour, minute, second, utc, sign, ahead, minutes = match.groups()
    date = f"{year}-{month or '01'}-{day or '01'}"
    if hour:
        zone = f"{sign}{ahead}:{minutes or '00'}" if sign else "Z" if utc else ""
        date += f"T{hour}:{minute}:{second or '00'}{zone}"
    return date if period(date) else ""


def office(body: bytes, name: str) -> dict[str, object]:
    """Reads the core properties of DOCX, PPTX and XLSX."""
    return _read_part(body, name, "docProps/core.xml", _CORE)


def odf(meta: Element) -> dict[str, object]:
    """Reads the metadata of ODT, ODS and ODP."""
    return _by_tag(meta.iter(), _ODF)


def book(package: Element) -> dict[str, object]:
    """Reads the metadata of an EPUB's package."""
    return _by_tag(package.iter(), _BOOK)


def _read_part(body: bytes, name: str, part: str, names: Mapping[str, str]) -> dict[str, object]:
    """Reads the part with a file's metadata; nothing if it is missing, broken or too large."""
    with suppress(KeyError, BadDocumentError), zip_bounds.open_package(body, name) as package:
        return _by_tag(safe_xml.root(package.read(part, _MAX_BYTES), name).iter(), names)
    return {}


def _by_tag(elements: Iterable[Element], names: Mapping[str, str]) -> dict[str, object]:
    texts = (
        (names.get(local_name(element.tag), ""), "".join(map(str, element.itertext())))
        for element in elements
    )
    return _gather((name, text) for name, text in texts if name)


def _gather(pairs: Iterable[tuple[str, str]]) -> dict[str, object]:
    """Collects all values of a name in `_LISTS`, and the first value of any other."""
    texts: dict[str, list[str]] = {}
    for name, text in pairs:
        if text.strip():
            texts.setdefault(name, []).append(text)
    return {name: ";".join(all_) if name in _LISTS else all_[0] for name, all_ in texts.items()}


def web(pairs: Iterable[tuple[str, str]], title: str) -> dict[str, object]:
    """Reads the metadata of a web page.

    `pairs` are the names (or properties) and contents of its meta elements.
    """
    texts = ((_WEB.get(name.strip().casefold(), ""), content) for name, content in pairs)
    return _gather([*((name, text) for name, text in texts if name), ("title", title)])


def message(headers: Mapping[str, str]) -> dict[str, object]:
    """Reads addresses, date and subject of an e-mail.

    Recipients without an address are given by name.
    """
    fields: dict[str, object] = {"subject": headers.get("Subject", "")}
    for name in ("From", "To", "Cc"):
        people = _people(headers.get(name, ""))
        fields[name.lower()] = [address or person for person, address in people]
    fields["from"] = next(iter(_people(headers.get("From", ""))), ("", ""))[1]
    with suppress(ArithmeticError, ValueError, TypeError, IndexError, MessageError):
        fields["date"] = parsedate_to_datetime(headers.get("Date", "")).isoformat()
    return fields


def _people(header: str) -> list[tuple[str, str]]:
    """Reads names and addresses. Endlessly nested brackets give none."""
    try:
        return getaddresses([header])
    except RecursionError:
        return []


def front_matter(text: str) -> dict[str, object]:
    """Reads front matter, which uses a plain part of YAML: scalars and lists of them."""
    fields: dict[str, object] = {}
    items: list[str] = []
    for line in text.split("\n"):
        if line.lstrip().startswith("- "):
            items.append(_unquote(line.lstrip()[2:]))
        elif pair := _FRONT_LINE.fullmatch(line.rstrip()):
            items = []
            written = (pair[2] or "").strip()
            fields[pair[1]] = _front_value(written) if written else items
    return fields


def _front_value(written: str) -> object:
    if written.startswith("[") and written.endswith("]"):
        return list(_items(written[1:-1]))
    if _QUOTED.fullmatch(written):
        return _unquote(written)
    return to_scalar(written)


def _items(written: str) -> Iterator[str]:
    yield from (_unquote(item) for item in written.split(",") if item.strip())


def _unquote(text: str) -> str:
    quoted = _QUOTED.fullmatch(text.strip())
    return quoted[2] if quoted else text.strip()
