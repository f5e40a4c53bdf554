"""Timers that share one thread; a function's environment sets one after each invocation."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

LOG = logging.getLogger(__name__)


class TimerThread:
    """Holds the timers that run and wakes for the one that is due first."""

    def __init__(self) -> None:
        self._due: dict[SharedTimer, float] = {}
        self._changed = threading.Condition()
        self._wakes = 0.0  # when it wakes by itself
        self._thread: threading.Thread | None = None

    def add(self, timer: "SharedTimer") -> None:
        with self._changed:
            due = time.monotonic() + timer.interval
            self._due[timer] = due
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="timers", daemon=True)
                self._thread.start()
            elif due < self._wakes:
                self._changed.notify()

    def remove(self, timer: "SharedTimer") -> None:
        with self._changed:
            self._due.pop(timer, None)

    def _run(self) -> None:
        while True:
            with self._changed:
                now = time.monotonic()
                ripe = [timer for timer, due in self._due.items() if due <= now]
                for timer in ripe:
                    del self._due[timer]
                if not ripe:
                    self._wakes = min(self._due.values(), default=float("inf"))
                    self._changed.wait(None if not self._due else self._wakes - now)
            for timer in ripe:  # each in a thread of its own, as what it does may take long
                threading.Thread(target=timer.call, name="timer", daemon=True).start()


THREAD = TimerThread()


class SharedTimer:
    """Calls a function after `interval` seconds unless it is cancelled: threading.Timer's methods.

    Equality is identity, so that a timer can be a key.
    """

    def __init__(
        self,
        interval: float,
        function: Callable[..., Any],
        args: list[Any] | None = None,
        kwargs: dict[str, Any] | None = None,
        *,
        thread: TimerThread = THREAD,
    ) -> None:
        self.interval = interval
        self._function, self._args, self._kwargs = function, args or [], kwargs or {}
        self._thread = thread

    def start(self) -> None:
        self._thread.add(self)

    def cancel(self) -> None:
        self._thread.remove(self)

    def call(self) -> None:
        try:
            self._function(*self._args, **self._kwargs)
        except Exception as error:  # noqa: BLE001 - as in any thread: nobody waits for it
            LOG.warning("a timer's call failed: %r", error)
