"""What is late: nobody waits longer for a service than until a deadline, whatever it is doing."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event

from footnote.errors import UnavailableError

NO_TIME = "no_time"  # code of an UnavailableError that says nothing about the service
SLACK = 0.3  # seconds, so that a client's own time-out, which knows the cause, comes first


def yield_until[T](items: Iterator[T], deadline: float, clock: Callable[[], float]) -> Iterator[T]:
    """Yields items while they come in time. Raises what they raise, or UnavailableError.

    A client's time-outs bound only the silence between two bytes: a server that sends one byte a
    second outlasts them all. So the items are read in a thread of their own. It is abandoned when
    it is late or when the caller stops reading.
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
        raise UnavailableError("the language model was not done in time") from None


def _fill[T](queue: "SimpleQueue[T | None]", items: Iterator[T], left: Event) -> None:
    """Puts each item into the queue, then None. Stops once the reader has left."""
    try:
        for item in items:
            queue.put(item)
            if left.is_set():
                return
    finally:
        queue.put(None)
