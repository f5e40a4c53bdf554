"""Parses ODT: headings, paragraphs, lists and tables in document order, then the footnotes."""

from footnote.ingest.parse import odf, properties
from footnote.ingest.parse.builder import Draft
from footnote.ingest.parse.formats import ODT
from footnote.ingest.parse.odf import said
from footnote.ingest.parse.safe_xml import Element, local
from footnote.model import Parsed

_INSIDE = frozenset({"section", "frame", "text-box", "numbered-paragraph", "g"})


def parse(body: bytes, name: str) -> Parsed:
    content, title = odf.body(body, name)
    draft = Draft()
    write(draft, content, name)
    notes = [said(note) for note in content.iter() if local(note.tag) == "note-body"]
    if any(notes):
        draft.heading("Footnotes", 1)
        for note in notes:
            draft.item(f"- {note}" if note else "")
    return properties.told(
        draft.parsed(ODT, name, [title, *draft.opening()]), properties.odf(body, name)
    )


def write(draft: Draft, container: Element, name: str) -> None:
    """Adds what a text, a section or a text box holds."""
    for child in container:
        tag = local(child.tag)
        if tag == "h":
            level = odf.attribute(child, "outline-level")
            draft.heading(said(child), int(level) if level.isdecimal() else 1)
        elif tag == "p":
            draft.paragraph(said(child))
        elif tag == "list":
            items(draft, child)
        elif tag == "table":
            draft.table(odf.rows(child, name), odf.header_rows(child))
        elif tag in _INSIDE:
            write(draft, child, name)


def items(draft: Draft, bullets: Element, before: str = "\n\n") -> None:
    """Adds a list; the items of a nested list continue it."""
    for item in bullets:
        for child in item:
            if local(child.tag) == "list":
                items(draft, child, before)
            elif local(child.tag) == "h":
                level = odf.attribute(child, "outline-level")
                draft.heading(said(child), int(level) if level.isdecimal() else 1)
            else:
                draft.paragraph(f"- {said(child)}" if said(child).strip() else "", before)
            before = "\n"
