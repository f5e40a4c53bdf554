"""A request waits from when it was received: one that stood in line replies at once."""

import itertools
import json
import time

import pytest

from footnote.api import caller, routes, waiting
from tests.unit.faces import Context, event, small


class Idle:
    """Implements Workflow: starts a question and never does anything."""

    def ask(self, tenant, question_id):
        pass


@pytest.fixture
def looks(monkeypatch):
    """Returns the pauses that are made, while time passes by them alone."""
    pauses = []
    monkeypatch.setattr(waiting.time, "time", lambda: 1_800_000_000.0)
    monkeypatch.setattr(waiting.time, "monotonic", lambda: 50.0 + sum(pauses))
    monkeypatch.setattr(waiting.time, "sleep", pauses.append)
    return pauses


def sent(method, path, seconds_ago, *, parameters=None, body=None, headers=None):
    text = json.dumps(body) if body else None
    made = event(method, path, parameters, text, {"x-api-key": "acme-key"} | (headers or {}))
    if seconds_ago is not None:
        made["requestContext"]["requestTimeEpoch"] = int((time.time() - seconds_ago) * 1000)
    answer = routes.handle(made, Context())
    return answer["statusCode"], json.loads(answer["body"])


@pytest.fixture
def idle(monkeypatch):
    pipeline = small()
    pipeline.workflow = Idle()
    monkeypatch.setattr(caller, "services", lambda: pipeline)
    return pipeline


@pytest.mark.parametrize(("in_line", "waits"), [(None, True), (0, True), (9, True), (30, False)])
def test_a_request_that_stood_in_line_waits_only_for_what_is_left(idle, looks, in_line, waits):
    asked = {"question": "What is the fee?"}
    status, reply = sent("POST", "/questions", in_line, body=asked, headers={"prefer": "wait=20"})
    assert (status, reply["status"], bool(looks)) == (202, "RUNNING", waits)
    assert sum(looks) == pytest.approx(20 - (in_line or 0) if waits else 0)


def test_events_are_waited_for_from_when_they_were_asked_for(idle, looks):
    _, started = sent("POST", "/questions", 0, body={"question": "What is the fee?"})
    path = f"/questions/{started['id']}/events"
    assert sent("GET", path, 12, parameters={"wait": "10"}) == (
        200,
        {"status": "RUNNING", "events": []},
    )
    assert looks == []
    sent("GET", path, 4, parameters={"wait": "10"})
    assert sum(looks) == pytest.approx(6)


def test_a_request_that_waits_long_looks_less_often(looks):
    long = waiting.Waiting(20, None)
    assert sum(1 for _ in itertools.takewhile(bool, iter(long.pause, None))) < 60
    assert looks[0] == waiting.POLL
    assert max(looks) > 1
