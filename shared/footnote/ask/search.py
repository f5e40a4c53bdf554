"""Searches: asks the legs of a strategy, drops what is not live, ranks what is left.

The order of the hits depends on the index and the documents table alone, never on how many hits
are wanted: the first request always asks each leg for as many candidates as the recipe says. Where
that is too little, a second asks for all that a leg gives, and its new hits follow the others.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import islice

from footnote.ask.bounds import check_k
from footnote.ask.rank import Ranked, drop_copies, explain, rank
from footnote.errors import BadRequestError
from footnote.model import STRATEGIES, Hit, Legs, LegsQuery, Recipe, SearchQuery
from footnote.ports import Catalog, Embedder, SearchIndex

DEEPEST = 1_000  # candidates of a leg, the most that the index gives
FEWEST_LIVE = 0.5  # share of a leg's candidates; with fewer, the leg is asked for more at once


def search(
    query: SearchQuery, index: SearchIndex, embedder: Embedder, catalog: Catalog
) -> list[Hit]:
    """Returns the best `query.k` hits, each once and explained.

    Drops hits of deleted or replaced versions, and of documents that the caller may not read.
    Raises BadRequestError for a bad `k` or an empty text.
    """
    check_k(query.k)
    if not query.text.strip():
        raise BadRequestError("the query is empty", code="empty_query")
    recipe = STRATEGIES[query.strategy]
    ranked = _ranked(_legs_query(query, recipe, embedder), recipe, index, catalog)
    return [
        one.hit.model_copy(
            update={"rank": n, "score": one.score, "explanation": explain(one, recipe.legs)}
        )
        for n, one in enumerate(islice(drop_copies(ranked), query.k), start=1)
    ]


def _legs_query(query: SearchQuery, recipe: Recipe, embedder: Embedder) -> LegsQuery:
    vector = query.vector
    if "meaning" in recipe.legs and vector is None:
        [vector] = embedder.embed([query.text], "query")
    return LegsQuery(text=query.text, scope=query.scope, legs=tuple(recipe.legs), vector=vector)


def _ranked(
    query: LegsQuery, recipe: Recipe, index: SearchIndex, catalog: Catalog
) -> Iterator[Ranked]:
    """Yields live hits, best first. Sends the second request once those of the first are used up.

    A leg that has lost most of its candidates is asked for more before anything is ranked. That
    depends on what is live and not on how many hits are wanted, as nothing here may.
    """
    seen: set[str] = set()
    score = math.inf
    for size in (recipe.candidates, DEEPEST):
        found = index.search(query.model_copy(update={"size": size}))
        live = _live(found, catalog, query.scope.groups)
        full = [leg for leg, hits in found.items() if len(hits) == size]
        if size < DEEPEST and any(len(live[leg]) < FEWEST_LIVE * size for leg in full):
            continue
        for one in rank(live, recipe):
            if one.hit.chunk.id not in seen:
                seen.add(one.hit.chunk.id)
                score = min(score, one.score)  # of the second request's hits: none is better
                yield one._replace(score=score)
        if not full:
            return


def _live(found: Legs, catalog: Catalog, groups: Sequence[str]) -> Legs:
    documents = sorted({hit.document_id for hits in found.values() for hit in hits})
    live = catalog.readable(documents, groups) if documents else {}
    return {
        leg: [hit for hit in hits if live.get(hit.document_id) == hit.version]
        for leg, hits in found.items()
    }
