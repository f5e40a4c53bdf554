"""Replies to requests with an idempotency key, in memory."""

import threading
import time
from collections.abc import Callable

from footnote.adapters.repeat_rules import AT_WORK_SECONDS, key_of, must_be_small
from footnote.model import Kept

DAY = 86_400


class MemoryRepeats:
    """Implements the port Repeats. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._kept: dict[str, tuple[Kept, float]] = {}  # with the time until which it holds
        self._clock = clock
        self._one = threading.Lock()

    def claim(self, name: str, digest: str) -> Kept | None:
        with self._one:
            found, until = self._kept.get(key_of(name), (None, 0.0))
            if found and until > self._clock():
                return found
            self._kept[key_of(name)] = (Kept(digest=digest), self._clock() + AT_WORK_SECONDS)
            return None

    def keep(self, name: str, digest: str, status: int, body: str) -> None:
        must_be_small(body)
        kept = Kept(digest=digest, status=status, body=body)
        self._kept[key_of(name)] = (kept, self._clock() + DAY)

    def release(self, name: str) -> None:
        self._kept.pop(key_of(name), None)
