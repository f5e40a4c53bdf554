"""Parses ODS: a page per sheet, with the displayed values of its cells in tables."""

from footnote.ingest.parse import properties, worksheet
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import ODS
from footnote.ingest.parse.odf import OpenDocument, open_document
from footnote.ingest.parse.odf.blocks import Blocks
from footnote.ingest.parse.odf.masters import write_headers
from footnote.ingest.parse.odf.xml import attribute
from footnote.ingest.parse.refusals import too_large
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    with open_document(body, name) as document:
        builder.warnings += document.warnings
        blocks = Blocks(builder, document, builder.ledger)
        room = worksheet.Room(name)
        for element in document.content:
            if local_name(element.tag) == "table":
                _write_sheet(builder, blocks, document, element, room)
            else:
                blocks.block(element)
        write_headers(builder, blocks, document)
    parsed = builder.to_parsed(ODS, name, [document.title])
    return properties.add_metadata(parsed, document.fields)


def _write_sheet(
    builder: DocumentBuilder,
    blocks: Blocks,
    document: OpenDocument,
    sheet: Element,
    room: worksheet.Room,
) -> None:
    """Adds a sheet: its cells, then its shapes, charts and comments."""
    builder.page()
    heading = attribute(sheet, "name")
    if document.styles.is_hidden("table", attribute(sheet, "style-name")):
        builder.warnings.append(f"The hidden sheet {heading!r} is left out.")
        return
    rows: list[list[str]] = []
    for row in blocks.rows(sheet):
        rows.append(row)
        room.take(row)
        if room.cells < 0:
            raise too_large(document.name, f"more than {worksheet.MAX_CELLS:,} cells")
    worksheet.write(builder, heading, rows)
    blocks.write_around(sheet)
