"""Searches, and goes on where a model does not answer or too little is found; says what it did.

Without an embedding model a search goes by words. An index that does not answer is an error: fewer
hits must not look like fewer documents. A strategy that finds too little gives way to one that
finds more.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from footnote.ask.find.ports import Ports
from footnote.ask.find.rank import CHUNK_LEGS
from footnote.ask.find.search import check_query, search
from footnote.ask.query.reading import Query
from footnote.errors import UnavailableError
from footnote.model import STRATEGIES, Hit, Scope, SearchQuery, Strategy
from footnote.ports import Embedder

BY_WORDS: Strategy = "navigate"  # the best one without vectors (docs/benchmarks.md)
WIDEST: Strategy = "hybrid"  # it asks every leg that finds chunks
WORDS_ONLY = "The embedding model is not available: the search went by words alone."
NOT_NARROWED = "The plan's filters or collection fit no document: the search went on without them."


class FallbackHits(NamedTuple):
    """The hits of each query, best first, and the strategy that found them.

    `queries` are those that were searched by first, with their vectors. `degraded` says what was
    lacking.
    """

    hits: list[list[Hit]]
    queries: list[SearchQuery]
    strategy: Strategy
    degraded: tuple[str, ...] = ()


def search_with_fallbacks(
    queries: Sequence[Query], ports: Ports, outside: Scope | None = None
) -> FallbackHits:
    """Searches by queries of one strategy, all at once; it must not be `auto`.

    Where nothing is found, and `outside` is given, the conditions and the collection of that scope
    replace those of the queries. Raises what `search` raises, but nothing for an embedding model
    that does not answer.
    """
    for query in queries:
        check_query(query.search)
    embedded, degraded = _add_vectors(queries, ports.embedder)
    hits = _search_all(embedded, ports)
    if outside and not any(hits):  # a planner knows of no attributes: it may have guessed
        embedded = [_within(query, outside) for query in embedded]
        hits = _search_all(embedded, ports)
        degraded = (*degraded, NOT_NARROWED)
    first = embedded[0].search
    searched = [query.search for query in embedded]
    wider = None if WORDS_ONLY in degraded else wider_than(first.strategy)
    if not wider or (count := count_hits(hits)) >= first.minimum_results:
        return FallbackHits(hits, searched, first.strategy, degraded)
    widened, notes = _add_vectors(
        [query.change(strategy=wider) for query in embedded], ports.embedder
    )
    note = too_few(first.strategy, count, first.minimum_results, wider)
    hits = _search_all(widened, ports)
    return FallbackHits(hits, searched, widened[0].search.strategy, (*degraded, note, *notes))


def count_hits(hits: Sequence[Sequence[Hit]]) -> int:
    """Counts the passages that queries have found together."""
    return len({hit.chunk.id for of_query in hits for hit in of_query})


def wider_than(strategy: Strategy) -> Strategy | None:
    """Returns a strategy that finds chunks which this one cannot find; None where there is none.

    A strategy that asks every leg finds whatever any other would.
    """
    return None if STRATEGIES[strategy].legs.keys() >= CHUNK_LEGS else WIDEST


def too_few(strategy: Strategy, found: int, wanted: int, wider: Strategy | None) -> str:
    """Says that a strategy found too little and what was done about it."""
    then = f"the search went on by {wider}" if wider else "no other finds more here"
    return f"{strategy} found {found} of the {wanted} results wanted at least: {then}."


def _search_all(queries: Sequence[Query], ports: Ports) -> list[list[Hit]]:
    with ThreadPoolExecutor(max_workers=len(queries)) as pool:
        return list(pool.map(partial(search, ports=ports), queries))


def _add_vectors(
    queries: Sequence[Query], embedder: Embedder
) -> tuple[list[Query], tuple[str, ...]]:
    """Adds vectors to the queries. Without an embedder they go by words, and a note says so."""
    lacking = [query for query in queries if query.search.vector is None]
    if not lacking or "meaning" not in STRATEGIES[queries[0].search.strategy].legs:
        return list(queries), ()
    try:
        vectors = iter(embedder.embed([query.reading.expanded for query in lacking], "query"))
    except UnavailableError:
        return [query.change(strategy=BY_WORDS) for query in queries], (WORDS_ONLY,)
    return [
        query if query.search.vector is not None else query.change(vector=next(vectors))
        for query in queries
    ], ()


def _within(query: Query, outside: Scope) -> Query:
    wide = {"all_of": outside.all_of, "collection": outside.collection}
    return query.change(scope=query.search.scope.model_copy(update=wide))
