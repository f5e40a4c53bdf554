"""What is told of a change, and to whom it is told again: the table, `notify` and `deliver`."""

import json
from pathlib import Path

import pytest

from footnote.adapters.dynamodb.changes import change_of
from footnote.adapters.dynamodb.values import attributes
from footnote.announcements import FIELDS, announcement_of
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Answer, Change, Problem, QuestionRecord, Record, Scope, Usage
from footnote.settings import Settings
from footnote.webhook import verify
from footnote.wiring.deliver import deliver
from footnote.wiring.notify import notify
from footnote.wiring.pipeline import Pipeline

EVENTS = Path(__file__).resolve().parents[2] / "events"
SECRETS = ("harbour", "84 crowns", "Annual Report")  # words of a title, a question, an answer
RECORD = Record(
    document_id="d1",
    key="acme/reports/q1/fees.pdf",
    version="v7",
    sequencer="07",
    status="INDEXING",
    title="Annual Report",
    pages=3,
    chunks=9,
    usd=0.25,
    metadata={"author": "harbour office"},
)
ASKED = QuestionRecord(
    question_id="q1",
    tenant="acme",
    status="RUNNING",
    question="What is the harbour fee?",
    scope=Scope(tenant="acme"),
)
ANSWER = Answer(
    id="q1",
    kind="answer",
    found=True,
    answer="It is 84 crowns.",
    usage=Usage(usd=0.5),
    timings_ms={"plan": 900.0, "total": 2345.0},
)
WRONG = Problem(code="encrypted", message="harbour.pdf needs a password", action="")


def told(before, after):
    found = announcement_of(Change(id="e1", time=7.0, before=before, after=after), "dev")
    return (found.name, dict(found.detail)) if found else None


def document(status, **changes):
    return RECORD.model_copy(update={"status": status, **changes})


OF_DOCUMENT = {
    "v": 1,
    "id": "e1",
    "stack": "dev",
    "tenant": "acme",
    "document_id": "d1",
    "collection": "reports",
    "path": "q1/fees.pdf",
    "version": "v7",
}


def test_a_document_that_becomes_ready_is_told():
    assert told(RECORD, document("READY")) == (
        "Document Ready",
        {**OF_DOCUMENT, "status": "READY", "pages": 3, "chunks": 9, "usd": 0.25},
    )


@pytest.mark.parametrize("status", ["FAILED", "UNSUPPORTED"])
def test_a_document_that_cannot_be_read_is_told_with_its_code(status):
    assert told(RECORD, document(status, error=WRONG)) == (
        "Document Failed",
        {**OF_DOCUMENT, "status": status, "code": "encrypted", "usd": 0.25},
    )


def test_a_document_that_is_deleted_is_told():
    expected = ("Document Deleted", {**OF_DOCUMENT, "status": "DELETED"})
    assert told(document("READY"), document("DELETED")) == expected


@pytest.mark.parametrize("status", ["RECEIVED", "PARSING", "CHUNKING", "INDEXING"])
def test_work_that_goes_on_is_not_told(status):
    assert told(document("READY"), document(status)) is None


@pytest.mark.parametrize("status", ["READY", "FAILED", "UNSUPPORTED", "DELETED"])
def test_a_record_that_changes_otherwise_is_not_told_again(status):
    assert told(document(status), document(status, annotation=2)) is None


def test_the_end_of_a_file_that_was_never_known_is_not_told():
    assert told(None, document("DELETED")) is None


def test_a_record_that_expires_is_not_told():
    assert told(document("DELETED"), None) is None


def test_an_answer_is_told():
    done = ASKED.model_copy(update={"status": "DONE", "answer": ANSWER})
    assert told(ASKED, done) == (
        "Question Answered",
        {
            "v": 1,
            "id": "e1",
            "stack": "dev",
            "tenant": "acme",
            "question_id": "q1",
            "status": "DONE",
            "code": "",
            "kind": "answer",
            "found": True,
            "outcome": "answer",
            "citations": 0,
            "seconds": 2.3,
            "usd": 0.5,
        },
    )


def test_a_question_that_fails_is_told_with_its_code():
    name, detail = told(ASKED, ASKED.model_copy(update={"status": "FAILED", "error": WRONG}))
    assert (name, detail["status"], detail["code"]) == ("Question Answered", "FAILED", "encrypted")
    assert not detail["found"]


def test_a_question_that_begins_is_not_told():
    assert told(None, ASKED) is None


def test_no_announcement_has_words_of_a_document_a_question_or_an_answer():
    done = ASKED.model_copy(update={"status": "DONE", "answer": ANSWER})
    ends = [(RECORD, document(one, error=WRONG)) for one in ("READY", "FAILED", "DELETED")]
    said = json.dumps([told(*pair) for pair in [*ends, (ASKED, done)]])
    assert [word for word in SECRETS if word in said] == []


def test_every_announcement_says_which_stack_and_tenant_it_is_of():
    for fields in FIELDS.values():
        assert fields[:4] == ("v", "id", "stack", "tenant")


# -- notify --------------------------------------------------------------------------------------


@pytest.fixture
def pipeline():
    settings = Settings(backend="memory", stack_name="dev")
    return Pipeline(settings, clock=lambda: 1_795_423_461.0)


def sample(verb):
    return json.loads((EVENTS / f"{verb}.json").read_text())["Records"][0]


def changed(number, *, status="READY", document_id="d1"):
    """Returns a stream's record of a document that got a status."""
    record = sample("notify")
    image = record["dynamodb"]["NewImage"]
    image["status"], image["document_id"] = {"S": status}, {"S": document_id}
    record["eventID"], record["dynamodb"]["SequenceNumber"] = f"e{number}", str(number)
    return record


def test_the_sample_of_a_stream_is_announced(pipeline):
    assert notify([sample("notify")], pipeline) == []
    [one] = pipeline.announcer.announced
    assert (one.name, one.detail["path"]) == ("Document Ready", "reports/annual report+2025.pdf")
    assert (one.detail["stack"], one.detail["tenant"]) == ("dev", "main")


def test_changes_are_announced_in_their_order(pipeline):
    changes = [changed(1), changed(2, status="PARSING"), changed(3, status="DELETED")]
    assert notify(changes, pipeline) == []
    assert [one.detail["id"] for one in pipeline.announcer.announced] == ["e1", "e3"]


class Busy:
    """A bus that takes only so many."""

    def __init__(self, takes):
        self.takes, self.announced = takes, []

    def announce(self, announcements):
        if len(self.announced) == self.takes:
            raise UnavailableError("throttled")
        self.announced += announcements


def test_what_the_bus_refuses_comes_again_with_all_that_follows(pipeline):
    pipeline.announcer = Busy(takes=1)
    changes = [changed(n) for n in (1, 2, 3)]
    assert notify(changes, pipeline) == [{"itemIdentifier": "2"}]
    assert [one.detail["id"] for one in pipeline.announcer.announced] == ["e1"]


ASKED_ITEM = {
    "question_id": "q1",
    "item": "record",
    "tenant": "acme",
    "status": "DONE",
    "question": "What is the harbour fee?",
    "scope": {"tenant": "acme"},
}


def answered(number, **changes):
    """Returns a stream's record of a question that ended, as a table may hold it."""
    item = ASKED_ITEM | {"question_id": f"q{number}"} | changes
    keys = {name: item[name] for name in ("question_id", "item")}
    told = {"SequenceNumber": str(number), "ApproximateCreationDateTime": 1.0}
    told |= {"Keys": attributes(keys), "NewImage": attributes(item)}
    return {"eventID": f"e{number}", "dynamodb": told}


SPOILT = {
    "a status of a newer release": {"status": "PAUSED"},
    "an answer that was cut": {"answer": "{"},
    "an answer that cannot be unpacked": {"answer": b"\x1f\x8b\x08\x00cut"},
    "a field of a newer release inside": {"scope": {"tenant": "acme", "newer": 1}},
    "a scope that is none": {"scope": 7},
    "no scope": {"scope": None},
}


@pytest.mark.parametrize("changes", SPOILT.values(), ids=SPOILT)
def test_a_record_that_cannot_be_read_holds_up_no_other_and_is_logged(pipeline, changes, caplog):
    """Told once: what was announced before it does not come again."""
    changes = [answered(1), answered(2, **changes), answered(3)]
    assert notify(changes, pipeline) == []
    assert [one.detail["question_id"] for one in pipeline.announcer.announced] == ["q1", "q3"]
    [left] = [one for one in caplog.records if one.message == "left out"]
    assert (left.event_id, left.keys["question_id"]) == ("e2", {"S": "q2"})


@pytest.mark.parametrize("image", ["NewImage", "OldImage"])
def test_a_document_that_cannot_be_read_holds_up_no_other(pipeline, image):
    spoilt = changed(2)
    spoilt["dynamodb"][image] = {**spoilt["dynamodb"]["NewImage"], "pages": {"S": "many"}}
    assert notify([changed(1), spoilt, changed(3)], pipeline) == []
    assert [one.detail["id"] for one in pipeline.announcer.announced] == ["e1", "e3"]


def test_what_the_bus_refuses_comes_again_also_behind_what_cannot_be_read(pipeline):
    pipeline.announcer = Busy(takes=1)
    changes = [answered(1), answered(2, status="PAUSED"), answered(3), answered(4)]
    assert notify(changes, pipeline) == [{"itemIdentifier": "3"}]


def test_items_of_traces_and_feedback_are_no_records():
    record = sample("notify")
    for item in ("event#00000001", "feedback#f1"):
        record["dynamodb"]["Keys"] = attributes({"question_id": "q1", "item": item})
        assert change_of(record) is None


# -- deliver -------------------------------------------------------------------------------------


def test_the_sample_of_the_bus_is_posted_signed(pipeline):
    assert deliver(sample("deliver"), pipeline)
    [(body, headers)] = pipeline.webhook.posted
    event = verify(pipeline.webhook_secret(), headers, body, pipeline.clock())
    assert event["type"] == headers["footnote-event"] == "Document Ready"
    assert event["detail"] == json.loads(sample("deliver")["body"])["detail"]
    assert (event["v"], event["id"]) == (1, event["detail"]["id"])


@pytest.mark.parametrize(
    ("receives", "least", "most"), [("1", 2, 8), ("4", 20, 60), ("11", 1, 900)]
)
def test_what_may_be_taken_later_is_held_for_longer_each_time(pipeline, receives, least, most):
    pipeline.webhook.answer = lambda: 503
    record = sample("deliver")
    record["attributes"]["ApproximateReceiveCount"] = receives
    assert not deliver(record, pipeline)
    assert least <= pipeline.deliveries.held[record["receiptHandle"]] <= most
    assert pipeline.deliveries.buried == []


def test_what_is_refused_is_buried_at_once(pipeline):
    pipeline.webhook.answer = lambda: 410
    record = sample("deliver")
    assert deliver(record, pipeline)
    assert pipeline.deliveries.buried == [record["body"]]
    assert pipeline.deliveries.held == {}


def test_a_secret_that_cannot_be_read_buries_nothing(pipeline, monkeypatch):
    def unreadable():
        raise ConfigurationError("cannot be read")

    monkeypatch.setattr(pipeline, "webhook_secret", unreadable)
    assert not deliver(sample("deliver"), pipeline)
    assert (pipeline.webhook.posted, pipeline.deliveries.buried) == ([], [])


def test_what_cannot_be_buried_comes_again(pipeline, monkeypatch):
    def full(_):
        raise UnavailableError("throttled")

    monkeypatch.setattr(pipeline.deliveries, "bury", full)
    pipeline.webhook.answer = lambda: 404
    assert not deliver(sample("deliver"), pipeline)


@pytest.mark.parametrize("body", ["", "[]", "3", "{}", '{"detail-type": ["x"], "detail": {}}'])
def test_a_message_that_is_no_event_is_buried_unposted(pipeline, body):
    assert deliver({**sample("deliver"), "body": body}, pipeline)
    assert (pipeline.webhook.posted, pipeline.deliveries.buried) == ([], [body])
