"""HTTP connections on which the headers of a reply come within the time that silence may last.

urllib3's time-out bounds the silence between two bytes. A server that sends its headers byte by
byte outlasts it, and would hold the connection for a caller who has long left. The body is bounded
by whoever reads it (`http_json.py`).
"""

import io
import math
import socket
import time
from collections.abc import Callable
from http.client import HTTPResponse
from typing import Any, ClassVar

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection


class BytesInTime(io.RawIOBase):
    """The bytes of a connection, for some seconds. Then it raises TimeoutError, unless let on."""

    def __init__(self, raw: io.RawIOBase, seconds: float, clock: Callable[[], float]) -> None:
        self._raw = raw
        self._clock = clock
        self._until = clock() + seconds

    def let_on(self) -> None:
        """Bounds nothing any more."""
        self._until = math.inf

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self._clock() >= self._until:
            raise TimeoutError("the headers did not come in time")
        return self._raw.readinto(buffer)

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        self._raw.close()
        super().close()


class ReplyInTime(HTTPResponse):
    """A reply whose headers come within the time-out of its socket."""

    clock: ClassVar[Callable[[], float]] = time.monotonic

    def __init__(self, sock: socket.socket, *given: Any, **options: Any) -> None:
        super().__init__(sock, *given, **options)
        seconds = sock.gettimeout()
        seconds = math.inf if seconds is None else seconds
        self._bytes = BytesInTime(self.fp.detach(), seconds, type(self).clock)
        self.fp = io.BufferedReader(self._bytes)

    def begin(self) -> None:
        super().begin()
        self._bytes.let_on()


class _Http(HTTPConnection):
    response_class = ReplyInTime


class _Https(HTTPSConnection):
    response_class = ReplyInTime


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Http


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Https


def open_pool(connections: int) -> urllib3.PoolManager:
    """Returns a pool of such connections, at most so many to one host. It retries nothing."""
    pool = urllib3.PoolManager(retries=False, maxsize=connections)
    pool.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return pool
