"""Counts what calls to paid providers have cost in this process since somebody last looked."""

from threading import Lock
from typing import NamedTuple

MILLION = 1_000_000


class Spent(NamedTuple):
    """`calls` are requests; `usd` lacks models that are not `priced`: no price is known."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    priced: bool = True


class Meter:
    """Adds up. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._spent = Spent()

    def add(self, tokens: int, usd: float | None) -> None:
        with self._lock:
            calls, known, sum_usd, priced = self._spent
            priced = priced and usd is not None
            self._spent = Spent(calls + 1, known + tokens, sum_usd + (usd or 0.0), priced)

    def take(self) -> Spent:
        """Returns what has been spent, and begins anew."""
        with self._lock:
            spent, self._spent = self._spent, Spent()
        return spent._replace(usd=round(spent.usd, 8))


def cost_of(tokens: int, usd_a_million: float | None) -> float | None:
    return None if usd_a_million is None else tokens * usd_a_million / MILLION
