"""Lifts hits whose nearest texts of other documents have better scores.

Texts that are near to each other tend to be relevant to the same requests: the cluster hypothesis
(van Rijsbergen, "Information Retrieval", 1979). So a hit's score moves towards the mean of those
that are nearest to it (Diaz, "Regularizing Ad Hoc Retrieval Scores", CIKM 2005). Here it only
rises, and only by other documents: of a long report one page is right, and its neighbours are not.

Measured in docs/experiments-search.md, "Near to better hits".
"""

import math
from collections.abc import Mapping, Sequence

from footnote.ask.find.rank import Ranked, spread
from footnote.ask.find.signals import Signal
from footnote.model import Vector

AMONG = 30
"""The first hits, whose vectors are compared. 20 find less; with 50, more is read for the same."""
NEAREST = 6
MANY = 10
"""The short documents that the first hits must be of. Among those of reports there are 6 at most,
of abstracts at least 16, and hits of reports gain nothing."""
SHORT = 2_000
"""Characters from its document's beginning before which a hit must start for the document to count
as a short one. With 1,000 or 3,000 the same collections are of short ones."""


def among_short(ranked: Sequence[Ranked]) -> list[str]:
    """Returns the ids of the first hits, none unless they are of many short documents."""
    first = ranked[:AMONG]
    short = {one.chunk.document_id for one in first if one.chunk.start < SHORT}
    return [one.chunk_id for one in first] if len(short) >= MANY else []


def cluster_signal(
    ranked: Sequence[Ranked], vectors: Mapping[str, Vector], weight: float
) -> Signal:
    """Returns what lifts a hit by `weight` of the way to the mean score of those nearest to it.

    `vectors` are those of the hits that are compared, by id. Means are weighted by cosines.
    """
    hits = [one for one in ranked if one.chunk_id in vectors]
    found = [vectors[one.chunk_id] for one in hits]
    lengths = [math.sqrt(math.sumprod(vector, vector)) for vector in found]
    near: list[list[tuple[float, float]]] = [[] for _ in hits]  # cosine and score of each other
    for n, one in enumerate(hits):
        for m in range(n):
            other = hits[m]
            if one.chunk.document_id != other.chunk.document_id:
                product = math.sumprod(found[n], found[m])
                cosine = product / (lengths[n] * lengths[m]) if product else 0.0
                near[n].append((cosine, other.score))
                near[m].append((cosine, one.score))
    apart = spread([one.score for one in ranked])
    shares = {
        one.chunk_id: max(_mean(others) - one.score, 0.0) / apart
        for one, others in zip(hits, near, strict=True)
        if apart
    }
    return Signal("cluster", weight, lambda chunk: shares.get(chunk.chunk_id, 0.0))


def _mean(others: Sequence[tuple[float, float]]) -> float:
    """Returns the mean score of the nearest, which no hit is lifted to where nothing is near."""
    nearest = [each for each in sorted(others, reverse=True)[:NEAREST] if each[0] > 0]
    whole = sum(cosine for cosine, _ in nearest)
    return sum(cosine * score for cosine, score in nearest) / whole if whole else 0.0
