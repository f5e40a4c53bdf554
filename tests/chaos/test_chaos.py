"""A short chaos run for every change; `make chaos` is the long one."""

import logging

import pytest

from tests.chaos.run import run_history

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)  # thousands of failures are the point
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", [101, 102, 103])
def test_nothing_is_lost_doubled_or_left_behind(seed):
    world = run_history(seed, events=400, keys=60)
    assert world.faults.crashes > 300
    assert world.dead
    assert world.verdict() == {
        "lost": 0,
        "said wrong": 0,
        "seen too soon": 0,
        "duplicate chunks": 0,
        "orphans": 0,
        "resurrected": 0,
        "stuck": 0,
        "side effects done twice": 0,
    }


def test_the_same_seed_is_the_same_history():
    first, second = (run_history(7, events=120, keys=20) for _ in range(2))
    assert (first.deliveries, first.faults.boundaries, first.faults.crashes, first.swept) == (
        second.deliveries,
        second.faults.boundaries,
        second.faults.crashes,
        second.swept,
    )
