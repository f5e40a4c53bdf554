"""Parses PPTX: a page per slide. Its title heads a section of bullets, tables and notes."""

from collections.abc import Iterable, Iterator
from io import BytesIO

from lxml import etree
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.exc import PythonPptxError
from pptx.oxml.ns import qn
from pptx.presentation import Presentation as PresentationType
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from footnote.ingest.parse import ooxml, properties, zip_bounds
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import PPTX
from footnote.ingest.parse.refusals import ODD_VALUES, translate_errors
from footnote.ingest.parse.safe_xml import Element
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    PythonPptxError,
    etree.LxmlError,
    *ODD_VALUES,
)
_FURNITURE = frozenset(
    {PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER, PP_PLACEHOLDER.SLIDE_NUMBER}
)
_EMU_PER_POINT = 12_700  # English Metric Units
_MAX_DEPTH = 16  # of nested groups


def parse(body: bytes, name: str) -> ParsedDocument:
    zip_bounds.check(body, name)
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        deck = Presentation(BytesIO(ooxml.normalise(body, name)))
        width, height = (
            (deck.slide_width or 0) / _EMU_PER_POINT,
            (deck.slide_height or 0) / _EMU_PER_POINT,
        )
        for slide in _slides(deck):
            builder.page(width, height)
            _write(builder, slide)
        title = deck.core_properties.title or ""
    parsed = builder.to_parsed(PPTX, name, [title, *builder.opening_title()])
    return properties.add_metadata(parsed, properties.office(body, name))


def _slides(deck: PresentationType) -> Iterator[Slide]:
    """Yields the slides, each once: a list of slides could name one a million times."""
    yielded: set[int] = set()
    for slide in deck.slides:
        if id(slide.part) not in yielded:
            yielded.add(id(slide.part))
            yield slide


def _rows(table: GraphicFrame) -> list[list[str]]:
    """Returns the rows of a table.

    It reads the tree: for each row, python-pptx counts again from the first.
    """
    return [
        ["\n".join(_line(p) for p in cell.iter(qn("a:p"))) for cell in row.findall(qn("a:tc"))]
        for row in table.element.iter(qn("a:tr"))
    ]


def _line(paragraph: Element) -> str:
    pieces = (
        "\n" if node.tag == qn("a:br") else node.text or ""
        for node in paragraph.iter(qn("a:t"), qn("a:br"))
    )
    return "".join(pieces)


def _write(builder: DocumentBuilder, slide: Slide) -> None:
    title = slide.shapes.title
    if title is not None and title.has_text_frame:
        builder.heading(title.text_frame.text, 1)
    for shape in _flatten(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if isinstance(shape, GraphicFrame) and shape.has_table:
            builder.table(_rows(shape))
        elif isinstance(shape, Shape) and shape.has_text_frame:
            _write_text_box(builder, shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        builder.notes(slide.notes_slide.notes_text_frame.text)


def _write_text_box(builder: DocumentBuilder, shape: Shape) -> None:
    """Adds a text box, each line as a paragraph.

    Otherwise bullets would read as one sentence.
    """
    if shape.is_placeholder and shape.placeholder_format.type in _FURNITURE:
        return
    for paragraph in shape.text_frame.paragraphs:
        text = squeeze(paragraph.text)
        if text:
            builder.paragraph(f"- {text}" if paragraph.level else text)


def _flatten(shapes: Iterable[BaseShape], depth: int = 0) -> Iterator[BaseShape]:
    """Yields shapes from top to bottom and left to right, with groups opened."""
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if isinstance(shape, GroupShape):
            if depth < _MAX_DEPTH:
                yield from _flatten(shape.shapes, depth + 1)
        else:
            yield shape
