"""The gate hands on what may pass as it came, and refuses the rest before OpenSearch sees it."""

import json
import threading
from contextlib import contextmanager
from http.client import HTTPConnection, RemoteDisconnected
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from footnote_executor.iam.gate import Gate


class Behind(ThreadingHTTPServer):
    """Stands where OpenSearch does, and notes what comes."""

    def __init__(self):
        self.came = []
        super().__init__(("127.0.0.1", 0), Answering)


class Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_args):
        """Says nothing."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        names = {name.lower(): value for name, value in self.headers.items()}
        self.server.came.append((self.command, self.path, names, body))
        if self.path == "/broken":
            self.close_connection = True
            return
        self.send_response(404 if self.path == "/none" else 200)
        self.send_header("Content-Length", "4")
        self.send_header("X-Opaque-Id", "7")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(b"body")

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET  # noqa: N815 - their names


@contextmanager
def serving(server):
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def behind():
    with serving(Behind()) as running:
        yield running


@pytest.fixture
def gate(behind):
    def judge(request):
        return "not you" if request.headers.get("authorization") == "nobody" else None

    with serving(Gate(0, f"http://127.0.0.1:{behind.server_port}", judge)) as running:
        yield HTTPConnection("127.0.0.1", running.server_port, timeout=30)


def send(connection, method, path, body=None, **headers):
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return answer.status, answer.read(), answer


def test_what_may_pass_comes_as_it_was_sent_without_its_signature(gate, behind):
    headers = {"authorization": "signed", "x-amz-date": "now", "content-type": "application/json"}
    status, body, answer = send(gate, "POST", "/a%2Cb/_search?x=%20y", b"{}", **headers)
    assert (status, body, answer.getheader("X-Opaque-Id")) == (200, b"body", "7")
    [(method, path, names, came)] = behind.came
    assert (method, path, came) == ("POST", "/a%2Cb/_search?x=%20y", b"{}")
    assert names["content-type"] == "application/json"
    assert not {"authorization", "x-amz-date"} & set(names)
    assert names["host"] == f"127.0.0.1:{behind.server_port}"


def test_one_connection_carries_many_requests_of_all_methods(gate, behind):
    assert send(gate, "HEAD", "/none")[:2] == (404, b"")
    for method in ("GET", "PUT", "DELETE"):
        assert send(gate, method, "/one")[:2] == (200, b"body")
    assert [one[0] for one in behind.came] == ["HEAD", "GET", "PUT", "DELETE"]


def test_what_is_refused_never_reaches_it(gate, behind):
    status, body, _ = send(gate, "GET", "/one", authorization="nobody")
    assert (status, json.loads(body)) == (403, {"Message": "not you"})
    assert behind.came == []


def test_a_connection_that_breaks_behind_breaks_before(gate):
    with pytest.raises(RemoteDisconnected):
        send(gate, "GET", "/broken")
