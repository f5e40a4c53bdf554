"""Parses XML: data like JSON, with tags for keys; a text with markup in document order."""

import re

from footnote.ingest.parse import tree
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import XML
from footnote.ingest.parse.safe_xml import DECLARATION, Element, local_name, root
from footnote.model import ParsedDocument

_ENCODING = re.compile(rb"<\?xml[^<>]+encoding=[\"']([\w-]+)", re.IGNORECASE)
_TITLES = frozenset({"title", "head", "heading", "article-title", "label"})
_ROWS = frozenset({"tr", "row"})
_IGNORED = re.compile(r"\{http://www\.w3\.org/(?:2001/XMLSchema-instance|XML/1998/namespace)\}")


def parse(body: bytes, name: str) -> ParsedDocument:
    declared = _ENCODING.search(body[:200])
    text, warnings = decode(body, name, declared[1].decode() if declared else "")
    top = root(DECLARATION.sub("", text, count=1).strip().encode(), name, "utf-8")
    builder = DocumentBuilder()
    builder.warnings.extend(warnings)
    if any(_is_mixed(element) for element in top.iter()):
        _prose(builder, top, 1)
    else:
        tree.write(builder, _value(top), name)
    return builder.to_parsed(XML, name, [*_titles(top), *builder.opening_title()])


def _titles(top: Element) -> list[str]:
    return [text for e in top.iter() if local_name(e.tag) in _TITLES and (text := _text_of(e))][:1]


def _is_mixed(element: Element) -> bool:
    """Tells whether words stand beside elements, as in a text but not in data."""
    return len(element) > 0 and any(
        piece and piece.strip() for piece in (element.text, *(child.tail for child in element))
    )


def _value(element: Element) -> tree.Value:
    """Turns an element into a value. Attributes and children become its fields.

    Those that share a name become a list.
    """
    fields: dict[str, list[tree.Value]] = {}
    for key, text in element.items():
        if not _IGNORED.match(str(key)):
            fields.setdefault(local_name(key), []).append(str(text))
    if not len(element) and not fields:
        return _text_of(element)
    if not len(element):
        fields.setdefault("text", []).append(_text_of(element))
    for child in element:
        fields.setdefault(local_name(child.tag), []).append(_value(child))
    return {key: values if len(values) > 1 else values[0] for key, values in fields.items()}


def _prose(builder: DocumentBuilder, element: Element, level: int) -> None:
    """Writes elements in order: those that hold words as paragraphs, the others as sections."""
    below = level + any(local_name(child.tag) in _TITLES for child in element)
    for child in element:
        tag = local_name(child.tag)
        if tag in _TITLES:
            builder.heading(_text_of(child), level)
        elif tag == "table":
            builder.table([[_text_of(cell) for cell in row] for row in child.iter(*_rows(child))])
        elif len(child) and not _is_mixed(child):
            _prose(builder, child, below)
        else:
            builder.paragraph(_text_of(child))


def _rows(table: Element) -> set[str]:
    return {str(e.tag) for e in table.iter() if local_name(e.tag) in _ROWS}


def _text_of(element: Element) -> str:
    return squeeze("".join(map(str, element.itertext())))
