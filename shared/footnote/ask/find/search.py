"""Searches: asks the legs of a strategy, drops what is not live, ranks what is left.

The order of the hits depends on the index and the documents table alone, never on how many hits
are wanted: the first request always asks each leg for as many candidates as the recipe says. Where
that is too little, a second asks for all that a leg gives, and its new hits follow the others.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import batched, islice

from footnote.accounting.glossary import asked_statements, expand_question, related_phrases
from footnote.ask.find.choose import reads_across, stand_in
from footnote.ask.find.cluster import among_short, cluster_signal
from footnote.ask.find.meaning_weight import covered, first_by_words, lean
from footnote.ask.find.page_references import named_pages
from footnote.ask.find.rank import CHUNK_LEGS, Ranked, add_signals, drop_copies, explain, rank
from footnote.ask.find.signals import (
    FIRST,
    Signal,
    alike_signal,
    middle_of,
    page_signal,
    statement_signal,
)
from footnote.ask.question.bounds import check_k
from footnote.errors import BadRequestError
from footnote.model import STRATEGIES, Candidate, Hit, Leg, Legs, LegsQuery, Recipe, SearchQuery
from footnote.ports import Catalog, Embedder, SearchIndex

DEEPEST = 1_000  # candidates of a leg, the most that the index gives
DOCUMENTS = 50  # by their best hits, whose statements are looked up
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
    recipe = recipe_for(query, embedder)
    legs = legs_query(query, recipe, embedder)
    hits = islice(drop_copies(_hits(legs, query.k, recipe, index, catalog)), query.k)
    return [hit.model_copy(update={"rank": n}) for n, hit in enumerate(hits, start=1)]


def recipe_for(query: SearchQuery, embedder: Embedder) -> Recipe:
    """Returns the recipe of a query's strategy.

    Where a figure is asked for it has its other weights: a small model brings the name of a figure
    and the rows of a statement hardly together. Neither then nor in a language that the embedding
    model does not read does it lean towards meaning. Where that model reads many languages, words
    that a page shares with the question say less of it.
    """
    recipe = STRATEGIES[query.strategy]
    if recipe.across and reads_across(embedder.model):
        return recipe.model_copy(update={"legs": recipe.across})
    if recipe.figures and (related_phrases(query.text) or asked_statements(query.text)):
        return recipe.model_copy(update={"legs": recipe.figures, "lean": 0.0})
    if recipe.lean and stand_in(query.text, embedder.model):
        return recipe.model_copy(update={"lean": 0.0})
    return recipe


def legs_query(query: SearchQuery, recipe: Recipe, embedder: Embedder) -> LegsQuery:
    """Returns the request to the legs of a recipe; embeds the text where a leg needs its vector."""
    vector = query.vector
    if "meaning" in recipe.legs and vector is None:
        [vector] = embedder.embed([expand_question(query.text)], "query")
    return LegsQuery(
        text=query.text,
        scope=query.scope,
        legs=tuple(recipe.legs),
        vector=vector,
        with_pages=bool(named_pages(query.text)),
        related=related_phrases(query.text),
        statements=asked_statements(query.text),
    )


def _hits(
    query: LegsQuery, k: int, recipe: Recipe, index: SearchIndex, catalog: Catalog
) -> Iterator[Hit]:
    """Yields all hits, best first, and reads their texts somewhat more than `k` at a time."""
    for ranked in _stages(query, recipe, index, catalog):
        for some in batched(ranked, k + k // 4 + 5, strict=False):
            found = index.read([one.chunk_id for one in some], query.scope)
            for one in some:
                if one.chunk_id in found:  # else it was removed a moment ago
                    made = {"score": one.score, "explanation": explain(one)}
                    yield found[one.chunk_id].model_copy(update=made)


def _stages(
    query: LegsQuery, recipe: Recipe, index: SearchIndex, catalog: Catalog
) -> Iterator[list[Ranked]]:
    """Yields what the first request found, then, if that is not all, what else a second finds.

    A leg that has lost most of its candidates is asked for more before anything is ranked. That
    depends on what is live and not on how many hits are wanted, as nothing here may.
    """
    seen: set[str] = set()
    least = math.inf
    for size in (recipe.candidates, DEEPEST):
        found = index.search(query.model_copy(update={"size": size}))
        live = live_legs(found, catalog, query.scope.groups)
        full = [leg for leg in found if leg in CHUNK_LEGS and len(found[leg]) == size]
        if size < DEEPEST and any(len(live[leg]) < FEWEST_LIVE * size for leg in full):
            continue
        # Scores of the second request have another scale: none is better than those before.
        new = [
            one if one.score <= least else one._replace(score=least)
            for one in rank_live(live, query, recipe, index, catalog)
            if one.chunk_id not in seen
        ]
        yield new
        if not full:
            return
        seen |= {one.chunk_id for one in new}
        least = min((one.score for one in new), default=least)


def rank_live(
    live: Legs, query: LegsQuery, recipe: Recipe, index: SearchIndex, catalog: Catalog
) -> list[Ranked]:
    """Returns the live chunks of all legs in one order, with what signals say of them.

    Where the recipe wants it, the index is asked for more: for the statements that have a figure
    which is asked for, then for the vectors of the first hits and what is nearest to their middle.
    That finds no chunk that no leg found.
    """
    if recipe.lean:
        recipe = recipe.model_copy(update={"legs": _leaned(live, query, recipe, index)})
    ranked = rank(live, recipe, signals_of(query.text, live, catalog))
    if recipe.stated and query.statements:
        found = _statements_of(ranked, query, index)
        ranked = add_signals([statement_signal(found, recipe.stated)], ranked)
    if not recipe.alike or len(ranked) <= FIRST:
        return ranked
    first = [one.chunk_id for one in ranked[:FIRST]]
    compared = among_short(ranked) if recipe.cluster else []
    vectors = index.vectors(compared or first, query.scope)
    middle = middle_of([vectors[name] for name in sorted(first) if name in vectors])
    if middle is not None:
        update = {"legs": ("meaning",), "vector": middle, "with_places": False}
        wanted = query.model_copy(update={**update, "size": recipe.candidates})
        [found] = index.search(wanted).values()
        ranked = add_signals([alike_signal(found, recipe.alike)], ranked)
    return add_signals([cluster_signal(ranked, vectors, recipe.cluster)] * bool(compared), ranked)


def _leaned(
    live: Legs, query: LegsQuery, recipe: Recipe, index: SearchIndex
) -> Mapping[Leg, float]:
    """Returns the legs' weights for how many of the question's words the first passages have."""
    first = first_by_words(live.get("words", ()))
    read = index.read(first, query.scope) if first else {}
    if not read:  # nobody knows how they say it
        return recipe.legs
    texts = (hit.chunk.indexed_text for hit in read.values())
    return lean(recipe.legs, recipe.lean, covered(query.text, texts))


def _statements_of(
    ranked: Sequence[Ranked], query: LegsQuery, index: SearchIndex
) -> Sequence[Candidate]:
    """Returns the statements asked for that are in the first documents."""
    first = dict.fromkeys(one.chunk.document_id for one in ranked)
    ids = dict.fromkeys(islice(first, DOCUMENTS), "")
    if not ids:
        return ()
    inside = query.scope.model_copy(update={"documents": (), "document_ids": ids})
    update = {"legs": ("statement",), "scope": inside, "size": DEEPEST}
    return index.search(query.model_copy(update=update))["statement"]


def signals_of(text: str, live: Legs, catalog: Catalog) -> list[Signal]:
    """Returns what a question says of the place that it asks for; mostly nothing.

    The table is asked how long documents are only where a page is named from the back.
    """
    named = named_pages(text)
    if not named:
        return []
    pages: dict[str, int] = {}
    if any(one.number < 0 for one in named):
        documents = sorted({one.document_id for found in live.values() for one in found})
        records = catalog.records(documents) if documents else []
        pages = {one.document_id: one.pages for one in records if one.version == one.live_version}
    return [page_signal(named, pages)]


def live_legs(found: Legs, catalog: Catalog, groups: Sequence[str]) -> Legs:
    """Returns what is live: chunks, and nodes of the documents that the chunks are of."""
    documents = sorted(
        {one.document_id for leg in found if leg in CHUNK_LEGS for one in found[leg]}
    )
    live = catalog.readable(documents, groups) if documents else {}
    return {
        leg: [one for one in candidates if live.get(one.document_id) == one.version]
        for leg, candidates in found.items()
    }
