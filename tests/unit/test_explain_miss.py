"""A document or page is followed through a search, and each thing that may lose it is named."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.memory.small import MemoryReranker
from footnote.ask.find.explain_miss import explain_miss
from footnote.ask.find.ports import Ports
from footnote.errors import BadRequestError
from footnote.metadata.conditions import parse_filters
from footnote.model import Facts, Problem, SearchQuery, Sidecar
from tests.contract.search_suite import DIMENSIONS, EAST, NORTH, indexed_chunk, inside
from tests.contract.strategy_suite import NoEmbedder, World

KEY = "acme/reports/a.pdf"


@pytest.fixture
def world():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    world.publish([indexed_chunk("the harbour fee", title="Fees", pages=(7,), vector=EAST)])
    return world


def follow(
    world,
    text="harbour",
    *,
    page=None,
    k=10,
    key=KEY,
    strategy="lexical",
    reranker=None,
    reader=None,
    **scope,
):
    record = world.catalog.get(indexed_chunk("", key=key).revision.document_id)
    query = SearchQuery(text=text, scope=inside(**scope), strategy=strategy, k=k, vector=EAST)
    ports = Ports(world.index, NoEmbedder(), world.catalog, reranker, reader)
    return explain_miss(query, record, page, ports)


def others(count, text="harbour harbour"):
    return [
        indexed_chunk(f"{text} {n}", key=f"acme/reports/{n}.pdf", title=f"T{n}", vector=NORTH)
        for n in range(count)
    ]


def test_a_hit_is_told_with_its_rank_and_what_it_has_from_each_leg(world):
    found = follow(world, page=7)
    assert (found.document, found.page, found.lost_at) == ("a.pdf", 7, "")
    assert [look.at for look in found.looks] == ["live", "index", "scope", "candidates", "rank"]
    assert found.looks[-1].told.startswith("hit 1 with score 0.5")
    assert "words 0.5 x 1.000" in found.looks[-1].told


def test_what_a_named_page_added_is_told(world):
    world.publish(others(3, "harbour"))
    assert "the page is named +" in follow(world, "harbour on page 7").looks[-1].told
    assert "named" not in follow(world, "harbour").looks[-1].told


def test_a_document_that_failed_is_not_live(world):
    revision = indexed_chunk("", key="acme/reports/b.pdf").revision
    world.catalog.receive(revision, 1, Sidecar())
    problem = Problem(code="corrupt", message="the file is broken", action="Mend it.")
    world.catalog.advance(revision, "FAILED", Facts(error=problem))
    found = follow(world, key="acme/reports/b.pdf")
    assert (found.lost_at, len(found.looks)) == ("live", 1)
    assert "FAILED: the file is broken" in found.looks[0].told


def test_a_page_without_passages_is_not_in_the_index(world):
    assert follow(world, page=8).lost_at == "index"


def test_words_that_the_page_does_not_have_find_it_in_no_index(world):
    found = follow(world, "quarry")
    assert found.lost_at == "index"
    assert "words: 0" in found.looks[-1].told


@pytest.mark.parametrize(
    "scope",
    [
        {"collection": "other"},
        {"documents": ("b.pdf",)},
        {"filters": parse_filters({"year": 2024}).filters},
    ],
)
def test_what_is_outside_of_the_scope_is_lost_there(world, scope):
    assert follow(world, **scope).lost_at == "scope"


def test_a_passage_that_is_not_among_the_candidates_is_told_with_its_place(world):
    world.publish(others(250))
    found = follow(world)
    assert found.lost_at == "candidates"
    assert found.looks[-1].told == "words: at 251, of 200 candidates"


def test_a_passage_behind_those_that_are_shown_is_lost_by_its_rank(world):
    world.publish(others(20))
    found = follow(world, k=5)
    assert found.lost_at == "rank"
    assert found.looks[-1].told.endswith("; 5 are shown")
    assert follow(world, k=21).lost_at == ""


def test_a_copy_of_a_better_hit_is_told_as_such(world):
    key = "acme/reports/0.pdf"
    same = indexed_chunk("the harbour fee", key=key, title="Fees", vector=EAST)
    world.publish([same])
    lost = [follow(world, key=key).lost_at for key in (KEY, key)]
    assert sorted(lost) == ["", "copies"]


def test_a_version_that_is_no_longer_live_is_not_followed(world):
    world.publish([indexed_chunk("new words", version="v2", sequencer="2", pages=(7,))])
    assert follow(world).lost_at == "index"


def test_a_bad_number_of_hits_is_refused_as_a_search_does(world):
    with pytest.raises(BadRequestError, match="k is 0"):
        follow(world, k=0)


def test_what_the_second_request_brings_into_the_hits_is_a_hit(world):
    world.publish(others(250))
    found = follow(world, k=300)
    assert found.lost_at == ""
    assert found.looks[-1].told.startswith("hit 251 ")


def test_the_order_of_a_re_ranking_model_counts(world):
    world.publish(others(20))
    options = {"strategy": "hybrid_reranked", "k": 1, "text": "harbour fee"}
    assert follow(world, **options, reranker=MemoryReranker()).lost_at == ""
    last = Turned()
    assert follow(world, **options, reranker=last).lost_at == "rank"


def test_what_a_model_that_read_it_finds_counts_and_is_told(world):
    world.publish(others(20))
    options = {"strategy": "hybrid_reranked", "k": 30, "text": "What is the harbour fee?"}
    found = follow(world, **options, reader=MemoryReranker())
    assert found.lost_at == ""
    assert "a model that read it finds that it may answer +" in found.looks[-1].told


class Turned(MemoryReranker):
    """Puts what has the question's words last."""

    def rerank(self, query, texts):
        return [-score for score in super().rerank(query, texts)]
