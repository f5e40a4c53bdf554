"""Moments as ISO 8601 text in UTC, to the millisecond; how old one is, and how long a step took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def iso(seconds: float) -> str:
    """The moment so many seconds after the epoch; as text it sorts as it should."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def age(moment: str, now: float) -> float:
    """Seconds from a moment in ISO 8601 to `now`, in seconds after the epoch."""
    return now - datetime.fromisoformat(moment).timestamp()


@contextmanager
def timed(step: str) -> Iterator[dict[str, float]]:
    """`{step: milliseconds}`, filled in when the block is left."""
    timings: dict[str, float] = {}
    started = time.perf_counter()
    yield timings
    timings[step] = round((time.perf_counter() - started) * 1000, 1)
