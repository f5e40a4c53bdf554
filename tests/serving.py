"""Servers of this process that answer beside a test."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

POLL = 0.02  # seconds between two looks whether to end


class LoopbackServer(ThreadingHTTPServer):
    """Answers on a port of this machine, each connection in a thread of its own."""

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints an error, unless it says only that the client has left."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def serving[T: LoopbackServer](server: T, *ends: threading.Event) -> Iterator[T]:
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
