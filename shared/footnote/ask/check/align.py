"""Aligns the parts of a claim with those of a sentence: which of them say the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.check.parts import Part

_WEIGHTS = {"figure": 3, "period": 2, "name": 2, "direction": 2, "not": 2, "limit": 2, "word": 2}


class Alignment(NamedTuple):
    """A claim and a sentence, and which of their parts are paired.

    `pairs`: index in the claim → index in the sentence; each index occurs once.
    """

    claim: Sequence[Part]
    said: Sequence[Part]
    pairs: Mapping[int, int]

    @property
    def unpaired_claim(self) -> list[int]:
        return [i for i in range(len(self.claim)) if i not in self.pairs]

    @property
    def unpaired_said(self) -> list[int]:
        used = set(self.pairs.values())
        return [j for j in range(len(self.said)) if j not in used]

    @property
    def turns(self) -> list[int]:
        """Which of the paired parts stand in the sentence before the one before them, from 1."""
        places = [self.pairs[i] for i in sorted(self.pairs)]
        return [n for n in range(1, len(places)) if places[n] < places[n - 1]]

    def beside(self, i: int) -> list[int]:
        """Returns the sentence's unpaired parts that stand where part `i` of the claim does."""
        before = max((k for k in self.pairs if k < i), default=None)
        after = min((k for k in self.pairs if k > i), default=None)
        first = self.pairs[before] + 1 if before is not None else 0
        last = self.pairs[after] if after is not None else len(self.said)
        used = set(self.pairs.values())
        return [j for j in range(first, last) if j not in used]


def align(claim: Sequence[Part], said: Sequence[Part]) -> Alignment:
    """Pairs the longest common subsequence, then equal parts of clauses that changed places."""
    pairs = _common_subsequence(claim, said)
    _draw_together(pairs, said)
    used = set(pairs.values())
    for i, part in enumerate(claim):
        if i in pairs:
            continue
        free = [j for j, other in enumerate(said) if j not in used and is_same(part, other)]
        if free:
            near = _beside(claim, i)
            pairs[i] = max(free, key=lambda j: len(near & _beside(said, j)))
            used.add(pairs[i])
    return Alignment(claim, said, pairs)


def _draw_together(pairs: dict[int, int], said: Sequence[Part]) -> None:
    """Moves a pair that stands alone beside the next one, if its part stands there as well."""
    for i in sorted(pairs, reverse=True):
        beside = pairs[i + 1] - 1 if i + 1 in pairs else -1
        alone = pairs.get(i - 1, -2) + 1 != pairs[i]
        if alone and beside > pairs[i] and said[beside].key == said[pairs[i]].key:
            pairs[i] = beside


def is_same(one: Part, other: Part) -> bool:
    return one.key == other.key


def _beside(parts: Sequence[Part], i: int) -> set[str]:
    return {part.key for part in (*parts[max(0, i - 1) : i], *parts[i + 1 : i + 2])}


def _common_subsequence(claim: Sequence[Part], said: Sequence[Part]) -> dict[int, int]:
    rows = [[0] * (len(said) + 1) for _ in range(len(claim) + 1)]
    for i in range(len(claim) - 1, -1, -1):
        below, here, part = rows[i + 1], rows[i], claim[i]
        weight = _WEIGHTS[part.kind]
        for j in range(len(said) - 1, -1, -1):
            best = max(below[j], here[j + 1])
            if part.key == said[j].key:
                best = max(best, below[j + 1] + weight)
            here[j] = best
    pairs, i, j = {}, 0, 0
    while i < len(claim) and j < len(said):
        if (
            claim[i].key == said[j].key
            and rows[i][j] == rows[i + 1][j + 1] + _WEIGHTS[claim[i].kind]
        ):
            pairs[i] = j
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
