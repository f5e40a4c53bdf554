"""Bounds how many replies last at once, over all processes: each holds an execution of the account.

An account may run ten at once, and the steps of the questions that are waited for need some.
"""

from collections.abc import Callable
from contextlib import suppress

from footnote.errors import UnavailableError
from footnote.ports import Counters

SLICE = 15  # seconds; a reply whose process was killed counts for two of these at most


class Streams:
    """Counts the replies that last, each in the slice of time in which it was last seen."""

    def __init__(self, counters: Counters, most: int, clock: Callable[[], float]) -> None:
        self._counters = counters
        self._most = most
        self._clock = clock

    def take(self) -> "Place | None":
        """Returns a place, or None where as many replies last as may."""
        now = self.slice()
        others = self._counters.read(name_of(now - 1))
        if others < self._most and self.add(now, 1, self._most - others):
            return Place(self, now)
        return None

    def slice(self) -> int:
        return int(self._clock() // SLICE)

    def add(self, slice_: int, amount: int, most: int | None = None) -> bool:
        return self._counters.add(name_of(slice_), amount, (slice_ + 4) * SLICE, most)


class Place:
    """The place of one reply that lasts."""

    def __init__(self, streams: Streams, slice_: int) -> None:
        self._streams = streams
        self._slice = slice_

    def keep(self) -> None:
        """Moves the place into the present slice. It is to be called more than once a slice."""
        if (now := self._streams.slice()) != self._slice:
            with suppress(UnavailableError):  # the reply goes on; for a while it is not counted
                self._streams.add(now, 1)
                self.leave()
                self._slice = now

    def leave(self) -> None:
        with suppress(UnavailableError):  # it is forgotten with its slice
            self._streams.add(self._slice, -1)


def name_of(slice_: int) -> str:
    return f"streams/{slice_}"
