"""Aligns the parts of a claim with those of a sentence: which of them say the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.check.parts import Part

RUNS = frozenset({"name", "period"})  # several in a row count as one: a full name, a date
EDGE_BONUS = 0.5  # added to `fit` for two parts that both begin or both end their sentences
WINDOW = 6  # parts on either side that tell a figure's place in its sentence
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
    used = set(pairs.values())
    for i, part in enumerate(claim):
        if i in pairs:
            continue
        free = [j for j, other in enumerate(said) if j not in used and is_same(part, other)]
        if free:
            pairs[i] = max(free, key=lambda j: fit(claim, i, said, j))
            used.add(pairs[i])
    return Alignment(claim, said, pairs)


def is_same(one: Part, other: Part) -> bool:
    return one.key == other.key


def fit(claim: Sequence[Part], i: int, said: Sequence[Part], j: int) -> float:
    """Returns how alike the surroundings of two parts are; nearer ones count more.

    Each side is compared by itself. A figure that changed places with another fits worse, for what
    it belongs to stands around it.
    """
    sides = ((_before(claim, i), _before(said, j)), (_after(claim, i), _after(said, j)))
    return sum(_likeness(mine, theirs) for mine, theirs in sides)


def neighbour_keys(parts: Sequence[Part], i: int, reach: int = WINDOW) -> set[str]:
    """Returns the keys of the parts near one, on either side; all figures have one key."""
    near = (*_before(parts, i)[:reach], *_after(parts, i)[:reach])
    return {"figure" if part.kind == "figure" else part.key for part in near}


def _before(parts: Sequence[Part], i: int) -> Sequence[Part]:
    while i and parts[i].kind == parts[i - 1].kind in RUNS:
        i -= 1
    return parts[max(0, i - WINDOW) : i][::-1]


def _after(parts: Sequence[Part], i: int) -> Sequence[Part]:
    while i + 1 < len(parts) and parts[i].kind == parts[i + 1].kind in RUNS:
        i += 1
    return parts[i + 1 : i + 1 + WINDOW]


def _likeness(mine: Sequence[Part], theirs: Sequence[Part]) -> float:
    total = 0.0
    for a, part in enumerate(mine):
        near = [abs(a - b) for b, other in enumerate(theirs) if _is_alike(part, other)]
        if near:
            total += 1 / ((1 + a) * (1 + min(near)))
    if not mine and not theirs:
        total += EDGE_BONUS
    return total


def _is_alike(one: Part, other: Part) -> bool:
    """Returns whether two neighbours are equal or both figures.

    Which figure it is counts only where that figure itself is compared.
    """
    return one.key == other.key or (one.kind == other.kind == "figure")


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
