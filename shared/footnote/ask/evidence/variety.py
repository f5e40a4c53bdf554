"""Varies passages: drops those that repeat others, and keeps one for each side of a comparison."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from footnote.model import Hit, Passage
from footnote.text.language import words
from footnote.text.names import asked_names, names

SHINGLE = 4  # words in a row that are compared as one
REPEATED = 0.9
"""Share of a passage's shingles that a better one must have, for it to say nothing new. One other
word in the middle of 40 changes a tenth of them."""
_MOST_NAMES = 5_000  # of a passage: more than the token budget holds
_COMPARES = re.compile(
    r"\b(?:compar\w+|versus|vs|differ\w*|between|than|both|respectively|vergl\w+|unterschied\w*"
    r"|zwischen|diff[ée]ren\w+|entre|tra|fra)\b",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_a-z][\w&'-]*+"
_TWO = re.compile(
    rf"(?<![\w&'-])(?P<a>{_WORD}(?: {_WORD}){{0,3}}) (?:and|with|or|than|vs\.?|versus|against"
    r"|und|mit|oder|als|et|ou|avec|y) (?:(?:the|that of|der|die|das) )?"
    rf"(?P<b>{_WORD}(?: {_WORD}){{0,3}})"
)
_YEAR = re.compile(r"y\d{4}")

type Side = frozenset[str]
"""One side of a comparison: names (`text/names.py`) that must all stand in a text about it."""


def sides_of(question: str) -> tuple[Side, ...]:
    """Returns the sides that a question compares: years or two names; () if it compares none."""
    years = [name for name in asked_names(question) if _YEAR.fullmatch(name)]
    if len(years) > 1:
        return tuple(frozenset({year}) for year in years)
    if not _COMPARES.search(question):
        return ()
    for match in _TWO.finditer(question):
        sides = [_side(match[name]) for name in ("a", "b")]
        if all(sides) and sides[0] != sides[1]:
            return tuple(sides)
    return ()


def _side(text: str) -> Side:
    """Returns the names in one side's words; drops a first word such as "compare"."""
    return frozenset(names(text.partition(" ")[2] if _COMPARES.match(text) else text))


def _is_of(side: Side, *texts: str) -> bool:
    return side <= set(names(*texts, most=_MOST_NAMES))


def of_hit(side: Side, hit: Hit) -> bool:
    chunk = hit.chunk
    return _is_of(side, hit.document, chunk.title, *chunk.section, chunk.text)


def of_passage(side: Side, passage: Passage) -> bool:
    texts = (text for _, text in passage.parts())
    return _is_of(side, passage.document, passage.title, *passage.section, *texts)


def add_sides(hits: Sequence[Hit], sides: Sequence[Side], most: int) -> list[Hit]:
    """Returns the first `most` hits, and the best other hit for each side that they lack."""
    first, rest = list(hits[:most]), hits[most:]
    for side in sides:
        if not any(of_hit(side, hit) for hit in first):
            first += [hit for hit in rest if of_hit(side, hit)][:1]
    return first


def keep_sides(
    passages: Sequence[Passage],
    sides: Sequence[Side],
    trim: Callable[[Sequence[Passage]], list[Passage]],
) -> list[Passage]:
    """Trims passages so that the best one of each side stays; their order stays as well."""
    best = [
        next((n for n, passage in enumerate(passages) if of_passage(side, passage)), -1)
        for side in sides
    ]
    reserved = [passages[n] for n in sorted(set(best)) if n >= 0]
    others = [passage for n, passage in enumerate(passages) if n not in best]
    kept = trim([*reserved, *others])
    return [passage for passage in passages if passage in kept]


def by_document[Ranked: (Hit, Passage)](ranked: Sequence[Ranked]) -> list[Ranked]:
    """Returns the best of each document, then the second best of each, and so on.

    `ranked` is best first, and documents keep the order of their best. So the budget of a list,
    whose items stand in many documents, holds something of each before it holds more of one.
    """
    so_far: Counter[str] = Counter()
    turns = []
    for item in ranked:
        turns.append(so_far[item.document_id])
        so_far[item.document_id] += 1
    return [item for _, item in sorted(zip(turns, ranked, strict=True), key=lambda pair: pair[0])]


def drop_repeats(
    passages: Iterable[Passage], question: str, *, in_all: bool = True
) -> list[Passage]:
    """Drops passages that a better one says in the same words; `passages` are best first.

    A passage stays if it has a word or a number of its own, or if the question names its document
    more closely. If the question compares, or without `in_all`, only a passage of the same document
    makes another one superfluous.
    """
    asked, within_document = set(asked_names(question)), bool(sides_of(question)) or not in_all
    kept: list[tuple[Passage, set[str], set[tuple[str, ...]], set[str]]] = []
    for passage in passages:
        in_order = words(" ".join(text for _, text in passage.parts()))
        own, shingles = set(in_order), _shingles(in_order)
        called = asked & set(names(passage.document, passage.title))
        if not any(
            own <= other_words
            and len(shingles & other_shingles) >= REPEATED * len(shingles)
            and called <= other_called
            and not (within_document and other.document_id != passage.document_id)
            for other, other_words, other_shingles, other_called in kept
        ):
            kept.append((passage, own, shingles, called))
    return [passage for passage, *_ in kept]


def _shingles(in_order: Sequence[str]) -> set[tuple[str, ...]]:
    size = min(SHINGLE, len(in_order))
    return {tuple(in_order[n : n + size]) for n in range(len(in_order) - size + 1)}
