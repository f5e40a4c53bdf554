"""What waiting for many files costs the API: requests, and records read from the table.

The API is the real one, on the catalog in memory. Time is made: files end at a given pace, and a
request takes 50 ms.
"""

from types import SimpleNamespace

import httpx
import pytest

from footnote.api import routes
from footnote.client import Client
from footnote.client.looks import LOOK, MAX_PAUSE
from footnote.errors import UnavailableError
from footnote.model import Facts, Revision
from tests.unit.faces import URL, Context, CountingCatalog, event_of, small

REQUEST = 0.05  # seconds


class Paced(httpx.BaseTransport):
    """The API, while files become READY: `ends` says after how many seconds each does."""

    def __init__(self, ends):
        self.pipeline = small()
        self.pipeline.catalog = self.catalog = CountingCatalog(self.pipeline.catalog)
        self.now, self.requests, self.answered = 0.0, 0, 0
        self.revisions = [
            Revision(key=f"acme/default/{n:05}.md", version="v1", sequencer="10")
            for n in range(len(ends))
        ]
        for revision in self.revisions:
            self.catalog.receive(revision, 5)
        self._next = sorted(zip(ends, self.revisions, strict=True), key=lambda one: -one[0])
        self.last = max(ends)
        self.added = [
            {"id": one.document_id, "document": one.path, "version": "v1"} for one in self.revisions
        ]

    def sleep(self, seconds):
        self.now += seconds

    def handle_request(self, request):
        request.read()
        self.now += REQUEST
        while self._next and self._next[-1][0] <= self.now:
            _, revision = self._next.pop()
            self.catalog.advance(revision, "INDEXING", Facts(parts=1, chunks=1))
            self.catalog.publish(revision)
        self.requests += 1
        answer = routes.handle(event_of(request), Context())
        self.answered += len(answer["body"])
        return httpx.Response(answer["statusCode"], text=answer["body"])


def use_clock_of(api, monkeypatch):
    clock = SimpleNamespace(monotonic=lambda: api.now, sleep=api.sleep)
    monkeypatch.setattr("footnote.client.looks.time", clock)


def wait(ends, monkeypatch, seconds=900.0):
    """Waits for files that end so; returns the API, which has counted."""
    api = Paced(ends)
    use_clock_of(api, monkeypatch)
    seen = []
    ended = Client(URL, "acme-key", transport=api).wait(api.added, seen.append, seconds)
    assert [one["status"] for one in ended] == ["READY"] * len(ends)
    assert [one["document"] for one in ended] == [one.path for one in api.revisions]
    assert {one["id"] for one in seen if one["status"] == "READY"} == {
        one["id"] for one in api.added
    }
    return api


@pytest.mark.parametrize("pace", [1, 4, 20, 100])
def test_each_file_is_read_a_few_times_at_any_pace(pace, monkeypatch):
    files = 1000
    api = wait([n / pace for n in range(1, files + 1)], monkeypatch)
    # what is slow is not read more often: one look in `MAX_PAUSE` seconds
    assert api.catalog.read <= max(5 * files, 1.3 * LOOK * api.last / MAX_PAUSE)
    assert api.requests < files / 4
    assert api.now < api.last + MAX_PAUSE + 50 * REQUEST


def test_files_that_end_in_any_order_are_read_a_few_times(monkeypatch):
    files = 1000
    api = wait([(n * 7919 % files) / 4 for n in range(files)], monkeypatch)
    assert api.catalog.read < 5 * files
    assert api.now < api.last + MAX_PAUSE + 50 * REQUEST


def test_what_takes_long_does_not_hide_what_has_ended(monkeypatch):
    ends = [3000.0] * 60 + [n / 4 for n in range(400)] + [3000.0] * 60
    seen_ready = []
    api = Paced(ends)
    use_clock_of(api, monkeypatch)

    def seen(record):
        if record["status"] == "READY":
            seen_ready.append(api.now)

    Client(URL, "acme-key", transport=api).wait(api.added, seen, 3600)
    assert seen_ready[399] < 200  # the last of the 400 ended at 100 s


@pytest.mark.parametrize("seconds", [0.3, 2.0, 10.0, 40.0])
def test_one_file_is_waited_for_a_tenth_too_long_at_most(seconds, monkeypatch):
    api = wait([seconds], monkeypatch)
    assert api.now <= 1.15 * seconds + 0.6


def test_files_of_which_none_ends_are_all_looked_at_before_they_are_given_up(monkeypatch):
    api = Paced([1e9] * 2000 + [800.0])
    use_clock_of(api, monkeypatch)
    seen = []
    with pytest.raises(UnavailableError, match="2000 documents have not ended"):
        Client(URL, "acme-key", transport=api).wait(api.added, seen.append, 900)
    assert [one["document"] for one in seen if one["status"] == "READY"] == ["02000.md"]
