"""Parses ODT: headings, paragraphs, lists and tables in document order, then the footnotes."""

from footnote.ingest.parse import odf, properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import ODT
from footnote.ingest.parse.odf import text_of
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_CONTAINERS = frozenset({"section", "frame", "text-box", "numbered-paragraph", "g"})


def parse(body: bytes, name: str) -> ParsedDocument:
    content, title = odf.read_content(body, name)
    builder = DocumentBuilder()
    write(builder, content, name)
    notes = [text_of(note) for note in content.iter() if local_name(note.tag) == "note-body"]
    if any(notes):
        builder.heading("Footnotes", 1)
        for note in notes:
            builder.item(f"- {note}" if note else "")
    return properties.add_metadata(
        builder.to_parsed(ODT, name, [title, *builder.opening_title()]), properties.odf(body, name)
    )


def write(builder: DocumentBuilder, container: Element, name: str) -> None:
    """Adds the content of a text, a section or a text box."""
    for child in container:
        tag = local_name(child.tag)
        if tag == "h":
            level = odf.attribute(child, "outline-level")
            builder.heading(text_of(child), int(level) if level.isdecimal() else 1)
        elif tag == "p":
            builder.paragraph(text_of(child))
        elif tag == "list":
            write_list(builder, child)
        elif tag == "table":
            builder.table(odf.rows(child, name), odf.header_rows(child))
        elif tag in _CONTAINERS:
            write(builder, child, name)


def write_list(builder: DocumentBuilder, bullets: Element, before: str = "\n\n") -> None:
    """Adds a list. The items of a nested list continue it."""
    for item in bullets:
        for child in item:
            if local_name(child.tag) == "list":
                write_list(builder, child, before)
            elif local_name(child.tag) == "h":
                level = odf.attribute(child, "outline-level")
                builder.heading(text_of(child), int(level) if level.isdecimal() else 1)
            else:
                builder.paragraph(f"- {text_of(child)}" if text_of(child).strip() else "", before)
            before = "\n"
