"""The metrics of our own evals: pure functions over ranked pages and characters.

Those that `footnote eval` has too are in `footnote/evaluation/metrics.py`.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

type Place = tuple[str, int]
"""A document and one of its pages: 0 for a document without pages."""
type Span = tuple[int, int]
"""The characters of a text from the first to before the second."""


def places(hits: Sequence[tuple[str, Sequence[int]]], k: int) -> list[Place]:
    """Returns the first `k` distinct pages of ranked hits. A hit counts for each of its pages."""
    found: dict[Place, None] = {}
    for document, pages in hits:
        for page in pages or (0,):
            found.setdefault((document, page))
    return list(found)[:k]


def has_hit(found: Sequence[Place], gold: set[Place]) -> bool:
    return bool(gold & set(found))


class Share(NamedTuple):
    """A share: so many hits of so many."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Returns the 95 % interval (Wilson 1927), which holds for shares near 0 and 1 too."""
        if not self.of:
            return 0.0, 1.0
        z, n, p = 1.96, self.of, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return max(0.0, middle - half), min(1.0, middle + half)


def precision_recall(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Returns precision, recall and F1 of (said, true) pairs: 0 if nothing was said or is true."""
    both = sum(said and true for said, true in pairs)
    precision = both / max(1, sum(said for said, _ in pairs))
    recall_ = both / max(1, sum(true for _, true in pairs))
    f1 = 2 * precision * recall_ / (precision + recall_) if both else 0.0
    return precision, recall_, f1


def reciprocal_rank[Item](found: Sequence[Item], gold: set[Item]) -> float:
    """Returns 1 / the rank of the first gold item, 0 if none was found."""
    return next((1 / rank for rank, item in enumerate(found, 1) if item in gold), 0.0)


def ndcg(found: Sequence[str], grades: Mapping[str, int], k: int = 10) -> float:
    """Returns the normalized discounted gain of the first `k`: linear gain, discount log2(rank+1).

    So do trec_eval and BEIR. An item without a grade gains nothing. 0 without relevant items.
    """
    best = _gain(sorted(grades.values(), reverse=True)[:k])
    return _gain([grades.get(item, 0) for item in found[:k]]) / best if best else 0.0


def _gain(grades: Sequence[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def covered(gold: Sequence[Sequence[Span]], found: Sequence[Span]) -> tuple[float, float]:
    """Returns the share of the gold characters that were found, and of the found that are gold.

    Spans are (start, end) in one text. Each item of `gold` is a passage: all places where its words
    stand, of which the best found counts. A character counts once, however many spans hold it.
    """
    shown = {at for start, end in found for at in range(start, end)}
    wanted = sum(places[0][1] - places[0][0] for places in gold)
    best = sum(max(len(shown & set(range(*place))) for place in places) for places in gold)
    right = {at for places in gold for place in places for at in range(*place)}
    return best / max(1, wanted), len(right & shown) / max(1, len(shown))
