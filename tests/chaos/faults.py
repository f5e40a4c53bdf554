"""Ports that fail: an error or a kill, before or after a call, at each of the boundaries."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from footnote.errors import UnavailableError

RATE = 0.05  # of calls that crash
KILLED = 0.4  # of crashes that are the end of the process: nothing is caught, nothing recorded
SWEEP_RATE = 0.003  # of the many calls of a sweep
INTERLEAVED = 0.03  # of calls before which another message is worked off: workers run in parallel


class Killed(BaseException):
    """The Lambda is gone: out of time or memory."""


class Faults:
    """Decides at each boundary what happens. `calm` while nothing should."""

    def __init__(self, chance: random.Random) -> None:
        self.calm = False
        self.crashes = 0
        self.boundaries = 0
        self.rate = RATE
        self.meanwhile: Callable[[], None] = lambda: None
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
        """A boundary: perhaps another worker comes in between, perhaps this one ends here."""
        if self.calm:
            return
        self.boundaries += 1
        if self._depth < 2 and self._chance.random() < INTERLEAVED:
            self._depth += 1
            self.meanwhile()
            self._depth -= 1
        if self._chance.random() < self.rate:
            self.crashes += 1
            if self._chance.random() < KILLED:
                raise Killed(where)
            raise UnavailableError(f"crash {where}")


class Faulty:
    """A port of which every call may crash, before it or after."""

    def __init__(self, port: Any, faults: Faults, calls: frozenset[str]) -> None:
        self._port = port
        self._faults = faults
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        if name not in self._calls:
            return found

        def call(*args: Any, **options: Any) -> Any:
            self._faults.at(f"before {name}")
            result = found(*args, **options)
            self._faults.at(f"after {name}")
            return result

        return call
