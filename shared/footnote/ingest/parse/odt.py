"""Parses ODT: headings, paragraphs, lists and tables in document order, then the footnotes."""

from footnote.ingest.parse import odf, properties
from footnote.ingest.parse.builder import Draft
from footnote.ingest.parse.formats import ODT
from footnote.ingest.parse.odf import text_of
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_CONTAINERS = frozenset({"section", "frame", "text-box", "numbered-paragraph", "g"})


def parse(body: bytes, name: str) -> ParsedDocument:
    content, title = odf.read_content(body, name)
    draft = Draft()
    write(draft, content, name)
    notes = [text_of(note) for note in content.iter() if local_name(note.tag) == "note-body"]
    if any(notes):
        draft.heading("Footnotes", 1)
        for note in notes:
            draft.item(f"- {note}" if note else "")
    return properties.add_metadata(
        draft.to_parsed(ODT, name, [title, *draft.opening_title()]), properties.odf(body, name)
    )


def write(draft: Draft, container: Element, name: str) -> None:
    """Adds what a text, a section or a text box holds."""
    for child in container:
        tag = local_name(child.tag)
        if tag == "h":
            level = odf.attribute(child, "outline-level")
            draft.heading(text_of(child), int(level) if level.isdecimal() else 1)
        elif tag == "p":
            draft.paragraph(text_of(child))
        elif tag == "list":
            write_list(draft, child)
        elif tag == "table":
            draft.table(odf.rows(child, name), odf.header_rows(child))
        elif tag in _CONTAINERS:
            write(draft, child, name)


def write_list(draft: Draft, bullets: Element, before: str = "\n\n") -> None:
    """Adds a list; the items of a nested list continue it."""
    for item in bullets:
        for child in item:
            if local_name(child.tag) == "list":
                write_list(draft, child, before)
            elif local_name(child.tag) == "h":
                level = odf.attribute(child, "outline-level")
                draft.heading(text_of(child), int(level) if level.isdecimal() else 1)
            else:
                draft.paragraph(f"- {text_of(child)}" if text_of(child).strip() else "", before)
            before = "\n"
