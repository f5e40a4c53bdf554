"""A receiver of webhooks on loopback. It keeps what comes, and answers as it is told."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from tests.serving import LoopbackServer, serving


class Receiver(LoopbackServer):
    """Answers with `statuses` one after another, then always with the last of them."""

    def __init__(self) -> None:
        super().__init__(Handler)
        self.hook = f"{self.url}/hook?from=footnote"
        self.statuses: Sequence[int] = [204]
        self.only = ""  # with a text: all other requests get 204, and are not noted
        self.requests: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def bodies(self) -> list[tuple[bytes, str]]:
        return [(body, headers.get("footnote-event", "")) for _, headers, body in self.requests]


class Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        headers = {name.lower(): value for name, value in self.headers.items()}
        known = self.server
        if known.only.encode() not in body:
            self.send_response(204)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        status = known.statuses[min(len(known.requests), len(known.statuses) - 1)]
        known.requests.append((self.path, headers, body))
        self.send_response(status)
        if 300 <= status < 400:
            self.send_header("location", known.hook)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextmanager
def run_receiver() -> Iterator[Receiver]:
    with serving(Receiver()) as server:
        yield server
