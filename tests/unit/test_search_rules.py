"""Both search indexes have a query for every leg, and each strategy is made of those."""

from typing import get_args

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.opensearch.leg_query import leg_bodies
from footnote.ask.find.rank import SCALES
from footnote.model import (
    STRATEGIES,
    ChunkLeg,
    LegsQuery,
    NameLeg,
    NodeKind,
    Scale,
    Scope,
    Strategy,
)

STATEMENT = "statement"  # no recipe has it: a search asks for it where a figure is asked for
CHUNK_LEGS, KINDS = get_args(ChunkLeg.__value__), get_args(NodeKind.__value__)
LEGS = tuple(dict.fromkeys((*CHUNK_LEGS, *KINDS, *get_args(NameLeg.__value__), STATEMENT)))


def asked(legs):
    scope = Scope(tenant="acme")
    return LegsQuery(text="the notice period in Porto", scope=scope, legs=legs, vector=[0.6, 0.8])


@pytest.mark.parametrize("leg", LEGS)
def test_opensearch_is_asked_for_every_leg(leg):
    [body] = leg_bodies(asked((leg,)), "vector_x", dimensions=2)
    assert "acme" in str(body["query"])


@pytest.mark.parametrize("leg", LEGS)
def test_the_memory_index_knows_every_leg(leg):
    assert MemorySearchIndex("m", 2).search(asked((leg,))) == {leg: []}


def test_every_strategy_is_a_recipe_of_legs_and_every_leg_is_in_one():
    assert set(STRATEGIES) == set(get_args(Strategy))
    assert {leg for recipe in STRATEGIES.values() for leg in recipe.legs} == {*LEGS} - {STATEMENT}
    assert set(SCALES) == set(get_args(Scale.__value__))
    for recipe in STRATEGIES.values():
        assert set(CHUNK_LEGS) & recipe.legs.keys()  # legs of nodes find no hits of their own
        assert all(weight > 0 for weight in recipe.legs.values())
        assert not recipe.figures or recipe.figures.keys() == recipe.legs.keys()
