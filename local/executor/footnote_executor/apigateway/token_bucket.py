"""Counts the requests of one API key in one usage plan against rate, burst and daily quota."""

import time
from collections.abc import Callable
from typing import Literal

DAY_SECONDS = 86_400


class TokenBucket:
    """A bucket that fills at `rate` tokens a second up to `burst`; a request takes one token.

    Each request also takes one of the daily `quota`, if there is one.
    """

    def __init__(
        self,
        rate: float,
        burst: int,
        quota: int | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._rate, self._burst, self._quota, self._clock = rate, burst, quota, clock
        self._tokens, self._filled = float(burst), clock()
        self._day, self._used = 0, 0

    def take(self) -> Literal["throttled", "quota exceeded"] | None:
        """Takes one request; returns None, or the reason why it is refused."""
        now = self._clock()
        if (day := int(now // DAY_SECONDS)) != self._day:
            self._day, self._used = day, 0
        if self._quota is not None and self._used >= self._quota:
            return "quota exceeded"
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1:
            return "throttled"
        self._tokens -= 1
        self._used += 1
        return None
