"""The way of every call to a paid provider, in this order:

cache → equal calls at one time are one call → limit of the provider → retries with jitter →
circuit breaker → next healthy provider by weight → an error that says what each of them said.
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

from footnote.adapters.calls.breaker import Breaker, State
from footnote.adapters.calls.lateness import NO_TIME, SLACK
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


class Chain[T, R]:
    """Asks the first healthy route, else the next. Threads may share it.

    `keep` results are remembered by key. `jitter` chooses a wait between its two arguments. `tell`
    gets the name of a route that did not answer, its error and the state of its breaker. `share` is
    what an attempt may take of a route's time if another one may follow it.
    """

    def __init__(
        self,
        routes: Sequence[Route[T]],
        *,
        keep: int = 0,
        waits: Sequence[float] = WAITS,
        longest: float = LONGEST_WAIT,
        share: float = 1.0,
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
        self._share = share
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
                    flight.set_result(self._first_answer(tokens, until, ask)[1])
                return flight.result()
            try:
                return flight.result(max(until - self._clock(), 0.0))
            except LateError:
                raise UnavailableError("an equal call was not done in time", code=NO_TIME) from None
            except UnavailableError as error:  # the caller who asked may have had less time
                if error.code != NO_TIME or until - self._clock() < LEAST:
                    raise

    def first[S](
        self, tokens: int, seconds: float, ask: Callable[[T], S], *, whole: bool = True
    ) -> tuple[Route[T], S]:
        """Returns the route that answered, and what `ask` returns for it. Nothing is remembered.

        Unless that is the `whole` answer, the caller tells the route's breaker what became of it.
        Raises as `call` does.
        """
        return self._first_answer(tokens, self._clock() + seconds, ask, whole=whole)

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

    def _first_answer[S](
        self, tokens: int, until: float, ask: Callable[[T], S], *, whole: bool = True
    ) -> tuple[Route[T], S]:
        """Returns the first route's answer. A route has half of the time if others follow it."""
        failures: list[tuple[Route[T], FootnoteError]] = []
        for n, route in enumerate(self.routes, start=1):
            left = until - self._clock()
            share = left if n == len(self.routes) else left / 2
            try:
                return route, self._of_route(route, tokens, self._clock() + share, ask, whole=whole)
            except (UnavailableError, ConfigurationError) as error:
                failures.append((route, error))
                self._tell(route.name, error, route.breaker.state)
        raise _sum_up(failures)

    def _of_route[S](
        self, route: Route[T], tokens: int, until: float, ask: Callable[[T], S], *, whole: bool
    ) -> S:
        """Asks a route until it answers, is left alone, or there is no time to ask again."""
        for most in (*self._waits, None):  # no retry after the last attempt
            if not route.breaker.admit():
                raise _left_alone(route)
            try:
                left = (until - self._clock()) * (1.0 if most is None else self._share)
                return self._attempt(route, tokens, self._clock() + left, ask, whole=whole)
            except UnavailableError as error:
                self._retry(route, error, most, until)
        raise AssertionError("the last wait is None, which ends the loop")

    def _retry(
        self, route: Route[T], error: UnavailableError, most: float | None, until: float
    ) -> None:
        """Waits until the route may be asked again. Raises the error where it may not."""
        if error.code == NO_TIME or most is None or route.breaker.state != "closed":
            raise error
        asked = route.retry_after(error)
        wait = self._jitter(0.0, most) if asked is None else asked
        if wait > self._longest or self._clock() + wait + LEAST > until:
            raise error
        self._sleep(wait)

    def _attempt[S](
        self, route: Route[T], tokens: int, until: float, ask: Callable[[T], S], *, whole: bool
    ) -> S:
        """Makes one call and tells the breaker what became of it."""
        breaker = route.breaker
        try:
            route.quota.take(tokens, until)
            result = self._within(route, until, ask)
        except ConfigurationError as error:  # a wrong key is as wrong in a second
            breaker.fail(at_once=True)
            route.last[:] = [error]
            raise
        except UnavailableError as error:
            if error.code == NO_TIME:
                breaker.forget()
            else:
                breaker.fail()
                route.last[:] = [error]
            raise
        except BaseException:  # what was asked is wrong, or we are: the provider is not
            breaker.forget()
            raise
        if whole:
            breaker.succeed()
        return result

    def _within[S](self, route: Route[T], until: float, ask: Callable[[T], S]) -> S:
        """Makes the call in a thread of its own, which is abandoned when it is late.

        A client's time-outs bound only the silence between two bytes. An abandoned call keeps its
        turn until it ends, as the provider still works on it.
        """

        def make() -> S:
            try:
                return ask(route.provider)
            finally:
                route.quota.release()

        left = until - self._clock()
        if left < LEAST:
            route.quota.release()
            raise UnavailableError("no time was left", code=NO_TIME)
        pool = ThreadPoolExecutor(1, "provider")
        work = pool.submit(make)
        pool.shutdown(wait=False)
        try:
            return work.result(left + SLACK)
        except LateError:
            code = "" if left >= FAIR else NO_TIME
            raise UnavailableError("it was not done in time", code=code) from None


def _left_alone(route: Route[object]) -> FootnoteError:
    why = route.last[0] if route.last else UnavailableError("no call")
    kind = ConfigurationError if isinstance(why, ConfigurationError) else UnavailableError
    return kind(LEFT_ALONE.format(why.message), action=why.action)


def _sum_up(failures: Sequence[tuple[Route[object], FootnoteError]]) -> FootnoteError:
    """Makes one error of all: an operator must act only where no wait helps."""
    told = DOWN.format("; ".join(f"{route.name}: {error.message}" for route, error in failures))
    errors = [error for _, error in failures]
    if all(isinstance(error, ConfigurationError) for error in errors):
        return ConfigurationError(told, action=errors[0].action)
    timed = all(error.code == NO_TIME for error in errors)
    return UnavailableError(told, code=NO_TIME if timed else "")
