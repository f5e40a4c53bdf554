"""The ladder of a search: re-ranked, else as fused, else by words alone; what is missing is said.

A step down is taken only where a model does not answer. An index that does not answer is an error:
fewer hits must not look like fewer documents.
"""

from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.bounds import check_k
from footnote.ask.search import search
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import STRATEGIES, Explanation, Hit, SearchQuery, Strategy
from footnote.ports import Catalog, Embedder, Reranker, SearchIndex

BY_WORDS: Strategy = "navigate"  # the best without vectors (docs/benchmarks.md)
WORDS_ONLY = "The embedding model is not available: the search went by words alone."
NOT_RERANKED = "Nobody re-ranks here: the hits are as the legs were fused. Set `Rerankers`."
RERANKER_DOWN = "The re-ranking model is not available: the hits are as the legs were fused."


class Searched(NamedTuple):
    """Hits, best first, the rung that they are of, and what the rungs above it lacked."""

    hits: list[Hit]
    strategy: Strategy
    degraded: tuple[str, ...] = ()


def search_down(
    query: SearchQuery,
    index: SearchIndex,
    embedder: Embedder,
    catalog: Catalog,
    reranker: Reranker | None = None,
) -> Searched:
    """Returns the best `query.k` hits by the highest rung that holds.

    Raises what `search` raises; of an embedding model that does not answer, nothing.
    """
    check_k(query.k)
    recipe = STRATEGIES[query.strategy]
    wide = query.model_copy(update={"k": max(query.k, recipe.reranked)})
    if "meaning" in recipe.legs and query.vector is None:
        try:
            [vector] = embedder.embed([query.text], "query") if query.text.strip() else [None]
        except UnavailableError:
            by_words = query.model_copy(update={"strategy": BY_WORDS})
            return Searched(search(by_words, index, embedder, catalog), BY_WORDS, (WORDS_ONLY,))
        wide = wide.model_copy(update={"vector": vector})
    hits = search(wide, index, embedder, catalog)
    degraded: tuple[str, ...] = ()
    if recipe.reranked and hits:
        hits, degraded = rerank_hits(query.text, hits, recipe.reranked, reranker)
    return Searched(hits[: query.k], "hybrid" if degraded else query.strategy, degraded)


def rerank_hits(
    text: str, hits: Sequence[Hit], most: int, reranker: Reranker | None
) -> tuple[list[Hit], tuple[str, ...]]:
    """Puts the first `most` hits in the order of the re-ranking model, and says if it could not.

    Scores stay in their places, as those of two models do not compare: the hit that is best now
    has the score of the one that was. What the model gave is in the explanation.
    """
    if reranker is None:
        return list(hits), (NOT_RERANKED,)
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
