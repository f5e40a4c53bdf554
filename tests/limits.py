"""Bounds what one parse may take in a test, as the function's memory and time do when deployed."""

import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path

SECONDS = 30.0  # of processor time; `parse` has 300, for files a hundred times as large
MEGABYTES = 600  # that the process may grow by; `parse` has 1,769 in all
_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def bounded[**P, R](
    work: Callable[P, R], seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> Callable[P, R]:
    """Returns the function; it fails the test when a call of it takes more than it may."""

    @wraps(work)
    def call(*args: P.args, **named: P.kwargs) -> R:
        before, started = _memory("VmRSS"), time.process_time()
        _forget_peak()
        try:
            return work(*args, **named)
        finally:
            took, grew = time.process_time() - started, _memory("VmHWM") - before
            assert took < seconds, f"a parse took {took:.0f} s of processor time"
            assert grew < megabytes, f"a parse took {grew} MB"

    return call


def _memory(key: str) -> int:
    """Returns a figure of this process in MB; 0 where there is no Linux to tell it."""
    if not _STATUS.is_file():
        return 0
    line = next(line for line in _STATUS.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) >> 10


def _forget_peak() -> None:
    """Makes the largest memory so far the memory now."""
    try:
        _RESET.write_text("5")
    except OSError:
        return  # a machine that does not allow it: the peak of the process is then compared
