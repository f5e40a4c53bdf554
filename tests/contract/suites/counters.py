"""The suite of the port Counters."""

import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from footnote.ports import Counters


class CountersSuite:
    @pytest.fixture
    def counters(self) -> Counters:
        raise NotImplementedError

    @pytest.fixture
    def name(self):
        return f"c-{uuid.uuid4().hex}"

    @pytest.fixture
    def until(self):
        return time.time() + 600

    def test_a_counter_that_is_not_there_is_nought(self, counters, name):
        assert counters.read(name) == 0

    def test_what_is_added_is_summed(self, counters, name, until):
        assert [counters.add(name, n, until) for n in (3, 4, -2)] == [True] * 3
        assert counters.read(name) == 5

    def test_a_sum_reaches_its_most_and_not_more(self, counters, name, until):
        assert [counters.add(name, 2, until, most=5) for _ in range(3)] == [True, True, False]
        assert counters.add(name, 1, until, most=5)
        assert counters.read(name) == 5

    def test_more_than_the_most_is_refused_at_once(self, counters, name, until):
        assert not counters.add(name, 6, until, most=5)
        assert counters.read(name) == 0

    def test_what_is_given_back_may_be_taken_again(self, counters, name, until):
        assert counters.add(name, 5, until, most=5)
        assert counters.add(name, -1, until)
        assert counters.add(name, 1, until, most=5)

    def test_counters_are_apart(self, counters, name, until):
        counters.add(name, 5, until)
        assert counters.read(f"{name}x") == 0

    def test_of_fifty_at_once_ten_are_taken_where_ten_may(self, counters, name, until):
        with ThreadPoolExecutor(16) as pool:
            took = list(pool.map(lambda _: counters.add(name, 1, until, most=10), range(50)))
        assert (took.count(True), counters.read(name)) == (10, 10)
