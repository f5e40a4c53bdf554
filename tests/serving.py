"""Runs a server of this process beside a test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer

POLL = 0.02  # seconds between two looks whether to end


@contextmanager
def serving[T: HTTPServer](server: T, *ends: threading.Event) -> Iterator[T]:
    """Lets a server answer in a thread of its own until the block ends.

    `ends` are set then: they end what still waits in the server.
    """
    thread = threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        for each in ends:
            each.set()
        server.shutdown()
        server.server_close()
        thread.join()


def url_of(server: HTTPServer) -> str:
    """Returns the address of a server on this machine."""
    return f"http://127.0.0.1:{server.server_port}"
