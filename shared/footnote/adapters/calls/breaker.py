"""A circuit breaker: leaves a failing service alone, then lets one call through to try it.

Its state is this process's own. What others know of a service would have to be read from a table
before each call, which takes longer than a search, and a process that does not know pays for it
with `FAILURES` calls.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Literal

FAILURES = 5  # in a row, after which the service is left alone
PAUSE = 30.0  # seconds for which it is then left alone; also what a trial may take

type State = Literal["closed", "open", "half-open"]


class Breaker:
    """Admits calls while closed, none while open, and one at a time while half-open.

    Whoever was admitted reports what became of the call: `succeed`, `fail`, or `forget` where it
    says nothing of the service. A trial that is never reported counts as over after `PAUSE`.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        failures: int = FAILURES,
        pause: float = PAUSE,
    ) -> None:
        self._clock = clock
        self._most = failures
        self._pause = pause
        self._lock = Lock()
        self._failures = 0
        self._until: float | None = None  # closed while None
        self._trial_until = 0.0
        self._tasks: dict[str, Breaker] = {}

    def of_task(self, task: str) -> "Breaker":
        """Returns the breaker of a task that the service does, with the same clock and bounds."""
        with self._lock:
            return self._tasks.setdefault(task, Breaker(self._clock, self._most, self._pause))

    @property
    def state(self) -> State:
        with self._lock:
            return self._state()

    def admit(self) -> bool:
        """Tells whether a call may be made now. While half-open it takes the one trial."""
        with self._lock:
            match self._state():
                case "closed":
                    return True
                case "open":
                    return False
            if self._clock() < self._trial_until:
                return False
            self._trial_until = self._clock() + self._pause
            return True

    def succeed(self) -> None:
        with self._lock:
            self._failures, self._until = 0, None

    def fail(self, *, at_once: bool = False) -> None:
        """Counts a failure. The last one in a row, one of a trial, or `at_once` opens."""
        with self._lock:
            self._failures += 1
            if at_once or self._failures >= self._most or self._until is not None:
                self._failures, self._trial_until = 0, 0.0
                self._until = self._clock() + self._pause

    def forget(self) -> None:
        """Gives the trial back, if the call was one."""
        with self._lock:
            self._trial_until = 0.0

    def _state(self) -> State:
        if self._until is None:
            return "closed"
        return "open" if self._clock() < self._until else "half-open"
