"""Remembers for a while who holds an API key, so that most requests look nothing up."""

import time
from collections.abc import Callable

from footnote.errors import ForbiddenError
from footnote.model import Caller
from footnote.ports import Tenants


class RememberedTenants:
    """Asks `tenants` about each key at most once in `seconds`.

    It also remembers that a key has no tenant, but only for `refused` seconds, so that a mended
    mistake counts soon. It does not remember a look-up that failed.
    """

    def __init__(
        self,
        tenants: Tenants,
        seconds: float,
        refused: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tenants = tenants
        self._seconds = seconds
        self._refused = refused
        self._clock = clock
        self._answers: dict[str, tuple[float, Caller | str]] = {}  # its end; who, or why nobody

    def of(self, api_key_id: str) -> Caller:
        until, who = self._answers.get(api_key_id, (0.0, ""))
        if not who or self._clock() >= until:
            who = self._look_up(api_key_id)
        if isinstance(who, str):
            raise ForbiddenError(who)
        return who

    def _look_up(self, api_key_id: str) -> Caller | str:
        """Looks up the key's holder, or why it has none, and remembers the answer."""
        try:
            who: Caller | str = self._tenants.of(api_key_id)
            seconds = self._seconds
        except ForbiddenError as refusal:
            who, seconds = refusal.message, self._refused
        self._answers[api_key_id] = (self._clock() + seconds, who)
        return who
