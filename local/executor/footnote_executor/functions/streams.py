"""Replies that are handed on while their function still runs: one stream for each invocation."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

NULS = b"\0" * 8
MOST = 16 * 1024  # bytes in which API Gateway looks for the end of status and headers


class StreamError(Exception):
    """Raised when a function fails, or replies in another form."""


class Stream:
    """The pieces of a reply, put by who runs the function and read by who waits for the reply."""

    def __init__(self) -> None:
        self._pieces: SimpleQueue[bytes | StreamError | None] = SimpleQueue()

    def put(self, piece: bytes) -> None:
        self._pieces.put(piece)

    def end(self, error: str = "") -> None:
        """Ends the reply; with `error`, as one that broke off."""
        self._pieces.put(StreamError(error) if error else None)

    def __iter__(self) -> Iterator[bytes]:
        while (piece := self._pieces.get()) is not None:
            if isinstance(piece, StreamError):
                raise piece
            yield piece


class Streams:
    """The streams of invocations that run, by the invocation's id."""

    def __init__(self) -> None:
        self._streams: dict[str, Stream] = {}

    @contextmanager
    def open(self, request_id: str) -> Iterator[Stream]:
        self._streams[request_id] = stream = Stream()
        try:
            yield stream
        finally:
            del self._streams[request_id]

    def of(self, request_id: str) -> Stream | None:
        return self._streams.get(request_id)


STREAMS = Streams()


def read_head(pieces: Iterator[bytes]) -> tuple[dict[str, object], bytes]:
    """Reads status and headers, JSON up to eight NULs. Returns them and what has come behind them.

    Raises StreamError where they do not come within 16 KB, as API Gateway's guide wants.
    """
    head = b""
    for piece in pieces:
        head += piece
        before, nuls, rest = head.partition(NULS)
        if nuls:
            try:
                told = json.loads(before)
            except ValueError as error:
                raise StreamError(f"status and headers are no JSON: {before[:200]!r}") from error
            return told, rest
        if len(head) > MOST:
            break
    raise StreamError(f"no eight NULs end status and headers: {head[:200]!r}")
