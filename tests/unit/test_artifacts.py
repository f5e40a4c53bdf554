"""Artifacts come back as they were stored, and are the same bytes each time."""

from footnote.model import Chunk, Document, Page, ParsedDocument, WordBox
from footnote.store.artifacts import (
    dump_chunks,
    dump_document,
    load_chunks,
    load_document,
    pack_words,
    unpack_words,
)

DOCUMENT = Document(
    title="Två",
    media_type="application/pdf",
    text="one two\u2028three",
    pages=(
        Page(number=1, start=0, end=7),
        Page(number=2, start=7, end=7),
        Page(number=3, start=7, end=13),
    ),
)
WORDS = {
    1: [WordBox(1.0, 2.0, 3.5, 4.0, 0, 3), WordBox(5.0, 2.0, 8.5, 4.0, 4, 7)],
    3: [WordBox(1.0, 2.0, 3.5, 4.0, 8, 13)],
}


def test_a_document_comes_back():
    assert load_document(dump_document(DOCUMENT)) == DOCUMENT


def test_the_same_document_is_the_same_bytes():
    assert dump_document(DOCUMENT) == dump_document(load_document(dump_document(DOCUMENT)))


def test_each_page_s_words_can_be_read_alone():
    document, blob = pack_words(ParsedDocument(DOCUMENT, WORDS))
    found = {}
    for page in document.pages:
        if page.words_at:
            offset, length = page.words_at
            found[page.number] = unpack_words(blob[offset : offset + length])
    assert found == WORDS


def test_packing_words_changes_nothing_else_in_the_document():
    document, _ = pack_words(ParsedDocument(DOCUMENT, WORDS))
    bare = tuple(page.model_copy(update={"words_at": None}) for page in document.pages)
    assert document.model_copy(update={"pages": bare}) == DOCUMENT


def test_chunks_come_back_also_with_odd_line_ends():
    chunks = [
        Chunk(id="a", ordinal=0, text="one\u2028two\x85three\n", start=0, end=5),
        Chunk(id="b", ordinal=1, text="four", start=6, end=9, pages=(1, 2), section=("A",)),
    ]
    assert load_chunks(dump_chunks(chunks)) == chunks


def test_no_chunks_are_no_lines():
    assert load_chunks(dump_chunks([])) == []
