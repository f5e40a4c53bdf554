"""The chain of providers: every step of it, by a clock that the test turns."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from footnote.adapters.calls import chain as chains
from footnote.adapters.calls.breaker import FAILURES, PAUSE, Breaker
from footnote.adapters.calls.chain import WAITS, Chain, Route
from footnote.adapters.calls.door import REFUSED
from footnote.adapters.calls.lateness import LATE, NO_TIME
from footnote.adapters.calls.quota import Quota
from footnote.errors import BadRequestError, ConfigurationError, UnavailableError
from tests.clocks import FakeClock

BUSY = UnavailableError("busy")
WRONG_KEY = ConfigurationError("wrong key", action="Mend the key.")


class Provider:
    """Plays a script of errors and answers; then it answers its name."""

    def __init__(self, name, *script):
        self.name = name
        self.script = list(script)
        self.asked = 0

    def ask(self):
        self.asked += 1
        told = self.script.pop(0) if self.script else self.name
        if isinstance(told, Exception):
            raise told
        return told


class Case:
    """A chain of providers on one clock; of jitter it takes all."""

    def __init__(
        self, *providers, keep=0, tokens=0, calls=4, jitter=None, retry_after=None, **settings
    ):
        self.clock = FakeClock()
        self.providers = {one.name: one for one in providers}
        self.routes = {
            one.name: Route(
                one.name,
                one,
                Quota(calls, tokens, self.clock, self.clock.sleep),
                Breaker(self.clock),
                weight=10 - n,
                **({"retry_after": retry_after} if retry_after else {}),
            )
            for n, one in enumerate(providers)
        }
        self.chain = Chain(
            list(self.routes.values()),
            keep=keep,
            clock=self.clock,
            sleep=self.clock.sleep,
            jitter=jitter or (lambda _, most: most),
            **settings,
        )

    def call(self, key="key", seconds=1_000.0, tokens=1):
        return self.chain.call(key, tokens, seconds, lambda one: one.ask())

    def asked(self):
        return {name: one.asked for name, one in self.providers.items()}

    def state(self, name):
        return self.routes[name].breaker.state


# -- retries ---------------------------------------------------------------------------------------


def test_a_busy_provider_is_asked_again_after_longer_and_longer_waits():
    case = Case(Provider("a", *[BUSY] * 4))
    assert case.call() == "a"
    assert case.clock.waits == list(WAITS[:4]) == [1.0, 2.0, 4.0, 8.0]


def test_jitter_takes_any_part_of_a_wait():
    given = []

    def half(least, most):
        given.append((least, most))
        return most / 2

    case = Case(Provider("a", BUSY, BUSY), jitter=half)
    case.call()
    assert (given, case.clock.waits) == ([(0.0, 1.0), (0.0, 2.0)], [0.5, 1.0])


def test_the_breaker_ends_retries_before_they_are_used_up():
    case = Case(Provider("a", *[BUSY] * 99))
    with pytest.raises(UnavailableError, match="a: busy"):
        case.call()
    assert (case.asked(), case.state("a")) == ({"a": FAILURES}, "open")


def test_without_a_breaker_that_opens_all_five_waits_are_taken():
    case = Case(Provider("a", *[BUSY] * 99))
    case.routes["a"].breaker._most = 99
    with pytest.raises(UnavailableError):
        case.call()
    assert (case.clock.waits, case.asked()) == ([1.0, 2.0, 4.0, 8.0, 16.0], {"a": 6})


def test_no_retry_begins_that_the_deadline_does_not_allow():
    case = Case(Provider("a", *[BUSY] * 99))
    with pytest.raises(UnavailableError, match="busy"):
        case.call(seconds=3.5)
    assert (case.clock.waits, case.clock.now, case.asked()) == ([1.0, 2.0], 3.0, {"a": 3})


def test_waits_and_the_longest_one_are_settings():
    case = Case(Provider("a", *[BUSY] * 3), waits=(0.5, 0.25, 0.125))
    assert (case.call(), case.clock.waits) == ("a", [0.5, 0.25, 0.125])
    case = Case(Provider("a", BUSY), retry_after=lambda _: 17.0, longest=17.0)
    assert (case.call(), case.clock.waits) == ("a", [17.0])


def slow(case, seconds, **settings):
    """Asks for what takes each provider so many seconds; returns what each was given."""
    given = []

    def ask(provider, left):
        given.append((provider.name, left))
        case.clock.now += min(seconds, left)
        if seconds > left:
            raise UnavailableError("no reply yet", code=LATE)
        return provider.ask()

    return given, lambda most: case.chain.first(1, most, ask, **settings)[1]


def test_one_provider_has_all_the_time_for_one_attempt():
    case = Case(Provider("a"))
    given, ask = slow(case, 12.0)
    assert (ask(20.0), given) == ("a", [("a", 20.0)])


def test_a_call_that_was_late_is_not_made_again_in_less_time():
    case = Case(Provider("a"))
    given, ask = slow(case, 21.0)
    with pytest.raises(UnavailableError, match="no reply yet"):
        ask(20.0)
    assert (given, case.clock.now) == ([("a", 20.0)], 20.0)


@pytest.mark.parametrize(("seconds", "times"), [(4.0, 2), (5.6, 1)])
def test_a_failure_is_tried_again_only_in_as_much_time_as_it_took(seconds, times):
    case = Case(Provider("a", *[BUSY] * 9), waits=(1.0,))
    given, ask = slow(case, seconds)
    with pytest.raises(UnavailableError, match="busy"):
        ask(12.0)
    assert len(given) == times


def test_providers_that_are_not_left_alone_share_the_time():
    case = Case(Provider("a"), Provider("b"), Provider("c"))
    case.routes["b"].breaker.fail(at_once=True)
    given, ask = slow(case, 11.0)
    assert (ask(24.0), given) == ("a", [("a", 12.0)])
    given, ask = slow(case, 15.0)
    with pytest.raises(UnavailableError):
        ask(24.0)
    assert given == [("a", 12.0), ("c", 12.0)]


def test_a_task_that_is_late_each_time_is_left_be_and_no_other():
    case = Case(Provider("a"))
    _, plans = slow(case, 21.0, task="plan")
    for _ in range(FAILURES):
        with pytest.raises(UnavailableError, match="no reply yet"):
            plans(20.0)
    given, plans = slow(case, 21.0, task="plan")
    with pytest.raises(UnavailableError, match="left alone for this task"):
        plans(20.0)
    _, writes = slow(case, 21.0, task="synthesize")
    assert (given, case.state("a"), writes(70.0)) == ([], "closed", "a")
    case.clock.now += PAUSE
    _, plans = slow(case, 3.0, task="plan")
    assert [plans(20.0), plans(20.0)] == ["a", "a"]


def test_one_request_that_is_refused_says_nothing_of_the_next():
    too_long = ConfigurationError("2971 tokens are too many", code=REFUSED)
    case = Case(Provider("a", *[too_long] * (FAILURES + 1)))
    for _ in range(FAILURES + 1):
        with pytest.raises(ConfigurationError, match="2971 tokens"):
            case.call()
    assert (case.call(), case.state("a")) == ("a", "closed")


def test_what_is_not_the_whole_answer_leaves_the_breaker_as_it_is():
    case = Case(Provider("a", *[BUSY] * 4))
    route, said = case.chain.first(1, 1_000.0, lambda one, _: one.ask(), whole=False)
    assert (route.name, said, case.state("a")) == ("a", "a", "closed")
    route.breaker.fail()  # the fifth in a row
    assert case.state("a") == "open"


def test_a_provider_that_says_when_is_asked_then():
    case = Case(Provider("a", BUSY), retry_after=lambda _: 7.0)
    assert case.call() == "a"
    assert case.clock.waits == [7.0]


@pytest.mark.parametrize("asked_for", [17.0, 500.0])
def test_a_provider_that_wants_a_long_rest_is_not_waited_for(asked_for):
    case = Case(Provider("a", BUSY), Provider("b"), retry_after=lambda _: asked_for)
    assert (case.call(), case.clock.waits) == ("b", [])


def test_what_only_an_operator_can_mend_is_not_tried_again():
    case = Case(Provider("a", WRONG_KEY))
    with pytest.raises(ConfigurationError, match=r"No provider answered: a: wrong key\.") as told:
        case.call()
    assert (told.value.action, case.asked(), case.state("a")) == ("Mend the key.", {"a": 1}, "open")


def test_a_request_that_is_wrong_goes_to_nobody_else_and_is_nobodys_failure():
    case = Case(Provider("a", BadRequestError("too many")), Provider("b"))
    with pytest.raises(BadRequestError, match="too many"):
        case.call()
    assert (case.asked(), case.state("a")) == ({"a": 1, "b": 0}, "closed")


# -- the breaker in the chain ----------------------------------------------------------------------


def test_a_provider_that_failed_is_left_alone_then_tried_once_then_used_again():
    case = Case(Provider("a", *[BUSY] * FAILURES))
    with pytest.raises(UnavailableError):
        case.call()
    with pytest.raises(UnavailableError, match="left alone after failures, the last: busy"):
        case.call()
    assert case.asked() == {"a": FAILURES}
    case.clock.now += PAUSE
    assert case.state("a") == "half-open"
    assert (case.call(), case.state("a"), case.asked()) == ("a", "closed", {"a": FAILURES + 1})


def test_a_trial_that_fails_is_not_retried():
    case = Case(Provider("a", *[BUSY] * (FAILURES + 1)))
    for _ in range(2):
        with pytest.raises(UnavailableError):
            case.call()
        case.clock.now += PAUSE
    assert case.asked() == {"a": FAILURES + 1}


def test_a_wrong_key_stays_an_operators_matter_while_the_provider_is_left_alone():
    case = Case(Provider("a", WRONG_KEY))
    for _ in range(2):
        with pytest.raises(ConfigurationError, match="wrong key") as told:
            case.call()
        assert told.value.action == "Mend the key."
    assert case.asked() == {"a": 1}


def test_half_open_admits_one_of_many_and_the_others_go_on():
    case = Case(Provider("a", WRONG_KEY), Provider("b"))
    assert case.call() == "b"
    case.clock.now += PAUSE
    assert case.routes["a"].breaker.admit()  # somebody else's trial
    assert case.call("other") == "b"
    assert case.asked() == {"a": 1, "b": 2}


# -- the next provider -----------------------------------------------------------------------------


def test_the_provider_with_most_weight_is_asked_first_and_the_next_one_stands_in():
    case = Case(Provider("a", WRONG_KEY), Provider("b", WRONG_KEY), Provider("c"))
    assert [route.name for route in case.chain.routes] == ["a", "b", "c"]
    assert (case.call(), case.asked()) == ("c", {"a": 1, "b": 1, "c": 1})


def test_weight_and_not_order_says_who_is_first():
    first, second = Provider("first"), Provider("second")
    routes = [Route("x", first, Quota(1), Breaker(), 1), Route("y", second, Quota(1), Breaker(), 5)]
    assert Chain(routes).call("k", 1, 5.0, lambda one: one.ask()) == "second"


def test_a_healthy_provider_with_more_weight_takes_over_again():
    case = Case(Provider("a", WRONG_KEY), Provider("b"))
    assert case.call("1") == "b"
    case.clock.now += PAUSE
    assert [case.call("2"), case.call("3")] == ["a", "a"]


def test_a_provider_has_half_of_the_time_where_others_follow():
    case = Case(Provider("a", *[BUSY] * 99), Provider("b", *[BUSY] * 99))
    with pytest.raises(UnavailableError, match=r"a: busy; b: busy"):
        case.call(seconds=8.0)
    # a: 1 and 2 of its 4 seconds; b: 1 and 2 of the 5 that are left
    assert (case.clock.waits, case.clock.now) == ([1.0, 2.0, 1.0, 2.0], 6.0)


def test_where_some_are_busy_and_some_wrong_a_later_call_may_succeed():
    case = Case(Provider("a", WRONG_KEY), Provider("b", *[BUSY] * 99))
    with pytest.raises(UnavailableError, match=r"a: wrong key; b: busy"):
        case.call(seconds=2.0)


def test_a_chain_of_nobody_is_a_mistake():
    with pytest.raises(ConfigurationError):
        Chain([])


# -- limits ----------------------------------------------------------------------------------------


def test_who_has_no_tokens_left_passes_on_to_the_next_and_is_not_called_ill():
    case = Case(Provider("a"), Provider("b"), tokens=60)
    assert case.call("1", tokens=60) == "a"
    assert case.call("2", seconds=10.0, tokens=60) == "b"
    assert (case.state("a"), case.clock.waits) == ("closed", [])


def test_where_time_allows_the_call_waits_for_its_tokens():
    case = Case(Provider("a"), tokens=60)
    case.call("1", tokens=60)
    assert case.call("2", tokens=5) == "a"
    assert case.clock.waits == [pytest.approx(5.0)]


def test_lack_of_time_is_no_failure_of_anybody():
    case = Case(Provider("a"), Provider("b"))
    for _ in range(FAILURES + 1):
        with pytest.raises(UnavailableError) as told:
            case.call(seconds=0.0)
        assert told.value.code == NO_TIME
    assert (case.asked(), case.state("a"), case.state("b")) == (
        {"a": 0, "b": 0},
        "closed",
        "closed",
    )


class Slow:
    """Answers when it is let."""

    def __init__(self):
        self.go, self.begun, self.asked = threading.Event(), threading.Event(), 0

    def ask(self):
        self.asked += 1
        self.begun.set()
        self.go.wait()
        return "slow"


def slow_chain(provider, calls=1):
    """Returns a chain whose clock stands still: however late a thread starts, it has its time."""
    still = FakeClock()
    return Chain([Route("slow", provider, Quota(calls, 0, still), Breaker(still))], clock=still)


def test_a_call_that_hangs_is_left_at_its_deadline_and_keeps_its_turn_until_it_ends():
    slow = Slow()
    chain = slow_chain(slow)
    with pytest.raises(UnavailableError, match="not done in time"):
        chain.call("1", 1, 0.1, Slow.ask)
    with pytest.raises(UnavailableError, match="1 calls at once"):
        chain.call("2", 1, 0.1, Slow.ask)
    slow.go.set()
    assert chain.call("3", 1, 60.0, Slow.ask) == "slow"


# -- cache and single flight -----------------------------------------------------------------------


def test_a_result_is_kept_and_the_oldest_ones_are_forgotten():
    case = Case(Provider("a"), keep=2)
    for key in ("1", "2", "1", "3", "1", "2"):
        case.call(key)
    assert case.asked() == {"a": 4}  # 2 was forgotten for 3


def test_what_has_a_cache_of_its_own_is_not_kept():
    case = Case(Provider("a"), keep=2)
    for remember in (False, False, True, True):
        case.chain.call("key", 1, 5.0, lambda one: one.ask(), remember=remember)
    assert case.asked() == {"a": 3}


def test_whoever_wants_to_know_is_told_which_provider_failed_and_whether_it_is_left_alone():
    told = []
    case = Case(Provider("a", BUSY), Provider("b", WRONG_KEY), Provider("c"))
    case.chain._tell = lambda name, error, state: told.append((name, error.code, state))
    assert case.call(seconds=1.5) == "c"
    assert told == [("a", "unavailable", "closed"), ("b", "configuration", "open")]


def test_a_failure_is_not_kept():
    case = Case(Provider("a", WRONG_KEY), keep=2)
    with pytest.raises(ConfigurationError):
        case.call()
    case.clock.now += PAUSE
    assert case.call() == "a"


@pytest.fixture
def waiting(monkeypatch):
    """Lists who waits for an equal call, each by the seconds for which it would."""
    found = []

    class Watched(Future):
        def result(self, timeout=None):
            if timeout is not None:
                found.append(timeout)
            return super().result(timeout)

    monkeypatch.setattr(chains, "Future", Watched)
    return found


def wait_for(waiting, count):
    while len(waiting) < count:
        time.sleep(0.001)


def test_equal_calls_at_one_time_are_one_call_and_others_are_their_own(waiting):
    slow = Slow()
    chain = slow_chain(slow, calls=9)
    with ThreadPoolExecutor(9) as pool:
        same = [pool.submit(chain.call, "same", 1, 60.0, Slow.ask) for _ in range(8)]
        slow.begun.wait()
        other = pool.submit(chain.call, "other", 1, 60.0, Slow.ask)
        while slow.asked < 2:
            time.sleep(0.001)
        wait_for(waiting, 7)
        slow.go.set()
        assert {one.result() for one in (*same, other)} == {"slow"}
    assert slow.asked == 2
    assert chain.call("same", 1, 60.0, Slow.ask) == "slow"  # nothing is kept: it is asked again
    assert slow.asked == 3


def test_who_waits_for_an_equal_call_gets_its_error():
    begun, go = threading.Event(), threading.Event()

    def ask(_):
        begun.set()
        go.wait()
        raise WRONG_KEY

    chain = slow_chain(object())
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(chain.call, "k", 1, 60.0, ask)
        begun.wait()
        second = pool.submit(chain.call, "k", 1, 60.0, ask)
        go.set()
        assert [type(one.exception()) for one in (first, second)] == [ConfigurationError] * 2


def test_who_waits_for_an_equal_call_of_a_busy_provider_does_not_ask_it_again(waiting):
    begun, go, asked = threading.Event(), threading.Event(), []

    def ask(_):
        asked.append(1)
        begun.set()
        go.wait()
        raise BUSY

    route = Route("slow", object(), Quota(1), Breaker())
    chain = Chain([route], sleep=lambda _: None)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(chain.call, "k", 1, 60.0, ask)
        begun.wait()
        second = pool.submit(chain.call, "k", 1, 60.0, ask)
        wait_for(waiting, 1)
        go.set()
        told = [str(one.exception()) for one in (first, second)]
    assert told == ["No provider answered: slow: busy."] * 2
    assert len(asked) == FAILURES


def test_who_has_less_time_than_the_one_that_asks_does_not_wait_for_it():
    slow = Slow()
    chain = slow_chain(slow)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(chain.call, "k", 1, 60.0, Slow.ask)
        slow.begun.wait()
        with pytest.raises(UnavailableError, match="an equal call was not done in time"):
            chain.call("k", 1, 0.05, Slow.ask)
        slow.go.set()
        assert first.result() == "slow"


def test_who_has_more_time_than_the_one_that_asked_asks_again():
    slow = Slow()
    chain = slow_chain(slow, calls=2)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(chain.call, "k", 1, 0.2, Slow.ask)
        slow.begun.wait()
        second = pool.submit(chain.call, "k", 1, 60.0, Slow.ask)
        assert isinstance(first.exception(), UnavailableError)
        slow.go.set()
        assert second.result() == "slow"
    assert slow.asked == 2
