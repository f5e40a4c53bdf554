"""What a run is judged by: pure functions over ranked pages, answers and times."""

from collections.abc import Sequence
from typing import NamedTuple

type Place = tuple[str, int]
"""A document and a page of it; 0 for documents without pages."""


class Latency(NamedTuple):
    """Milliseconds."""

    p50: float
    p95: float


def places(hits: Sequence[tuple[str, Sequence[int]]], k: int) -> list[Place]:
    """The first `k` distinct pages that ranked hits lie on; a hit counts for each of its pages."""
    found: dict[Place, None] = {}
    for document, pages in hits:
        for page in pages or (0,):
            found.setdefault((document, page))
    return list(found)[:k]


def hit(found: Sequence[Place], gold: set[Place]) -> bool:
    return bool(gold & set(found))


def recall(found: Sequence[Place], gold: set[Place]) -> float:
    """The share of the gold pages that are among those found."""
    return len(gold & set(found)) / len(gold) if gold else 0.0


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def latency(milliseconds: Sequence[float]) -> Latency:
    """Median and 95th percentile (nearest rank)."""
    if not milliseconds:
        return Latency(0.0, 0.0)
    ranked = sorted(milliseconds)
    at = [ranked[min(len(ranked) - 1, int(share * len(ranked)))] for share in (0.5, 0.95)]
    return Latency(*at)
