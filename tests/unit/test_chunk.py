"""Chunks: what holds for the chunks of every document, and where they are cut."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.parse import parse
from footnote.ingest.upkeep.marks import CHUNKER
from footnote.model import Document, Page, Revision, Section, Table, digest

REVISION = Revision(key="acme/reports/q3.pdf", version="v1", sequencer="0A")


def count(texts):
    return [len(text.split()) for text in texts]


def prose(sentences, words=10):
    return " ".join(f"S{n} {'word ' * (words - 2)}end." for n in range(sentences))


def document(text, **known):
    return Document(title="Report", media_type="text/plain", text=text, **known)


def markdown(text):
    return parse(text.encode(), "notes.md").document


@st.composite
def documents(draw):
    """Draws any text with nested sections, with tables, and with pages that cover all of it."""
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    text = unicodedata.normalize("NFC", draw(st.lists(words, max_size=60).map(" ".join)))
    text = text.replace("~", "\n")
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8, unique=True)))
    bounds = [*cuts, len(text)]
    sections = tuple(
        Section(title=f"H{i}", level=1 + i % 3, start=start, end=_section_end(i, bounds))
        for i, start in enumerate(cuts)
    )
    tables = tuple(
        Table(start=a, end=b, rows=(("a", "b"),))
        for a, b in zip(cuts[::2], cuts[1::2], strict=False)
    )
    starts = [0, *cuts[:3]]
    pages = tuple(
        Page(number=n, start=a, end=b)
        for n, (a, b) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), start=1)
    )
    return document(text, sections=sections, tables=tables, pages=pages)


def _section_end(i, bounds):
    level = 1 + i % 3
    return next(
        (bounds[j] for j in range(i + 1, len(bounds) - 1) if 1 + j % 3 <= level), bounds[-1]
    )


@given(documents(), st.integers(5, 60), st.integers(0, 20))
def test_chunks_hold_all_text_that_is_not_blank_in_order(document, budget, overlap):
    after = 0
    for n, piece in enumerate(chunk(document, REVISION, count, budget, overlap)):
        assert piece.ordinal == n
        assert piece.id == digest(REVISION.document_id, REVISION.version, str(n))
        assert piece.text == document.text[piece.start : piece.end]
        assert piece.text == piece.text.strip() != ""
        assert not document.text[after : piece.start].strip()
        assert piece.end > after
        after = piece.end
    assert not document.text[after:].strip()


@given(documents(), st.integers(5, 60), st.integers(0, 20))
def test_no_chunk_is_over_the_budget_unless_a_single_word_is(document, budget, overlap):
    for piece in chunk(document, REVISION, count, budget, overlap):
        assert count([piece.text])[0] <= budget


@given(documents())
def test_a_chunk_names_the_pages_that_it_touches(document):
    for piece in chunk(document, REVISION, count, 20, 5):
        touched = tuple(
            page.number
            for page in document.pages
            if page.start < piece.end and page.end > piece.start
        )
        assert piece.pages == touched


def test_the_same_document_gives_the_same_chunks():
    text = document(prose(200))
    assert chunk(text, REVISION, count, budget=200) == chunk(text, REVISION, count, budget=200)


def test_a_new_version_gives_new_ids():
    newer = REVISION.model_copy(update={"version": "v2"})
    assert {piece.id for piece in chunk(document("One."), REVISION, count, budget=200)}.isdisjoint(
        piece.id for piece in chunk(document("One."), newer, count)
    )


def test_chunks_are_cut_at_sentence_ends_and_are_about_even():
    pieces = chunk(document(prose(30)), REVISION, count, budget=200, overlap=0)
    assert [count([piece.text])[0] for piece in pieces] == [150, 150]
    assert all(piece.text.endswith("end.") for piece in pieces)


def test_chunks_of_a_section_overlap_by_whole_sentences():
    first, second = chunk(document(prose(30)), REVISION, count, budget=200, overlap=30)
    assert second.text.startswith("S12 ")
    assert first.text.endswith(second.text[: first.end - second.start])
    assert 0 < count([first.text[second.start - first.start :]])[0] <= 30


def test_a_section_starts_a_chunk_and_nothing_overlaps_into_it():
    text = markdown(f"# Report\n\n## Costs\n\n{prose(12)}\n\n## Income\n\n{prose(12)}\n")
    pieces = chunk(text, REVISION, count, budget=200)
    assert [piece.section for piece in pieces] == [("Report", "Costs"), ("Report", "Income")]
    assert [piece.text.split("\n")[0] for piece in pieces] == ["# Report", "## Income"]


def test_tiny_sections_share_a_chunk():
    text = markdown("# Contacts\n\n## Ann\n\nRoom 5.\n\n## Bob\n\nRoom 6.\n\n## Cy\n\nRoom 7.\n")
    (piece,) = chunk(text, REVISION, count, budget=200)
    assert piece.text == text.text.strip()


def test_a_heading_is_never_a_chunk_of_its_own():
    text = markdown(f"# A\n\n## B\n\n### C\n\n{prose(20)}\n\n## D\n")
    pieces = chunk(text, REVISION, count, budget=200)
    assert all(count([piece.text])[0] > 10 for piece in pieces)
    assert pieces[-1].text.endswith("## D")


def test_the_context_is_title_and_headings():
    text = markdown(f"# Travel\n\n## Meals\n\n{prose(12)}")
    (piece,) = chunk(text, REVISION, count, budget=200)
    assert piece.context == "[Travel > Meals]"
    assert piece.indexed_text == f"[Travel > Meals]\n{piece.text}"


def test_a_long_path_loses_its_outer_headings_first():
    long = "very " * 13
    text = markdown(f"# Trips\n\n## {long}one\n\n### {long}two\n\n#### {long}three\n\n{prose(12)}")
    (piece,) = chunk(text, REVISION, count, budget=200)
    assert piece.context.startswith("[Trips > very")
    assert piece.context.endswith("three]")
    assert "one" not in piece.context
    assert count([piece.context])[0] <= 40
    assert len(piece.section) == 4


def table(rows):
    lines = ["item | 2023 | 2022", *(f"line{n} | {n},000 | {n},500" for n in range(rows))]
    text = "\n".join(lines)
    cells = tuple(tuple(line.split(" | ")) for line in lines)
    return document(text, tables=(Table(start=0, end=len(text), rows=cells),))


def test_later_parts_of_a_table_carry_its_header():
    first, *rest = chunk(table(100), REVISION, count, budget=200)
    assert first.context == "[Report]"
    assert rest
    assert {piece.context for piece in rest} == {"[Report]\nitem | 2023 | 2022"}


def test_a_table_is_cut_between_rows_and_not_repeated():
    text = table(100)
    pieces = chunk(text, REVISION, count, budget=200)
    assert "\n".join(piece.text for piece in pieces) == text.text


def test_a_table_that_fits_is_not_cut():
    intro = prose(12)
    rows = table(20)
    shift = len(intro) + 2
    moved = rows.tables[0].model_copy(update={"start": shift, "end": shift + len(rows.text)})
    pieces = chunk(
        document(f"{intro}\n\n{rows.text}", tables=(moved,)), REVISION, count, budget=200
    )
    assert [piece.text for piece in pieces] == [intro, rows.text]


def test_a_word_without_end_is_cut():
    pieces = chunk(document("x" * 100_000), REVISION, count, budget=200)
    assert "".join(piece.text for piece in pieces) == "x" * 100_000
    assert max(len(piece.text) for piece in pieces) <= 4_000


def test_chunking_measures_in_few_calls():
    calls = []

    def counted(texts):
        calls.append(len(texts))
        return count(texts)

    chunk(document(prose(5_000)), REVISION, counted)
    assert len(calls) < 5


@pytest.mark.parametrize("text", ["", " \n\n "])
def test_blank_text_has_no_chunks(text):
    assert chunk(document(text), REVISION, count, budget=200) == []


# -- its version ---------------------------------------------------------------------------------


def test_whoever_makes_other_chunks_of_a_document_raises_the_version_of_the_chunker():
    """A re-index that finds the same version on the index there is builds no new one."""
    text = f"{prose(60)}\n\nA | B\n1 | 2\n{prose(40, 25)}\n\n{'Größe 東京 שלום. ' * 50}"
    at = text.index("A | B")
    made = document(
        text,
        sections=(
            Section(title="Begin", level=1, start=0, end=at),
            Section(title="Middle", level=2, start=at, end=len(text)),
        ),
        tables=(Table(start=at, end=at + 11, rows=(("A", "B"), ("1", "2"))),),
        pages=(Page(number=1, start=0, end=at), Page(number=2, start=at, end=len(text))),
    )
    chunks = chunk(made, REVISION, count, budget=200)
    stands_for = digest(*(one.model_dump_json() for one in chunks))
    assert (CHUNKER, stands_for) == ("3", "191e5eea1f2e64536bb7")
