"""The suite of nodes in a SearchIndex; it runs on the memory adapter and on OpenSearch."""

import re
from collections.abc import Sequence
from typing import get_args

import pytest

from footnote.accounting.statements import StatementKind
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.rules.search import MAX_NODES
from footnote.ask.find.ports import Ports
from footnote.ask.find.search import search
from footnote.ask.query.reading import read_query
from footnote.errors import ForbiddenError
from footnote.ingest.chunk.nodes import STRETCH, make_nodes
from footnote.model import (
    CELL,
    Acl,
    Annotation,
    Candidate,
    Document,
    Hit,
    IndexedChunk,
    IndexedNode,
    LegsQuery,
    Metadata,
    NodeKind,
    Page,
    Revision,
    SearchQuery,
    Section,
    Sidecar,
    Table,
    document_id,
)
from footnote.ports import SearchIndex
from tests.contract.search_suite import EAST, ask, indexed_chunk, inside
from tests.unit.test_financial_statements import BALANCE, CASH

KINDS: tuple[NodeKind, ...] = get_args(NodeKind.__value__)
FIRST = "Harbour dues of the northern ports.\n"
SECOND = "Tariffs\nVessel | Per day\nBarge | 120\nTug | 80\n"


def a_document(title: str = "Port of Lisbon: tariffs 2024") -> Document:
    """Returns a document of two pages; the second has a section and a table."""
    text, at = FIRST + SECOND, len(FIRST)
    return Document(
        title=title,
        media_type="application/pdf",
        text=text,
        pages=(Page(number=1, start=0, end=at), Page(number=2, start=at, end=len(text))),
        sections=(Section(title="Tariffs", level=1, start=at, end=len(text)),),
        tables=(
            Table(
                start=at + len("Tariffs\n"),
                end=len(text),
                rows=(("Vessel", "Per day"), ("Barge", "120"), ("Tug", "80")),
            ),
        ),
    )


def a_long_document(title: str, text: str) -> Document:
    """Returns a document of one page that is longer than its first lines."""
    page = Page(number=1, start=0, end=len(text))
    return Document(title=title, media_type="application/pdf", text=text, pages=(page,))


def a_report(labels: Sequence[str]) -> Document:
    """Returns a document that is one table, a figure in each row."""
    rows = tuple((label, str(n)) for n, label in enumerate(labels))
    text = "\n".join(CELL.join(row) for row in rows)
    page = Page(number=1, start=0, end=len(text))
    table = Table(start=0, end=len(text), rows=rows)
    return Document(
        title="Report", media_type="application/pdf", text=text, pages=(page,), tables=(table,)
    )


def nodes_of(
    document: Document,
    key: str = "acme/reports/a.pdf",
    version: str = "v1",
    sequencer: str = "1",
    *,
    number: int = 0,
    acl: Acl = None,
    metadata: Metadata | None = None,
) -> list[IndexedNode]:
    revision = Revision(key=key, version=version, sequencer=sequencer)
    annotation = Annotation(number=number, acl=acl, metadata=metadata or {})
    return [
        IndexedNode(revision=revision, node=node, annotation=annotation)
        for node in make_nodes(document, revision)
    ]


ASKED: dict[NodeKind, str] = {
    "page": "dues of northern harbours",
    "table": "what does a barge pay",
    "document": "Port of Lisbon 2024",
}
"""By kind, a question that finds the node of `a_document`."""


def find(index: SearchIndex, kind: NodeKind, text: str = "", **scope: object) -> list[Candidate]:
    query = LegsQuery(
        text=text or ASKED[kind], scope=inside(**scope), legs=(kind,), size=10, with_pages=True
    )
    return list(index.search(query)[kind])


class NodeSuite:
    """Needs a subclass with a fixture `index`: an empty index of the search suite."""

    def test_a_page_is_found_by_its_words_and_headings(self, index: SearchIndex) -> None:
        index.write(nodes_of(a_document()))
        assert [one.pages for one in find(index, "page", "dues")] == [(1,)]
        assert find(index, "page", "tariffs")[0].pages == (2,)
        (found,) = find(index, "page", "tug")
        assert (found.start, found.end) == (len(FIRST), len(FIRST + SECOND))

    def test_a_table_is_found_by_its_rows_and_by_what_stands_before(
        self, index: SearchIndex
    ) -> None:
        index.write(nodes_of(a_document()))
        for text in ("barge", "tariffs", "northern ports"):
            (found,) = find(index, "table", text)
            assert found.pages == (2,)

    @pytest.mark.parametrize(
        "text",
        ["the PortOfLisbon", "what did Lisbon charge", "in FY24", "REPORT 2024", "portlisbon?"],
    )
    def test_a_document_is_found_by_what_a_question_calls_it(
        self, index: SearchIndex, text: str
    ) -> None:
        other = a_document("Rotterdam, annual accounts 2019")
        index.write(nodes_of(other, "acme/reports/b.pdf"))
        index.write(nodes_of(a_document("Port Lisbon tariffs 2024"), "acme/x/ports_report.pdf"))
        ours = Revision(key="acme/x/ports_report.pdf", version="v1", sequencer="1")
        found = find(index, "document", text)
        if text == "the PortOfLisbon":  # its words are named as well
            assert ours.document_id in {one.document_id for one in found}
        else:
            assert found[0].document_id == ours.document_id

    def test_a_name_that_fewer_documents_have_counts_for_more(self, index: SearchIndex) -> None:
        for n in range(8):
            index.write(nodes_of(a_document(f"Harbour {n}"), f"acme/reports/{n}.pdf"))
        index.write(nodes_of(a_document("Harbour of Faro"), "acme/reports/faro.pdf"))
        first, second, *_ = find(index, "document", "the Faro harbour")
        assert first.score > 2 * second.score

    def test_a_name_that_other_texts_mention_counts_for_less(self, index: SearchIndex) -> None:
        filler = "Nothing but the weather is said on this line.\n" * (STRETCH // 40)
        for n in range(8):
            other = a_long_document(f"Report {n}", f"{filler}It was said at Corder House.")
            index.write(nodes_of(other, f"acme/reports/{n}.pdf"))
        for title in ("Corder House", "Farwell House"):
            index.write(nodes_of(a_long_document(title, filler), f"acme/reports/{title}.pdf"))
        found = find(index, "document", "Corder House or Farwell House?")
        corder, farwell = (
            document_id(f"acme/reports/{name} House.pdf") for name in ("Corder", "Farwell")
        )
        scores = {one.document_id: one.score for one in found}
        assert scores[farwell] > 2 * scores[corder]
        assert scores.keys() == {corder, farwell}  # what only mentions a name is not called by it

    def test_a_question_without_a_name_finds_no_document(self, index: SearchIndex) -> None:
        index.write(nodes_of(a_document()))
        assert find(index, "document", "?!") == []

    @pytest.mark.parametrize("kind", KINDS)
    def test_nodes_are_seen_by_whoever_sees_their_document(
        self, index: SearchIndex, kind: NodeKind
    ) -> None:
        index.write(nodes_of(a_document(), acl=("board",), metadata={"year": 2024}))
        seen = [
            len(find(index, kind, **scope))
            for scope in (
                {"groups": ("board",)},
                {"groups": ("staff",)},
                {"groups": ("board",), "tenant": "rival"},
                {"groups": ("board",), "collection": "other"},
                {"groups": ("board",), "documents": ("b.pdf",)},
                {"groups": ("board",), "filters": {"year": 2024}},
                {"groups": ("board",), "filters": {"year": 2023}},
            )
        ]
        assert [bool(count) for count in seen] == [True, False, False, False, False, True, False]
        with pytest.raises(ForbiddenError):
            find(index, kind, tenant="")

    @pytest.mark.parametrize("kind", KINDS)
    def test_an_annotation_changes_nodes_as_well(self, index: SearchIndex, kind: NodeKind) -> None:
        written = nodes_of(a_document())
        index.write(written)
        index.annotate(written[0].revision, Annotation(number=2, acl=("board",)))
        assert find(index, kind, groups=("staff",)) == []
        assert find(index, kind, groups=("board",)) != []

    @pytest.mark.parametrize("kind", KINDS)
    def test_nodes_go_with_the_event_that_wrote_them(
        self, index: SearchIndex, kind: NodeKind
    ) -> None:
        old, new = nodes_of(a_document()), nodes_of(a_document(), version="v2", sequencer="2")
        index.write([*old, *new])
        assert {one.version for one in find(index, kind)} == {"v1", "v2"}
        index.remove_older(new[0].revision)
        assert {one.version for one in find(index, kind)} == {"v2"}
        index.remove(new[0].revision)
        assert find(index, kind) == []

    def test_nodes_are_no_chunks(self, index: SearchIndex) -> None:
        chunk = indexed_chunk("Barge dues")
        index.write([chunk, *nodes_of(a_document())])
        revision = chunk.revision
        assert index.count(revision) == 1
        assert index.count(revision, 0) == 1
        assert index.counts(index.ensure()) == {(revision.document_id, "v1"): 1}
        assert [count for _, count in index.revisions("", 10)[0]] == [1]
        assert (index.health()["chunks"], index.health()["documents"]) == (1, 1)
        found = ask(index, "barge", ("words", "meaning"))
        assert {one.chunk_id for leg in found.values() for one in leg} == {chunk.chunk.id}
        (hit,) = index.read([chunk.chunk.id], inside()).values()
        assert not any(index.neighbours([hit], 3, 3))

    def test_a_new_generation_gets_nodes_and_an_old_one_keeps_them(
        self, index: SearchIndex
    ) -> None:
        index.write(nodes_of(a_document()))
        generation = index.create_generation("run-1")
        index.write(nodes_of(a_document(), version="v2", sequencer="2"), generation)
        assert {one.version for one in find(index, "page")} == {"v1"}
        index.promote(generation)
        assert {one.version for one in find(index, "page")} == {"v2"}

    def test_a_statement_is_found_by_what_it_is_and_by_nobody_who_may_not_see_it(
        self, index: SearchIndex
    ) -> None:
        for name, labels in (("a", BALANCE), ("b", CASH), ("c", ("Barge", "Tug"))):
            index.write(nodes_of(a_report(labels), f"acme/reports/{name}.pdf", acl=("board",)))
        balance, cash = (document_id(f"acme/reports/{name}.pdf") for name in "ab")

        def found(*statements: StatementKind, **scope: object) -> set[str]:
            query = LegsQuery(
                text="", scope=inside(**scope), legs=("statement",), statements=statements
            )
            return {one.document_id for one in index.search(query)["statement"]}

        assert found("balance_sheet", groups=("board",)) == {balance}
        assert found("balance_sheet", "cash_flow_statement", groups=("board",)) == {balance, cash}
        assert found("income_statement", groups=("board",)) == set()
        assert found(groups=("board",)) == set()
        assert found("balance_sheet", groups=("staff",)) == set()
        assert found("balance_sheet", groups=("board",), document_ids={cash: ""}) == set()

    def test_more_statements_are_found_than_other_nodes(self, index: SearchIndex) -> None:
        document = a_report(BALANCE)
        tables = [
            document.tables[0].model_copy(update={"start": n, "end": n + 1})
            for n in range(MAX_NODES + 1)
        ]
        index.write(nodes_of(document.model_copy(update={"tables": tuple(tables)})))
        query = LegsQuery(
            text="", scope=inside(), legs=("statement",), size=200, statements=("balance_sheet",)
        )
        assert len(index.search(query)["statement"]) == MAX_NODES + 1

    # -- what they do for a search ---------------------------------------------------------------

    def test_a_chunk_is_lifted_by_the_page_and_the_document_it_lies_in(
        self, index: SearchIndex
    ) -> None:
        """Two chunks say the same; only what stands around them tells which one is meant."""
        catalog = MemoryCatalog()
        for name, title in (("x", "Port of Faro"), ("y", "Port of Lisbon"), ("z", "Port of Nice")):
            document = a_document(title)
            key = f"acme/reports/{name}.pdf"
            at = document.text.index("Barge | 120")
            chunk = indexed_chunk(
                "Barge | 120", key=key, title=f"Port {name}", pages=(2,), vector=EAST
            )
            moved = chunk.chunk.model_copy(update={"start": at, "end": at + len("Barge | 120")})
            publish(index, catalog, [chunk.model_copy(update={"chunk": moved})])
            index.write(nodes_of(document, key))
        query = SearchQuery(
            text="What does a barge pay in Lisbon?", scope=inside(), strategy="hybrid", vector=EAST
        )
        first, *others = search(read_query(query), Ports(index, _NoEmbedder(), catalog))
        assert first.document == "y.pdf"
        assert len(others) == 2
        assert first.explanation
        given = {one.leg: one.scaled for one in first.explanation.legs}
        assert given.keys() == {"words", "meaning", "page", "table", "document", "named"}

    def test_a_chunk_is_lifted_by_the_statement_that_has_the_figure_asked_for(
        self, index: SearchIndex
    ) -> None:
        """Two chunks say the same; one of them is a row of the balance sheet."""
        catalog = MemoryCatalog()
        others = [one if one == "Goodwill" else re.sub(r"\w+", "barge", one) for one in BALANCE]
        for name, labels in (("x", BALANCE), ("b", others)):
            document = a_report(labels)
            key = f"acme/reports/{name}.pdf"
            at = document.text.index("Goodwill")
            row = indexed_chunk("Goodwill of 12", key=key, title=f"Report {name}", vector=EAST)
            moved = row.chunk.model_copy(update={"start": at, "end": at + 8})
            publish(index, catalog, [row.model_copy(update={"chunk": moved})])
            index.write(nodes_of(document, key))

        def asked(text: str) -> list[Hit]:
            query = SearchQuery(text=text, scope=inside(), strategy="navigate")
            return search(read_query(query), Ports(index, _NoEmbedder(), catalog))

        first, second = asked("What goodwill is there?")
        assert (first.document, second.document) == ("x.pdf", "b.pdf")
        assert first.explanation
        assert second.explanation
        assert [one.signal for one in first.explanation.signals] == ["statement"]
        assert not second.explanation.signals
        for hit in asked("Why is there goodwill?"):
            assert hit.explanation
            assert not hit.explanation.signals

    def test_nodes_of_another_version_lift_nothing(self, index: SearchIndex) -> None:
        catalog = MemoryCatalog()
        publish(index, catalog, [indexed_chunk("Barge", version="v2", sequencer="2")])
        index.write(nodes_of(a_document()))
        query = SearchQuery(text="barge Lisbon", scope=inside(), strategy="navigate")
        (hit,) = search(read_query(query), Ports(index, _NoEmbedder(), catalog))
        assert hit.explanation
        assert {one.leg for one in hit.explanation.legs} == {"words"}


def publish(index: SearchIndex, catalog: MemoryCatalog, chunks: list[IndexedChunk]) -> None:
    index.write(chunks)
    catalog.receive(chunks[0].revision, 1, Sidecar())
    catalog.publish(chunks[0].revision)


class _NoEmbedder:
    """Implements Embedder for queries that need none."""

    model, dimensions = "none", len(EAST)

    def embed(self, texts: object, _kind: str) -> list[list[float]]:
        raise AssertionError(f"nothing was to be embedded, but {texts} is")
