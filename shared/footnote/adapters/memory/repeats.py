"""Replies to requests with an idempotency key, in memory."""

import threading
import time
from collections.abc import Callable

from footnote.adapters.rules.questions import AT_WORK_SECONDS, is_others, must_be_small, repeat_key
from footnote.model import Kept

DAY = 86_400


class MemoryRepeats:
    """Implements the port Repeats. Threads may share it."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._kept: dict[str, tuple[Kept, float]] = {}  # with the time until which it holds
        self._clock = clock
        self._one = threading.Lock()

    def claim(self, name: str, holder: str, digest: str) -> Kept | None:
        with self._one:
            kept, until = self._kept.get(repeat_key(name), (None, 0.0))
            if kept and until > self._clock() and is_others(kept, holder):
                return kept
            claimed = Kept(digest=digest, holder=holder)
            self._kept[repeat_key(name)] = (claimed, self._clock() + AT_WORK_SECONDS)
            return None

    def keep(self, name: str, holder: str, digest: str, status: int, body: str) -> None:
        must_be_small(body)
        kept = Kept(digest=digest, status=status, body=body, holder=holder)
        with self._one:
            if self._holds(name, holder):
                self._kept[repeat_key(name)] = (kept, self._clock() + DAY)

    def release(self, name: str, holder: str) -> None:
        with self._one:
            if self._holds(name, holder):
                self._kept.pop(repeat_key(name))

    def _holds(self, name: str, holder: str) -> bool:
        kept = self._kept.get(repeat_key(name))
        return kept is not None and kept[0].holder == holder
