"""Ranks what the legs of a search found: scales their scores and fuses them.

A leg of nodes lifts the chunks that other legs have found: each has the score of the best node that
it lies in. Signals (`signals.py`) add to that. All is pure, so that it is the same for every index.
Chunks of equal scores, such as those that say the same, are ordered by their place: the first of a
document comes first.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, get_args

from footnote.model import (
    Candidate,
    ChunkLeg,
    Explanation,
    Hit,
    Leg,
    Legs,
    LegScore,
    NameLeg,
    Recipe,
    Scale,
    SignalName,
    SignalScore,
)

SURE = 1.9
"""The score of one name that only one document in sixty has. A lower score is no sure sign of the
document that a question means, so it does not count in full (docs/experiments-search.md, "Nodes and
the name of the document")."""
K = 60  # of reciprocal ranks: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009
CHUNK_LEGS: frozenset[Leg] = frozenset(get_args(ChunkLeg.__value__))
NAME_LEGS: frozenset[Leg] = frozenset(get_args(NameLeg.__value__))
LEAST = 0.001  # of a leg's last hit by min-max: a hit that the leg did not find has 0
OVERLAP = 0.8  # a chunk repeats a better one if more than this share of it lies in that one


class Placed(NamedTuple):
    """A leg's candidate, with its rank there and its scaled score."""

    candidate: Candidate
    rank: int
    scaled: float


type ByLeg = Mapping[Leg, Placed]
"""A chunk's candidate in each leg that found it."""


class Signal(NamedTuple):
    """What speaks for a chunk, by how much at most, and how far it does, from 0 to 1."""

    name: SignalName
    weight: float
    share: Callable[[Candidate], float]


class Ranked(NamedTuple):
    """A chunk as one of the legs found it, with its score and what made it.

    `weights` are those by which the legs' scores were added up; `added` is by signal.
    """

    chunk: Candidate
    score: float
    by_leg: ByLeg
    weights: Mapping[Leg, float]
    added: tuple[tuple[SignalName, float], ...] = ()

    @property
    def chunk_id(self) -> str:
        return self.chunk.chunk_id


def rank(legs: Legs, recipe: Recipe, signals: Sequence[Signal] = ()) -> list[Ranked]:
    """Returns the chunks of all legs in one order, best first."""
    of_chunks = {leg: each for leg, each in legs.items() if leg in CHUNK_LEGS}
    placed = _place(of_chunks, recipe.scale)
    chunks = [(next(iter(by_leg.values())).candidate, by_leg) for by_leg in placed]
    _lift(chunks, legs, recipe.scale)
    weights, whole = recipe.legs, sum(recipe.legs.values())
    ranked = []
    for chunk, by_leg in chunks:
        # the mean by weight; a leg that did not find the chunk counts as 0
        score = sum([weights[leg] * one.scaled for leg, one in by_leg.items()]) / whole
        ranked.append(Ranked(chunk, score, by_leg, weights))
    return add_signals(signals, ranked)


def add_signals(signals: Sequence[Signal], ranked: Sequence[Ranked]) -> list[Ranked]:
    """Adds to the scores what signals say, and returns the chunks in their new order, best first.

    What a signal adds is a share of how far apart the scores of this search are.
    """
    lifted = _add(signals, ranked) if signals else ranked
    return _in_order(lifted, lambda one: _place_of(one.chunk))


def _add(signals: Sequence[Signal], ranked: Sequence[Ranked]) -> list[Ranked]:
    lifted = list(ranked)
    apart = spread([one.score for one in lifted])
    for signal in signals:
        for n, one in enumerate(lifted):
            if share := signal.share(one.chunk):
                more = signal.weight * share * apart
                added = (*one.added, (signal.name, more))
                lifted[n] = one._replace(score=one.score + more, added=added)
    return lifted


def spread(scores: Sequence[float]) -> float:
    """Returns how far apart the scores of a search are; where all are equal, how far from 0."""
    most = max(scores, default=0.0)
    return most - min(scores, default=0.0) or most


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Returns the candidates of a leg in the order of their ranks."""
    return _in_order(candidates, _place_of)


def _in_order[One: (Candidate, Ranked)](
    unordered: Iterable[One], place_of: Callable[[One], tuple[str, str, int, str]]
) -> list[One]:
    """Orders by score, best first, and equal scores, which are few, by their places."""
    by_score = sorted(unordered, key=_SCORE, reverse=True)
    ordered: list[One] = []
    for _, group in groupby(by_score, key=_SCORE):
        equal = list(group)
        ordered += sorted(equal, key=place_of) if len(equal) > 1 else equal
    return ordered


_SCORE = attrgetter("score")


def _place(legs: Legs, scale: Scale) -> Collection[dict[Leg, Placed]]:
    """Returns the candidates of each chunk, by leg, with their ranks and scaled scores."""
    chunks: defaultdict[str, dict[Leg, Placed]] = defaultdict(dict)
    for leg, candidates in legs.items():
        in_order = best_first(candidates)
        scaled = SCALES[scale]([one.score for one in in_order])
        for n, (one, score) in enumerate(zip(in_order, scaled, strict=True), 1):
            chunks[one.chunk_id][leg] = Placed(one, n, score)
    return chunks.values()


class NodeRow(NamedTuple):
    """The nodes of one kind in a version of a document, in their order.

    No two overlap, so their starts rise, and so do their ends.
    """

    starts: list[int]
    ends: list[int]
    nodes: list[Placed]


def _lift(ranked: Iterable[tuple[Candidate, dict[Leg, Placed]]], legs: Legs, scale: Scale) -> None:
    """Adds to each chunk the node that it lies in, for each leg of nodes that found one."""
    chunks: defaultdict[tuple[str, str], list[tuple[int, int, dict[Leg, Placed]]]]
    chunks = defaultdict(list)  # by document and version
    for chunk, by_leg in ranked:
        chunks[chunk.document_id, chunk.version].append((chunk.start, chunk.end, by_leg))
    for leg, candidates in legs.items():
        if leg in CHUNK_LEGS:
            continue
        rows = _rows(candidates, _share_of_best if leg in NAME_LEGS else SCALES[scale])
        for document in rows.keys() & chunks.keys():
            row = rows[document]
            for start, end, by_leg in chunks[document]:
                if node := _holder(start, end, row):
                    by_leg[leg] = node


def _rows(
    candidates: Sequence[Candidate], scaled: Callable[[Sequence[float]], list[float]]
) -> dict[tuple[str, str], NodeRow]:
    """Returns nodes by document and version."""
    in_order = best_first(candidates)
    scores = scaled([one.score for one in in_order])
    by_document: defaultdict[tuple[str, str], list[Placed]] = defaultdict(list)
    for n, (one, score) in enumerate(zip(in_order, scores, strict=True), 1):
        by_document[one.document_id, one.version].append(Placed(one, n, score))
    rows = {}
    for document, nodes in by_document.items():
        nodes.sort(key=lambda node: node.candidate.start)
        starts = [node.candidate.start for node in nodes]
        rows[document] = NodeRow(starts, [node.candidate.end for node in nodes], nodes)
    return rows


def _holder(first: int, last: int, row: NodeRow) -> Placed | None:
    """Returns the best of the nodes that share half of a chunk, or of themselves, with it.

    `first` and `last` bound the chunk.
    """
    starts, ends, nodes = row
    if len(nodes) == 1 and starts[0] <= first and last <= ends[0]:
        return nodes[0]  # all chunks of a document lie in its node
    best: Placed | None = None
    for n in range(bisect_right(ends, first), bisect_left(starts, last)):
        start, end = starts[n], ends[n]
        common = min(end, last) - max(start, first)
        length = min(end - start, last - first)
        if 2 * common >= length and (best is None or nodes[n].scaled > best.scaled):
            best = nodes[n]
    return best


def _place_of(candidate: Candidate) -> tuple[str, str, int, str]:
    """Returns where a candidate stands, which orders those of equal scores."""
    return candidate.document_id, candidate.version, candidate.start, candidate.chunk_id


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
    most = max(SURE, *scores) if scores else SURE
    return [score / most for score in scores]


SCALES: Mapping[Scale, Callable[[Sequence[float]], list[float]]] = {
    "min_max": _min_max,
    "reciprocal_rank": _reciprocal_rank,
}
"""Makes a leg's scores, given best first, comparable with those of another leg."""


# -- what is shown -------------------------------------------------------------------------------


def drop_copies(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Yields hits without those that repeat a better one: copies, and overlaps in a document.

    The same words under another title are not a copy: two reports may share a sentence.
    """
    seen: set[tuple[str, ...]] = set()
    kept: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)  # spans by document
    for hit in hits:
        words = " ".join(hit.chunk.text.casefold().split())
        copy = (hit.chunk.title, *hit.chunk.section, words)
        start, end = hit.chunk.start, hit.chunk.end
        inside = OVERLAP * (end - start)
        if copy in seen or any(
            min(end, last) - max(start, first) > inside for first, last in kept[hit.document_id]
        ):
            continue
        seen.add(copy)
        kept[hit.document_id].append((start, end))
        yield hit


def explain(one: Ranked) -> Explanation:
    """Says what each leg and each signal gave a hit."""
    legs = tuple(
        LegScore(
            leg=leg,
            rank=placed.rank,
            raw=placed.candidate.score,
            scaled=placed.scaled,
            weight=one.weights[leg],
        )
        for leg, placed in one.by_leg.items()
    )
    signals = tuple([SignalScore(signal=name, added=more) for name, more in one.added])
    return Explanation(legs=legs, signals=signals)
