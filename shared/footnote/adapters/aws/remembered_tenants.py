"""Remembers for a while who holds an API key, so that others are asked only now and then."""

import time
from collections.abc import Callable

from footnote.errors import ForbiddenError
from footnote.model import Caller
from footnote.ports import Tenants


class RememberedTenants:
    """Asks `tenants` about each key at most once in `seconds`.

    That a key has no tenant is remembered too, for `refused` seconds: a mistake that is mended is
    forgotten sooner. That nobody could be asked is not remembered.
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
        self._known: dict[str, tuple[float, Caller | str]] = {}  # good until; who, or why nobody

    def of(self, api_key_id: str) -> Caller:
        until, who = self._known.get(api_key_id, (0.0, ""))
        if not who or self._clock() >= until:
            who = self._look_up(api_key_id)
        if isinstance(who, str):
            raise ForbiddenError(who)
        return who

    def _look_up(self, api_key_id: str) -> Caller | str:
        """Asks, and remembers who the key's holder is or why it has none."""
        try:
            who: Caller | str = self._tenants.of(api_key_id)
            seconds = self._seconds
        except ForbiddenError as refusal:
            who, seconds = refusal.message, self._refused
        self._known[api_key_id] = (self._clock() + seconds, who)
        return who
