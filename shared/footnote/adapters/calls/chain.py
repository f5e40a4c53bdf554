"""The way of every call to a paid provider, in this order:

cache → equal calls at one time are one call → limit of the provider → retries with jitter →
circuit breakers → next healthy provider by weight → an error that says what each of them said.
"""

import random
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LateError
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from footnote.adapters.calls.breaker import Breaker, State
from footnote.adapters.calls.door import ALWAYS_LATE, Door
from footnote.adapters.calls.lateness import LATE, NO_TIME, SLACK
from footnote.adapters.calls.quota import Quota
from footnote.errors import ConfigurationError, FootnoteError, UnavailableError

WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before each retry; the jitter takes 0 to all of them
LONGEST_WAIT = WAITS[-1]  # seconds; who asks to be left alone for longer is not waited for
LEAST = 0.05  # seconds; in less, no provider answers
FAIR = 1.0  # seconds; being late after less says nothing of a provider
DOWN = "No provider answered: {}."
LEFT_ALONE = "left alone after failures, the last: {}"


def say_nothing(_route: str, _error: FootnoteError, _state: State) -> None:
    """Stands for nobody who wants to know which provider failed."""


def never_says(_: UnavailableError) -> float | None:
    """Stands for a provider that does not say when to come back."""
    return None


@dataclass(frozen=True)
class Route[T]:
    """One provider: its name in messages, how to ask it, its limits. More weight is asked first.

    `retry_after` reads from an error for how many seconds the provider asked to be left alone.
    """

    name: str
    provider: T
    quota: Quota
    breaker: Breaker
    weight: int = 1
    retry_after: Callable[[UnavailableError], float | None] = never_says
    last: list[FootnoteError] = field(default_factory=list)  # at most one: why it is left alone

    def door(self, task: str) -> Door:
        return Door(self.breaker, self.breaker.of_task(task))


class Chain[T, R]:
    """Asks the first healthy route, else the next. Threads may share it.

    `keep` results are remembered by key. `jitter` chooses a wait between its two arguments. `tell`
    gets the name of a route that did not answer, its error and the state of its breaker.

    Routes that are not left alone have equal shares of the time, and a route's first attempt has
    all of its share. Another follows only where as much time is left as the last one took.
    """

    def __init__(
        self,
        routes: Sequence[Route[T]],
        *,
        keep: int = 0,
        waits: Sequence[float] = WAITS,
        longest: float = LONGEST_WAIT,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[float, float], float] = random.uniform,
        tell: Callable[[str, FootnoteError, State], None] = say_nothing,
    ) -> None:
        if not routes:
            raise ConfigurationError("a chain needs a provider")
        self.routes = sorted(routes, key=lambda route: -route.weight)
        self._keep = keep
        self._waits = waits
        self._longest = longest
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._tell = tell
        self._lock = Lock()
        self._kept: OrderedDict[str, R] = OrderedDict()
        self._flying: dict[str, Future[R]] = {}

    def call(
        self,
        key: str,
        tokens: int,
        seconds: float,
        ask: Callable[[T], R],
        *,
        remember: bool = True,
    ) -> R:
        """Returns what `ask` returns for a provider, or what it returned for an equal `key`.

        It is kept for calls to come only if `remember`, for what is large has caches of its own.
        Raises UnavailableError where none answers within `seconds`, and ConfigurationError where
        all of them need an operator.
        """
        until = self._clock() + seconds
        while True:
            with self._lock:
                if key in self._kept:
                    self._kept.move_to_end(key)
                    return self._kept[key]
                flight = self._flying.get(key)
                mine = flight is None
                if flight is None:
                    flight = self._flying[key] = Future()
            if mine:
                with self._landing(key, flight, remember=remember):
                    flight.set_result(self._answer(tokens, until, ask))
                return flight.result()
            try:
                return flight.result(max(until - self._clock(), 0.0))
            except LateError:
                raise UnavailableError("an equal call was not done in time", code=NO_TIME) from None
            except UnavailableError as error:  # the caller who asked may have had less time
                if error.code != NO_TIME or until - self._clock() < LEAST:
                    raise

    def first[S](
        self,
        tokens: int,
        seconds: float,
        ask: Callable[[T, float], S],
        *,
        task: str = "",
        whole: bool = True,
    ) -> tuple[Route[T], S]:
        """Returns the route that answered, and what `ask` returns for it. Nothing is remembered.

        `ask` gets a provider and the seconds that it has. Unless that is the `whole` answer, the
        caller tells the route's door for this `task` what became of it. Raises as `call` does.
        """
        until = self._clock() + seconds
        failures: list[tuple[Route[T], FootnoteError]] = []
        for n, route in enumerate(self.routes, start=1):
            others = sum(one.breaker.state != "open" for one in self.routes[n:])
            share = (until - self._clock()) / (1 + others)
            call = _Call(tokens, self._clock() + share, ask, task, whole)
            try:
                return route, self._of_route(route, call)
            except (UnavailableError, ConfigurationError) as error:
                failures.append((route, error))
                self._tell(route.name, error, route.breaker.state)
        raise _sum_up(failures)

    def _answer(self, tokens: int, until: float, ask: Callable[[T], R]) -> R:
        return self.first(tokens, until - self._clock(), lambda provider, _: ask(provider))[1]

    @contextmanager
    def _landing(self, key: str, flight: Future[R], *, remember: bool) -> Iterator[None]:
        """Ends a flight: those who wait get its result or its error."""
        try:
            yield
        except BaseException as error:
            flight.set_exception(error)
            raise
        finally:
            with self._lock:
                del self._flying[key]
                if self._keep and remember and flight.exception() is None:
                    self._kept[key] = flight.result()
                    while len(self._kept) > self._keep:
                        self._kept.popitem(last=False)

    def _of_route[S](self, route: Route[T], call: "_Call[T, S]") -> S:
        """Asks a route until it answers, is left alone, or there is no time to ask again."""
        door = route.door(call.task)
        for most in (*self._waits, None):  # no retry after the last attempt
            if not door.admit():
                raise _left_alone(route, door)
            started = self._clock()
            try:
                return self._attempt(route, door, call)
            except UnavailableError as error:
                if error.code == NO_TIME or most is None or door.is_shut:
                    raise
                self._pause(route, error, most, call.until, took=self._clock() - started)
        raise AssertionError("the last wait is None, which ends the loop")

    def _pause(
        self, route: Route[T], error: UnavailableError, most: float, until: float, *, took: float
    ) -> None:
        """Waits until the route may be asked again. Raises the error where there is no time."""
        asked = route.retry_after(error)
        wait = self._jitter(0.0, most) if asked is None else asked
        if wait > self._longest or self._clock() + wait + max(took, LEAST) > until:
            raise error
        self._sleep(wait)

    def _attempt[S](self, route: Route[T], door: Door, call: "_Call[T, S]") -> S:
        """Makes one call and tells the door what became of it."""
        try:
            route.quota.take(call.tokens, call.until)
            result = self._within(route, call)
        except FootnoteError as error:
            if door.fail(error):
                route.last[:] = [error]
            raise
        except BaseException:  # what was asked is wrong, or we are: the provider is not
            door.forget()
            raise
        if call.whole:
            door.succeed()
        return result

    def _within[S](self, route: Route[T], call: "_Call[T, S]") -> S:
        """Makes the call in a thread of its own, which is abandoned when it is late.

        The provider is told its seconds and ends by itself in time. Where it does not, as a
        client's time-outs bound only the silence between two bytes, it is abandoned. An abandoned
        call keeps its turn until it ends, as the provider still works on it.
        """
        left = call.until - self._clock()

        def make() -> S:
            try:
                return call.ask(route.provider, left)
            finally:
                route.quota.release()

        if left < LEAST:
            route.quota.release()
            raise UnavailableError("no time was left", code=NO_TIME)
        pool = ThreadPoolExecutor(1, "provider")
        work = pool.submit(make)
        pool.shutdown(wait=False)
        late = LATE if left >= FAIR else NO_TIME
        try:
            return work.result(left + SLACK)
        except LateError:
            raise UnavailableError("it was not done in time", code=late) from None
        except UnavailableError as error:
            if error.code == LATE:
                error.code = late
            raise


class _Call[T, S](NamedTuple):
    """What is asked of a route: `until` when, for which task, and whether that is all of it."""

    tokens: int
    until: float
    ask: Callable[[T, float], S]
    task: str
    whole: bool


def _left_alone(route: Route[object], door: Door) -> FootnoteError:
    if door.is_late:
        return UnavailableError(ALWAYS_LATE)
    why = route.last[0] if route.last else UnavailableError("no call")
    kind = ConfigurationError if isinstance(why, ConfigurationError) else UnavailableError
    return kind(LEFT_ALONE.format(why.message), action=why.action)


def _sum_up(failures: Sequence[tuple[Route[object], FootnoteError]]) -> FootnoteError:
    """Makes one error of all: an operator must act only where no wait helps."""
    message = DOWN.format("; ".join(f"{route.name}: {error.message}" for route, error in failures))
    errors = [error for _, error in failures]
    if all(isinstance(error, ConfigurationError) for error in errors):
        return ConfigurationError(message, action=errors[0].action)
    had_no_time = all(error.code == NO_TIME for error in errors)
    return UnavailableError(message, code=NO_TIME if had_no_time else "")
