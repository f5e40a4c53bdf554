"""Searches by one strategy: asks its legs, drops what is not visible, ranks what is left.

The order of the hits depends on the index and the documents table alone, never on how many hits
are wanted: the first request always asks each leg for as many candidates as the recipe says. Where
that is too little, a second request asks each leg for all that it gives. Its new hits follow those
of the first.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import batched, islice

from footnote.ask.find.ports import Ports
from footnote.ask.find.rank import CHUNK_LEGS, Ranked, drop_copies, explain, rank
from footnote.ask.find.signals import DEEPEST, SIGNALS, SearchRequest
from footnote.ask.find.weights import covered_share, first_by_words, weigh_legs
from footnote.ask.query.reading import Query
from footnote.ask.question.bounds import check_k
from footnote.errors import BadRequestError
from footnote.model import Hit, Legs, LegsQuery, SearchQuery
from footnote.ports import Catalog

FEWEST_VISIBLE = 0.5  # share of a leg's candidates; below it the leg is asked for more at once


def check_query(query: SearchQuery) -> None:
    """Raises BadRequestError for a bad `k` or an empty text."""
    check_k(query.k)
    if not query.text.strip():
        raise BadRequestError("the query is empty", code="empty_query")


def search(query: Query, ports: Ports) -> list[Hit]:
    """Returns the best hits, `k` at most, each once and explained.

    Drops hits of deleted or replaced versions, and of documents that the caller may not read.
    Raises BadRequestError for a bad `k` or an empty text.
    """
    check_query(query.search)
    request = SearchRequest(query, legs_query(query, ports), ports)
    hits = islice(drop_copies(_hits(request)), query.search.k)
    return [hit.model_copy(update={"rank": n}) for n, hit in enumerate(hits, start=1)]


def legs_query(query: Query, ports: Ports) -> LegsQuery:
    """Returns the request to the legs of a query; embeds the text where a leg needs its vector."""
    search_query, reading = query
    legs = tuple(weigh_legs(query, ports.embedder))
    vector = search_query.vector
    if "meaning" in legs and vector is None:
        [vector] = ports.embedder.embed([reading.expanded], "query")
    return LegsQuery(
        text=search_query.text,
        scope=search_query.scope,
        legs=legs,
        vector=vector,
        with_pages=bool(reading.pages),
        related=reading.related_phrases,
        statements=reading.statements,
    )


def _hits(request: SearchRequest) -> Iterator[Hit]:
    """Yields all hits, best first, and reads their texts somewhat more than `k` at a time."""
    k, index = request.query.search.k, request.ports.index
    for ranked in _stages(request):
        for some in batched(ranked, k + k // 4 + 5, strict=False):
            texts = index.read([one.chunk_id for one in some], request.scope)
            for one in some:
                if one.chunk_id in texts:  # else it was removed a moment ago
                    update = {"score": one.score, "explanation": explain(one)}
                    yield texts[one.chunk_id].model_copy(update=update)


def _stages(request: SearchRequest) -> Iterator[list[Ranked]]:
    """Yields the chunks of a first request, then the other chunks of a second, larger one.

    A leg that has lost most of its candidates is asked for more before anything is ranked. That
    depends on what is visible, never on how many hits are wanted.
    """
    seen: set[str] = set()
    least = math.inf
    for size in (request.recipe.candidates, DEEPEST):
        legs = request.ports.index.search(request.legs.model_copy(update={"size": size}))
        visible = visible_legs(legs, request.ports.catalog, request.scope.groups)
        full = [leg for leg in legs if leg in CHUNK_LEGS and len(legs[leg]) == size]
        if size < DEEPEST and any(len(visible[leg]) < FEWEST_VISIBLE * size for leg in full):
            continue
        # Scores of the second request have another scale: none may be better than those before.
        ranked = [
            one if one.score <= least else one._replace(score=least)
            for one in rank_visible(visible, request)
            if one.chunk_id not in seen
        ]
        yield ranked
        if not full:
            return
        seen |= {one.chunk_id for one in ranked}
        least = min((one.score for one in ranked), default=least)


def rank_visible(visible: Legs, request: SearchRequest) -> list[Ranked]:
    """Returns the visible chunks of all legs in one order, lifted by signals.

    A signal may ask the index for more, but adds no chunk.
    """
    embedder = request.ports.embedder
    legs = weigh_legs(request.query, embedder, lambda: _covered(visible, request))
    ranked = rank(visible, request.recipe.model_copy(update={"legs": legs}))
    for signal in SIGNALS.values():
        if signal.lift:
            ranked = signal.lift(ranked, request)
    return ranked


def _covered(visible: Legs, request: SearchRequest) -> float:
    """Returns the share of the question's words that the first passages have.

    It is 1 where there are none: then nobody knows which words the documents use.
    """
    first = first_by_words(visible.get("words", ()))
    read = request.ports.index.read(first, request.scope) if first else {}
    texts = (hit.chunk.indexed_text for hit in read.values())
    return covered_share(request.query.reading, texts) if read else 1.0


def visible_legs(legs: Legs, catalog: Catalog, groups: Sequence[str]) -> Legs:
    """Returns the visible chunks, and the visible nodes of their documents."""
    documents = sorted({one.document_id for leg in legs if leg in CHUNK_LEGS for one in legs[leg]})
    versions = catalog.visible_versions(documents, groups) if documents else {}
    return {
        leg: [one for one in candidates if versions.get(one.document_id) == one.version]
        for leg, candidates in legs.items()
    }
