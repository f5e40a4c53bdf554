"""A proxy between the functions of a local stack and its services that injects faults.

It has two loopback ports, one for AWS and one for OpenSearch. From a connection's socket it finds
the process at the other end, so that it can kill that process before or after a side effect.
"""

import os
import signal
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from local.process import find_marked
from tests.chaos.fates import SLOW, Fates
from tests.chaos.traffic import Traffic
from tests.chaos.wire import HALVES, Call, Reply, service_of, signed_anew
from tests.serving import LoopbackServer

HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "host", "expect"}
NO_BODY = (204, 304)
PATIENCE = 120  # seconds that a service has to answer
POLL = 0.02  # seconds between two checks whether to shut down
FUNCTION = b"AWS_LAMBDA_FUNCTION_NAME="


class Proxy:
    """Serves inside a `with`; `folder` belongs to the stack whose functions it may kill."""

    def __init__(self, aws_url: str, opensearch_url: str, folder: Path, fates: Fates) -> None:
        self.fates = fates
        self.traffic = Traffic()
        self.folder = folder
        self._servers = [Server(self, aws_url, None), Server(self, opensearch_url, "opensearch")]

    @property
    def variables(self) -> dict[str, str]:
        """Returns the environment variables that lead a function's clients here."""
        aws, opensearch = (f"http://127.0.0.1:{one.server_port}" for one in self._servers)
        names = ("S3", "DYNAMODB", "SQS")
        return {f"AWS_ENDPOINT_URL_{name}": aws for name in names} | {
            "FOOTNOTE_OPENSEARCH_URL": opensearch
        }

    def __enter__(self) -> Self:
        for server in self._servers:
            threading.Thread(target=server.serve_forever, args=(POLL,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()

    def end_worker(self, call: Call, server_port: int) -> None:
        """Kills the function's process that makes this call, as Lambda does."""
        for pid in functions_of(self.folder):
            if has_socket(pid, socket_between(call.port, server_port)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


class Server(LoopbackServer):
    request_queue_size = 128

    def __init__(self, proxy: Proxy, upstream: str, service: str | None) -> None:
        self.proxy = proxy
        self.upstream = urlsplit(upstream).netloc
        self.service = service
        super().__init__(Handler)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server

    def log_message(self, *_args: object) -> None:
        """Says nothing: each request would print a line."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        service = self.server.service or service_of(headers)
        port = self.client_address[1]
        self._serve(Call(service, self.command, self.path, headers, body, port))

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - their names

    def _serve(self, call: Call) -> None:
        proxy = self.server.proxy
        proxy.traffic.note_call(call)
        fate = proxy.fates.of(call)
        match fate:
            case "fine":
                self._answer(self._forward(call))
            case "throttled" | "broken":
                self._answer(proxy.fates.refusal(call, fate))
            case "half done":
                half = HALVES[call.service, call.operation]
                self._answer(half(call, self._forward_changed, proxy.fates.dice()))
            case "slow":
                reply = self._forward(call)
                time.sleep(SLOW[call.service])
                self._answer(reply)
            case "reset before":
                self._hang_up()
            case "killed before":
                self._end(call)
            case "reset after":
                self._forward(call)
                self._hang_up()
            case "killed after":
                self._forward(call)
                self._end(call)

    def _forward_changed(self, call: Call) -> Reply:
        """Forwards a request that the function has not signed as it is now."""
        return self._forward(signed_anew(call) if call.service == "opensearch" else call)

    def _forward(self, call: Call) -> Reply:
        connection = HTTPConnection(self.server.upstream, timeout=PATIENCE)
        try:
            kept = {name: value for name, value in call.headers.items() if name not in HOP}
            if call.service == "opensearch":  # a signature holds for the host that was asked
                kept["host"] = call.headers["host"]
            connection.request(call.method, call.path, call.body or None, kept)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            length = headers.get("content-length")
            reply = Reply(answer.status, answer.read(), headers)
        finally:
            connection.close()
        self.server.proxy.traffic.done(call, reply)
        if call.method == "HEAD":
            return Reply(reply.status, b"", headers | {"content-length": length or "0"})
        return reply

    def _answer(self, reply: Reply) -> None:
        head = self.command == "HEAD"
        length = reply.headers.get("content-length", "0") if head else str(len(reply.body))
        self.send_response_only(reply.status)
        for name, value in kept_headers(reply.headers).items():
            self.send_header(name, value)
        if reply.status not in NO_BODY:
            self.send_header("Content-Length", length)
        self.end_headers()
        if not head:
            self.wfile.write(reply.body)

    def _hang_up(self) -> None:
        self.close_connection = True

    def _end(self, call: Call) -> None:
        self.server.proxy.end_worker(call, self.server.server_port)
        self._hang_up()


def kept_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name not in HOP}


# -- who is calling ------------------------------------------------------------------------------


def functions_of(folder: Path) -> list[int]:
    """Returns the pids of a stack's Lambda functions."""
    found = []
    for process in find_marked(folder):
        with suppress(OSError):
            if FUNCTION in Path(f"/proc/{process.pid}/environ").read_bytes():
                found.append(process.pid)
    return found


def socket_between(local_port: int, remote_port: int) -> str:
    """Returns the inode of a loopback connection's local end; "" when it is closed."""
    ends = f":{local_port:04X}", f":{remote_port:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if fields[1].endswith(ends[0]) and fields[2].endswith(ends[1]):
            return fields[9]
    return ""


def has_socket(pid: int, inode: str) -> bool:
    """Returns whether a process has this socket open."""
    with suppress(OSError):
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                if inode and str(descriptor.readlink()) == f"socket:[{inode}]":
                    return True
    return False
