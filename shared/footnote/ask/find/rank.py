"""Ranks what the legs of a search found: scales their scores and fuses them.

A leg of nodes lifts the chunks that others have found: each has the score of the best node that it
lies in. Signals (`signals.py`) add to what the legs gave. All is pure, so that it is the same for
every index. Chunks of equal scores, such as those that say the same, are ordered by their place:
the first of a document comes first.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, get_args

from footnote.ask.find.signals import Signal
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
"""The score of one name that only one document in sixty has: less is no sure sign of what document
a question means, so it counts for less than all (docs/experiments-search.md, "Nodes and the name
of the document")."""
K = 60  # of reciprocal ranks: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", 2009
CHUNK_LEGS: frozenset[Leg] = frozenset(get_args(ChunkLeg.__value__))
NAME_LEGS: frozenset[Leg] = frozenset(get_args(NameLeg.__value__))
LEAST = 0.001  # of a leg's last hit by min-max, so that it differs from one not found
OVERLAP = 0.8  # share of a chunk that lies in a better one, above which it repeats that one


class Placed(NamedTuple):
    """A leg's candidate, with its rank there and its scaled score."""

    candidate: Candidate
    rank: int
    scaled: float


type Given = Mapping[Leg, Placed]


class Ranked(NamedTuple):
    """A chunk as one of the legs found it, its score, what each leg gave and what signals added.

    `weights` are those by which the legs were added up.
    """

    chunk: Candidate
    score: float
    given: Given
    weights: Mapping[Leg, float]
    added: tuple[tuple[SignalName, float], ...] = ()

    @property
    def chunk_id(self) -> str:
        return self.chunk.chunk_id


def rank(legs: Legs, recipe: Recipe, signals: Sequence[Signal] = ()) -> list[Ranked]:
    """Returns the chunks of all legs in one order, best first."""
    found = _place({leg: each for leg, each in legs.items() if leg in CHUNK_LEGS}, recipe.scale)
    chunks = [(next(iter(given.values())).candidate, given) for given in found]
    _lift(chunks, legs, recipe.scale)
    weights, whole = recipe.legs, sum(recipe.legs.values())
    ranked = []
    for chunk, given in chunks:
        # the mean by weight; a leg that did not find the chunk counts as 0
        score = sum([weights[leg] * one.scaled for leg, one in given.items()]) / whole
        ranked.append(Ranked(chunk, score, given, weights))
    return add_signals(signals, ranked)


def add_signals(signals: Sequence[Signal], ranked: Sequence[Ranked]) -> list[Ranked]:
    """Adds what signals say, and returns the chunks in their order by then, best first.

    They are measured by how far apart the scores of this search are.
    """
    return _in_order(_add(signals, ranked) if signals else ranked, lambda one: _spot(one.chunk))


def _add(signals: Sequence[Signal], ranked: Sequence[Ranked]) -> list[Ranked]:
    made = list(ranked)
    apart = spread([one.score for one in made])
    for signal in signals:
        for n, (chunk, score, given, weights, added) in enumerate(made):
            if share := signal.share(chunk):
                more = signal.weight * share * apart
                told = (*added, (signal.name, more))
                made[n] = Ranked(chunk, score + more, given, weights, told)
    return made


def spread(scores: Sequence[float]) -> float:
    """Returns how far apart the scores of a search are, which is what signals are measured by.

    Where all are equal, it is how far they are from 0.
    """
    most = max(scores, default=0.0)
    return most - min(scores, default=0.0) or most


def best_first(found: Iterable[Candidate]) -> list[Candidate]:
    """Returns what a leg found, best first, in the order in which ranks are given."""
    return _in_order(found, _spot)


def _in_order[One: (Candidate, Ranked)](
    found: Iterable[One], where: Callable[[One], tuple[str, str, int, str]]
) -> list[One]:
    """Returns what was found, best first; `where` orders equal scores, which are few."""
    by_score = sorted(found, key=_SCORE, reverse=True)
    made: list[One] = []
    for _, same in groupby(by_score, key=_SCORE):
        alike = list(same)
        made += sorted(alike, key=where) if len(alike) > 1 else alike
    return made


_SCORE = attrgetter("score")


def _place(legs: Legs, scale: Scale) -> Collection[dict[Leg, Placed]]:
    """Returns for each chunk what each leg gave."""
    found: defaultdict[str, dict[Leg, Placed]] = defaultdict(dict)
    for leg, candidates in legs.items():
        in_order = best_first(candidates)
        scaled = SCALES[scale]([one.score for one in in_order])
        for n, (one, score) in enumerate(zip(in_order, scaled, strict=True), 1):
            found[one.chunk_id][leg] = Placed(one, n, score)
    return found.values()


class Row(NamedTuple):
    """The nodes of one kind in a version of a document. They lie apart, so both bounds rise."""

    starts: list[int]
    ends: list[int]
    nodes: list[Placed]


def _lift(found: Iterable[tuple[Candidate, dict[Leg, Placed]]], legs: Legs, scale: Scale) -> None:
    """Gives chunks what each leg of nodes gave the nodes that they lie in."""
    chunks: defaultdict[tuple[str, str], list[tuple[int, int, dict[Leg, Placed]]]]
    chunks = defaultdict(list)  # by document and version
    for chunk, given in found:
        chunks[chunk.document_id, chunk.version].append((chunk.start, chunk.end, given))
    for leg, candidates in legs.items():
        if leg in CHUNK_LEGS:
            continue
        rows = _rows(candidates, _share_of_best if leg in NAME_LEGS else SCALES[scale])
        for document in rows.keys() & chunks.keys():
            row = rows[document]
            for start, end, given in chunks[document]:
                if node := _holder(start, end, row):
                    given[leg] = node


def _rows(
    candidates: Sequence[Candidate], scaled: Callable[[Sequence[float]], list[float]]
) -> dict[tuple[str, str], Row]:
    """Returns nodes by document and version."""
    in_order = best_first(candidates)
    scores = scaled([one.score for one in in_order])
    held: defaultdict[tuple[str, str], list[Placed]] = defaultdict(list)
    for n, (one, score) in enumerate(zip(in_order, scores, strict=True), 1):
        held[one.document_id, one.version].append(Placed(one, n, score))
    rows = {}
    for document, nodes in held.items():
        nodes.sort(key=lambda node: node.candidate.start)
        starts = [node.candidate.start for node in nodes]
        rows[document] = Row(starts, [node.candidate.end for node in nodes], nodes)
    return rows


def _holder(first: int, last: int, row: Row) -> Placed | None:
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


def _spot(candidate: Candidate) -> tuple[str, str, int, str]:
    """Returns what orders chunks of equal scores."""
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
"""What makes a leg's scores, which fall, comparable with those of another leg."""


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
    """Says what each leg gave a hit and what was made of it."""
    legs = tuple(
        LegScore(
            leg=leg,
            rank=placed.rank,
            raw=placed.candidate.score,
            scaled=placed.scaled,
            weight=one.weights[leg],
        )
        for leg, placed in one.given.items()
    )
    signals = tuple([SignalScore(signal=name, added=more) for name, more in one.added])
    return Explanation(legs=legs, signals=signals)
