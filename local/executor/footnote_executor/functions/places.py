"""Lets the invocations of one function wait in order for one of its few processes."""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

SOON = 0.1  # seconds that the first in line leaves to a busy process, however idle the machine is
LONG = 1.0  # seconds after which it has another process started, however busy the machine is
IDLE = 0.25  # share of the processors' time; below it one more process only takes from the others
LOOK = 0.05  # seconds between two looks of the first in line


def idle_seconds(stat: Path = Path("/proc/stat")) -> float:
    """Returns for how long this machine's processors were idle, as a mean of them; 0 if unknown."""
    try:
        figures = stat.read_text().splitlines()[0].split()
        ticks = int(figures[4]) + int(figures[5])  # idle, and waiting for disks
    except (OSError, IndexError, ValueError):
        return 0.0
    return ticks / os.sysconf("SC_CLK_TCK") / (os.cpu_count() or 1)


class Places:
    """The line of one function. Several threads take turns at once.

    At most `most` invocations have a process. A start takes about a second of processor, and a warm
    process is often free in milliseconds. So the first in line has a process started at once only
    where there is none (`running` tells how many). Else it waits: `SOON` where the machine was idle
    meanwhile, so that another process helps, `LONG` where it was not. One process starts at a time.
    """

    def __init__(
        self,
        most: int,
        running: Callable[[], int],
        idle: Callable[[], float] = idle_seconds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._running, self._idle, self._clock = most, running, idle, clock
        self._changed = threading.Condition()
        self._line: deque[object] = deque()
        self._held = 0
        self._starting: object | None = None  # whose process is being started

    @contextmanager
    def turn(self) -> Iterator[Callable[[], None]]:
        """Waits for a turn. Gives what is to be called as soon as a process has been found."""
        mine = object()
        with self._changed:
            self._line.append(mine)
            try:
                self._wait(mine)
            finally:
                self._line.remove(mine)
                self._changed.notify_all()
            self._held += 1
        try:
            yield lambda: self._found(mine)
        finally:
            with self._changed:
                self._held -= 1
            self._found(mine)

    def _wait(self, mine: object) -> None:
        while self._line[0] is not mine:
            self._changed.wait()
        since, idle = self._clock(), self._idle()
        while not self._may_go(mine, since, idle):
            self._changed.wait(LOOK)

    def _may_go(self, mine: object, since: float, idle: float) -> bool:
        """Returns whether the first in line may go; notes it where it will start a process."""
        if self._held >= self._most:
            return False
        running = self._running()
        if self._held - (self._starting is not None) < running:
            return True
        if self._starting is None and (not running or self._is_time(since, idle)):
            self._starting = mine
            return True
        return False

    def _is_time(self, since: float, idle: float) -> bool:
        waited = self._clock() - since
        spare = waited >= SOON and self._idle() - idle >= IDLE * waited
        return spare or waited >= LONG

    def _found(self, mine: object) -> None:
        with self._changed:
            if self._starting is mine:
                self._starting = None
            self._changed.notify_all()
