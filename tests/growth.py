"""Tells work that grows with its input from work that grows with the square of it.

Four times the input takes four times as long in the one case and sixteen times in the other.
`LIMIT` lies in the middle of the two, so noise may double a time, or halve it, and the verdict
stays.
"""

import gc
import time
from collections.abc import Callable, Sized
from contextlib import suppress
from math import inf

from footnote.ask.check.parts import parts_of
from footnote.ask.check.segments import unzip
from footnote.errors import FootnoteError
from footnote.text.instructions import is_instruction
from footnote.text.terms import terms

STEP = 4
"""How many times the input is multiplied."""
LIMIT = 8.0
"""The factor that work must stay below."""
ENOUGH = 0.1
"""Seconds of processor time: in less, noise counts, and what grows with the input alone."""
_TRIES, _SIZES = 6, 2
_PAUSE = 1.0  # second between two tries: what disturbs one is often over at the next
_REMEMBERED = (parts_of, unzip, is_instruction, terms)


def growth[T: Sized](
    make: Callable[[int], T], work: Callable[[T], object], first: int = 1_000, most: int = 2_000_000
) -> float:
    """Returns by what factor the time grows when the input grows by `STEP`.

    Starts at the size `first` and goes on to one that takes `ENOUGH`, so that `most` (length of the
    input) bounds it: 0.0 where even that takes no time. A size at which memory no longer fits the
    processor's cache makes one step dear, and never the next; the square makes all of them dear.
    So this is the least of two steps.
    """
    n, small = first, make(first)
    while seconds(work, small) < ENOUGH:
        n, before = 2 * n, len(small)
        small = make(n)
        if len(small) > most or len(small) < 1.5 * before:
            return 0.0  # fast, or bounded by the format
    factor = inf
    for _ in range(_SIZES):
        factor = min(factor, ratio(work, make(n), make(STEP * n)))
        if factor < LIMIT:
            break
        n *= 2
    return factor


def ratio[T](work: Callable[[T], object], small: T, large: T) -> float:
    """Returns how many times as long the larger takes, by the least times of several tries.

    Another process can only make a time longer. It stops at the first ratio below `LIMIT`.
    """
    took = min(seconds(work, small) for _ in range(3))
    longer = seconds(work, large)
    for _ in range(_TRIES):
        if longer < LIMIT * took:
            break
        time.sleep(_PAUSE)
        took, longer = min(took, seconds(work, small)), min(longer, seconds(work, large))
    return longer / max(took, 0.002)


def seconds[T](work: Callable[[T], object], given: T) -> float:
    """Returns the processor time of one call that remembers nothing of earlier ones.

    Input that is refused takes its time as well.
    """
    for function in _REMEMBERED:
        function.cache_clear()
    gc.disable()  # what it collects is that of all tests before, in the larger work alone
    try:
        started = time.process_time()
        with suppress(FootnoteError):
            work(given)
        return time.process_time() - started
    finally:
        gc.enable()
