"""Removing and annotating against an index that is slow, hangs, or is written meanwhile."""

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event
from urllib.parse import parse_qs, urlsplit

import pytest

from footnote.adapters.opensearch import client as opensearch_client
from footnote.adapters.opensearch.by_query import DELETE, Pace, delete_chunks
from footnote.adapters.opensearch.client import connect
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.errors import NotFoundError, UnavailableError
from footnote.model import Annotation, Revision
from tests.serving import LoopbackServer, serving

EVENT = Revision(key="acme/default/a.pdf", version="v1", sequencer="01")
NOTE = Annotation(number=1)
GATEWAY = 0.5
"""Seconds after which the load balancer answers 504. Requests that take longer go on behind it."""


@dataclass
class SlowIndex:
    """An index with so many chunks to change, of which it changes so many a second."""

    chunks: int
    rate: float = 1e9
    hangs: bool = False
    conflicts: int = 0  # requests that meet another writer
    missing: int = 0  # requests that meet a generation which was dropped
    requests: list[str] = field(default_factory=list)
    ended: Event = field(default_factory=Event)

    def change(self, limit: int | None) -> tuple[int, dict[str, object]]:
        if self.hangs:
            self.ended.wait()
        if self.missing:
            self.missing -= 1
            return 404, {"error": {"type": "index_not_found_exception"}, "status": 404}
        if self.conflicts:
            self.conflicts -= 1
            return 200, {"total": 1, "version_conflicts": 1, "failures": []}
        changed = min(self.chunks, self.chunks if limit is None else limit)
        self.ended.wait(min(changed / self.rate, GATEWAY))
        self.chunks -= changed
        if changed / self.rate > GATEWAY:
            return 504, {"error": "gateway timeout", "status": 504}
        return 200, {"total": changed, "version_conflicts": 0, "failures": []}


def handler(index: SlowIndex) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length") or 0))
            parts = urlsplit(self.path)
            what = parts.path.rpartition("/")[2]
            index.requests.append(what)
            limit = parse_qs(parts.query).get("max_docs")
            status, reply = 200, dict[str, object]()
            if what != "_refresh":
                status, reply = index.change(int(limit[0]) if limit else None)
            body = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def serve(index: SlowIndex) -> Iterator[str]:
    with serving(LoopbackServer(handler(index)), index.ended) as server:
        yield server.url


def delete(url: str, pace: Pace) -> None:
    with connect(url, None) as client:
        delete_chunks(client, "x-write", {"query": {"match_all": {}}}, "removing", pace)


def test_a_long_document_is_annotated_behind_a_gateway_that_does_not_wait() -> None:
    slow = SlowIndex(chunks=3000, rate=2000)
    with serve(slow) as url:
        OpenSearchIndex(url, "model", 4).annotate(EVENT, NOTE)
    assert slow.chunks == 0


def test_a_long_document_is_removed_behind_a_gateway_that_does_not_wait() -> None:
    slow = SlowIndex(chunks=6000, rate=8000)
    with serve(slow) as url:
        OpenSearchIndex(url, "model", 4).remove_older(EVENT)
    assert slow.chunks == 0


def test_a_short_document_takes_one_look_and_one_request() -> None:
    slow = SlowIndex(chunks=40)
    with serve(slow) as url:
        index = OpenSearchIndex(url, "model", 4)
        index.annotate(EVENT, NOTE)
        slow.chunks = 40
        index.remove(EVENT)
    assert slow.requests == ["_refresh", "_update_by_query", "_refresh", "_delete_by_query"]


def test_an_index_that_hangs_is_given_up_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opensearch_client, "TIMEOUT", 3600)  # the client itself would wait on
    with serve(SlowIndex(chunks=1, hangs=True)) as url, pytest.raises(UnavailableError):
        delete(url, Pace(chunks=100, request=0.4, total=0.6))


def test_who_runs_out_of_time_leaves_what_is_done_and_goes_on_from_there() -> None:
    slow = SlowIndex(chunks=1000, rate=1000)
    left = []
    with serve(slow) as url:
        while slow.chunks:
            with suppress(UnavailableError):
                delete(url, Pace(chunks=100, request=1, total=0.35))
            left.append(slow.chunks)
    assert left[-1] == 0
    assert 2 < len(set(left)) < 8  # one that got no further is no more than late
    assert left == sorted(left, reverse=True)


def test_out_of_time_is_said_so() -> None:
    with (
        serve(SlowIndex(chunks=5)) as url,
        pytest.raises(UnavailableError, match="the next try goes on from here"),
    ):
        delete(url, Pace(chunks=100, request=1, total=0))


@pytest.mark.parametrize(("conflicts", "left"), [(2, 0), (3, 5)])
def test_what_others_write_meanwhile_is_looked_for_again(conflicts: int, left: int) -> None:
    slow = SlowIndex(chunks=5, conflicts=conflicts)
    with serve(slow) as url:
        if left:
            with pytest.raises(UnavailableError, match="are being written"):
                delete(url, DELETE)
        else:
            delete(url, DELETE)
    assert slow.requests == ["_refresh", "_delete_by_query"] * 3
    assert slow.chunks == left


@pytest.mark.parametrize(("missing", "left"), [(1, 0), (9, 5)])
def test_a_generation_that_is_dropped_meanwhile_is_looked_past(missing: int, left: int) -> None:
    slow = SlowIndex(chunks=5, missing=missing)
    with serve(slow) as url:
        if left:
            with pytest.raises(NotFoundError):
                delete(url, DELETE)
        else:
            delete(url, DELETE)
    assert slow.chunks == left
