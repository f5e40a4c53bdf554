"""Ranks what the legs of a search found: scales their scores and fuses them.

A leg of nodes lifts the chunks that others have found: each has the score of the best node that it
lies in. All is pure, so that it is the same for every index. Chunks of equal scores, such as those
that say the same, are ordered by their place: the first of a document comes first.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from footnote.model import (
    Candidate,
    ChunkLeg,
    Explanation,
    Hit,
    Leg,
    Legs,
    LegScore,
    Recipe,
    Scale,
)

SURE = 1.9
"""The score of one name that only one document in sixty has: less is no sure sign of what document
a question means, so it counts for less than all (docs/benchmarks.md, "What was tried")."""
K = 60  # of reciprocal ranks: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009
CHUNK_LEGS: frozenset[Leg] = frozenset(get_args(ChunkLeg.__value__))
LEAST = 0.001  # of a leg's last hit by min-max, so that it differs from one not found
OVERLAP = 0.8  # share of a chunk that lies in a better one, above which it repeats that one


class Placed(NamedTuple):
    """A leg's candidate, with its rank there and its scaled score."""

    candidate: Candidate
    rank: int
    scaled: float


type Given = Mapping[Leg, Placed]


class Ranked(NamedTuple):
    """A chunk, its score, and what each leg gave it."""

    chunk_id: str
    score: float
    given: Given


def rank(legs: Legs, recipe: Recipe) -> list[Ranked]:
    """Returns the chunks of all legs in one order, best first."""
    found = _place({leg: each for leg, each in legs.items() if leg in CHUNK_LEGS}, recipe.scale)
    _lift(found, legs, recipe.scale)
    ranked = [
        Ranked(name, _mean({leg: one.scaled for leg, one in given.items()}, recipe.legs), given)
        for name, given in found.items()
    ]
    return sorted(ranked, key=lambda one: (-one.score, *_where(one.given)))


def _place(legs: Legs, scale: Scale) -> dict[str, dict[Leg, Placed]]:
    """Returns by chunk id what each leg gave."""
    found: defaultdict[str, dict[Leg, Placed]] = defaultdict(dict)
    for leg, candidates in legs.items():
        in_order = sorted(candidates, key=lambda one: (-one.score, *_spot(one)))
        scaled = SCALES[scale]([one.score for one in in_order])
        for n, (one, score) in enumerate(zip(in_order, scaled, strict=True), 1):
            found[one.chunk_id][leg] = Placed(one, n, score)
    return dict(found)


def _lift(found: Mapping[str, dict[Leg, Placed]], legs: Legs, scale: Scale) -> None:
    """Gives chunks what each leg of nodes gave the nodes that they lie in."""
    for leg, candidates in legs.items():
        if leg in CHUNK_LEGS:
            continue
        scaled = _share_of_best if leg == "document" else SCALES[scale]
        inside = _by_document(candidates, scaled)
        for given in found.values():
            chunk = next(iter(given.values())).candidate
            if node := _holder(chunk, inside.get((chunk.document_id, chunk.version), ())):
                given[leg] = node


def _by_document(
    candidates: Sequence[Candidate], scaled: Callable[[Sequence[float]], list[float]]
) -> dict[tuple[str, str], list[Placed]]:
    """Returns the nodes of each version of a document, by start; those of a kind lie apart."""
    in_order = sorted(candidates, key=lambda one: (-one.score, *_spot(one)))
    scores = scaled([one.score for one in in_order])
    nodes: defaultdict[tuple[str, str], list[Placed]] = defaultdict(list)
    for n, (one, score) in enumerate(zip(in_order, scores, strict=True), 1):
        nodes[one.document_id, one.version].append(Placed(one, n, score))
    for each in nodes.values():
        each.sort(key=lambda node: node.candidate.start)
    return nodes


def _holder(chunk: Candidate, nodes: Sequence[Placed]) -> Placed | None:
    """Returns the best of the nodes that share half of the chunk, or of themselves, with it."""
    first = bisect_right(nodes, chunk.start, key=lambda node: node.candidate.end)
    last = bisect_left(nodes, chunk.end, key=lambda node: node.candidate.start)
    return max(
        (node for node in nodes[first:last] if _is_shared(chunk, node.candidate)),
        key=lambda node: node.scaled,
        default=None,
    )


def _is_shared(chunk: Candidate, node: Candidate) -> bool:
    common = min(chunk.end, node.end) - max(chunk.start, node.start)
    return 2 * common >= min(chunk.end - chunk.start, node.end - node.start)


def _spot(candidate: Candidate) -> tuple[str, str, int, str]:
    """Returns what orders chunks of equal scores."""
    return candidate.document_id, candidate.version, candidate.start, candidate.chunk_id


def _where(given: Given) -> tuple[str, str, int, str]:
    return _spot(next(iter(given.values())).candidate)


def _mean(scores: Mapping[Leg, float], weights: Mapping[Leg, float]) -> float:
    """Returns the weighted mean; a leg that did not find the chunk counts as 0."""
    return sum(weights[leg] * score for leg, score in scores.items()) / sum(weights.values())


# -- scales --------------------------------------------------------------------------------------


def _min_max(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    high, low = scores[0], scores[-1]
    if high == low:
        return [1.0] * len(scores)
    return [max((score - low) / (high - low), LEAST) for score in scores]


def _reciprocal_rank(scores: Sequence[float]) -> list[float]:
    return [1 / (K + n) for n in range(1, len(scores) + 1)]


def _share_of_best(scores: Sequence[float]) -> list[float]:
    return [score / max(*scores, SURE) for score in scores]


SCALES: Mapping[Scale, Callable[[Sequence[float]], list[float]]] = {
    "raw": list,
    "min_max": _min_max,
    "reciprocal_rank": _reciprocal_rank,
}
"""What makes a leg's scores, which fall, comparable with those of another leg."""


# -- what is shown -------------------------------------------------------------------------------


def drop_copies(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yields hits without those that repeat a better one: copies, and overlaps in a document.

    The same words under another title are not a copy: two reports may share a sentence.
    """
    seen: set[tuple[str, ...]] = set()
    kept: defaultdict[str, list[Hit]] = defaultdict(list)  # by document
    for hit in hits:
        words = " ".join(hit.chunk.text.casefold().split())
        copy = (hit.chunk.title, *hit.chunk.section, words)
        if copy in seen or any(_overlaps(hit, other) for other in kept[hit.document_id]):
            continue
        seen.add(copy)
        kept[hit.document_id].append(hit)
        yield hit


def _overlaps(hit: Hit, other: Hit) -> bool:
    shared = min(hit.chunk.end, other.chunk.end) - max(hit.chunk.start, other.chunk.start)
    return shared > OVERLAP * (hit.chunk.end - hit.chunk.start)


def explain(one: Ranked, weights: Mapping[Leg, float]) -> Explanation:
    """Says what each leg gave a hit and what was made of it."""
    legs = tuple(
        LegScore(
            leg=leg,
            rank=placed.rank,
            raw=placed.candidate.score,
            scaled=placed.scaled,
            weight=weights[leg],
        )
        for leg, placed in one.given.items()
    )
    return Explanation(legs=legs)
