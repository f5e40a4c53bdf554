"""What one process asks of a provider: so many calls at once, so many tokens a minute."""

import time
from collections.abc import Callable
from threading import BoundedSemaphore, Lock

from footnote.adapters.calls.lateness import NO_TIME
from footnote.errors import UnavailableError

MINUTE = 60.0
NO_TURN = "no turn came in time: {} calls at once are allowed"
NO_TOKENS = "no turn came in time: {} tokens a minute are allowed"


class Quota:
    """Makes callers wait until they may ask. 0 tokens a minute sets no limit.

    Tokens flow in evenly, a minute's worth at most. A call that asks for more than that waits for
    a full minute's worth and leaves a debt to those after it.
    """

    def __init__(
        self,
        concurrent: int,
        tokens_a_minute: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.concurrent = concurrent
        self._turns = BoundedSemaphore(concurrent)
        self._rate = tokens_a_minute
        self._clock = clock
        self._sleep = sleep
        self._lock = Lock()
        self._left = float(tokens_a_minute)
        self._seen = clock()

    def take(self, tokens: int, until: float) -> None:
        """Takes a turn, which `release` gives back. Raises UnavailableError when `until` is near.

        The error's code says that it tells nothing of the provider.
        """
        if not self._turns.acquire(timeout=max(until - self._clock(), 0.0)):
            raise UnavailableError(NO_TURN.format(self.concurrent), code=NO_TIME)
        try:
            self._spend(tokens, until)
        except UnavailableError:
            self.release()
            raise

    def release(self) -> None:
        self._turns.release()

    def _spend(self, tokens: int, until: float) -> None:
        while wait := self._wait_for(tokens):
            if self._clock() + wait > until:
                raise UnavailableError(NO_TOKENS.format(self._rate), code=NO_TIME)
            self._sleep(wait)

    def _wait_for(self, tokens: int) -> float:
        """Takes the tokens and returns 0, or returns the seconds until they have flowed in."""
        if not self._rate:
            return 0.0
        with self._lock:
            now = self._clock()
            flowed = (now - self._seen) * self._rate / MINUTE
            self._left, self._seen = min(self._left + flowed, float(self._rate)), now
            lacking = min(tokens, self._rate) - self._left
            if lacking <= 1e-6:
                self._left -= tokens
                return 0.0
            return lacking * MINUTE / self._rate
