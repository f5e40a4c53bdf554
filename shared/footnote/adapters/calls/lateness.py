"""What is late: nobody waits longer for a service than until a deadline, whatever it is doing."""

from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from queue import Empty, SimpleQueue
from threading import Event

from footnote.errors import UnavailableError

NO_TIME = "no_time"  # code of an UnavailableError that says nothing about the service
LATE = "late"  # code of one whose reply did not come in the time that it was given
SLACK = 0.3  # seconds, so that a client's own time-out, which knows the cause, comes first


def yield_until[T](
    items: Generator[T], deadline: float, clock: Callable[[], float]
) -> Generator[T]:
    """Yields items while they come in time. Raises what they raise, or UnavailableError.

    A client's time-outs bound only the silence between two bytes: a server that sends one byte a
    second outlasts them all. So the items are read in a thread of their own. When it is late, or
    the caller stops reading, it takes one more item and closes what it reads from.
    """
    queue: SimpleQueue[T | None] = SimpleQueue()
    left = Event()
    pool = ThreadPoolExecutor(1, "items")
    work = pool.submit(_fill, queue, items, left)
    pool.shutdown(wait=False)
    try:
        while (item := _next(queue, deadline + SLACK - clock())) is not None:
            yield item
        work.result()  # raises the error that ended the work, if any
    finally:
        left.set()


def _next[T](queue: "SimpleQueue[T | None]", seconds: float) -> T | None:
    try:
        return queue.get(timeout=max(seconds, 0.0))
    except Empty:
        raise UnavailableError("the language model was not done in time", code=LATE) from None


def _fill[T](queue: "SimpleQueue[T | None]", items: Generator[T], left: Event) -> None:
    """Puts each item into the queue, then None. Stops and closes once the reader has left."""
    try:
        with closing(items):
            for item in items:
                queue.put(item)
                if left.is_set():
                    return
    finally:
        queue.put(None)
