"""Parses ODT: blocks in document order, then footnotes and endnotes, then headers and footers."""

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import ODT
from footnote.ingest.parse.odf import open_document
from footnote.ingest.parse.odf.blocks import Blocks
from footnote.ingest.parse.odf.masters import write_headers
from footnote.model import ParsedDocument


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    with open_document(body, name) as document:
        builder.warnings += document.warnings
        blocks = Blocks(builder, document, builder.ledger)
        blocks.write(document.content)
        _write_notes(builder, blocks)
        write_headers(builder, blocks, document)
    parsed = builder.to_parsed(ODT, name, [document.title, *builder.opening_title()])
    return properties.add_metadata(parsed, document.fields)


def _write_notes(builder: DocumentBuilder, blocks: Blocks) -> None:
    """Adds the notes, those in notes too, below a heading of their own."""
    texts = [text for text in (blocks.cell_text(note, "") for note in blocks.reader.notes) if text]
    if texts:
        builder.heading("Footnotes", 1)
        for text in texts:
            builder.item(f"- {text}")
    blocks.write_after_table()
