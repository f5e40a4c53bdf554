"""The table SIGNALS: what speaks for a passage beside the legs, in the order in which it is added.

A new signal is a row here, its name in `SignalName`, and a word in docs/reference.md.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.ask.find.ports import Ports
from footnote.ask.find.rank import Ranked, add_signals
from footnote.ask.find.signals import (
    FIRST,
    alike_signal,
    middle_of,
    page_signal,
    statement_signal,
)
from footnote.ask.query.reading import Query
from footnote.model import STRATEGIES, Candidate, LegsQuery, Recipe, Scope, SignalName

DEEPEST = 1_000  # candidates of a leg, the most that the index gives
DOCUMENTS = 50  # by their best hits, whose statements are looked up


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
"""Returns the ranked chunks with what a signal adds to their scores, best first."""


class SignalRow(NamedTuple):
    """What a signal says of a passage that it lifts, and how it does.

    `lift` is None where something else adds it: see the comments in the table.
    """

    says: str
    lift: Lift | None


def _lift_pages(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts the pages that the question names.

    The table is asked how long documents are only where a page is named from the back.
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
    """Lifts the statements that have the figure asked for."""
    if not request.recipe.stated or not request.query.reading.statements:
        return ranked
    statements = _statements_of(ranked, request)
    return add_signals([statement_signal(statements, request.recipe.stated)], ranked)


def _statements_of(ranked: Sequence[Ranked], request: SearchRequest) -> Sequence[Candidate]:
    """Returns the statements asked for that are in the first documents."""
    first = dict.fromkeys(one.chunk.document_id for one in ranked)
    ids = dict.fromkeys(islice(first, DOCUMENTS), "")
    if not ids:
        return ()
    inside = request.scope.model_copy(update={"documents": (), "document_ids": ids})
    update = {"legs": ("statement",), "scope": inside, "size": DEEPEST}
    return request.ports.index.search(request.legs.model_copy(update=update))["statement"]


def _lift_alike(ranked: list[Ranked], request: SearchRequest) -> list[Ranked]:
    """Lifts what is nearest in meaning to the middle of the first hits."""
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
