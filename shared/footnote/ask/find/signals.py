"""The table SIGNALS: what speaks for a passage beside the legs, in the order in which it is added.

A signal adds to the scores of the chunks that it speaks for. It hides none: a question may name a
page by a number that the file counts otherwise. A new signal is a row here, its name in
`SignalName`, and a word in docs/reference.md.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.ask.find.ports import Ports
from footnote.ask.find.rank import Ranked, Signal, add_signals
from footnote.ask.query.page_references import NamedPage, label_of
from footnote.ask.query.reading import Query
from footnote.model import STRATEGIES, Candidate, LegsQuery, Recipe, Scope, SignalName, Vector

DEEPEST = 1_000  # candidates of a leg, the most that the index gives
DOCUMENTS = 50  # by their best hits, whose statements are looked up
PAGE = 0.5
"""What a named page adds, as a share of the way from the worst to the best score of a search. From
.4 on, more finds no more; less finds less (docs/experiments-search.md, "Pages that are named")."""
UNPRINTED = 0.5
"""The share of a page with the number that was named, in a file that prints other page numbers."""
FIRST = 3
"""The hits whose middle in meaning is searched for. From 2 to 5 the figures differ little, and no
number is best for all that was measured (docs/experiments-search.md, "Like the first hits")."""


class SearchRequest(NamedTuple):
    """A query, what its legs are asked, and the ports that answer."""

    query: Query
    legs: LegsQuery
    ports: Ports

    @property
    def recipe(self) -> Recipe:
        return STRATEGIES[self.query.search.strategy]

    @property
    def scope(self) -> Scope:
        return self.query.search.scope


type Lift = Callable[[list[Ranked], SearchRequest], list[Ranked]]
"""Adds a signal to the scores of ranked chunks, and returns them best first."""


class SignalRow(NamedTuple):
    """What a signal says of a passage that it lifts, and the function that lifts.

    `lift` is None for a signal that is added elsewhere: see the comment in the table.
    """

    says: str
    lift: Lift | None


def _lift_pages(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts the pages that the question names.

    It looks up how long documents are only where a page is named from the back.
    """
    named = request.query.reading.pages
    if not named:
        return ranked
    pages: dict[str, int] = {}
    if any(one.number < 0 for one in named):
        documents = sorted({one.chunk.document_id for one in ranked})
        records = request.ports.catalog.records(documents) if documents else []
        pages = {one.document_id: one.pages for one in records if one.version == one.live_version}
    return add_signals([page_signal(named, pages)], ranked)


def _lift_statements(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts the passages in statements that have the figure asked for."""
    if not request.recipe.stated or not request.query.reading.statements:
        return ranked
    statements = _statements_of(ranked, request)
    return add_signals([statement_signal(statements, request.recipe.stated)], ranked)


def _statements_of(ranked: Sequence[Ranked], request: SearchRequest) -> Sequence[Candidate]:
    """Returns the statements that the question is about, of the first documents."""
    first = dict.fromkeys(one.chunk.document_id for one in ranked)
    ids = dict.fromkeys(islice(first, DOCUMENTS), "")
    if not ids:
        return ()
    inside = request.scope.model_copy(update={"documents": (), "document_ids": ids})
    update = {"legs": ("statement",), "scope": inside, "size": DEEPEST}
    return request.ports.index.search(request.legs.model_copy(update=update))["statement"]


def _lift_alike(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts the passages that are nearest in meaning to the middle of the first hits."""
    recipe, index = request.recipe, request.ports.index
    if not recipe.alike or len(ranked) <= FIRST:
        return ranked
    first = [one.chunk_id for one in ranked[:FIRST]]
    vectors = index.vectors(first, request.scope)
    middle = middle_of([vectors[name] for name in sorted(first) if name in vectors])
    if middle is None:
        return ranked
    update = {"legs": ("meaning",), "vector": middle, "with_places": False}
    wanted = request.legs.model_copy(update={**update, "size": recipe.candidates})
    [nearest] = index.search(wanted).values()
    return add_signals([alike_signal(nearest, recipe.alike)], ranked)


SIGNALS: Mapping[SignalName, SignalRow] = {
    "page": SignalRow("the page is named", _lift_pages),
    "statement": SignalRow("it lies in the statement that has the figure", _lift_statements),
    "alike": SignalRow("it is like the first hits", _lift_alike),
    "read": SignalRow("a model that read it finds that it may answer", None),  # `reader_signal.py`
}


# -- what each adds --------------------------------------------------------------------------------


def page_signal(named: Collection[NamedPage], pages: Mapping[str, int]) -> Signal:
    """Returns the signal of the pages that a question names.

    `pages` counts the pages of documents, by id. A page named from the back is found only in those.
    """

    def share(chunk: Candidate) -> float:
        last = pages.get(chunk.document_id, 0)
        return max(_share(one, chunk, last) for one in named)

    return Signal("page", PAGE, share)


def statement_signal(statements: Sequence[Candidate], weight: float) -> Signal:
    """Returns the signal of chunks that overlap a statement by half of the shorter of the two."""
    tables = defaultdict[tuple[str, str], list[Candidate]](list)
    for one in statements:
        tables[one.document_id, one.version].append(one)

    def share(chunk: Candidate) -> float:
        return float(any(_in_half(chunk, one) for one in tables[chunk.document_id, chunk.version]))

    return Signal("statement", weight, share)


def middle_of(vectors: Sequence[Vector]) -> Vector | None:
    """Returns the direction of the vectors' sum, None where that has no length."""
    summed = [sum(each) for each in zip(*vectors, strict=True)]
    length = math.hypot(*summed)
    return [each / length for each in summed] if length else None


def alike_signal(nearest: Sequence[Candidate], weight: float) -> Signal:
    """Returns the signal of the chunks that are like the first hits: pseudo-relevance feedback.

    `nearest` are the chunks nearest to the middle of those hits, best first. Other chunks gain
    nothing, and none gains where all are equally near.
    """
    high, low = (nearest[0].score, nearest[-1].score) if nearest else (0.0, 0.0)
    apart = high - low
    shares = {one.chunk_id: (one.score - low) / apart for one in nearest if apart}
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
