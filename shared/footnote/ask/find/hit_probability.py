"""Says how likely it is that a hit lies on a page which answers the question.

Scores compare within one query only, so no threshold of them means anything. A caller can compare
probabilities. They come from a hit's rank and score, neither of which depends on how many hits are
wanted, and fall from hit to hit.

The weights are of a logistic regression for each strategy (`evals/calibrate_hits.py`); figures are
in docs/experiments-search.md, "A hit's probability".
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.model import Hit, Strategy

UNKNOWN = "{}: no probability of its hits is known, so none was left out."


class HitProbability(NamedTuple):
    """The weights of what `inputs` returns, and the bias: log-odds."""

    rank: float
    score: float
    bias: float


HIT_PROBABILITIES: Mapping[Strategy, HitProbability] = {
    "lexical": HitProbability(-0.29, 2.43, -2.55),
    "semantic": HitProbability(-0.78, 0.0, 0.0),  # a better score would make it less likely
    "navigate": HitProbability(-0.76, 0.6, -0.24),
    "hybrid": HitProbability(-0.89, 0.93, -0.34),
    "hybrid_reranked": HitProbability(-0.9, 0.91, -0.32),
}
"""By strategy. That of `hybrid_reranked` holds for the order that the reader gives
(`ask/find/reader_signal.py`). Nothing is known of the order that a provider's model gives."""


def inputs(rank: int, score: float) -> tuple[float, float]:
    """Returns what a probability goes by: the log of the rank, and the score."""
    return math.log(rank), score


def with_probability(hits: Sequence[Hit], strategy: Strategy) -> list[Hit]:
    """Returns the hits with their probabilities, from 0 to 1; unchanged where none is known."""
    weights = HIT_PROBABILITIES.get(strategy)
    if not weights or any(one.explanation and one.explanation.reranked is not None for one in hits):
        return list(hits)
    *factors, bias = weights

    def probability(hit: Hit) -> float:
        odds = bias + math.sumprod(factors, inputs(hit.rank, hit.score))
        return round(1 / (1 + math.exp(-odds)), 3)

    return [hit.model_copy(update={"probability": probability(hit)}) for hit in hits]


def drop_unlikely(
    hits: Sequence[Hit], strategy: Strategy, least: float
) -> tuple[list[Hit], tuple[str, ...]]:
    """Returns the hits whose probability is `least` or more, and a note where none is known."""
    likely = with_probability(hits, strategy)
    if not least or not likely:
        return likely, ()
    if likely[0].probability is None:
        return likely, (UNKNOWN.format(strategy),)
    return [hit for hit in likely if (hit.probability or 0.0) >= least], ()
