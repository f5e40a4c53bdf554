"""Says how likely it is that a hit lies on a page which answers the question.

Scores compare within one query only, so no threshold of them means anything. What a caller can
compare is a probability: from the hit's rank and its score, neither of which depends on how many
hits are wanted. It falls from hit to hit.

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
"""By strategy; of `hybrid_reranked` as the reader orders it
(`ask/find/reader_signal.py`). Of the order that a provider's model gives nothing is known."""


def inputs(rank: int, score: float) -> tuple[float, float]:
    """Returns what a probability goes by: the log of the rank, and the score."""
    return math.log(rank), score


def with_probability(hits: Sequence[Hit], strategy: Strategy) -> list[Hit]:
    """Returns the hits with their probabilities, from 0 to 1; as they are where none is known."""
    weights = HIT_PROBABILITIES.get(strategy)
    if not weights or any(one.explanation and one.explanation.reranked is not None for one in hits):
        return list(hits)
    *factors, bias = weights
    made = []
    for hit in hits:
        odds = bias + math.sumprod(factors, inputs(hit.rank, hit.score))
        made.append(hit.model_copy(update={"probability": round(1 / (1 + math.exp(-odds)), 3)}))
    return made


def drop_unlikely(
    hits: Sequence[Hit], strategy: Strategy, least: float
) -> tuple[list[Hit], tuple[str, ...]]:
    """Returns the hits whose probability is `least` or more, and a note where none is known."""
    found = with_probability(hits, strategy)
    if not least or not found:
        return found, ()
    if found[0].probability is None:
        return found, (UNKNOWN.format(strategy),)
    return [hit for hit in found if (hit.probability or 0.0) >= least], ()
