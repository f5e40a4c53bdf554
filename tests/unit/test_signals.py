"""The table of signals: a row is all that ranking and `why` need to know of a signal."""

from typing import get_args

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.ask.find.explain_miss import explain_miss
from footnote.ask.find.rank import Signal, add_signals
from footnote.ask.find.signals import SIGNALS, SignalRow
from footnote.model import SearchQuery, SignalName
from tests.contract.search_suite import DIMENSIONS, EAST, indexed_chunk, inside
from tests.contract.strategy_suite import World

TEXTS = ("the harbour fee", "the harbour harbour master")


@pytest.fixture
def world():
    world = World(MemorySearchIndex("m", DIMENSIONS))
    for text in TEXTS:
        world.publish([indexed_chunk(text, key=f"acme/reports/{text[-3:]}.pdf", vector=EAST)])
    return world


def lift_fees(ranked, _request):
    """Lifts what costs something, as a signal of its own would."""
    return add_signals(
        [Signal("page", 2.0, lambda chunk: float(chunk.end == len(TEXTS[0])))], ranked
    )


def test_every_signal_has_a_row_and_no_row_is_of_another():
    assert tuple(SIGNALS) == get_args(SignalName.__value__)


def test_a_row_is_ranked_by_and_told_by_why(world, monkeypatch):
    plain = world.find("harbour", "lexical")
    assert [hit.chunk.text for hit in plain] == list(TEXTS[::-1])
    monkeypatch.setitem(SIGNALS, "page", SignalRow("it costs something", lift_fees))
    assert [hit.chunk.text for hit in world.find("harbour", "lexical")] == list(TEXTS)
    query = SearchQuery(text="harbour", scope=inside(), strategy="lexical", vector=EAST)
    record = world.catalog.get(plain[1].document_id)
    assert "it costs something +" in explain_miss(query, record, None, world.ports).looks[-1].told


@pytest.mark.parametrize("name", SIGNALS)
def test_every_row_says_something_of_a_passage(name):
    assert SIGNALS[name].says.split()[0] in {"it", "the", "a"}
