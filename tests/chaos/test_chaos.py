"""Short chaos runs for every change; `make chaos` makes the long ones."""

import logging

import pytest

from tests.chaos.run import HISTORIES, run_history

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)  # thousands of failures are the point
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("kind", HISTORIES)
def test_nothing_is_lost_doubled_leaked_or_left_behind(kind):
    world, found = run_history(101, 400, 60, HISTORIES[kind])
    assert {name: count for name, count in found.items() if count} == {}
    assert world.onlooker.looked > 300
    assert world.reindexed
    if world.weather.crashes:
        assert world.faults.crashes > 300
        assert world.dead


def test_the_same_seed_is_the_same_history():
    first, second = (run_history(7, 120, 20)[0] for _ in range(2))
    assert (first.deliveries, first.faults.boundaries, first.faults.crashes, first.swept) == (
        second.deliveries,
        second.faults.boundaries,
        second.faults.crashes,
        second.swept,
    )
