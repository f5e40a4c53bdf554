"""Parses DOCX: paragraphs, lists and tables in document order, then notes and running heads.

Heading styles make the sections. What is anchored in a paragraph (text boxes, charts, diagrams,
comments) follows it.
"""

from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from zipfile import BadZipFile

import docx
from docx.document import Document as WordDocument
from docx.exceptions import PythonDocxError
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from docx.oxml.text.paragraph import CT_P
from docx.text.paragraph import Paragraph
from lxml import etree

from footnote.ingest.parse import ooxml, properties, zip_bounds
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.docx.marks import StyleSheet, properties_of, value_at
from footnote.ingest.parse.docx.numbers import BULLET, Numbering
from footnote.ingest.parse.docx.parts import WordParts
from footnote.ingest.parse.docx.text import Line, TextReader
from footnote.ingest.parse.formats import DOCX
from footnote.ingest.parse.refusals import ODD_VALUES, translate_errors
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    OpcError,
    PythonDocxError,
    BadZipFile,
    etree.LxmlError,
    *ODD_VALUES,
)
_BODY_LEVEL = 9  # the outline level that Word gives to body text
_MAX_DEPTH = 100  # of content controls, text boxes and the like inside each other
_OPENED = frozenset(
    {"sdt", "sdtContent", "ins", "moveTo", "customXml", "txbxContent", "smartTag", "hyperlink"}
)


def parse(body: bytes, name: str, allowance: Allowance | None = None) -> ParsedDocument:
    """Parses a Word file; `allowance` bounds the files inside it."""
    zip_bounds.check(body, name)
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        document = docx.Document(BytesIO(ooxml.normalise(body, name)))
        parts = WordParts(document, builder, allowance or Allowance())
        writer = _Writer(builder, document, parts)
        writer.write(document.element.body)
        writer.write_notes()
        writer.write_running_heads()
        parts.write_files()
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
    elements = (each for each in document.element.body if isinstance(each, CT_P))
    for paragraph in (Paragraph(each, document) for each in islice(elements, 20)):
        if (
            paragraph.style is not None
            and paragraph.style.name == "Title"
            and paragraph.text.strip()
        ):
            yield paragraph.text
            return


class _Writer:
    """Writes blocks of a document to a builder. It knows the heading level of each style."""

    def __init__(self, builder: DocumentBuilder, document: WordDocument, parts: WordParts) -> None:
        self._builder = builder
        self._parts = parts
        styles = StyleSheet(document)
        self._levels = _heading_levels(styles)
        self._numbering = Numbering(document, styles)
        self._text = TextReader(styles, builder.ledger)
        self._in_list = False

    def write(self, container: Element, depth: int = 0) -> None:
        """Adds the paragraphs and tables of a body, a content control or a text box."""
        if depth > _MAX_DEPTH:
            self._builder.ledger.count("unknown_element", "elements too deep in each other")
            return
        for child in container:
            name = local_name(child.tag)
            if name == "p":
                self._paragraph(child, depth)
            elif name == "tbl":
                self._table(child, depth)
            elif name in _OPENED:
                self.write(child, depth + 1)
            elif name == "AlternateContent":
                self.write(next((each for each in child if len(each)), child), depth + 1)
            else:
                self._odd(child, name, depth)

    def _odd(self, child: Element, name: str, depth: int) -> None:
        """Adds a block of a rarer kind; counts one that is deleted or unknown."""
        if name == "altChunk":
            self._parts.write_chunk(child)
        elif name in {"oMath", "oMathPara", "r", "fldSimple"}:
            line = self._text.read(_holder(child))
            self._builder.paragraph(line.text)
            self._anchored(line, depth)
        elif name in {"del", "moveFrom"}:
            self._builder.ledger.count("deleted_text")
        elif name not in _SILENT and any((text or "").strip() for text in child.itertext()):
            self._builder.ledger.count("unknown_element", name)

    def write_notes(self) -> None:
        """Adds comments that stand nowhere in the text, the footnotes and the endnotes."""
        for comment in self._parts.comments_left():
            self._comment(comment)
        for kind, heading in (("footnotes", "Footnotes"), ("endnotes", "Endnotes")):
            notes = [self._lines(note) for note in self._parts.notes(kind)]
            if any(notes):
                self._builder.heading(heading, 1)
                for note in filter(None, notes):
                    self._builder.item(f"- {note}")

    def write_running_heads(self) -> None:
        """Adds the texts of headers and footers, each once."""
        texts = dict.fromkeys(filter(_has_letter, map(self._lines, self._parts.running_heads())))
        if texts:
            self._builder.heading("Headers and footers", 1)
            for text in texts:
                self._builder.paragraph(text)

    def _paragraph(self, paragraph: Element, depth: int) -> None:
        marks = properties_of(paragraph)
        style = marks.value("pStyle")
        line = self._text.read(paragraph, style)
        text = line.text
        label = self._numbering.label(marks)
        if text.strip():
            outline = marks.value("outlineLvl")
            level = int(outline) + 1 if outline.isdecimal() else self._levels.get(style, 0)
            is_item = bool(label) or marks.has("numPr")
            if 0 < level <= _BODY_LEVEL:
                self._builder.heading(text if label in {"", BULLET} else f"{label} {text}", level)
            elif is_item:
                before = "\n" if self._in_list else "\n\n"
                self._builder.paragraph(f"{label or BULLET} {text.strip()}", before=before)
            else:
                self._builder.paragraph(text)
            self._in_list = is_item and not level
        self._anchored(line, depth)

    def _anchored(self, line: Line, depth: int) -> None:
        """Adds what is anchored in a paragraph, and the comments on it."""
        for anchor in line.anchored:
            for box in self._parts.write_drawing(anchor):
                self.write(box, depth + 1)
        for key in line.comments:
            self._comment(self._parts.comment(key))

    def _comment(self, comment: tuple[str, Element] | None) -> None:
        if comment is not None:
            author, note = comment
            self._builder.notes(
                self._lines(note), f"Comment by {author}:" if author else "Comment:"
            )

    def _lines(self, container: Element) -> str:
        """Returns the text of a note, a header or the like, a line for each paragraph."""
        lines = (
            self._text.read(each, properties_of(each).value("pStyle"))
            for each in paragraphs(container)
        )
        return "\n".join(line.text.strip() for line in lines if line.text.strip())

    def _table(self, table: Element, depth: int) -> None:
        anchored = Line()
        self._builder.table(self._rows(table, anchored))
        self._anchored(anchored, depth)
        self._in_list = False

    def _rows(self, table: Element, anchored: Line) -> list[list[str]]:
        """Returns the rows of a table. A cell merged with the one above is blank."""
        rows: list[list[str]] = []
        for row in table.iter(qn("w:tr")):
            if next(row.iterancestors(qn("w:tbl"))) is not table:
                continue  # of a nested table, whose text belongs to the outer cell
            if row.find(qn("w:trPr") + "/" + qn("w:del")) is not None:
                self._builder.ledger.count("deleted_text")
                continue
            before = value_at(row, "w:trPr/w:gridBefore")
            cells = [""] * (min(int(before), 63) if before.isdecimal() else 0)
            for cell in row.iter(qn("w:tc")):
                if next(cell.iterancestors(qn("w:tr"))) is not row:
                    continue
                merged = cell.find(qn("w:tcPr") + "/" + qn("w:vMerge"))
                goes_on = merged is not None and merged.get(qn("w:val")) != "restart"
                cells.append("" if goes_on else self._cell(cell, anchored))
                span = value_at(cell, "w:tcPr/w:gridSpan")
                cells.extend([""] * (min(int(span), 63) - 1 if span.isdecimal() else 0))
            rows.append(cells)
        return rows

    def _cell(self, cell: Element, anchored: Line) -> str:
        lines: list[str] = []
        for paragraph in paragraphs(cell):
            marks = properties_of(paragraph)
            line = self._text.read(paragraph, marks.value("pStyle"))
            label = self._numbering.label(marks)
            shown = "" if label in {"", BULLET} or not line.text.strip() else f"{label} "
            lines.append(shown + line.text)
            anchored.anchored += line.anchored
            anchored.comments += line.comments
        return "\n".join(lines)


_SILENT = frozenset({"sectPr", "tcPr", "sdtPr", "sdtEndPr", "bookmarkStart", "bookmarkEnd"})


def paragraphs(container: Element) -> Iterator[Element]:
    """Yields the paragraphs in document order; those of text boxes are left to their anchors."""
    stack = list(reversed(container))
    while stack:
        node = stack.pop()
        name = local_name(node.tag)
        if name == "p":
            yield node
        elif name == "AlternateContent":
            stack += reversed(next((list(each) for each in node if len(each)), []))
        elif name not in {"del", "moveFrom", "txbxContent"}:
            stack += reversed(node)


def _holder(child: Element) -> Element:
    """Returns an element that holds a copy of `child` alone, as a paragraph would."""
    holder = etree.Element(qn("w:p"))
    holder.append(etree.fromstring(etree.tostring(child, with_tail=False)))
    return holder


def _has_letter(text: str) -> bool:
    return any(letter.isalpha() for letter in text)


def _heading_levels(styles: StyleSheet) -> dict[str, int]:
    """Maps style ids to heading levels. A style inherits the level of its base style."""
    own: dict[str, int] = {}
    for key, marks in styles.marks.items():
        name = marks.value("name").casefold()
        outline = marks.inner("pPr").value("outlineLvl")
        if name.startswith("heading ") and name[8:].isdecimal():
            own[key] = int(name[8:])
        elif outline.isdecimal() and int(outline) < _BODY_LEVEL:
            own[key] = int(outline) + 1
        elif name == "title":
            own[key] = 1
    return styles.inherited(own)
