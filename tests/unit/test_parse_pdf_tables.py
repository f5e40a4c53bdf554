"""PDF: each cell of a table says the right thing, for tables set as reports set them."""

import pytest

from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.parse import parse
from footnote.model import Revision
from tests.made_tables import CASES, continued


@pytest.mark.parametrize("name", CASES)
def test_every_cell_stands_where_it_was_drawn(name):
    made = CASES[name]()
    tables = parse(made.body, "made.pdf").document.tables
    assert [(table.rows, table.header_rows) for table in tables] == made.tables


def test_chunks_of_a_table_s_next_page_carry_its_header():
    document = parse(continued(is_repeated=False).body, "made.pdf").document
    revision = Revision(key="t/c/made.pdf", version="1", sequencer="1")
    chunks = chunk(document, revision, lambda texts: [len(t.split()) for t in texts], budget=90)
    later = [one for one in chunks if one.pages == (2,) and "Item number" in one.text]
    assert [one.context.partition("\n")[2] for one in later] == ["2025 | 2024"] * len(later)
    assert later


@pytest.mark.parametrize("end", [31, 32, 50])
def test_a_table_that_goes_on_overleaf_is_one_block_of_text(end):
    """Whoever reads its lines takes a blank line for its end."""
    document = parse(continued(is_repeated=False, end=end).body, "made.pdf").document
    [table] = document.tables
    assert len(table.rows) == end  # the header, then lots from 1 on
    assert "\n\n" not in document.text[table.start : table.end]
    assert document.text[document.pages[1].start :].startswith("Item number 30")
