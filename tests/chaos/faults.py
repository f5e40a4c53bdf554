"""Ports that fail: an error or a kill before or after each call."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from footnote.errors import (
    ConfigurationError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)

RATE = 0.05  # share of boundaries (before or after a call) that crash
KILLED = 0.4  # share of crashes that end the process: nothing is caught, nothing recorded
SWEEP_RATE = 0.003  # the rate during a sweep, which makes many calls
LATE = 0.3  # share of kills after which the request that was under way is carried out later
MISCONFIGURED = 0.1  # share of errors that no waiting mends: a right that is missing
ODD = 0.1  # share of errors that are the call's own
INTERLEAVED = 0.03  # share of boundaries at which another worker handles a message first


# What a call may answer besides that it is not available. Reads of the table have none: that a
# document is not there would be a lie.
OWN: dict[str, type[FootnoteError]] = {
    "write": NotFoundError,
    "remove": ConflictError,
    "remove_older": ConflictError,
    "annotate": ConflictError,
    "send": NotFoundError,
}
CHANGES = frozenset({"write", "annotate", "remove", "remove_older", "put", "delete", "send"})
"""Calls whose request a service may carry out after the function that sent it was killed."""


class Killed(BaseException):
    """Raised when the Lambda is gone, out of time or memory."""


class Faults:
    """Decides at each boundary what happens; while `calm` is set, nothing does."""

    def __init__(self, chance: random.Random) -> None:
        self.calm = False
        self.crashes = 0
        self.boundaries = 0
        self.rate = RATE
        self.interleaved = INTERLEAVED
        self.meanwhile: Callable[[], None] = lambda: None
        self.under_way: list[Callable[[], object]] = []
        self._chance = chance
        self._depth = 0

    @contextmanager
    def at_rate(self, rate: float) -> Iterator[None]:
        before, self.rate = self.rate, rate
        try:
            yield
        finally:
            self.rate = before

    def at(self, where: str) -> None:
        """Passes a boundary: another worker may come in between, and this one may end here.

        Raises Killed or a FootnoteError for a crash.
        """
        if self.calm:
            return
        self.boundaries += 1
        if self._depth < 2 and self._chance.random() < self.interleaved:
            self._depth += 1
            self.meanwhile()
            self._depth -= 1
        if self._chance.random() < self.rate:
            self.crashes += 1
            if self._chance.random() < KILLED:
                raise Killed(where)
            raise self._error(where)

    def _error(self, where: str) -> FootnoteError:
        kind, call = self._chance.random(), where.rsplit(maxsplit=1)[-1]
        if kind < ODD and call in OWN:
            return OWN[call](f"crash {where}")
        if kind > 1 - MISCONFIGURED:
            return ConfigurationError(f"crash {where}")
        return UnavailableError(f"crash {where}")

    def leave_under_way(self, name: str, request: Callable[[], object]) -> None:
        """Keeps, now and then, a killed function's request: its service has it and takes its time.

        This is also how a write looks that is made but not searchable yet.
        """
        if name in CHANGES and self._chance.random() < LATE:
            self.under_way.append(request)

    def arrive(self) -> None:
        """Carries out one request that was left under way."""
        request = self.under_way.pop(self._chance.randrange(len(self.under_way)))
        with suppress(FootnoteError):
            request()


class Faulty:
    """Wraps a port: each of `calls` may crash before or after it.

    `killed` gets the name of a call whose sender was killed, and its request.
    """

    def __init__(
        self,
        port: Any,
        faults: Any,  # its `at` is called before and after each call
        calls: frozenset[str],
        killed: Callable[[str, Callable[[], object]], None] = lambda *_: None,
    ) -> None:
        unknown = sorted(name for name in calls if not hasattr(port, name))
        assert not unknown, f"{type(port).__name__} has no {unknown}: nothing would happen at them"
        self._port = port
        self._faults = faults
        self._calls = calls
        self._killed = killed

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        if name not in self._calls:
            return found

        def call(*args: Any, **options: Any) -> Any:
            try:
                self._faults.at(f"before {name}")
            except Killed:
                self._killed(name, partial(found, *args, **options))
                raise
            result = found(*args, **options)
            self._faults.at(f"after {name}")
            return result

        return call
