"""Whether a service is asked for a task: not while it is down, nor where it is late each time.

A service that is down refuses connections, or answers 5xx or 429: then no task is asked for. A
reply that comes too late tells of its task alone. A plan may be too much for a small machine whose
answers would still come, so each task has a breaker of its own for that. One request that is
refused, as its text is too long, tells of neither.
"""

from footnote.adapters.calls.breaker import Breaker
from footnote.adapters.calls.lateness import LATE, NO_TIME
from footnote.errors import ConfigurationError, FootnoteError, UnavailableError

REFUSED = "request_refused"  # code of a ConfigurationError that tells of one request alone
ALWAYS_LATE = "left alone for this task: its last replies came too late"


class Door:
    """The two breakers that a call for a task has to pass."""

    def __init__(self, service: Breaker, task: Breaker) -> None:
        self._service = service
        self._task = task

    def admit(self) -> bool:
        if not self._service.admit():
            return False
        if self._task.admit():
            return True
        self._service.forget()
        return False

    @property
    def is_shut(self) -> bool:
        return self._service.state != "closed" or self._task.state != "closed"

    @property
    def is_late(self) -> bool:
        """Tells whether the task alone is left be."""
        return self._service.state == "closed" and self._task.state != "closed"

    def succeed(self) -> None:
        self._service.succeed()
        self._task.succeed()

    def forget(self) -> None:
        self._service.forget()
        self._task.forget()

    def fail(self, error: FootnoteError) -> bool:
        """Notes a failure. Returns whether it tells of the service, whatever is asked for."""
        match error:
            case UnavailableError(code=code) if code == LATE:
                self._service.forget()
                self._task.fail()
                return False
            case UnavailableError(code=code) if code != NO_TIME:
                self._service.fail()
            case ConfigurationError(code=code) if code != REFUSED:
                self._service.fail(at_once=True)  # a wrong key is as wrong in a second
            case _:
                self.forget()
                return False
        self._task.forget()
        return True
