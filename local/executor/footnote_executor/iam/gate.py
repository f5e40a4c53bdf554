"""The door of OpenSearch: lets in what a role has signed and may do, as a domain on AWS does.

A request needs a signature of version 4 for `es`. A role needs `es:ESHttp<Method>` on the domain's
ARN with the request's path. The root key of LocalStack (`test`) may do everything.
"""

import json
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

from footnote_executor.iam.rights import Right
from footnote_executor.iam.roles import Key, key_of, role_of
from footnote_executor.iam.signatures import Request, SignatureError, signer_of
from footnote_executor.iam.usage import judge

LOG = logging.getLogger(__name__)
ROOT = "test"  # LocalStack's root key, and its secret
SERVICE = "es"
SECONDS = 300  # that OpenSearch has for an answer; who asks gives up sooner
HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "expect"}
SIGNATURE = {"authorization", "x-amz-security-token", "x-amz-date", "x-amz-content-sha256"}


def secret_of(access_key: str) -> Key | None:
    return Key(ROOT) if access_key == ROOT else key_of(access_key)


def problem(request: Request, arn: str) -> str | None:
    """Returns why a request to the domain of this ARN may not pass; None where it may."""
    try:
        access_key = signer_of(request, SERVICE, secret_of, datetime.now(UTC))
    except SignatureError as error:
        return str(error)
    if access_key == ROOT:
        return None
    path = unquote(request.target.partition("?")[0])
    role = role_of(access_key)
    right = Right(f"es:ESHttp{request.method.title()}", arn + path)
    return judge(role, right) if role else f"{access_key} is no role's key"


class Gate(ThreadingHTTPServer):
    """Serves on a loopback port, where 0 is any that is free, what is at `url` behind it.

    `judge` says why a request may not pass, or None where it may.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, url: str, judge: Callable[[Request], str | None]) -> None:
        self.behind, self.judge = urlsplit(url).netloc, judge
        super().__init__(("127.0.0.1", port), Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Says nothing: a killed function drops its connection."""


class Handler(BaseHTTPRequestHandler):
    """One connection of a client, with one of its own to OpenSearch."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Gate

    def setup(self) -> None:
        super().setup()
        self.behind = HTTPConnection(self.server.behind, timeout=SECONDS)

    def finish(self) -> None:
        self.behind.close()
        super().finish()

    def log_message(self, *_args: object) -> None:
        """Says nothing: each request would print a line."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, body)
        if message := self.server.judge(request):
            LOG.warning("denied: %s", message)
            self.reply(403, json.dumps({"Message": message}).encode())
        else:
            self.pass_on(request)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - their names

    def pass_on(self, request: Request) -> None:
        kept = {
            name: value
            for name, value in request.headers.items()
            if name not in HOP | SIGNATURE | {"host"}
        }
        try:
            self.behind.request(request.method, request.target, request.body or None, kept)
            answer = self.behind.getresponse()
            found = answer.read()
        except (OSError, HTTPException) as error:
            self.behind.close()
            self.close_connection = True  # without an answer, as OpenSearch itself gave none
            LOG.warning("OpenSearch gave no answer: %r", error)
            return
        headers = {name: value for name, value in answer.getheaders() if name.lower() not in HOP}
        length = answer.getheader("Content-Length") or str(len(found))
        self.reply(answer.status, found, headers, length)

    def reply(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        length: str | None = None,
    ) -> None:
        self.send_response_only(status)
        for name, value in (headers or {"Content-Type": "application/json"}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", length or str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
