"""S3 sequencers as AWS documents them: hexadecimal numbers that rise with every change."""

import threading
import time
from collections.abc import Callable


def microseconds() -> int:
    return time.time_ns() // 1000


class Sequence:
    """Counts in microseconds of time, plus one when two changes share a microsecond."""

    def __init__(self, clock: Callable[[], int] = microseconds) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def next_sequencer(self) -> str:
        """Returns a sequencer greater than all before; they have the same length, 16 digits."""
        with self._lock:
            self._last = max(self._last + 1, self._clock())
            return f"{self._last:016X}"
