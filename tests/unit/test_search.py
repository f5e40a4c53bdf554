"""A search asks for no more than it needs, and what is stale does not crowd out what is live."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.hits import find_hits
from footnote.ask.find.ports import Ports
from footnote.ask.find.search import search
from footnote.ask.find.signals import DOCUMENTS
from footnote.ask.find.signals import FIRST as ALIKE
from footnote.ask.find.weights import FIRST, weigh_legs
from footnote.ask.query.reading import QueryReading, read_query
from footnote.ask.retrieve import retrieve
from footnote.model import STRATEGIES, Revision, Scope, SearchQuery, SubQuestion
from tests.contract.search_suite import DIMENSIONS, EAST, NORTH, indexed_chunk
from tests.contract.strategy_suite import World
from tests.corpus import Corpus

POOL = {name: recipe.candidates for name, recipe in STRATEGIES.items()}


class Watched:
    """An index that notes how many candidates it is asked for, and which texts and statements.

    What follows upon vectors is the request for what is like the first hits.
    """

    def __init__(self, index):
        self._index = index
        self.sizes, self.read_ids, self.alike, self.first = [], [], [], []
        self.statements = []

    def vectors(self, chunk_ids, scope):
        self.first.append(list(chunk_ids))
        return self._index.vectors(chunk_ids, scope)

    def search(self, query):
        if query.legs == ("statement",):
            self.statements.append(query.scope)
            return self._index.search(query)
        noted = self.alike if len(self.alike) < len(self.first) else self.sizes
        noted.append(query.size)
        return self._index.search(query)

    def read(self, chunk_ids, scope):
        self.read_ids.append(list(chunk_ids))
        return self._index.read(chunk_ids, scope)


def documents(count, text):
    return {f"{n:04}.pdf": [f"{text} number {n}."] for n in range(count)}


def find(corpus, text, k=10, strategy="lexical"):
    index = Watched(corpus.index)
    query = SearchQuery(text=text, scope=Scope(tenant="acme"), strategy=strategy, k=k)
    return search(read_query(query), Ports(index, corpus.embedder, corpus.catalog)), index


def remove(corpus, path):
    corpus.catalog.remove(Revision(key=f"acme/papers/{path}", version="", sequencer="9"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_request_suffices_for_a_few_hits_and_few_texts_are_read(strategy):
    hits, index = find(Corpus(documents(POOL[strategy] + 100, "Bikes and")), "bikes", 10, strategy)
    assert (len(hits), index.sizes) == (10, [POOL[strategy]])
    looked_at = [FIRST] if STRATEGIES[strategy].meaning_weight else []
    assert [len(ids) for ids in index.read_ids] == [*looked_at, 17]
    wanted = bool(STRATEGIES[strategy].alike)
    assert index.alike == [POOL[strategy]] * wanted
    assert [len(ids) for ids in index.first] == [ALIKE] * wanted


def test_few_hits_are_not_compared_with_themselves():
    hits, index = find(Corpus(documents(3, "Bikes and")), "bikes", 10, "hybrid")
    assert (len(hits), index.first, index.alike) == (3, [], [])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_second_request_is_sent_when_the_hits_of_the_first_are_used_up(strategy):
    pool = POOL[strategy]
    hits, index = find(Corpus(documents(pool + 100, "Bikes and")), "bikes", 1000, strategy)
    assert (len(hits), index.sizes) == (pool + 100, [pool, 1000])
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_where_the_first_request_brings_all_there_is_no_second(strategy):
    pool = POOL[strategy]
    hits, index = find(Corpus(documents(pool - 1, "Bikes and")), "bikes", 1000, strategy)
    assert (len(hits), index.sizes) == (pool - 1, [pool])


def test_a_leg_that_is_mostly_stale_is_asked_for_more_before_anything_is_ranked():
    """Else the one leg's live chunks would all follow those of the other."""
    pool = POOL["hybrid"]
    world = World(MemorySearchIndex("m", DIMENSIONS))
    stale = [indexed_chunk("lease " * 9, key=f"acme/x/old{n}", vector=NORTH) for n in range(pool)]
    world.index.write(stale)
    world.publish(
        [
            indexed_chunk(f"rent {n}", key=f"acme/x/rent{n}", vector=[1.0, n / 50, 0.0, 0.0])
            for n in range(pool + 50)
        ]
    )
    world.publish([indexed_chunk("one lease among many other words", vector=NORTH)])
    world.index = watched = Watched(world.index)
    first = world.find("lease", "hybrid", k=pool, vector=EAST)
    assert watched.sizes == [pool, 1000]
    assert [hit.document for hit in first].index("a.pdf") < pool / 2


def test_a_few_stale_candidates_cost_no_second_request():
    pool = POOL["lexical"]
    corpus = Corpus(documents(pool + 10, "Bikes and"))
    for n in range(pool // 3):
        remove(corpus, f"{n:04}.pdf")
    hits, index = find(corpus, "bikes", 20)
    assert (len(hits), index.sizes) == (20, [pool])


def test_a_chunk_that_is_removed_between_the_requests_leaves_its_place_to_the_next():
    corpus = Corpus(documents(30, "Bikes and"))
    wanted, _ = find(corpus, "bikes", 6)

    class Forgetful(Watched):
        def read(self, chunk_ids, scope):
            found = super().read(chunk_ids, scope)
            found.pop(wanted[0].chunk.id, None)
            return found

    query = SearchQuery(text="bikes", scope=Scope(tenant="acme"), strategy="lexical", k=5)
    hits = search(
        read_query(query), Ports(Forgetful(corpus.index), corpus.embedder, corpus.catalog)
    )
    assert [hit.chunk.id for hit in hits] == [hit.chunk.id for hit in wanted[1:]]
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]


# -- figures ---------------------------------------------------------------------------------------


class Noting:
    """An embedder that notes the texts of questions."""

    def __init__(self, embedder):
        self.model, self.dimensions = embedder.model, embedder.dimensions
        self._embedder = embedder
        self.asked = []

    def embed(self, texts, kind):
        self.asked += texts if kind == "query" else ()
        return self._embedder.embed(texts, kind)


@pytest.mark.parametrize("ask", [search, find_hits], ids=["search", "find_hits"])
@pytest.mark.parametrize(
    ("question", "weights"),
    [("What was the quick ratio?", (0.3, 0.2)), ("Which bikes are quick?", (0.4, 0.1))],
)
def test_a_question_for_a_figure_has_weights_of_its_own_and_is_embedded_as_reports_say_it(
    ask, question, weights
):
    corpus = Corpus({"a.pdf": ["Total current assets of the quick bikes, and the ratio."]})
    embedder = Noting(corpus.embedder)
    query = SearchQuery(text=question, scope=Scope(tenant="acme"), strategy="hybrid")
    wanted = query if ask is find_hits else read_query(query)
    found = ask(wanted, Ports(corpus.index, embedder, corpus.catalog))
    hit = (found.hits if ask is find_hits else found)[0]
    given = {one.leg: one.weight for one in hit.explanation.legs}
    assert given["meaning"] == weights[0]
    assert weigh_legs(read_query(query), embedder)["table"] == weights[1]
    assert embedder.asked == [QueryReading(question).expanded]


def test_evidence_for_a_figure_is_embedded_as_reports_say_it():
    corpus = Corpus({"a.pdf": ["Total current assets of the quick bikes, and the ratio."]})
    embedder = Noting(corpus.embedder)
    sub = SubQuestion(id="q1", text="What was the quick ratio?")
    retrieve(sub, Scope(tenant="acme"), (), Ports(corpus.index, embedder, corpus.catalog))
    assert embedder.asked == [QueryReading(sub.text).expanded]


def test_statements_are_looked_up_in_the_first_documents_alone_and_only_for_figures():
    corpus = Corpus(documents(DOCUMENTS + 9, "Goodwill and bikes"))
    hits, index = find(corpus, "What goodwill is there?", 10, "navigate")
    assert [len(scope.document_ids) for scope in index.statements] == [DOCUMENTS]
    assert {hit.document_id for hit in hits} <= index.statements[0].document_ids.keys()
    for question, strategy in (
        ("Why is there goodwill?", "navigate"),
        ("What bikes are there?", "navigate"),
        ("What goodwill is there?", "lexical"),
    ):
        assert find(corpus, question, 10, strategy)[1].statements == []
