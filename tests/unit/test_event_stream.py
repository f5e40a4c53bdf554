"""The events of a question as a stream: replies that end, and a client that comes back for more."""

import json

import pytest

from footnote.api import routes
from tests.unit.faces import Context, event, small

ACCEPT = {"x-api-key": "acme-key", "accept": "text/event-stream"}


@pytest.fixture
def pipeline():
    return small()


@pytest.fixture
def path(pipeline):
    pipeline.upload("acme/default/fees.md", b"# Fees\n\nThe fee is 4 crowns.\n\xe2\x80\xa8More.\n")
    asked = event("POST", "/questions", None, json.dumps({"question": "What is the fee?"}), ACCEPT)
    started = json.loads(routes.handle(asked, Context())["body"])
    return f"/questions/{started['id']}/events"


def look(path, last="", **query):
    headers = ACCEPT | ({"last-event-id": last} if last else {})
    answer = routes.handle(event("GET", path, query or None, None, headers), Context())
    return answer["statusCode"], answer["multiValueHeaders"]["Content-Type"], answer["body"]


def read(body):
    """Reads a stream by the rules of EventSource: returns (id, kind, data) of each event."""
    found = []
    for block in body.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line)
        if "data" in fields:
            found.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
    return found


def test_a_stream_tells_all_events_and_the_end(path):
    status, kind, body = look(path)
    assert (status, kind) == (200, ["text/event-stream"])
    assert body.startswith("retry: 100\n\n")
    events = read(body)
    assert [name for _, name, _ in events][-2:] == ["answered", "end"]
    assert events[-1] == ("", "end", {"status": "DONE"})
    assert [data["kind"] for _, _, data in events[:-1]] == [name for _, name, _ in events[:-1]]


def test_a_client_that_comes_back_is_told_what_it_lacks(path):
    events = read(look(path)[2])
    again = read(look(path, last=events[2][0])[2])
    assert again == events[3:]
    assert read(look(path, after=events[2][0])[2]) == events[3:]


def test_after_the_end_the_client_is_told_to_stop(path):
    last = read(look(path)[2])[-2][0]
    status, _, body = look(path, last=last)
    assert (status, body) == (204, "")


@pytest.mark.parametrize(("seconds", "retry"), [(20, 100), (0, 1_000)])
def test_where_requests_may_not_wait_clients_come_back_less_often(pipeline, path, seconds, retry):
    changed = {"wait_seconds": seconds}
    pipeline.settings = pipeline.settings.model_copy(update=changed)
    assert look(path)[2].startswith(f"retry: {retry}\n\n")


def test_an_error_is_json_here_too(path):
    answer = routes.handle(event("GET", "/questions/none/events", None, None, ACCEPT), Context())
    assert (answer["statusCode"], json.loads(answer["body"])["error"]["code"])[0] == 404
