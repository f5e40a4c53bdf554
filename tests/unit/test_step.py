"""Handlers: what becomes of a queue's messages, and how those that failed are reported."""

import json

import pytest

from footnote.adapters.memory.small import MemoryQueues
from footnote.contracts import ChunkRequest, ParseRequest, RemoveRequest
from footnote.errors import (
    BadDocumentError,
    ConfigurationError,
    NotFoundError,
    SupersededError,
    UnavailableError,
    UnsupportedError,
)
from footnote.model import Revision, Scope
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.local_workflow import step_of
from footnote.wiring.step import MARGIN, queue_step
from tests.chaos.machine import create_question
from tests.unit.faces import Context, Flaky, small

KEY = "acme/default/a.md"
LAST = Settings().max_receives
REQUEST = ParseRequest(key=KEY, version="v1", sequencer="0A", size=5)


@pytest.fixture
def services():
    return small()


def s3_record(key, sequencer="0A", **more):
    return {"s3": {"object": {"key": key, "versionId": "v1", "sequencer": sequencer, **more}}}


def s3_event(*records):
    return json.dumps({"Records": records})


def sqs(*bodies, receives=1):
    return {
        "Records": [
            {
                "messageId": f"m{n}",
                "receiptHandle": f"r{n}",
                "body": body,
                "attributes": {"ApproximateReceiveCount": str(receives)},
            }
            for n, body in enumerate(bodies, 1)
        ]
    }


def failing(*errors):
    """Makes a queue step that raises one of these for each message, then succeeds."""
    left = list(errors)

    def run(request: ParseRequest, services: object) -> list[ChunkRequest]:
        services.catalog.receive(request, request.size)
        if left:
            raise left.pop(0)
        return [ChunkRequest(**request.identity, document_key="k")]

    return queue_step(run)


def status(services, key=KEY):
    record = services.catalog.get(Revision(key=key, version="", sequencer="").document_id)
    return record.status, record.error.model_dump() if record.error else None


# -- requests ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        ("acme/default/annual+report.pdf", "acme/default/annual report.pdf"),
        ("acme/default/a%2Bb.pdf", "acme/default/a+b.pdf"),
        ("acme/default/a%20b%2520c.pdf", "acme/default/a b%20c.pdf"),
        ("acme/default/%C3%BCber%C3%9F.pdf", "acme/default/überß.pdf"),
        ("acme/default/100%25.pdf", "acme/default/100%.pdf"),
    ],
)
def test_the_key_of_an_s3_event_is_decoded(sent, key):
    requests = list(step_of("parse").requests(s3_event(s3_record(sent, size=7))))
    assert requests == [ParseRequest(key=key, version="v1", sequencer="0A", size=7)]


def test_an_s3_event_of_several_files_is_several_requests():
    body = s3_event(s3_record("acme/default/a.md"), s3_record("acme/default/b.md"))
    assert [r.path for r in step_of("parse").requests(body)] == ["a.md", "b.md"]


def test_a_delete_has_no_size():
    body = s3_event(s3_record(KEY))
    assert list(step_of("remove").requests(body)) == [
        RemoveRequest(key=KEY, version="v1", sequencer="0A")
    ]


def test_s3s_own_test_event_and_folder_markers_are_no_documents(services):
    test_event = json.dumps({"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "b"})
    marker = s3_event(s3_record("acme/default/folder/"))
    answer = step_of("parse")(sqs(test_event, marker), Context())
    assert answer == {"batchItemFailures": []}
    assert services.catalog.documents("acme") == ([], "")


def test_a_folder_marker_beside_a_file_leaves_the_file(services):
    body = s3_event(s3_record("acme/default/folder/"), s3_record(KEY))
    assert [r.key for r in step_of("parse").requests(body)] == [KEY]


# -- batches -------------------------------------------------------------------------------------


def test_what_a_step_returns_goes_on_to_its_queue(services):
    assert failing()(sqs(REQUEST.model_dump_json()), Context()) == {"batchItemFailures": []}
    assert services.queues.sent == {
        "admit": [],
        "parse": [],
        "chunk": [ChunkRequest(**REQUEST.identity, document_key="k", correlation_id="request-1")],
        "index": [],
        "remove": [],
        "annotate": [],
    }


def test_only_the_messages_that_failed_are_reported(services):
    bodies = [
        REQUEST.model_copy(update={"key": f"acme/default/{name}.md"}).model_dump_json()
        for name in ("a", "b", "c")
    ]
    handler = failing(ConfigurationError("no rights"))
    assert handler(sqs(*bodies), Context()) == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert [message.path for message in services.queues.sent["chunk"]] == ["b.md", "c.md"]


@pytest.mark.parametrize(
    "body",
    [
        "no json",
        "5",
        "null",
        '"key"',
        '["key"]',
        "[]",
        '{"key": "acme/default/a.md"}',
        '{"key": 1, "version": "v1", "sequencer": "0A", "surprise": true}',
        '{"Records": 3}',
        '{"Records": ["s3"]}',
        '{"Records": [{"s3": {}}]}',
        '{"Records": [{"s3": {"object": {"key": "acme/default/a.md"}}}]}',
    ],
)
def test_a_malformed_message_fails_alone_and_for_ever(services, body):
    bodies = (body, REQUEST.model_dump_json())
    for receives in (1, LAST):
        answer = failing()(sqs(*bodies, receives=receives), Context())
        assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert [record.key for record in services.catalog.documents("acme")[0]] == [KEY]


def test_a_file_that_fails_does_not_keep_the_others_of_its_event_waiting(services):
    records = [s3_record(f"acme/default/{name}.md") for name in ("a", "b", "c")]
    errors = [ConfigurationError("no rights"), BadDocumentError("encrypted")]
    answer = failing(*errors)(sqs(s3_event(*records), receives=LAST), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert [status(services, f"acme/default/{n}.md")[0] for n in "abc"] == [
        "FAILED",
        "FAILED",
        "RECEIVED",
    ]
    assert [message.path for message in services.queues.sent["chunk"]] == ["c.md"]


# -- failures ------------------------------------------------------------------------------------


def test_a_failure_before_the_last_delivery_leaves_the_document_as_it_is(services):
    answer = failing(ConfigurationError("no rights"))(
        sqs(REQUEST.model_dump_json(), receives=2), Context()
    )
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert status(services) == ("RECEIVED", None)


def test_the_last_delivery_records_why_and_still_fails_the_message(services):
    error = ConfigurationError("no such index", code="no_index", action="Make one.")
    answer = failing(error)(sqs(REQUEST.model_dump_json(), receives=LAST), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert status(services) == (
        "FAILED",
        {"code": "no_index", "message": "no such index", "action": "Make one."},
    )


def test_how_often_a_message_is_delivered_is_a_setting(monkeypatch):
    monkeypatch.setenv("FOOTNOTE_MAX_RECEIVES", "1")
    services = small()
    failing(ConfigurationError("no rights"))(sqs(REQUEST.model_dump_json()), Context())
    assert status(services)[0] == "FAILED"


def test_an_error_that_is_not_ours_is_recorded_without_its_text(services):
    failing(RuntimeError("secret text"))(sqs(REQUEST.model_dump_json(), receives=LAST), Context())
    assert status(services) == (
        "FAILED",
        {
            "code": "internal",
            "message": "working on a.md failed",
            "action": "Run `footnote retry`; if it fails again, look at the step's log.",
        },
    )


@pytest.mark.parametrize(
    ("error", "ends"),
    [
        (BadDocumentError("encrypted", code="encrypted", action="Unlock it."), "FAILED"),
        (UnsupportedError("a film", code="film", action="Unlock it."), "UNSUPPORTED"),
    ],
)
def test_a_refused_document_is_done_at_once(services, error, ends):
    answer = failing(error)(sqs(REQUEST.model_dump_json()), Context())
    assert answer == {"batchItemFailures": []}
    problem = {"code": error.code, "message": error.message, "action": "Unlock it."}
    assert status(services) == (ends, problem)


def test_superseded_work_is_done(services):
    answer = failing(SupersededError("newer"))(
        sqs(REQUEST.model_dump_json(), receives=LAST), Context()
    )
    assert answer == {"batchItemFailures": []}
    assert status(services) == ("RECEIVED", None)


def test_a_refusal_that_cannot_be_recorded_is_delivered_again(services):
    services.catalog = Flaky(services.catalog, advance=[ConfigurationError("no table")])
    handler = failing(BadDocumentError("encrypted"), BadDocumentError("encrypted"))
    body = REQUEST.model_dump_json()
    assert handler(sqs(body), Context()) == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert status(services) == ("RECEIVED", None)
    assert handler(sqs(body, receives=2), Context()) == {"batchItemFailures": []}
    assert status(services)[0] == "FAILED"


def test_a_refusal_of_a_file_that_was_replaced_meanwhile_is_dropped(services):
    newer = REQUEST.model_copy(update={"sequencer": "0B", "version": "v2"})

    def run(request: ParseRequest, services: object) -> list[ChunkRequest]:
        services.catalog.receive(request, request.size)
        services.catalog.receive(newer, 9)
        raise BadDocumentError("encrypted")

    answer = queue_step(run)(sqs(REQUEST.model_dump_json()), Context())
    assert answer == {"batchItemFailures": []}
    assert status(services) == ("RECEIVED", None)


def test_a_message_that_cannot_be_sent_on_is_delivered_again(services):
    services.queues = MemoryQueues(["parse"])
    answer = failing()(sqs(REQUEST.model_dump_json(), receives=LAST), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert status(services)[1]["code"] == ConfigurationError.default_code


def test_giving_up_while_the_table_is_down_still_fails_the_message(services):
    services.catalog = Flaky(services.catalog, advance=[ConfigurationError("no table")])
    answer = failing(ConfigurationError("no rights"))(
        sqs(REQUEST.model_dump_json(), receives=LAST), Context()
    )
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert status(services) == ("RECEIVED", None)


def test_a_removal_that_is_given_up_stays_a_removal(services):
    services.index = Flaky(services.index, remove_older=[ConfigurationError("no index")])
    body = s3_event(s3_record(KEY))
    answer = step_of("remove")(sqs(body, receives=LAST), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert (status(services)[0], status(services)[1]["code"]) == ("DELETED", "configuration")


# -- states of a state machine -------------------------------------------------------------------


def test_a_state_takes_its_request_and_gives_its_result_as_json(services):
    service = Service(services, "acme")
    question = service.questions.ask("Hello!", Scope(tenant="acme"))
    answer = step_of("plan")({"tenant": "acme", "question_id": question.question_id}, Context())
    assert answer == {
        "tenant": "acme",
        "question_id": question.question_id,
        "run": "",
        "plan_key": answer["plan_key"],
        "round": 1,
        "wave": [],
        "ledger": {
            "waves": 0,
            "searches": 0,
            "replans": 0,
            "turns": 0,
            "tokens": 0,
            "usd": 0.0,
            "priced": True,
        },
        "turn": 0,
        "batches": [],
    }
    assert services.artifacts.get(answer["plan_key"])


def test_a_state_that_fails_raises_what_the_machine_matches_on(services):
    with pytest.raises(NotFoundError):
        step_of("plan")({"tenant": "acme", "question_id": "none"}, Context())


def test_a_state_refuses_what_its_contract_does_not_know(services):
    with pytest.raises(ValueError, match="surprise"):
        step_of("abandon")({"generation": "g", "surprise": 1}, Context())


@pytest.mark.parametrize(
    ("error", "cause", "code", "message"),
    [
        ("UnavailableError", '{"errorMessage": "index busy"}', "unavailable", "index busy"),
        ("UnsupportedError", '{"errorMessage": "a film"}', "unsupported", "a film"),
        ("UnavailableError", "no json", "unavailable", "a step failed"),
        ("UnavailableError", "[]", "unavailable", "a step failed"),
        ("KeyError", '{"errorMessage": "secret"}', "internal", "a step failed"),
        ("Runtime.ExitError", "", "internal", "a step failed"),
        ("States.Timeout", "", "timeout", "a step took too long and was stopped"),
    ],
)
def test_a_question_whose_step_failed_says_what_the_machine_caught(
    services, error, cause, code, message
):
    create_question(services, question_id="q-1")
    who = {"tenant": "acme", "question_id": "q-1", "run": "r-1"}
    assert step_of("fail")({**who, "error": error, "cause": cause}, Context()) == {
        "question_id": "q-1"
    }
    record = Service(services, "acme").questions.get("q-1")
    assert (record.status, record.error.code, record.error.message) == ("FAILED", code, message)
    last = Service(services, "acme").questions.events("q-1")[-1]
    assert (last.kind, last.data) == ("failed", record.error.model_dump())


def test_a_step_is_named_after_its_request():
    assert (step_of("plan").verb, step_of("parse").verb) == ("plan", "parse")


# -- messages that come again --------------------------------------------------------------------


def test_a_message_that_comes_again_is_back_soon_after_its_step_is_stopped(services):
    failing()(sqs(REQUEST.model_dump_json(), receives=2), Context())
    assert services.queues.held == [("r1", 300 + MARGIN)]


def test_a_first_delivery_takes_no_request_more(services):
    failing()(sqs(REQUEST.model_dump_json()), Context())
    assert services.queues.held == []


def test_a_message_that_cannot_be_held_is_worked_on(services):
    services.queues = Flaky(services.queues, hold=[UnavailableError("queue busy")])
    answer = failing()(sqs(REQUEST.model_dump_json(), receives=2), Context())
    assert answer == {"batchItemFailures": []}


@pytest.mark.parametrize(("receives", "least", "most"), [(1, 2, 8), (2, 5, 15), (3, 10, 30)])
def test_a_message_whose_delivery_failed_comes_again_soon_and_later_each_time(
    services, receives, least, most
):
    handler = failing(KeyError("a bug"))
    handler(sqs(REQUEST.model_dump_json(), receives=receives), Context())
    receipt, seconds = services.queues.held[-1]
    assert receipt == "r1"
    assert least <= seconds <= most


def test_of_a_batch_only_what_failed_comes_again(services):
    handler = failing(KeyError("a bug"))
    body = REQUEST.model_dump_json()
    answer = handler(sqs(body, body), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
    assert [receipt for receipt, _ in services.queues.held] == ["r1"]


def test_a_message_that_failed_is_named_also_where_the_queue_cannot_be_told(services):
    services.queues = Flaky(services.queues, hold=[UnavailableError("queue busy")])
    answer = failing(KeyError("a bug"))(sqs(REQUEST.model_dump_json()), Context())
    assert answer == {"batchItemFailures": [{"itemIdentifier": "m1"}]}
