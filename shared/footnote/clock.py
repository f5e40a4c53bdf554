"""Timestamps as ISO 8601 text in UTC to the millisecond, their age, and the time a step took."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


def iso(seconds: float) -> str:
    """Returns the moment `seconds` after the epoch as text. Such texts sort by time."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def age(moment: str, now: float) -> float:
    """Returns the seconds from `moment` (ISO 8601) to `now` (seconds after the epoch)."""
    return now - datetime.fromisoformat(moment).timestamp()


def total_since(moment: str, now: float) -> dict[str, float]:
    """Returns `{"total": milliseconds}` from `moment` to `now`, as `age` takes them."""
    return {"total": round(age(moment, now) * 1000, 1)}


@contextmanager
def measure(step: str) -> Iterator[dict[str, float]]:
    """Yields a dict that gets `{step: milliseconds}` when the block ends."""
    timings: dict[str, float] = {}
    started = time.perf_counter()
    yield timings
    timings[step] = round((time.perf_counter() - started) * 1000, 1)
