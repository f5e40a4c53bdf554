"""Signals: what speaks for a chunk beside the legs that found it.

Pure. A signal adds to the scores of the chunks that it speaks for. It hides none: a question may
name a page by a number that the file counts otherwise.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.query.page_references import NamedPage, label_of
from footnote.model import Candidate, SignalName, Vector

PAGE = 0.5
"""What a named page adds, as a share of the way from the worst to the best score of a search. From
.4 on, more finds no more; less finds less (docs/experiments-search.md, "Pages that are named")."""
UNPRINTED = 0.5
"""What a page counts that has the number, where its file prints others on its pages."""


FIRST = 3
"""The hits whose middle in meaning is asked for. From 2 to 5 of them differ little, and no single
one is better for all that was measured (docs/experiments-search.md, "Like the first hits")."""


class Signal(NamedTuple):
    """What speaks for a chunk, by how much at most, and how far it does, from 0 to 1."""

    name: SignalName
    weight: float
    share: Callable[[Candidate], float]


def page_signal(named: Collection[NamedPage], pages: Mapping[str, int]) -> Signal:
    """Returns what lifts the pages that a question names.

    `pages` counts the pages of documents by id; without it no page is known from the back.
    """

    def share(chunk: Candidate) -> float:
        last = pages.get(chunk.document_id, 0)
        return max(_share(one, chunk, last) for one in named)

    return Signal("page", PAGE, share)


def statement_signal(found: Sequence[Candidate], weight: float) -> Signal:
    """Returns what lifts the chunks that share half of themselves, or of it, with a table found."""
    tables = defaultdict[tuple[str, str], list[Candidate]](list)
    for one in found:
        tables[one.document_id, one.version].append(one)

    def share(chunk: Candidate) -> float:
        return float(any(_in_half(chunk, one) for one in tables[chunk.document_id, chunk.version]))

    return Signal("statement", weight, share)


def middle_of(vectors: Sequence[Vector]) -> Vector | None:
    """Returns the direction in the middle of vectors, None where they have none."""
    summed = [sum(each) for each in zip(*vectors, strict=True)]
    length = math.hypot(*summed)
    return [each / length for each in summed] if length else None


def alike_signal(found: Sequence[Candidate], weight: float) -> Signal:
    """Returns what lifts chunks that are like the first hits: pseudo-relevance feedback.

    `found` are the nearest chunks to the middle of those hits, best first. A chunk that is not
    among them gets nothing, and none does where all are equally near.
    """
    high, low = (found[0].score, found[-1].score) if found else (0.0, 0.0)
    apart = high - low
    shares = {one.chunk_id: (one.score - low) / apart for one in found if apart}
    return Signal("alike", weight, lambda chunk: shares.get(chunk.chunk_id, 0.0))


def _in_half(one: Candidate, other: Candidate) -> bool:
    """Tells whether two share half of the shorter one of them."""
    common = min(one.end, other.end) - max(one.start, other.start)
    return 2 * common >= min(one.end - one.start, other.end - other.start)


def _share(named: NamedPage, chunk: Candidate, last: int) -> float:
    if named.number < 0:
        return float(bool(last) and last + 1 + named.number in chunk.pages)
    if named.label and named.label in map(label_of, chunk.labels):
        return 1.0
    if named.number not in chunk.pages:
        return 0.0
    return UNPRINTED if named.label and chunk.labels else 1.0
