"""Each log line says which invocation, question or document it is of, and of no other one."""

import json
from io import StringIO
from pathlib import Path

import pytest

from footnote import contracts
from footnote.api.routes import handle
from footnote.errors import UnavailableError
from footnote.model import digest
from footnote.wiring.local_workflow import step_of
from footnote.wiring.logs import OF_STATES, begin, logger
from footnote.wiring.providers import report_failure
from footnote.wiring.step import queue_step
from tests.unit.faces import Context, connect, small
from tests.unit.faces import event as event_for

STATES = sorted(contracts.STEPS)
KEYS = ("request_id", "question_id", "grid_id", "run", "tenant_digest", "document_id", "version")
EVENTS = Path(__file__).resolve().parents[2] / "events"
PAPER = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"


@pytest.fixture
def services():
    return small()


@pytest.fixture
def lines(monkeypatch):
    """Gives what returns the lines since the last call, as they are written for CloudWatch."""
    written = StringIO()
    before = logger.log_level
    logger.setLevel("INFO")  # others may have it log less
    monkeypatch.setattr(logger.registered_handler, "stream", written)

    def read():
        found = [json.loads(line) for line in written.getvalue().splitlines()]
        written.seek(0)
        written.truncate()
        return found

    yield read
    logger.setLevel(before)


def of(number):
    return Context(aws_request_id=f"r{number}")


def said(found):
    """Returns what lines say of what they are about: each of the keys, once a line."""
    return [{key: line[key] for key in KEYS if key in line} for line in found]


def queue_event(*bodies):
    records = [
        {
            "messageId": f"m{n}",
            "receiptHandle": f"h{n}",
            "body": body,
            "attributes": {"ApproximateReceiveCount": "1"},
        }
        for n, body in enumerate(bodies)
    ]
    return {"Records": records}


def message(number):
    key = f"acme/default/{number}.pdf"
    return contracts.RemoveRequest(key=key, version=f"v{number}", sequencer="00")


def numbered(name, n):
    """Returns the sample event of a state, as the `n`-th would be."""
    given = json.loads((EVENTS / f"{name.lower()}.json").read_text())
    return given | {one: f"{one}{n}" for one in ("tenant", *OF_STATES) if one in given}


@pytest.mark.parametrize("name", STATES)
def test_a_state_that_fails_says_of_what_and_not_what_the_one_before_was_of(
    services, lines, monkeypatch, name
):
    def broken(*_):
        raise RuntimeError("broken")

    state = step_of(name.lower())
    monkeypatch.setattr(state, "run", broken)
    expected = []
    for n in (1, 2):
        given = numbered(name, n)
        with pytest.raises(RuntimeError):
            state(given, of(n))
        known = {one: given[one] for one in OF_STATES if one in given}
        if "tenant" in given:
            known["tenant_digest"] = digest(given["tenant"])
        expected.append({"request_id": f"r{n}"} | known)
    found = lines()
    assert said(found) == expected
    assert not {"tenant1", "tenant2"} & {
        value for line in found for value in map(str, line.values())
    }


def test_a_state_whose_input_is_refused_says_of_what_it_is(services, lines):
    """It may be another release's: then nothing else tells which question it was."""
    with pytest.raises(ValueError, match="valid string"):
        step_of("plan")({"tenant": "t1", "question_id": "q1", "run": 7}, of(1))
    known = {"request_id": "r1", "question_id": "q1", "run": "7"}
    assert said(lines()) == [known | {"tenant_digest": digest("t1")}]


def test_a_state_without_an_input_of_ours_says_nothing_of_the_one_before(services, lines):
    state = step_of("plan")
    for given in ({"tenant": "t", "question_id": "q1", "run": 7}, {}):
        with pytest.raises(ValueError, match="validation error"):
            state(given, of(1))
    assert said(lines())[-1] == {"request_id": "r1"}


def test_a_message_that_cannot_be_read_is_not_said_to_be_of_the_document_before(services, lines):
    """In the same batch, and in the invocation after it."""
    step = queue_step(run_nothing)
    step(queue_event(message(1).model_dump_json(), "not json"), of(1))
    step(queue_event("not json"), of(2))
    first = {"request_id": "r1", "document_id": message(1).document_id, "version": "v1"}
    assert said(lines()) == [first, {"request_id": "r1"}, {"request_id": "r2"}]


def test_each_message_of_a_batch_is_said_to_be_of_its_own_document(services, lines):
    queue_step(run_nothing)(queue_event(*(message(n).model_dump_json() for n in (1, 2))), of(1))
    assert [line["document_id"] for line in lines()] == [message(n).document_id for n in (1, 2)]


def run_nothing(request: contracts.RemoveRequest, services: object) -> list[contracts.AdmitRequest]:
    return []


def test_a_request_that_asks_names_itself_and_the_question_that_its_steps_name(services, lines):
    services.upload("acme/default/fees.md", PAPER)
    lines()
    event = event_for("POST", "/questions", body='{"question": "What is the harbour fee?"}')
    event["requestContext"]["requestId"] = "g1"
    answer = json.loads(handle(event, of(7))["body"])
    [started] = [line for line in lines() if line["message"] == "question started"]
    assert (started["question_id"], started["api_request_id"]) == (answer["id"], "g1")
    assert started["request_id"] == "r7"


def test_a_request_says_nothing_of_the_one_before_it(services, lines):
    asked = connect(services).start("What is the harbour fee?")
    lines()
    other = "9" * 32
    event = event_for("GET", f"/questions/{other}/nowhere")
    event["requestContext"]["requestId"] = "g2"
    handle(event, of(8))
    logger.warning("a line of this request")
    [line] = lines()
    assert asked["id"] not in json.dumps(line)
    assert (line["request_id"], line["api_request_id"], line["question_id"]) == ("r8", "g2", other)


def test_a_provider_that_fails_is_named_with_the_step_whatever_the_stack_is_called(
    lines, monkeypatch
):
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", "a-stack")
    begin("index", of(1))
    report_failure(lambda _: None, "voyage", UnavailableError("busy"), "open")
    [line] = lines()
    told = {key: line[key] for key in ("message", "step", "request_id", "provider", "breaker")}
    assert told == {
        "message": "provider failed",
        "step": "index",
        "request_id": "r1",
        "provider": "voyage",
        "breaker": "open",
    }
