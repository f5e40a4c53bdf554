"""Yields what work says while it goes on: the SDK pushes a reply, our runtime pulls its pieces."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event

type Say = Callable[[str], None]
type Work = Callable[[Say, Event], None]
"""What says pieces. It ends early once the event is set: then nobody reads them any more."""


def in_pieces(work: Work) -> Iterator[str]:
    """Runs work in a thread, in this context. Whoever closes the iterator waits for its end."""
    said: SimpleQueue[str | None] = SimpleQueue()
    gone = Event()
    with ThreadPoolExecutor(1) as threads:
        end = threads.submit(copy_context().run, work, said.put, gone)
        end.add_done_callback(lambda _: said.put(None))
        try:
            while (piece := said.get()) is not None:
                yield piece
        finally:
            gone.set()
        end.result()  # raises what the work raised
