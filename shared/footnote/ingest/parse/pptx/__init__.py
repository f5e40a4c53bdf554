"""Parses PPTX: a page per slide. Its title heads a section of bullets, tables, charts and notes."""

from collections.abc import Iterator
from io import BytesIO

from lxml import etree
from pptx import Presentation
from pptx.exc import PythonPptxError
from pptx.presentation import Presentation as PresentationType
from pptx.slide import Slide

from footnote.ingest.parse import ooxml, properties, zip_bounds
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import PPTX
from footnote.ingest.parse.ooxml.drawingml import open_alternatives
from footnote.ingest.parse.pptx.furniture import Furniture
from footnote.ingest.parse.pptx.writer import DeckParts, SlideWriter
from footnote.ingest.parse.refusals import ODD_VALUES, translate_errors
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    PythonPptxError,
    etree.LxmlError,
    *ODD_VALUES,
)
_EMU_PER_POINT = 12_700  # English Metric Units


def parse(body: bytes, name: str, allowance: Allowance | None = None) -> ParsedDocument:
    """Parses a deck; `allowance` bounds the files inside it."""
    zip_bounds.check(body, name)
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        deck = Presentation(BytesIO(ooxml.normalise(body, name)))
        parts = DeckParts(deck, builder, allowance or Allowance())
        _write(deck, builder, parts)
        parts.files.write()
        title = deck.core_properties.title or ""
    parsed = builder.to_parsed(PPTX, name, [title, *builder.opening_title()])
    return properties.add_metadata(parsed, properties.office(body, name))


def _write(deck: PresentationType, builder: DocumentBuilder, parts: DeckParts) -> None:
    width, height = (
        (deck.slide_width or 0) / _EMU_PER_POINT,
        (deck.slide_height or 0) / _EMU_PER_POINT,
    )
    furniture = Furniture()
    for number, slide in enumerate(_slides(deck), start=1):
        builder.page(width, height)
        if slide.element.get("show", "1") in {"0", "false"}:
            builder.ledger.count("hidden_slide", f"slide {number}")
            continue
        open_alternatives(slide.element)
        SlideWriter(builder, slide, f"slide {number}", parts).write()
        furniture.collect(slide)
    furniture.write(builder)


def _slides(deck: PresentationType) -> Iterator[Slide]:
    """Yields the slides, each once: a list of slides could name one a million times."""
    yielded: set[int] = set()
    for slide in deck.slides:
        if id(slide.part) not in yielded:
            yielded.add(id(slide.part))
            yield slide
