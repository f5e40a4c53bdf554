"""Readable text: blocks cover a document to the character, and say what each piece is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footnote.ingest.parse import parse
from footnote.model import Document, Page, Section, Table
from footnote.reading.blocks import MAX_BLOCK, MAX_REPLY, Blocks
from tests.formats import FILES, mail
from tests.pages import ROOT

SAMPLES = {file.name: file.read_bytes() for file in (ROOT / "samples/documents").iterdir()}


def blocks_of(document, start=0, end=None, most=10**9):
    return Blocks(document).between(start, len(document.text) if end is None else end, most)


def check(document):
    """Checks that blocks cover the text, and that every offset in them is right."""
    found = blocks_of(document)
    assert "".join(block.text for block in found) == document.text
    at = 0
    for block in found:
        assert (block.start, document.text[block.start : block.end]) == (at, block.text)
        at = block.end
        last = block.start
        for cell in block.cells or ():
            assert last <= cell.start <= cell.end <= block.end
            assert document.text[cell.start : cell.end] == cell.text
            last = cell.end
    return found


@pytest.mark.parametrize("name", [*SAMPLES, *FILES])
def test_the_blocks_of_every_format_are_its_text(name):
    document = parse({**SAMPLES, **FILES}[name], name).document
    found = check(document)
    headings = [block for block in found if block.kind == "heading"]
    assert {block.start for block in headings} == {one.start for one in document.sections}
    for table in document.tables:
        rows = [block for block in found if block.table == table.start]
        assert len(rows) == len(table.rows)
        assert [block.header for block in rows] == [
            n < table.header_rows for n in range(len(table.rows))
        ]


@pytest.mark.parametrize("name", [*SAMPLES, *FILES])
def test_reading_on_from_each_reply_gives_the_same_blocks(name):
    document = parse({**SAMPLES, **FILES}[name], name).document
    whole, pieces, at = blocks_of(document), [], 0
    while at < len(document.text):
        some = blocks_of(document, at, most=200)
        pieces += some
        at = some[-1].end
    assert pieces == whole


texts = st.text(st.sampled_from("ab |\n.\u00e9\U0001f600"), max_size=200)


@settings(max_examples=300)
@given(texts, st.data())
def test_any_text_with_any_marks_is_covered(text, data):
    """Spans of sections, tables and pages may be anywhere, as in files that are odd."""
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=6, max_size=6)))
    pages = tuple(
        Page(number=n, start=a, end=b)
        for n, (a, b) in enumerate(zip([0, *cuts[:2]], [*cuts[:2], len(text)], strict=True), 1)
    )
    document = Document(
        title="t",
        media_type=data.draw(st.sampled_from(["text/plain", "message/rfc822"])),
        text=text,
        pages=pages,
        sections=(Section(title=text[cuts[1] : cuts[1] + 5], level=1, start=cuts[1], end=cuts[5]),),
        tables=(Table(start=cuts[3], end=cuts[4], rows=(("a", "b"), ("a", ""))),),
    )
    check(document)
    start = data.draw(st.integers(0, max(0, len(text) - 1)))
    found = blocks_of(document, start, most=10)
    if text:
        assert found[0].start <= start < found[0].end
        assert found == [one for one in blocks_of(document) if one in found]


def test_a_reply_is_bounded_and_says_where_the_next_begins():
    document = parse(b"A word and another. " * 50_000, "long.txt").document
    found = Blocks(document).between(0, len(document.text))
    assert MAX_REPLY <= sum(len(one.text) for one in found) <= MAX_REPLY + MAX_BLOCK
    assert max(len(one.text) for one in found) <= MAX_BLOCK
    assert all(one.text.endswith(" ") for one in found)  # cut at a blank


def test_what_is_asked_for_with_around_begins_a_little_before():
    document = parse(b"One line of a text.\n\n" * 1000, "long.txt").document
    start = Blocks(document).start_around(10_000)
    assert 10_000 - 1_600 <= start <= 10_000 - 1_400
    assert document.text[start : start + 8] == "One line"
    assert Blocks(document).start_around(0) == 0


def test_a_span_of_a_citation_lies_in_blocks_at_its_own_offsets():
    document = parse(SAMPLES["travel-and-expenses.html"], "a.html").document
    quote = "per night"
    start = document.text.index(quote)
    [block] = [one for one in blocks_of(document) if one.start <= start < one.end]
    assert block.text[start - block.start :].startswith(quote)


def test_a_sheet_keeps_its_name_cells_and_header():
    document = parse(SAMPLES["budget-2026.xlsx"], "budget-2026.xlsx").document
    found = check(document)
    rows = [block for block in found if block.kind in {"row", "table_header"}]
    assert {block.sheet for block in rows} == {
        one.title for one in document.sections if one.level == 1
    }
    header = next(block for block in rows if block.header)
    assert (header.kind, len(header.cells or ()) > 1) == ("table_header", True)
    assert all(block.cells for block in rows)


def test_a_mail_has_its_header_lines():
    document = parse(mail(), "delivery.eml").document
    lines = [block for block in check(document) if block.kind == "mail_header"]
    shown = [(block.cells[0].text, block.cells[1].text) for block in lines]
    assert shown[:3] == [
        ("From", "Ann Ärmel <ann@shop.example>"),
        ("To", "Bob <bob@shop.example>"),
        ("Date", "Mon, 02 Feb 2026 10:00:00 +0100"),
    ]


def test_blocks_say_on_which_page_they_stand():
    document = parse(SAMPLES["annual-report-2025.pdf"], "annual-report-2025.pdf").document
    for block in check(document):
        page = document.pages[block.page - 1]
        assert page.start <= block.start
        assert block.end <= page.end


@pytest.mark.parametrize("start", [-1, 10**9])
def test_from_outside_of_the_text_there_are_no_blocks(start):
    assert Blocks(parse(b"A word.", "a.txt").document).between(start, 10**9) == []


def test_a_text_of_millions_of_characters_is_cut_where_it_is_looked_at():
    document = parse(b"Word after word. " * 1_200_000, "long.txt").document
    last = len(document.text) - 100
    [*_, found] = Blocks(document).between(last, len(document.text))
    assert found.end == len(document.text)
