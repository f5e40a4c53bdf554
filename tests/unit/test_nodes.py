"""Nodes: every page and table and the document itself, each with what says what it is about."""

from footnote.ingest.chunk.nodes import MOST_CONTEXT, MOST_TEXT, STRETCH, make_nodes
from footnote.model import CELL, Document, Page, Revision, Section, Table
from tests.contract.node_suite import FIRST, SECOND, a_document
from tests.unit.test_financial_statements import BALANCE

REVISION = Revision(key="acme/reports/2024/port_of_lisbon.pdf", version="v1", sequencer="1")


def by_kind(document, revision=REVISION):
    found = make_nodes(document, revision)
    assert len({node.id for node in found}) == len(found)
    return {kind: [n for n in found if n.kind == kind] for kind in ("document", "page", "table")}


def plain(text, **fields):
    return Document(title="T", media_type="text/plain", text=text, **fields)


def test_a_page_has_its_title_its_headings_and_all_its_text():
    first, second = by_kind(a_document())["page"]
    assert (first.pages, first.text, first.context) == (
        (1,),
        FIRST.strip(),
        "Port of Lisbon: tariffs 2024",
    )
    assert (second.pages, second.text) == ((2,), SECOND.strip())
    assert second.context == "Port of Lisbon: tariffs 2024\nTariffs"
    assert (second.start, second.end) == (len(FIRST), len(FIRST + SECOND))


def test_a_heading_of_an_earlier_page_still_counts():
    text = "Fees\n" + "a " * 10 + "\nb " * 10
    at = text.index("\nb")
    pages = (Page(number=1, start=0, end=at), Page(number=2, start=at, end=len(text)))
    sections = (
        Section(title="Fees", level=1, start=0, end=len(text)),
        Section(title="Early", level=2, start=0, end=at - 5),
    )
    first, second = by_kind(plain(text, pages=pages, sections=sections))["page"]
    assert first.context == "T\nFees\nEarly"
    assert second.context == "T\nFees"


def test_a_table_has_what_stands_before_its_labels_and_its_rows():
    (table,) = by_kind(a_document())["table"]
    assert table.pages == (2,)
    assert table.context.splitlines()[0] == "Tariffs"
    assert "Harbour dues of the northern ports." in table.context
    assert table.context.endswith("Vessel Barge Tug")
    assert table.text == f"Vessel{CELL}Per day\nBarge{CELL}120\nTug{CELL}80"


def test_a_table_says_which_statement_it_is():
    rows = tuple((label, "1") for label in BALANCE)
    found = by_kind(plain("x" * 50, tables=(Table(start=0, end=9, rows=rows),)))
    assert [one.statement for one in found["table"]] == ["balance_sheet"]
    assert [one.statement for one in by_kind(a_document())["table"]] == [None]


def test_a_document_has_the_names_of_title_path_and_first_lines():
    (node,) = by_kind(a_document())["document"]
    assert (node.start, node.end, node.text) == (0, len(FIRST + SECOND), "")
    # from the path's folder and name, the title, the first lines
    assert {"y2024", "port", "lisbon", "tariffs", "harbour", "harbourdues"} <= set(node.names)
    assert "portoflisbon" not in node.names  # a join has no stop word


def test_a_text_without_pages_is_cut_into_stretches_that_hold_all_of_it():
    text = "".join(f"word{n} " for n in range(2_000))
    found = by_kind(plain(text))["page"]
    assert [(n.start, n.end) for n in found] == [
        (at, min(at + STRETCH, len(text))) for at in range(0, len(text), STRETCH)
    ]
    assert {word for node in found for word in node.text.split()} >= set(text.split()) - {
        word for at in range(STRETCH, len(text), STRETCH) for word in text[at - 9 : at + 9].split()
    }


def test_blank_pages_are_no_nodes_and_an_empty_document_is_one():
    pages = (Page(number=1, start=0, end=2), Page(number=2, start=2, end=5))
    assert [n.pages for n in by_kind(plain("  abc", pages=pages))["page"]] == [(2,)]
    assert {kind: len(found) for kind, found in by_kind(plain("")).items()} == {
        "document": 1,
        "page": 0,
        "table": 0,
    }


def test_nodes_are_bounded():
    rows = tuple(("label " * 100, str(n)) for n in range(5_000))
    text = "x " * 40_000
    table = Table(start=10, end=20, rows=rows)
    heading = Section(title="h" * 9_000, level=1, start=0, end=len(text))
    page = Page(number=1, start=0, end=len(text))
    document = plain(text, pages=(page,), tables=(table,), sections=(heading,))
    for node in make_nodes(document, REVISION):
        assert len(node.text) <= MOST_TEXT
        assert len(node.context) <= MOST_CONTEXT


def test_the_same_document_makes_the_same_nodes_and_another_version_others():
    one, two = make_nodes(a_document(), REVISION), make_nodes(a_document(), REVISION)
    assert one == two
    other = make_nodes(a_document(), REVISION.model_copy(update={"version": "v2"}))
    assert not {node.id for node in one} & {node.id for node in other}


def test_whoever_makes_other_nodes_of_a_document_raises_their_version():
    """A re-index that finds the same version on the index there is builds no new one."""
    from footnote.model import digest
    from footnote.store.keys import NODES

    stands_for = digest(*(node.model_dump_json() for node in make_nodes(a_document(), REVISION)))
    assert (NODES, stands_for) == ("4", "29e3dc6b71fe763ea310")
