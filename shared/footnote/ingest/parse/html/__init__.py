"""Parses HTML: all that a browser displays, without what is surely navigation."""

import re

from lxml import etree, html

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import HTML
from footnote.ingest.parse.html.css import StyleSheet
from footnote.ingest.parse.html.survey import survey
from footnote.ingest.parse.html.writer import Writer
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.refusals import translate_errors
from footnote.ingest.parse.safe_xml import DECLARATION
from footnote.model import Document, ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (etree.LxmlError, ValueError)
_CHARSET = re.compile(
    rb"<meta[^<>]+charset\s*+=\s*+(?:[\"']\s*+)?([\w-]+)|<\?xml[^<>]+encoding=[\"']([\w-]+)",
    re.IGNORECASE,
)
_LONG_TAG = re.compile(r"<([a-zA-Z][\w:-]{0,40})([^<>]{20000,}+)")
_ATTRIBUTE_END = re.compile(r"[\s/=\"']+")
_MOST_ATTRIBUTES = 2_000  # of one tag: libxml2 takes time quadratic in their number
# Signs that documentation generators show as a link to its own place
_OWN_LINK_SIGNS = frozenset({"¶", "§", "#", "🔗", "↩", "↩︎"})


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    root = _write(builder, body, name)
    titles = [heading for heading in _first_text(root, "h1") if heading]
    titles += [heading.split(" | ")[0] for heading in _first_text(root, "title")]
    return properties.add_metadata(
        builder.to_parsed(HTML, name, titles), properties.web(*_meta(root))
    )


def read_chapter(body: bytes, name: str, ledger: Ledger, place: str) -> Document:
    """Returns a page of a book. What it leaves out is counted in the book's ledger at `place`."""
    builder = DocumentBuilder()
    own, builder.ledger = builder.ledger, ledger
    _write(builder, body, name, place)
    builder.ledger = own
    return builder.to_parsed(HTML, name).document


def _write(builder: DocumentBuilder, body: bytes, name: str, place: str = "") -> html.HtmlElement:
    """Adds a page to a builder, and returns its root. `place` is set for a page of a book."""
    declared = _CHARSET.search(body[:4096])
    encoding = (declared[1] or declared[2]).decode() if declared else ""
    text, warnings = decode(body, name, encoding)
    builder.warnings.extend(warnings)
    with translate_errors(name, _BROKEN):
        # huge_tree lifts the limit of 256 levels: no walk over a page recurses
        parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
        text = _LONG_TAG.sub(_without_attributes, DECLARATION.sub("", text, count=1))
        root = html.document_fromstring(text, parser=parser)
    _empty_links_to_themselves(root)
    seen = survey(root, is_book=bool(place))
    Writer(builder, StyleSheet(root), seen, place).write(root)
    return root


def _without_attributes(tag: re.Match[str]) -> str:
    """Returns a very long tag without its attributes if they may be very many."""
    return f"<{tag[1]}" if len(_ATTRIBUTE_END.findall(tag[2])) > _MOST_ATTRIBUTES else tag[0]


def _empty_links_to_themselves(root: html.HtmlElement) -> None:
    """Removes the text of links that show only a sign, as "¶" after a heading."""
    for link in root.findall(".//a[@href]"):
        sign = (link.text or "").strip()
        if sign in _OWN_LINK_SIGNS and not len(link) and link.get("href").startswith("#"):
            link.text = None  # taking the element out would join texts again and again


def _meta(root: html.HtmlElement) -> tuple[list[tuple[str, str]], str]:
    """Returns the names and contents of the meta elements, and the title."""
    pairs = [
        (element.get("name") or element.get("property") or "", element.get("content") or "")
        for element in root.iter("meta")
    ]
    return pairs, next(iter(_first_text(root, "title")), "")


def _first_text(root: html.HtmlElement, tag: str) -> list[str]:
    element = root.find(f".//{tag}")
    return [] if element is None else [squeeze("".join(element.itertext()))]
