"""Keeps passages from saying one thing twice, and one side of a comparison from taking all places.

Pure: the same passages and the same question give the same order.
"""

from collections.abc import Callable, Iterable, Sequence

from footnote.ask.query.reading import QueryReading
from footnote.ask.query.sides import Side
from footnote.model import Hit, Passage
from footnote.text.language import words
from footnote.text.names import names

SHINGLE = 4  # words in a row that are compared
REPEATED = 0.9
"""Share of a passage's shingles that a better one has, from which on it says nothing new. A word in
the middle of 40 changes a tenth of them."""
_MOST_NAMES = 5_000  # of a passage: more than the token budget holds


def _is_of(side: Side, *texts: str) -> bool:
    return side <= set(names(*texts, most=_MOST_NAMES))


def of_hit(side: Side, hit: Hit) -> bool:
    chunk = hit.chunk
    return _is_of(side, hit.document, chunk.title, *chunk.section, chunk.text)


def of_passage(side: Side, passage: Passage) -> bool:
    told = (text for _, text in passage.parts())
    return _is_of(side, passage.document, passage.title, *passage.section, *told)


def add_sides(hits: Sequence[Hit], sides: Sequence[Side], most: int) -> list[Hit]:
    """Returns the first `most` hits and, of each side that none of them is of, the best other."""
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
        next((n for n, one in enumerate(passages) if of_passage(side, one)), -1) for side in sides
    ]
    reserved = [passages[n] for n in sorted(set(best)) if n >= 0]
    others = [one for n, one in enumerate(passages) if n not in best]
    kept = trim([*reserved, *others])
    return [one for one in passages if one in kept]


def by_document[Found: (Hit, Passage)](found: Sequence[Found]) -> list[Found]:
    """Returns what was found in turns: the best of each document, then the second best, and so on.

    `found` is best first, and so are the documents. A list has an item here and an item there: the
    budget is to hold something of each document before it holds more of one.
    """
    turns: dict[str, int] = {}
    placed = []
    for n, one in enumerate(found):
        turn = turns[one.document_id] = turns.get(one.document_id, -1) + 1
        placed.append((turn, n, one))
    return [one for _, _, one in sorted(placed, key=lambda place: place[:2])]


def drop_repeats(
    passages: Iterable[Passage], reading: QueryReading, *, in_all: bool = True
) -> list[Passage]:
    """Drops passages that a better one says in the same words; `passages` are best first.

    A passage stays if it has a word or a number of its own, or if the question names its document
    more closely. Where a question compares, or not `in_all`, what two documents say counts twice.
    """
    asked, compares = set(reading.names), bool(reading.sides) or not in_all
    kept: list[tuple[Passage, set[str], set[tuple[str, ...]], set[str]]] = []
    for passage in passages:
        said = words(" ".join(text for _, text in passage.parts()))
        own, rows = set(said), _shingles(said)
        called = asked & set(names(passage.document, passage.title))
        if not any(
            own <= other_words
            and len(rows & other_rows) >= REPEATED * len(rows)
            and called <= other_called
            and not (compares and other.document_id != passage.document_id)
            for other, other_words, other_rows, other_called in kept
        ):
            kept.append((passage, own, rows, called))
    return [passage for passage, *_ in kept]


def _shingles(said: Sequence[str]) -> set[tuple[str, ...]]:
    size = min(SHINGLE, len(said))
    return {tuple(said[n : n + size]) for n in range(len(said) - size + 1)}
