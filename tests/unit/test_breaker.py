"""The circuit breaker, the quota: every state by a clock that the test turns."""

import threading

import pytest

from footnote.adapters.calls.breaker import FAILURES, PAUSE, Breaker
from footnote.adapters.calls.lateness import NO_TIME
from footnote.adapters.calls.quota import Quota
from footnote.errors import UnavailableError
from tests.clocks import FakeClock


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def breaker(clock):
    return Breaker(clock)


def open_it(breaker):
    for _ in range(FAILURES):
        assert breaker.admit()
        breaker.fail()


def test_failures_in_a_row_open_it_and_not_one_fewer(breaker):
    for _ in range(FAILURES - 1):
        breaker.fail()
    assert breaker.state == "closed"
    breaker.fail()
    assert (breaker.state, breaker.admit()) == ("open", False)


def test_a_success_between_failures_begins_the_row_anew(breaker):
    for _ in range(FAILURES - 1):
        breaker.fail()
    breaker.succeed()
    for _ in range(FAILURES - 1):
        breaker.fail()
    assert breaker.state == "closed"


def test_it_can_be_opened_at_once(breaker):
    breaker.fail(at_once=True)
    assert breaker.state == "open"


def test_after_the_pause_one_call_is_let_through_and_no_other_meanwhile(breaker, clock):
    open_it(breaker)
    clock.now += PAUSE - 0.25
    assert not breaker.admit()
    clock.now += 0.25
    assert breaker.state == "half-open"
    assert [breaker.admit() for _ in range(3)] == [True, False, False]


def test_a_trial_that_succeeds_closes_it(breaker, clock):
    open_it(breaker)
    clock.now += PAUSE
    breaker.admit()
    breaker.succeed()
    assert (breaker.state, breaker.admit(), breaker.admit()) == ("closed", True, True)


def test_a_trial_that_fails_opens_it_for_another_pause(breaker, clock):
    open_it(breaker)
    clock.now += PAUSE
    breaker.admit()
    breaker.fail()
    clock.now += PAUSE - 0.25
    assert breaker.state == "open"
    clock.now += 0.25
    assert breaker.admit()


def test_a_trial_that_says_nothing_leaves_room_for_another(breaker, clock):
    open_it(breaker)
    clock.now += PAUSE
    assert breaker.admit()
    breaker.forget()
    assert (breaker.state, breaker.admit()) == ("half-open", True)


def test_a_trial_that_nobody_reports_does_not_keep_it_open_for_ever(breaker, clock):
    open_it(breaker)
    clock.now += PAUSE
    assert breaker.admit()
    clock.now += PAUSE
    assert breaker.admit()


def test_of_many_threads_one_makes_the_trial(clock):
    breaker, admitted, start = Breaker(clock), [], threading.Barrier(16)
    open_it(breaker)
    clock.now += PAUSE

    def ask():
        start.wait()
        admitted.append(breaker.admit())

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(admitted) == [False] * 15 + [True]


# -- the quota -------------------------------------------------------------------------------------


def test_tokens_flow_in_evenly_and_a_call_waits_for_what_it_lacks(clock):
    quota = Quota(9, 600, clock, clock.sleep)
    quota.take(600, until=100)
    quota.take(50, until=100)  # ten flow in each second
    assert clock.waits == [pytest.approx(5.0)]
    clock.now += 1_000
    quota.take(600, until=2_000)
    assert len(clock.waits) == 1


def test_unused_tokens_are_kept_for_a_minute_at_most(clock):
    quota = Quota(9, 600, clock, clock.sleep)
    clock.now += 10_000
    quota.take(600, until=20_000)
    quota.take(10, until=20_000)
    assert clock.waits == [pytest.approx(1.0)]


def test_a_call_for_more_than_a_minutes_tokens_waits_for_a_full_minute_and_leaves_a_debt(clock):
    quota = Quota(9, 600, clock, clock.sleep)
    quota.take(1_200, until=1_000)
    assert clock.waits == []
    quota.take(1, until=1_000)
    assert clock.waits == [pytest.approx(60.1)]


def test_who_cannot_get_tokens_in_time_is_told_at_once_and_gives_the_turn_back(clock):
    quota = Quota(1, 600, clock, clock.sleep)
    quota.take(600, until=100)
    quota.release()
    for _ in range(2):  # the first one's turn came back
        with pytest.raises(UnavailableError, match="600 tokens a minute") as told:
            quota.take(600, until=59)
        assert (told.value.code, clock.waits) == (NO_TIME, [])


def test_no_more_calls_at_once_than_allowed():
    quota = Quota(2)
    quota.take(1, until=quota._clock() + 1)
    quota.take(1, until=quota._clock() + 1)
    with pytest.raises(UnavailableError, match="2 calls at once") as told:
        quota.take(1, until=quota._clock() + 0.01)
    assert told.value.code == NO_TIME
    quota.release()
    quota.take(1, until=quota._clock() + 1)
