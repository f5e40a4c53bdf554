"""What stands on many slides of a deck: footers, dates, text boxes of layouts and masters."""

from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.oxml.ns import qn
from pptx.shapes.base import BaseShape
from pptx.slide import Slide

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.ooxml.drawingml import paragraph_text
from footnote.ingest.parse.safe_xml import Element, local_name

FURNITURE = frozenset(
    {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.SLIDE_NUMBER}
)


_LONGEST_NUMBER = 4  # characters of the number of a slide, which is no text


def is_furniture(shape: BaseShape) -> bool:
    """Tells whether a shape of a slide is a footer, a date or a slide's number."""
    return shape.is_placeholder and shape.placeholder_format.type in FURNITURE


class Furniture:
    """Collects these texts, each once, in the order in which slides show them."""

    def __init__(self) -> None:
        self._texts: dict[str, None] = {}
        self._collected: set[int] = set()

    def collect(self, slide: Slide) -> None:
        """Takes the footers of a slide, and what its layout and its master add to it."""
        for shape in slide.placeholders:
            if shape.placeholder_format.type in FURNITURE:
                self._add(shape.element)
        if slide.element.get("showMasterSp", "1") in {"0", "false"}:
            return
        layout = slide.slide_layout
        self._collect_from(layout.element)
        if layout.element.get("showMasterSp", "1") not in {"0", "false"}:
            self._collect_from(layout.slide_master.element)

    def write(self, builder: DocumentBuilder) -> None:
        """Adds the texts as a section at the end of the deck."""
        if self._texts:
            builder.heading("Headers and footers", 1)
            for text in self._texts:
                builder.paragraph(text)

    def _collect_from(self, layout: Element) -> None:
        """Takes the text boxes of a layout or master; its placeholders only say where text goes."""
        if id(layout) in self._collected:
            return
        self._collected.add(id(layout))
        for shape in layout.iter(qn("p:sp")):
            if not any(local_name(node.tag) == "ph" for node in shape.iter()):
                self._add(shape)

    def _add(self, shape: Element) -> None:
        for paragraph in shape.iter(qn("a:p")):
            text = squeeze(paragraph_text(paragraph))
            if len(text) > _LONGEST_NUMBER or any(letter.isalpha() for letter in text):
                self._texts[text] = None
