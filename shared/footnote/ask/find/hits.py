"""Finds the hits of one query: the whole search as a caller asks for it.

The strategy is resolved first. Where it re-ranks, a model puts the first hits in its order. Each
hit has its probability.
"""

from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.evidence.line_judge import judge_of
from footnote.ask.evidence.passages import passage_of
from footnote.ask.evidence.unknown_words import find_unknown_words
from footnote.ask.find.choose import resolve
from footnote.ask.find.fallbacks import search_with_fallbacks, too_few
from footnote.ask.find.hit_probability import drop_unlikely
from footnote.ask.find.ports import Ports
from footnote.ask.find.reader_signal import read_hits
from footnote.ask.find.spelling import reword
from footnote.ask.query.reading import Query, QueryReading
from footnote.ask.question.bounds import check_k, check_minimum
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import STRATEGIES, Choice, Explanation, Hit, SearchQuery, Strategy
from footnote.ports import Reranker

NOT_RERANKED = (
    "Nobody re-ranks such a question here: the hits are as the legs were fused. Set `Rerankers`."
)
RERANKER_DOWN = "The re-ranking model is not available: the hits are as the legs were fused."


class Searched(NamedTuple):
    """Hits, best first, and the strategy that found them; `degraded` says what was lacking.

    `chosen` is the strategy that replaced the named one, and why.
    """

    hits: list[Hit]
    strategy: Strategy
    degraded: tuple[str, ...] = ()
    chosen: Choice | None = None


def find_hits(query: SearchQuery, ports: Ports) -> Searched:
    """Returns the best `query.k` hits, each with its probability.

    Where no text has a word of the query, the search goes for what the documents write instead.
    Raises what `search` raises, but nothing for an embedding model that does not answer.
    """
    reading, scope = QueryReading(query.text), query.scope
    searched = _find_as_typed(query, reading, ports)
    unknown = find_unknown_words(reading, map(passage_of, searched.hits), scope, ports.index)
    text, notes = reword(reading, unknown, scope, ports)
    if text != query.text:
        query = query.model_copy(update={"text": text, "vector": None})
        searched = _find_as_typed(query, QueryReading(text), ports)
    return searched._replace(degraded=(*notes, *searched.degraded))


def _find_as_typed(query: SearchQuery, reading: QueryReading, ports: Ports) -> Searched:
    check_k(query.k)
    check_minimum(query.minimum_results, query.k)
    chosen = resolve(query.strategy, reading, query.scope, ports)
    wanted = chosen.strategy if chosen else query.strategy
    most = max(query.k, STRATEGIES[wanted].reranked)
    wide = Query(query, reading).change(strategy=wanted, k=most)
    [hits], _, strategy, notes = search_with_fallbacks([wide], ports)
    if hits and (reranked := STRATEGIES[strategy].reranked):
        hits, lacking = order_hits(reading, hits, reranked, ports)
        strategy, notes = ("hybrid" if lacking else strategy), (*notes, *lacking)
    hits, unknown = drop_unlikely(hits[: query.k], strategy, query.min_score)
    notes = (*notes, *unknown)
    if len(hits) < query.minimum_results:
        notes = (*notes, too_few(strategy, len(hits), query.minimum_results, None))
    return Searched(hits, strategy, notes, chosen)


def order_hits(
    reading: QueryReading, hits: Sequence[Hit], most: int, ports: Ports
) -> tuple[list[Hit], tuple[str, ...]]:
    """Puts the first hits in the order of a model that reads them; a note says if there was none.

    A re-ranker orders the first `most`. Without one a judge of lines lifts some of them
    (`ask/find/reader_signal.py`).
    """
    if ports.reranker:
        return _rerank_hits(reading.text, hits, most, ports.reranker)
    if judge := judge_of(reading, ports.line_judge):
        return read_hits(reading, hits, most, judge), ()
    return list(hits), (NOT_RERANKED,)


def _rerank_hits(
    text: str, hits: Sequence[Hit], most: int, reranker: Reranker
) -> tuple[list[Hit], tuple[str, ...]]:
    """Returns the hits in the model's order.

    Scores stay in their places, as those of two models do not compare: the hit that is best now
    has the score of the hit that was. The model's own score is in the explanation.
    """
    read, rest = hits[:most], hits[most:]
    try:
        scores = reranker.rerank(text, [hit.chunk.indexed_text for hit in read])
    except (UnavailableError, ConfigurationError) as error:
        return list(hits), (f"{RERANKER_DOWN} {error.message}",)
    order = sorted(range(len(read)), key=lambda n: -scores[n])
    ordered = [
        read[was].model_copy(
            update={
                "rank": read[now].rank,
                "score": read[now].score,
                "explanation": _with_score(read[was].explanation, scores[was]),
            }
        )
        for now, was in enumerate(order)
    ]
    return [*ordered, *rest], ()


def _with_score(explanation: Explanation | None, score: float) -> Explanation:
    return (explanation or Explanation(legs=())).model_copy(update={"reranked": score})
