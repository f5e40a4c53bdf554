"""S3 sequencers: hexadecimal numbers that rise with every change, as AWS documents them."""

import threading
import time
from collections.abc import Callable


def microseconds() -> int:
    return time.time_ns() // 1000


class Sequence:
    """The time in microseconds, moved on by one where two changes share a microsecond."""

    def __init__(self, clock: Callable[[], int] = microseconds) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def following(self) -> str:
        """A sequencer greater than every one before; all have the same length."""
        with self._lock:
            self._last = max(self._last + 1, self._clock())
            return f"{self._last:016X}"
