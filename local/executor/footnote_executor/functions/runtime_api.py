"""The Lambda Runtime API (2018-06-01) of one execution environment, served on a loopback port."""

import base64
import http.client
import json
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from typing import BinaryIO

from footnote_executor.functions.streams import Stream

PREFIX = "/2018-06-01/runtime/"
STREAMING = "Lambda-Runtime-Function-Response-Mode"


@dataclass
class Invocation:
    """One event on its way through the function; `done` is set to (is it an error, the reply)."""

    request_id: str
    payload: bytes
    function_arn: str
    trace_id: str
    timeout: float
    stream: Stream | None = None  # takes what comes before the end, where somebody waits for that
    done: "Future[tuple[bool, bytes]]" = field(default_factory=Future)

    def finish(self, *, is_error: bool, payload: bytes) -> None:
        if not self.done.done():
            self.done.set_result((is_error, payload))

    def fail(self, error_type: str, message: str) -> None:
        body = {"errorType": error_type, "errorMessage": f"RequestId: {self.request_id} {message}"}
        self.finish(is_error=True, payload=json.dumps(body).encode())

    def headers(self) -> dict[str, str]:
        """Returns the headers that accompany the event; the deadline counts from now."""
        return {
            "Lambda-Runtime-Aws-Request-Id": self.request_id,
            "Lambda-Runtime-Deadline-Ms": str(int((time.time() + self.timeout) * 1000)),
            "Lambda-Runtime-Invoked-Function-Arn": self.function_arn,
            "Lambda-Runtime-Trace-Id": self.trace_id,
        }


class RuntimeApi:
    """Hands events to one runtime process and collects its replies.

    Each process has its own: a request of one that was killed may still be read, and would take
    the event that is for the next.
    """

    def __init__(self) -> None:
        # set when the runtime asked for work, failed to import, or ended
        self.init_done = threading.Event()
        self.init_error: bytes | None = None
        self.current: Invocation | None = None
        self.events: SimpleQueue[Invocation | None] = SimpleQueue()
        self._server = RuntimeServer(self)
        self.address = f"127.0.0.1:{self._server.server_port}"
        name = f"runtime-api-{self.address}"
        threading.Thread(target=self._server.serve_forever, name=name, daemon=True).start()

    def submit(self, invocation: Invocation) -> None:
        self.current = invocation
        self.events.put(invocation)

    def close(self) -> None:
        self.events.put(None)  # releases a request that waits, with a 410
        self._server.shutdown()
        self._server.server_close()


class RuntimeServer(ThreadingHTTPServer):
    """The HTTP side of one RuntimeApi."""

    daemon_threads = True

    def __init__(self, api: RuntimeApi) -> None:
        self.api = api
        super().__init__(("127.0.0.1", 0), RuntimeHandler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing: a killed runtime is expected to drop its connection."""


class RuntimeHandler(BaseHTTPRequestHandler):
    """Answers GET for the next event and POST of its response or error."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: RuntimeServer

    def log_message(self, *_args: object) -> None:
        """Says nothing: each request would print a line."""

    def reply(
        self, status: int, body: bytes = b"{}", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if self.path != PREFIX + "invocation/next":
            self.reply(404)
            return
        api = self.server.api
        api.init_done.set()
        invocation = api.events.get()
        if invocation is None:
            self.reply(410)
        else:
            self.reply(200, invocation.payload, invocation.headers())

    def do_POST(self) -> None:
        api = self.server.api
        if self.headers.get(STREAMING) == "streaming":
            self.take_stream(self.path.removeprefix(PREFIX + "invocation/"))
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == PREFIX + "init/error":
            api.init_error = body
            api.init_done.set()
            self.reply(202)
            return
        request_id, _, kind = self.path.removeprefix(PREFIX + "invocation/").partition("/")
        current = api.current
        if kind not in ("response", "error") or current is None:
            self.reply(404)
        elif current.request_id != request_id:
            self.reply(400)
        else:
            self.reply(202)  # before `finish`, which lets the next event in
            current.finish(is_error=kind == "error", payload=body)

    def take_stream(self, path: str) -> None:
        """Takes a reply in pieces, and hands each on. One that nobody streams is put together."""
        current, whole = self.server.api.current, b""
        if current is None or path != f"{current.request_id}/response":
            self.reply(400)
            return
        for piece in read_chunks(self.rfile):
            if current.stream:
                current.stream.put(piece)
            else:
                whole += piece
        trailers = http.client.parse_headers(self.rfile)  # they tell of an error behind the head
        self.reply(202)
        if kind := trailers.get("Lambda-Runtime-Function-Error-Type"):
            encoded = trailers.get("Lambda-Runtime-Function-Error-Body") or ""
            current.finish(is_error=True, payload=base64.b64decode(encoded) or kind.encode())
        else:
            current.finish(is_error=False, payload=whole)


def read_chunks(body: BinaryIO) -> Iterator[bytes]:
    """Yields the chunks of a body, each as it comes (RFC 9112, 7.1); its trailers are left."""
    while size := int(body.readline().split(b";")[0], 16):
        yield body.read(size)
        body.readline()
