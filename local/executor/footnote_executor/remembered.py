"""Remembers what was made, for a time and up to a number."""

import threading
from collections.abc import Callable, Hashable
from typing import Any


class Remembered:
    """Values by key; each is made again after `seconds`, and the oldest goes when there are `most`.

    The clock returns seconds.
    """

    def __init__(self, seconds: float, most: int, clock: Callable[[], float]) -> None:
        self._seconds, self._most, self._clock = seconds, most, clock
        self._made: dict[Hashable, tuple[float, Any]] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """Returns the key's value. Two threads may both make one; then the last is kept."""
        known = self._made.get(key)
        if known and self._clock() < known[0]:
            return known[1]
        value = make()
        with self._lock:
            self._made.pop(key, None)
            self._made[key] = (self._clock() + self._seconds, value)
            if len(self._made) > self._most:
                del self._made[next(iter(self._made))]
        return value
