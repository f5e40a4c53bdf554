"""Which copy of a shard answers: the same for the same question, so that its ranks stay."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar

import pytest

from footnote.adapters.opensearch import OpenSearchIndex
from footnote.model import LegsQuery, Scope


class Search(BaseHTTPRequestHandler):
    """Finds nothing, and notes which copy was preferred."""

    preferred: ClassVar[list[str]] = []

    def do_POST(self):
        lines = self.rfile.read(int(self.headers["content-length"])).splitlines()
        headers = [json.loads(line) for line in lines[::2]]
        self.preferred.extend(header["preference"] for header in headers)
        body = json.dumps({"responses": [{"hits": {"hits": []}} for _ in headers]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def index():
    Search.preferred.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Search) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield OpenSearchIndex(f"http://127.0.0.1:{server.server_address[1]}", "model", 2)
        server.shutdown()


def ask(index, text, legs=("words",)):
    index.search(LegsQuery(text=text, scope=Scope(tenant="acme"), legs=legs, vector=[1.0, 0.0]))


def test_a_question_goes_to_the_same_copy_each_time_and_others_elsewhere(index):
    for legs in (("words",), ("meaning",), ("words", "meaning")):
        ask(index, "What is the fee?", legs)
    for text in ("What is the fine?", "half a pair \ud83d", "?" * 4000):
        ask(index, text)
    first, *others = dict.fromkeys(Search.preferred)
    assert Search.preferred.count(first) == 4
    assert len(others) == 3
    # OpenSearch gives names that begin with _ a meaning, and takes them as a command
    assert all(one.isalnum() for one in Search.preferred)
