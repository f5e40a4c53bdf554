"""A search goes down a step where a model does not answer, and says so."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.memory.small import MemoryReranker
from footnote.ask.find.fallbacks import WORDS_ONLY, too_few
from footnote.ask.find.hits import NOT_RERANKED, RERANKER_DOWN, find_hits
from footnote.ask.find.ports import Ports
from footnote.errors import BadRequestError, ConfigurationError, UnavailableError
from footnote.model import STRATEGIES, SearchQuery
from tests.contract.search_suite import DIMENSIONS, EAST, NORTH, indexed_chunk, inside, texts
from tests.contract.strategy_suite import NoEmbedder, World
from tests.unit.faces import Flaky

POOL = STRATEGIES["hybrid_reranked"].reranked


class Fixed:
    """Implements Reranker with scores by text; what it does not know is worth nothing."""

    model = "fixed"

    def __init__(self, scores):
        self._scores, self.asked = scores, []

    def rerank(self, query, texts):
        self.asked.append((query, len(texts)))
        return [next((s for w, s in self._scores.items() if w in text), 0.0) for text in texts]


class Down:
    model = "down"

    def __init__(self, error):
        self._error = error

    def rerank(self, _query, _texts):
        raise self._error


class NoAnswer:
    """Implements Embedder; it never answers."""

    model, dimensions = "none", DIMENSIONS

    def embed(self, _texts, _kind):
        raise UnavailableError("the model is down")


@pytest.fixture
def world():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    world.publish(
        [
            indexed_chunk("lease of boats", title="A", ordinal=0, vector=EAST),
            indexed_chunk("lease", title="B", ordinal=1, vector=NORTH),
            indexed_chunk("lease of a quay for a year", title="C", ordinal=2, vector=NORTH),
        ]
    )
    return world


def find(
    world,
    strategy="hybrid_reranked",
    reranker=None,
    *,
    text="lease",
    k=10,
    least=0,
    vector=EAST,
    embedder=None,
    reader=None,
):
    query = SearchQuery(
        text=text, scope=inside(), strategy=strategy, k=k, minimum_results=least, vector=vector
    )
    ports = Ports(world.index, embedder or NoEmbedder(), world.catalog, reranker, reader)
    return find_hits(query, ports)


def test_hits_come_in_the_order_of_the_model_with_the_scores_of_their_places(world):
    plain = find(world, "hybrid").hits
    found = find(world, reranker=Fixed({"quay": 0.9, "boats": 0.1}))
    assert texts(found.hits)[:2] == ["lease of a quay for a year", "lease of boats"]
    assert found.degraded == ()
    assert [hit.score for hit in found.hits] == [hit.score for hit in plain]
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert [hit.explanation.reranked for hit in found.hits] == [0.9, 0.1, 0.0]
    assert all(hit.explanation.legs for hit in found.hits)


def test_equal_scores_keep_their_order(world):
    assert texts(find(world, reranker=Fixed({})).hits) == texts(find(world, "hybrid").hits)


def test_the_model_reads_as_many_however_few_are_wanted():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    world.publish(
        [
            indexed_chunk(f"lease {n}", title=f"T{n}", key=f"acme/x/{n}.pdf", vector=EAST)
            for n in range(POOL + 20)
        ]
    )
    model = Fixed({f"lease {POOL + 10}": 1.0, "lease 7": 0.5})
    orders = [texts(find(world, reranker=model, k=k).hits) for k in (1, 5, POOL + 20)]
    assert model.asked == [("lease", POOL)] * 3
    assert orders[2][:5] == orders[1]
    assert orders[1][:1] == orders[0]
    assert len(orders[2]) == POOL + 20


def test_where_nobody_re_ranks_it_is_said(world):
    found = find(world)
    assert (found.strategy, found.degraded) == ("hybrid", (NOT_RERANKED,))
    assert texts(found.hits) == texts(find(world, "hybrid").hits)


def test_without_a_re_ranker_a_model_that_reads_the_first_hits_lifts_what_answers(world):
    asked = "What is the lease of it?"
    plain = texts(find(world, "hybrid", text=asked).hits)
    found = find(world, text=asked, reader=Fixed({plain[1]: 50.0}))
    assert (found.strategy, found.degraded) == ("hybrid_reranked", ())
    signals = {
        one.chunk.text: {each.signal for each in one.explanation.signals} for one in found.hits
    }
    assert all("read" in each for each in signals.values())
    assert [hit.score for hit in found.hits] == sorted((h.score for h in found.hits), reverse=True)
    assert all(0 < hit.probability < 1 for hit in found.hits)


@pytest.mark.parametrize("k", [1, 5, POOL + 20])
def test_what_the_model_adds_does_not_depend_on_how_many_are_wanted(k):
    world = World(MemorySearchIndex("m", DIMENSIONS))
    world.publish(
        [
            indexed_chunk(
                f"lease {'of it ' * n}",
                title=f"T{n}",
                key=f"acme/x/{n}.pdf",
                vector=[1.0, n / 40, 0.0, 0.0],
            )
            for n in range(POOL + 40)
        ]
    )
    asked = "What is the lease of it?"
    wide = find(world, text=asked, reader=Fixed({"lease": 50.0}), k=POOL).hits
    found = find(world, text=asked, reader=Fixed({"lease": 50.0}), k=k).hits
    assert [(hit.chunk.id, hit.score) for hit in found[:POOL]] == [
        (hit.chunk.id, hit.score) for hit in wide[:k]
    ]


def test_what_a_re_ranker_orders_is_not_read_as_well(world):
    reader = Fixed({})
    found = find(world, text="What is the lease of it?", reranker=Fixed({}), reader=reader)
    assert (found.degraded, reader.asked) == ((), [])


def test_a_question_in_a_language_that_the_model_does_not_read_is_not_read(world):
    reader = Fixed({})
    found = find(world, text="Wie hoch ist die Miete f\u00fcr das Boot?", reader=reader)
    assert (found.strategy, found.degraded) == ("hybrid", (NOT_RERANKED,))
    assert reader.asked == []


@pytest.mark.parametrize("strategy", ["lexical", "semantic", "navigate", "hybrid", "auto"])
def test_what_does_not_re_rank_reads_nothing(world, strategy):
    reader = Fixed({})
    find(world, strategy, text="What is the lease of it?", reader=reader)
    assert reader.asked == []


@pytest.mark.parametrize(
    "error", [UnavailableError("cohere: 503"), ConfigurationError("a wrong key", action="Mend it.")]
)
def test_where_the_model_does_not_answer_it_is_said_with_why(world, error):
    found = find(world, reranker=Down(error))
    assert found.degraded == (f"{RERANKER_DOWN} {error.message}",)
    assert texts(found.hits) == texts(find(world, "hybrid").hits)


@pytest.mark.parametrize("strategy", ["semantic", "hybrid", "hybrid_reranked"])
def test_without_vectors_it_goes_by_words_and_says_so(world, strategy):
    found = find(world, strategy, MemoryReranker(), vector=None, embedder=NoAnswer())
    assert (found.strategy, found.degraded) == ("navigate", (WORDS_ONLY,))
    assert texts(found.hits) == texts(find(world, "navigate").hits)


@pytest.mark.parametrize("strategy", ["lexical", "navigate"])
def test_what_needs_no_vectors_is_not_degraded(world, strategy):
    found = find(world, strategy, vector=None, embedder=NoAnswer())
    assert found.degraded == ()
    assert len(found.hits) == 3


# -- too few, and which to begin with -------------------------------------------------------------


@pytest.mark.parametrize("strategy", ["lexical", "navigate"])
def test_what_finds_too_little_gives_way_to_what_finds_more_and_says_so(world, strategy):
    assert texts(find(world, strategy, text="boats").hits) == ["lease of boats"]
    found = find(world, strategy, text="boats", least=2)
    assert found.strategy == "hybrid"
    assert found.degraded == (too_few(strategy, 1, 2, "hybrid"),)
    assert found.hits == find(world, "hybrid", text="boats").hits
    assert len(found.hits) == 3


@pytest.mark.parametrize("strategy", ["lexical", "semantic", "hybrid", "auto"])
def test_what_finds_enough_stays(world, strategy):
    found = find(world, strategy, least=3)
    assert found.degraded == ()
    assert found.hits == find(world, strategy).hits


@pytest.mark.parametrize("strategy", ["hybrid", "auto"])
def test_where_no_strategy_finds_more_it_is_said_and_not_searched_again(world, strategy):
    found = find(world, strategy, least=4)
    assert found.degraded == (too_few("hybrid", 3, 4, None),)
    assert len(found.hits) == 3


def test_what_a_wider_search_lacks_is_said_too(world):
    found = find(world, "lexical", text="boats", least=2, vector=None, embedder=NoAnswer())
    assert found.degraded == (
        too_few("lexical", 1, 2, "hybrid"),
        WORDS_ONLY,
        too_few("navigate", 1, 2, None),
    )
    assert texts(found.hits) == ["lease of boats"]


@pytest.mark.parametrize("strategy", ["semantic", "hybrid"])
def test_what_goes_by_words_for_want_of_vectors_is_not_searched_again(world, strategy):
    found = find(world, strategy, text="boats", least=2, vector=None, embedder=NoAnswer())
    assert found.degraded == (WORDS_ONLY, too_few("navigate", 1, 2, None))


@pytest.mark.parametrize("least", [-1, 11])
def test_a_least_number_out_of_bounds_is_refused(world, least):
    with pytest.raises(BadRequestError, match=f"minimum_results is {least}"):
        find(world, least=least)


def test_what_auto_took_is_what_was_searched(world):
    found = find(world, "auto", text="Lease OC-26-0015")
    assert (found.strategy, found.chosen.strategy) == ("lexical", "lexical")
    assert found.hits == find(world, "lexical", text="Lease OC-26-0015").hits
    assert find(world, "lexical").chosen is None


def test_auto_asks_in_what_languages_the_scope_is(world):
    ours = [indexed_chunk("аренда лодок", key="acme/x/r.pdf", language="ru", vector=EAST)]
    world.publish(ours)

    class Model(NoEmbedder):
        model = "all-MiniLM-L6-v2-s8"

    query = SearchQuery(text="аренда лодок", scope=inside(), strategy="auto", vector=EAST)
    ports = Ports(world.index, Model(), world.catalog)
    assert find_hits(query, ports).strategy == "hybrid"  # most of it is in English
    narrow = query.model_copy(update={"scope": inside(collection="x")})
    assert find_hits(narrow, ports).strategy == "navigate"


def test_an_index_that_does_not_answer_is_an_error_and_no_fewer_hits(world):
    world.index = Flaky(world.index, search=[UnavailableError("the index is down")] * 3)
    with pytest.raises(UnavailableError, match="index is down"):
        find(world, reranker=MemoryReranker())


def test_bad_input_is_refused_before_any_model_is_asked(world):
    with pytest.raises(BadRequestError, match="k is 0"):
        find(world, k=0, vector=None)


def test_nothing_found_asks_no_model():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    model = Fixed({})
    assert find(world, reranker=model).hits == []
    assert model.asked == []


class English(NoEmbedder):
    model = "all-MiniLM-L6-v2-s8"


@pytest.mark.parametrize("strategy", ["semantic", "hybrid", "navigate"])
def test_a_model_that_does_not_read_the_question_is_not_relied_on_alone(world, strategy):
    german = "Wann wird die Pacht der Boote bezahlt und von wem?"
    found = find(world, strategy, text=german, embedder=English())
    taken = "hybrid" if strategy == "semantic" else strategy
    assert (found.strategy, bool(found.chosen)) == (taken, strategy == "semantic")
    assert texts(found.hits) == texts(find(world, taken, text=german).hits)
    assert find(world, strategy, text=german).chosen is None  # a model of which nothing is known
