"""The HTTP client of Anthropic's SDK, whose replies end in time and are never fetched elsewhere.

Time-outs bound the silence between two bytes. A server that sends one byte a second, or nothing but
pings, outlasts them, and would work for a caller who has long left.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import anthropic
import httpx2


class BoundedStream(httpx2.SyncByteStream):
    """A reply's bytes, until a moment. Then it raises what a time-out does, and can be closed."""

    def __init__(
        self, stream: httpx2.SyncByteStream, until: float, clock: Callable[[], float]
    ) -> None:
        self._stream = stream
        self._until = until
        self._clock = clock

    def __iter__(self) -> Iterator[bytes]:
        for data in self._stream:
            if self._clock() >= self._until:
                raise httpx2.ReadTimeout("the reply did not end in time")
            yield data

    def close(self) -> None:
        self._stream.close()


class BoundedClient(anthropic.DefaultHttpxClient):
    """Reads a reply for as long as its request may wait for a connection (the time-out `pool`).

    That is the time left to the request, however long silence is borne. A redirect is no reply: the
    key would go to wherever it leads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(follow_redirects=False)
        self._clock = clock

    def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        began = self._clock()
        response = super().send(request, stream=True, **options)
        seconds = request.extensions.get("timeout", {}).get("pool")
        if seconds is not None and isinstance(response.stream, httpx2.SyncByteStream):
            response.stream = BoundedStream(response.stream, began + seconds, self._clock)
        if not stream:
            try:
                response.read()
            except BaseException:
                response.close()
                raise
        return response
