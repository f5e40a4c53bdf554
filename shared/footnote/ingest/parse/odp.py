"""Parses ODP: a page per slide. Its title heads a section of text boxes, tables and notes."""

from collections.abc import Iterator

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import ODP
from footnote.ingest.parse.odf import OpenDocument, open_document
from footnote.ingest.parse.odf.blocks import Blocks
from footnote.ingest.parse.odf.masters import running_lines
from footnote.ingest.parse.odf.text import SHAPES
from footnote.ingest.parse.odf.xml import attribute, children, own_attribute, text_within
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_RUNNING = frozenset({"date-time", "footer", "header"})
_NUMBERS = frozenset({"page-number", "page"})


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    with open_document(body, name) as document:
        builder.warnings += document.warnings
        deck = _Deck(builder, document)
        number = 0
        for element in document.content:
            if local_name(element.tag) == "page":
                number += 1
                builder.page()
                deck.write(element, number)
            else:
                deck.blocks.block(element)
    parsed = builder.to_parsed(ODP, name, [document.title, *builder.opening_title()])
    return properties.add_metadata(parsed, document.fields)


class _Deck:
    """Writes slides. What all of them repeat comes once, on the first that shows it."""

    def __init__(self, builder: DocumentBuilder, document: OpenDocument) -> None:
        self._builder = builder
        self._styles = document.styles
        self.blocks = Blocks(builder, document, builder.ledger)
        self._declared = {
            (local_name(each.tag), attribute(each, "name")): text_within(each)
            for each in children(document.content, "footer-decl", "date-time-decl")
        }
        self._repeated: set[str] = set()
        self._shown_masters: set[str] = set()

    def write(self, slide: Element, number: int) -> None:
        if self._setting(slide, "visibility") == "hidden":
            self._builder.ledger.count("hidden_slide", f"slide {number}")
            return
        kinds = [attribute(shape, "class") for shape in slide]
        title = slide[kinds.index("title")] if "title" in kinds else None
        if title is not None:
            heading = self.blocks.cell_text(title, "")
            self._builder.heading(heading, 1)
        for shape, kind in zip(slide, kinds, strict=True):
            if local_name(shape.tag) == "notes":
                continue
            if kind in _RUNNING:
                self._once(running_lines(self.blocks, shape))
            elif shape is not title and kind not in _NUMBERS:
                self.blocks.block(shape)
        self._once(self._running(slide))
        self.blocks.write_after_table()
        for notes in children(slide, "notes"):
            self._notes(notes)

    def _setting(self, slide: Element, name: str) -> str:
        return self._styles.value("drawing-page", own_attribute(slide, "style-name"), name)

    def _notes(self, notes: Element) -> None:
        boxes = [box for box in notes if attribute(box, "class") == "notes"]
        self._builder.notes(" ".join(self.blocks.cell_text(box, "") for box in boxes))

    def _once(self, lines: Iterator[str]) -> None:
        for line in lines:
            if line not in self._repeated:
                self._repeated.add(line)
                self._builder.paragraph(line)

    def _running(self, slide: Element) -> Iterator[str]:
        """Yields the footer and the date of a slide, and the texts of its master page."""
        for kind, use in (("footer", "use-footer-name"), ("date-time", "use-date-time-name")):
            text = squeeze(self._declared.get((f"{kind}-decl", attribute(slide, use)), ""))
            if text and self._setting(slide, f"display-{kind}") != "false":
                yield text
        name = own_attribute(slide, "master-page-name") or next(iter(self._styles.masters), "")
        master = self._styles.masters.get(name)
        is_bare = self._setting(slide, "background-objects-visible") == "false"
        if master is None or is_bare or name in self._shown_masters:
            return
        self._shown_masters.add(name)
        for shape in master:
            if local_name(shape.tag) in SHAPES and not attribute(shape, "class"):
                yield from running_lines(self.blocks, shape)
