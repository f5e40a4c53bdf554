"""Chaos with contextual lines switched on: whatever crashes, each line is paid for once."""

import logging

import pytest

from footnote.settings import Settings
from tests.chaos.world import World
from tests.unit.test_situate import Says

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)  # thousands of failures are the point
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", [201, 202])
def test_a_line_is_paid_for_once_whatever_crashes(seed):
    world = World(seed, keys=30)
    on = {"contextual_lines": "on"}
    world.pipeline.settings = Settings.model_validate(world.pipeline.settings.model_dump() | on)
    llm = world.pipeline.context_llm = Says("NONE")
    world.live_through(200)
    world.come_to_rest(4)
    asked = [request.prompt for request in llm.requests]
    texts = [prompt.split(" passage>>>\n")[1].rpartition("\n")[0] for prompt in asked]
    assert world.faults.crashes > 100
    assert texts
    assert len(texts) == len(set(texts))  # each version of each file has a text of its own
    assert set(world.verdict().values()) == {0}
