"""Varies passages: drops those that repeat others, and keeps one for each side of a comparison."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from footnote.ask.query.reading import QueryReading
from footnote.ask.query.sides import Side
from footnote.model import Hit, Passage
from footnote.text.language import words
from footnote.text.names import names

SHINGLE = 4  # words in a row that are compared as one
REPEATED = 0.9
"""Share of a passage's shingles that a better one must have, for it to say nothing new. One other
word in the middle of 40 changes a tenth of them."""
_MOST_NAMES = 5_000  # of a passage: more than the token budget holds


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
    passages: Iterable[Passage], reading: QueryReading, *, in_all: bool = True
) -> list[Passage]:
    """Drops passages that a better one says in the same words; `passages` are best first.

    A passage stays if it has a word or a number of its own, or if the question names its document
    more closely. If the question compares, or without `in_all`, only a passage of the same document
    makes another one superfluous.
    """
    asked, within_document = set(reading.names), bool(reading.sides) or not in_all
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
