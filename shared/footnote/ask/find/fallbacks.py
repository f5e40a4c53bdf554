"""The ladder of a search: which strategy it begins with, and what follows where that is not enough.

`auto` is resolved first. A step down (re-ranked, else as fused, else by words alone) is taken only
where a model does not answer, and said. An index that does not answer is an error: fewer hits must
not look like fewer documents. A strategy that finds too little gives way to one that finds more.
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from footnote.accounting.glossary import expand_question
from footnote.ask.find.choose import choose, stand_in
from footnote.ask.find.hit_probability import drop_unlikely
from footnote.ask.find.rank import CHUNK_LEGS
from footnote.ask.find.reader_signal import is_read, read_hits
from footnote.ask.find.search import search
from footnote.ask.question.bounds import check_k, check_minimum
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import STRATEGIES, Choice, Explanation, Hit, Scope, SearchQuery, Strategy
from footnote.ports import Catalog, Embedder, Reranker, SearchIndex

BY_WORDS: Strategy = "navigate"  # the best without vectors (docs/benchmarks.md)
WIDEST: Strategy = "hybrid"  # it asks every leg that finds chunks
WORDS_ONLY = "The embedding model is not available: the search went by words alone."
NOT_RERANKED = (
    "Nobody re-ranks such a question here: the hits are as the legs were fused. Set `Rerankers`."
)
RERANKER_DOWN = "The re-ranking model is not available: the hits are as the legs were fused."


class Searched(NamedTuple):
    """Hits, best first, the rung that they are of, and what the rungs above it lacked.

    `chosen` says what was taken in place of the strategy that was named, and why.
    """

    hits: list[Hit]
    strategy: Strategy
    degraded: tuple[str, ...] = ()
    chosen: Choice | None = None


def resolve(
    strategy: Strategy, text: str, scope: Scope, index: SearchIndex, embedder: Embedder
) -> Choice | None:
    """Returns what a search goes by in place of the strategy that was named; None where by that.

    `auto` is always another. So is `semantic` for a question that the model cannot read.
    """
    if strategy == "semantic":
        return stand_in(text, embedder.model)
    if strategy == "auto":
        return choose(text, embedder.model, partial(index.languages, scope))
    return None


def search_down(
    query: SearchQuery,
    index: SearchIndex,
    embedder: Embedder,
    catalog: Catalog,
    reranker: Reranker | None = None,
    *,
    reader: Reranker | None = None,
) -> Searched:
    """Returns the best `query.k` hits by the highest rung that holds, each with its probability.

    Where the strategy re-ranks, `reranker` orders the first hits, or without one `reader`, which
    reads English.

    Raises what `search` raises; of an embedding model that does not answer, nothing.
    """
    check_k(query.k)
    check_minimum(query.minimum_results, query.k)
    chosen = resolve(query.strategy, query.text, query.scope, index, embedder)
    if chosen:
        query = query.model_copy(update={"strategy": chosen.strategy})
    found = _search_rung(query, index, embedder, catalog, reranker, reader=reader)
    wider = wider_than(query.strategy)
    if wider and len(found.hits) < query.minimum_results:
        told = too_few(found.strategy, len(found.hits), query.minimum_results, wider)
        again = query.model_copy(update={"strategy": wider})
        more = _search_rung(again, index, embedder, catalog)
        found = more._replace(degraded=(*found.degraded, told, *more.degraded))
    hits, told_too = drop_unlikely(found.hits, found.strategy, query.min_score)
    found = found._replace(hits=hits, degraded=(*found.degraded, *told_too))
    if len(found.hits) < query.minimum_results:
        told = too_few(found.strategy, len(found.hits), query.minimum_results, None)
        found = found._replace(degraded=(*found.degraded, told))
    return found._replace(chosen=chosen)


def wider_than(strategy: Strategy) -> Strategy | None:
    """Returns the strategy that finds chunks which this one cannot find; None where there is none.

    No strategy finds more than one that asks every leg: it has whatever any of them would find.
    """
    return None if STRATEGIES[strategy].legs.keys() >= CHUNK_LEGS else WIDEST


def too_few(strategy: Strategy, found: int, wanted: int, wider: Strategy | None) -> str:
    """Says that a strategy found too little and what was done about it."""
    then = f"the search went on by {wider}" if wider else "no other finds more here"
    return f"{strategy} found {found} of the {wanted} results wanted at least: {then}."


def _search_rung(
    query: SearchQuery,
    index: SearchIndex,
    embedder: Embedder,
    catalog: Catalog,
    reranker: Reranker | None = None,
    *,
    reader: Reranker | None = None,
) -> Searched:
    """Searches by one strategy, or by what stands in for it where a model does not answer."""
    recipe = STRATEGIES[query.strategy]
    wide = query.model_copy(update={"k": max(query.k, recipe.reranked)})
    if "meaning" in recipe.legs and query.vector is None:
        try:
            text = expand_question(query.text)
            [vector] = embedder.embed([text], "query") if text.strip() else [None]
        except UnavailableError:
            by_words = query.model_copy(update={"strategy": BY_WORDS})
            return Searched(search(by_words, index, embedder, catalog), BY_WORDS, (WORDS_ONLY,))
        wide = wide.model_copy(update={"vector": vector})
    hits = search(wide, index, embedder, catalog)
    degraded: tuple[str, ...] = ()
    if recipe.reranked and hits:
        hits, degraded = order_hits(query.text, hits, recipe.reranked, reranker, reader)
    return Searched(hits[: query.k], "hybrid" if degraded else query.strategy, degraded)


def order_hits(
    text: str,
    hits: Sequence[Hit],
    most: int,
    reranker: Reranker | None,
    reader: Reranker | None,
) -> tuple[list[Hit], tuple[str, ...]]:
    """Puts the first hits in the order of who re-ranks here, and says if nobody could.

    A `reranker` orders the first `most`. Without one a `reader` lifts some of them
    (`ask/find/reader_signal.py`).
    """
    if reranker:
        return _rerank_hits(text, hits, most, reranker)
    if reader and is_read(text):
        return read_hits(text, hits, most, reader), ()
    return list(hits), (NOT_RERANKED,)


def _rerank_hits(
    text: str, hits: Sequence[Hit], most: int, reranker: Reranker
) -> tuple[list[Hit], tuple[str, ...]]:
    """Returns the hits in the model's order.

    Scores stay in their places, as those of two models do not compare: the hit that is best now
    has the score of the one that was. What the model gave is in the explanation.
    """
    read, rest = hits[:most], hits[most:]
    try:
        given = reranker.rerank(text, [hit.chunk.indexed_text for hit in read])
    except (UnavailableError, ConfigurationError) as error:
        return list(hits), (f"{RERANKER_DOWN} {error.message}",)
    order = sorted(range(len(read)), key=lambda n: -given[n])
    ordered = [
        read[was].model_copy(
            update={
                "rank": read[now].rank,
                "score": read[now].score,
                "explanation": _with(read[was].explanation, given[was]),
            }
        )
        for now, was in enumerate(order)
    ]
    return [*ordered, *rest], ()


def _with(explanation: Explanation | None, given: float) -> Explanation:
    return (explanation or Explanation(legs=())).model_copy(update={"reranked": given})
