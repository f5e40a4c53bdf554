"""Parses plain text: keeps it as written. Its first line may be its title."""

from footnote.ingest.parse.builder import title
from footnote.ingest.parse.characters import clean, decode
from footnote.ingest.parse.formats import TEXT
from footnote.model import Document, ParsedDocument
from footnote.text.language import detect_language

_HEADLINE = 80


def parse(body: bytes, name: str) -> ParsedDocument:
    decoded, warnings = decode(body, name)
    text = clean(decoded)
    first, _, rest = text.strip().partition("\n")
    # the first line stands alone above a blank one
    is_headline = len(first) <= _HEADLINE and rest.startswith("\n") and first[-1:] not in ".,;"
    document = Document(
        title=title([first] if is_headline else [], name),
        media_type=TEXT,
        language=detect_language(text),
        text=text,
        warnings=warnings,
    )
    return ParsedDocument(document, {})
