"""Pure figures of ranked lists, boxes and times. Everything that measures footnote counts by these.

They are a few lines each: libraries that have them (ranx, ir-measures) bring numba, pandas or a
compiled trec_eval along, which a command line that people install must not.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Latency(NamedTuple):
    """Median and 95th percentile in milliseconds."""

    p50: float
    p95: float


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def latency(milliseconds: Sequence[float]) -> Latency:
    """Returns median and 95th percentile by nearest rank, both 0 without values."""
    if not milliseconds:
        return Latency(0.0, 0.0)
    ranked = sorted(milliseconds)
    at = [ranked[min(len(ranked) - 1, int(share * len(ranked)))] for share in (0.5, 0.95)]
    return Latency(*at)


def precision[Item](found: Sequence[Item], gold: set[Item]) -> float:
    """Returns the share of what was found that is gold, 0 if nothing was."""
    return sum(item in gold for item in found) / len(found) if found else 0.0


def recall[Item](found: Iterable[Item], gold: set[Item]) -> float:
    """Returns the share of the gold that was found, 0 if there is none."""
    return len(gold & set(found)) / len(gold) if gold else 0.0


def overlap(one: Sequence[float], other: Sequence[float]) -> float:
    """Returns the intersection over union of two boxes (left, top, right, bottom)."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    if width <= 0 or height <= 0:
        return 0.0
    return width * height / (_area(one) + _area(other) - width * height)


def _area(box: Sequence[float]) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def around(boxes: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    """Returns the smallest box that holds all of these. Raises ValueError without any."""
    left, top, right, bottom = zip(*boxes, strict=True)
    return min(left), min(top), max(right), max(bottom)


def sign_test(better: int, worse: int) -> float:
    """Returns how often chance alone parts cases as unevenly as this: the exact two-sided p."""
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(min(better, worse) + 1))
    return min(1.0, math.ldexp(2 * tail, -n))


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float:
    """Returns Cohen's kappa of two judges: agreement beyond what their habits alone would give."""
    n = len(pairs)
    if not n:
        return 0.0
    agreed = sum(one == other for one, other in pairs) / n
    yes = [sum(each) / n for each in zip(*pairs, strict=True)]
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return (agreed - chance) / (1 - chance) if chance < 1 else 1.0
