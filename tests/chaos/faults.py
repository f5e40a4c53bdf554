"""Ports that fail: an error or a kill before or after each call."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from footnote.errors import UnavailableError

RATE = 0.05  # share of boundaries (before or after a call) that crash
KILLED = 0.4  # share of crashes that end the process: nothing is caught, nothing recorded
SWEEP_RATE = 0.003  # the rate during a sweep, which makes many calls
INTERLEAVED = 0.03  # share of boundaries at which another worker handles a message first


class Killed(BaseException):
    """Raised when the Lambda is gone, out of time or memory."""


class Faults:
    """Decides at each boundary what happens; while `calm` is set, nothing does."""

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
        """Passes a boundary: another worker may come in between, and this one may end here.

        Raises UnavailableError or Killed for a crash.
        """
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
    """Wraps a port: each of `calls` may crash before or after it."""

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
