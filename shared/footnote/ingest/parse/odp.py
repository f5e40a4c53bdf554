"""Parses ODP: a page per slide. Its title heads a section of text boxes, tables and notes."""

from footnote.ingest.parse import odf, odt, properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import ODP
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_FURNITURE = frozenset({"date-time", "footer", "header", "page-number", "page"})


def parse(body: bytes, name: str) -> ParsedDocument:
    content, title = odf.read_content(body, name)
    builder = DocumentBuilder()
    for slide in content:
        if local_name(slide.tag) == "page":
            builder.page()
            _write(builder, slide, name)
    return properties.add_metadata(
        builder.to_parsed(ODP, name, [title, *builder.opening_title()]), properties.odf(body, name)
    )


def _write(builder: DocumentBuilder, slide: Element, name: str) -> None:
    shapes = {odf.attribute(shape, "class"): shape for shape in slide}
    title = shapes.get("title")
    if title is not None:
        builder.heading(odf.text_of(title), 1)
    for shape in slide:
        if shape is not title and odf.attribute(shape, "class") not in _FURNITURE:
            _shape(builder, shape, name)


def _shape(builder: DocumentBuilder, shape: Element, name: str) -> None:
    if local_name(shape.tag) == "notes":
        boxes = [box for box in shape if odf.attribute(box, "class") == "notes"]
        builder.notes(" ".join(map(odf.text_of, boxes)))
    elif local_name(shape.tag) == "g":
        for inner in shape:
            _shape(builder, inner, name)
    else:
        odt.write(builder, shape, name)
