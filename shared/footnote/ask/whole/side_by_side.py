"""Lays the lines of two documents beside each other: which say the same, which differ, and in what.

Lines are paired by their text, by the labels of their rows, and by the words that they share below
headings that share words. What is left is only in one of the documents.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from footnote.ask.check.align import align
from footnote.ask.check.parts import Part, parts_of
from footnote.model import CELL, Note
from footnote.text.sentences import BULLETS
from footnote.text.terms import numbers, terms

type Kind = Literal["figure", "date", "name", "limit", "wording"]

LEAST_SHARED = 0.5  # of the words of two lines that say the same of different things
SAME_HEADING = 0.15  # is added where they stand below headings with a word in common
MOST_PARTS = 160  # of a line that is compared part by part
COMMON = 200  # lines with a word, from which on it finds no partners
_NUMBERING = re.compile(
    rf"\A\s*+(?:[#>*{BULLETS}\u2013-]++\s++)?"
    r"(?:\(?(?:\d{1,3}(?:\.\d{1,3}){1,4}[.)]?|\d{1,3}[.)]|[a-z][.)])\s++)?"
)
_KINDS: dict[str, Kind] = {
    "figure": "figure",
    "period": "date",
    "name": "name",
    "direction": "limit",
    "not": "limit",
    "limit": "limit",
    "word": "wording",
}


class Pair(NamedTuple):
    """Lines of two documents about the same, and in what they differ; or a line of one alone."""

    left: Note | None
    right: Note | None
    kinds: tuple[Kind, ...] = ()

    @property
    def is_of_values(self) -> bool:
        """Whether more than words differ: a figure, a date, a name or a limit."""
        return bool(set(self.kinds) - {"wording"})


class SideBySide(NamedTuple):
    """Two documents: pairs that differ and lines of one alone; pairs that are equal."""

    pairs: tuple[Pair, ...]
    equal: tuple[Pair, ...] = ()

    @property
    def same(self) -> int:
        """The number of lines that say the same in both."""
        return len(self.equal)


class _Line(NamedTuple):
    note: Note
    plain: str
    words: frozenset[str]
    label: frozenset[str]
    heading: frozenset[str]


def lay_beside(left: Sequence[Note], right: Sequence[Note], language: str = "en") -> SideBySide:
    """Pairs the lines of two documents; returns what differs, in the order of the first."""
    lines, others = [_read(note) for note in left], [_read(note) for note in right]
    same = _equal(lines, others)
    rest = [n for n in range(len(lines)) if n not in same]
    taken = set(same.values())
    free = [n for n in range(len(others)) if n not in taken]
    partner = _alike(lines, rest, others, free)
    pairs: list[Pair] = []
    equal = [(n, Pair(lines[n].note, others[m].note)) for n, m in same.items()]
    for n in rest:
        if n not in partner:
            pairs.append(Pair(lines[n].note, None))
        elif kinds := _kinds(lines[n].note, others[partner[n]].note, language):
            pairs.append(Pair(lines[n].note, others[partner[n]].note, kinds))
        else:
            equal.append((n, Pair(lines[n].note, others[partner[n]].note)))
    found = set(partner.values())
    pairs += [Pair(None, others[n].note) for n in free if n not in found]
    equal.sort(key=lambda one: one[0])
    return SideBySide(tuple(pairs), tuple(pair for _, pair in equal))


def _read(note: Note) -> _Line:
    text = " ".join(note.passage.text.split())
    plain = _NUMBERING.sub("", text.casefold(), count=1).strip(" .|")
    label = text.strip("| ").partition(CELL)[0] if CELL in text else note.name
    heading = note.passage.section[-1] if note.passage.section else ""
    return _Line(
        note, plain, _words(text), _words(label) if label else frozenset(), _words(heading)
    )


@lru_cache(maxsize=8192)
def _words(text: str) -> frozenset[str]:
    return frozenset(terms(text)) - numbers(text)


def _equal(lines: Sequence[_Line], others: Sequence[_Line]) -> dict[int, int]:
    """Pairs lines with the same text, in their order."""
    waiting = defaultdict[str, deque[int]](deque)
    for n, line in enumerate(others):
        waiting[line.plain].append(n)
    return {n: waiting[one.plain].popleft() for n, one in enumerate(lines) if waiting[one.plain]}


def _alike(
    lines: Sequence[_Line], rest: Sequence[int], others: Sequence[_Line], free: Sequence[int]
) -> dict[int, int]:
    """Pairs lines that share most, the surest first; each line once."""
    having = defaultdict[str, list[int]](list)
    for m in free:
        for word in others[m].words | others[m].label:
            having[word].append(m)
    scored: list[tuple[float, float, int, int]] = []
    for n in rest:
        own = lines[n]
        near = {m for word in own.words | own.label if len(having[word]) <= COMMON
                for m in having[word]}  # fmt: skip
        for m in near:
            if (score := _shared(own, others[m])) >= LEAST_SHARED:
                apart = abs(n / len(lines) - m / len(others))
                scored.append((-score, apart, n, m))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, n, m in sorted(scored):
        if n not in pairs and m not in taken:
            pairs[n] = m
            taken.add(m)
    return pairs


def _shared(one: _Line, other: _Line) -> float:
    """Returns how much two lines share. Rows and named lines go by their labels alone."""
    if bool(one.label) != bool(other.label):
        return 0.0
    beside = SAME_HEADING * bool(one.heading & other.heading)
    if one.label:
        return _dice(one.label, other.label) * 0.85 + beside if one.label & other.label else 0.0
    return _dice(one.words, other.words) + beside


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))


def _kinds(left: Note, right: Note, language: str) -> tuple[Kind, ...]:
    """Returns in what two lines differ, the weightiest first; () where they say the same."""
    one, other = (_parts(note, language) for note in (left, right))
    if max(len(one), len(other)) > MOST_PARTS:
        keys = {part.key: part for part in (*one, *other)}
        apart = {part.key for part in one} ^ {part.key for part in other}
        differing = [keys[key] for key in apart]
    else:
        laid = align(one, other)
        differing = [one[n] for n in laid.unpaired_claim] + [other[n] for n in laid.unpaired_said]
    kinds = {_KINDS[part.kind] for part in differing}
    return tuple(kind for kind in dict.fromkeys(_KINDS.values()) if kind in kinds)


def _parts(note: Note, language: str) -> tuple[Part, ...]:
    plain = _NUMBERING.sub("", " ".join(note.passage.text.split()), count=1)
    return parts_of(plain, language)


def sections_of(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, int]]:
    """Yields lines of one document, those of one section as its first, with how many they are."""
    run: list[Pair] = []
    for pair in pairs:
        if run and _place(pair) != _place(run[0]):
            yield run[0], len(run)
            run = []
        run.append(pair)
    if run:
        yield run[0], len(run)


def _place(pair: Pair) -> tuple[bool, tuple[str, ...]]:
    note = pair.left or pair.right
    return pair.left is None, note.passage.section if note else ()
