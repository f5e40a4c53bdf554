"""Parses DOCX: paragraphs, lists and tables in document order, then the footnotes.

Heading styles make the sections.
"""

from collections.abc import Iterator
from io import BytesIO
from zipfile import BadZipFile

import docx
from docx.document import Document as WordDocument
from docx.opc.exceptions import OpcError
from docx.oxml import parse_xml
from docx.oxml.ns import qn
from lxml import etree

from footnote.ingest.parse import ooxml, properties, zip_bounds
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import DOCX
from footnote.ingest.parse.refusals import ODD_VALUES, translate_errors
from footnote.ingest.parse.safe_xml import Element
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    OpcError,
    BadZipFile,
    etree.LxmlError,
    *ODD_VALUES,
)
_BODY_LEVEL = 9  # the outline level that Word gives to body text
_MAX_DEPTH = 8  # of content controls and the like inside each other


def parse(body: bytes, name: str) -> ParsedDocument:
    zip_bounds.check(body, name)
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        document = docx.Document(BytesIO(ooxml.normalise(body, name)))
        _Writer(builder, document).write(document.element.body)
        _footnotes(builder, document)
        titles = [
            document.core_properties.title or "",
            *_first_title(document),
            *builder.opening_title(),
        ]
    return properties.add_metadata(
        builder.to_parsed(DOCX, name, titles), properties.office(body, name)
    )


def _first_title(document: WordDocument) -> Iterator[str]:
    """Yields the first paragraph in the style "Title", if one is among the first 20."""
    for paragraph in document.paragraphs[:20]:
        if (
            paragraph.style is not None
            and paragraph.style.name == "Title"
            and paragraph.text.strip()
        ):
            yield paragraph.text
            return


class _Writer:
    """Writes the body of a document to a builder. It knows the heading level of each style."""

    def __init__(self, builder: DocumentBuilder, document: WordDocument) -> None:
        self._builder = builder
        self._levels = _heading_levels(document)
        self._in_list = False

    def write(self, container: Element, depth: int = 0) -> None:
        if depth > _MAX_DEPTH:
            return
        for child in container:
            if child.tag == qn("w:p"):
                self._paragraph(child)
            elif child.tag == qn("w:tbl"):
                self._builder.table(_rows(child))
            elif child.tag in {qn("w:sdt"), qn("w:sdtContent"), qn("w:ins"), qn("w:customXml")}:
                self.write(child, depth + 1)

    def _paragraph(self, paragraph: Element) -> None:
        text = _text(paragraph)
        if not text.strip():
            return
        style = _value(paragraph, "w:pPr/w:pStyle")
        outline = _value(paragraph, "w:pPr/w:outlineLvl")
        level = int(outline) + 1 if outline.isdecimal() else self._levels.get(style, 0)
        is_item = paragraph.find(qn("w:pPr") + "/" + qn("w:numPr")) is not None
        if 0 < level <= _BODY_LEVEL:
            self._builder.heading(text, level)
        elif is_item:
            self._builder.paragraph(f"- {text.strip()}", before="\n" if self._in_list else "\n\n")
        else:
            self._builder.paragraph(text)
        self._in_list = is_item and not level


def _heading_levels(document: WordDocument) -> dict[str, int]:
    """Maps style ids to heading levels. A style inherits the level of its base style."""
    own: dict[str, int] = {}
    based_on: dict[str, str] = {}
    for style in document.styles.element.findall(qn("w:style")):
        key = style.get(qn("w:styleId"), "")
        based_on[key] = _value(style, "w:basedOn")
        name = _value(style, "w:name").casefold()
        outline = _value(style, "w:pPr/w:outlineLvl")
        if name.startswith("heading ") and name[8:].isdecimal():
            own[key] = int(name[8:])
        elif outline.isdecimal() and int(outline) < _BODY_LEVEL:
            own[key] = int(outline) + 1
        elif name == "title":
            own[key] = 1
    return {key: _inherited_level(key, own, based_on) for key in based_on}


def _inherited_level(key: str, own: dict[str, int], based_on: dict[str, str]) -> int:
    visited: set[str] = set()
    while key and key not in own and key not in visited:
        visited.add(key)
        key = based_on.get(key, "")
    return own.get(key, 0)


def _value(element: Element, path: str) -> str:
    child = element.find("/".join(qn(step) for step in path.split("/")))
    return "" if child is None else child.get(qn("w:val"), "")


def _text(element: Element) -> str:
    """Returns the visible text: with insertions, without deletions and fallback drawings."""
    pieces: list[str] = []
    for run in element.iter(qn("w:r")):
        if next(run.iterancestors(_FALLBACK), None) is None:
            pieces += [
                _RUN_TEXT[node.tag] or node.text or "" for node in run if node.tag in _RUN_TEXT
            ]
    return "".join(pieces)


_RUN_TEXT = {
    qn("w:t"): "",
    qn("w:tab"): "\t",
    qn("w:ptab"): "\t",
    qn("w:noBreakHyphen"): "-",
    qn("w:br"): "\n",
    qn("w:cr"): "\n",
}
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


def _rows(table: Element) -> list[list[str]]:
    """Returns the rows of a table. A cell merged with the one above is blank."""
    rows: list[list[str]] = []
    for row in table.iter(qn("w:tr")):
        cells: list[str] = []
        for cell in row.iter(qn("w:tc")):
            if next(cell.iterancestors(qn("w:tr"))) is not row:
                continue  # it lies in a nested table, whose text belongs to the outer cell
            merged = cell.find(qn("w:tcPr") + "/" + qn("w:vMerge"))
            goes_on = merged is not None and merged.get(qn("w:val")) != "restart"
            cells.append("" if goes_on else "\n".join(_text(p) for p in cell.iter(qn("w:p"))))
            span = _value(cell, "w:tcPr/w:gridSpan")
            cells.extend([""] * (min(int(span), 63) - 1 if span.isdecimal() else 0))
        if next(row.iterancestors(qn("w:tbl"))) is table:
            rows.append(cells)
    return rows


def _footnotes(builder: DocumentBuilder, document: WordDocument) -> None:
    for relation in document.part.rels.values():
        if relation.is_external or not relation.reltype.endswith("/footnotes"):
            continue
        notes = [_text(note).strip() for note in parse_xml(relation.target_part.blob)]
        if any(notes):
            builder.heading("Footnotes", 1)
            for note in filter(None, notes):
                builder.item(f"- {note}")
