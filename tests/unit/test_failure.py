"""What becomes of a message whose step failed (put off, given up, buried), and of its document."""

import json

import pytest

from footnote.contracts import ChunkRequest, IndexRequest, ParseRequest, RemoveRequest
from footnote.errors import ConfigurationError, UnavailableError
from footnote.ingest.chunk.chunk import BUDGET
from footnote.ingest.upkeep.failure import MAX_DELAY, pause
from footnote.model import document_id
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import OUTAGE, Context, Flaky, small
from tests.unit.test_situate import Says

KEY = "acme/default/fees.md"
TEXT = b"# Harbour\n\nThe harbour fee for a barge is 84 crowns.\n"
BUSY = UnavailableError("busy")
WORK = Settings().max_receives  # deliveries for work
BURIAL = WORK + 1
STOPPED = {
    "code": "stopped",
    "message": f"fees.md: the parse step was stopped {WORK} times before it ended (out of time or "
    "memory), or could not be started",
    "action": "Look at the log of the parse step, give it more time or memory or split the file, "
    "then run `footnote retry`.",
}


@pytest.fixture
def pipeline():
    return small()


def put(pipeline):
    """Uploads a file. Returns its request, which no step has handled yet."""
    revision = pipeline.uploads.put(KEY, TEXT)
    pipeline.uploads.take_events()
    return ParseRequest(**revision.identity, size=len(TEXT))


def receive(pipeline, request, receives=1):
    """Delivers a message as SQS does. Returns which of its records failed."""
    [verb] = [verb for verb in ("parse", "chunk", "index", "remove") if is_for(verb, request)]
    return handed(verb, request.model_dump_json(), receives)


def is_for(verb, request):
    return step_of(verb).request_type is type(request)


def handed(verb, body, receives):
    record = {
        "messageId": "m1",
        "receiptHandle": "r1",
        "body": body,
        "attributes": {"ApproximateReceiveCount": str(receives)},
    }
    answer = step_of(verb)({"Records": [record]}, Context())
    return [failure["itemIdentifier"] for failure in answer["batchItemFailures"]]


def state(pipeline, key=KEY):
    record = pipeline.catalog.get(document_id(key))
    return record.status, record.error and record.error.model_dump()


# -- put off -------------------------------------------------------------------------------------


def test_while_a_service_is_unavailable_a_message_is_queued_anew_for_later(pipeline):
    request = put(pipeline)
    pipeline.uploads = Flaky(pipeline.uploads, read=[BUSY, BUSY])
    assert receive(pipeline, request) == []
    [again] = pipeline.queues.sent["parse"]
    assert again == request.model_copy(update={"waits": 1})
    assert receive(pipeline, again) == []
    assert [message.waits for message in pipeline.queues.sent["parse"]] == [1, 2]
    assert state(pipeline) == ("PARSING", None)


def test_only_the_files_of_an_event_that_met_the_outage_are_put_off(pipeline):
    first, second = (pipeline.uploads.put(f"acme/default/{n}.md", TEXT) for n in "ab")
    records = [
        {"s3": {"object": {"key": one.key, "versionId": one.version, "sequencer": one.sequencer}}}
        for one in (first, second)
    ]
    pipeline.uploads = Flaky(pipeline.uploads, read=[BUSY])
    assert handed("parse", json.dumps({"Records": records}), 1) == []
    assert pipeline.queues.sent["parse"] == [ParseRequest(**first.identity, waits=1)]
    assert [message.key for message in pipeline.queues.sent["chunk"]] == [second.key]


def test_what_is_put_off_too_often_is_delivered_again_and_given_up(pipeline):
    request = put(pipeline).model_copy(update={"waits": Settings().max_waits})
    pipeline.uploads = Flaky(pipeline.uploads, read=[BUSY] * WORK)
    assert [receive(pipeline, request, n) for n in range(1, BURIAL)] == [["m1"]] * WORK
    assert state(pipeline)[1]["code"] == "unavailable"
    assert pipeline.queues.sent["parse"] == []


def test_what_cannot_be_put_off_is_delivered_again(pipeline):
    request = put(pipeline)
    pipeline.uploads = Flaky(pipeline.uploads, read=[BUSY])
    pipeline.queues = Flaky(pipeline.queues, send=[UnavailableError("queue busy")])
    assert receive(pipeline, request) == ["m1"]
    assert state(pipeline) == ("PARSING", None)


def test_an_outage_of_hours_ends_as_ready_when_it_is_over(pipeline):
    pipeline.index = Flaky(pipeline.index, write=[BUSY] * (OUTAGE - 1))
    assert pipeline.upload(KEY, TEXT).status == "READY"
    assert len(pipeline.queues.delays) == Settings().max_waits


def test_pauses_double_and_are_spread_but_no_longer_than_sqs_takes():
    for waits in range(40):
        mean = min(MAX_DELAY, 5 * 2**waits)
        tries = [pause(waits, 5) for _ in range(50)]
        assert all(mean // 2 <= one <= min(MAX_DELAY, mean * 1.5 + 1) for one in tries)
    assert len({pause(5, 5) for _ in range(50)}) > 5


# -- buried --------------------------------------------------------------------------------------


def test_a_file_on_which_every_worker_was_stopped_has_failed_and_says_so(pipeline):
    request = put(pipeline)
    pipeline.catalog.receive(request, request.size)  # then the worker was stopped each time
    assert receive(pipeline, request, BURIAL) == ["m1"]
    assert state(pipeline) == ("FAILED", STOPPED)
    assert pipeline.queues.sent["chunk"] == []


def test_a_file_that_was_never_recorded_is_recorded_when_it_is_buried(pipeline):
    request = put(pipeline)
    assert receive(pipeline, request, BURIAL) == ["m1"]
    assert state(pipeline) == ("FAILED", STOPPED)


def test_a_burial_leaves_a_reason_alone_that_a_step_has_recorded(pipeline):
    request = put(pipeline)
    pipeline.uploads = Flaky(pipeline.uploads, read=[ConfigurationError("no rights")] * WORK)
    assert [receive(pipeline, request, n) for n in range(1, BURIAL + 1)] == [["m1"]] * BURIAL
    assert state(pipeline)[1]["message"] == "no rights"


def test_a_burial_leaves_a_document_alone_that_another_delivery_has_finished(pipeline):
    record = pipeline.upload(KEY, TEXT)
    again = ParseRequest(**record.revision.identity, size=len(TEXT))
    assert receive(pipeline, again, BURIAL) == ["m1"]
    assert state(pipeline) == ("READY", None)


def test_the_burial_of_an_older_upload_does_not_touch_the_newer_one(pipeline):
    old = put(pipeline)
    pipeline.upload(KEY, TEXT)
    assert receive(pipeline, old, BURIAL) == ["m1"]
    assert state(pipeline) == ("READY", None)


def test_a_failure_before_anything_was_recorded_is_recorded_with_its_document(pipeline):
    request = put(pipeline)
    pipeline.uploads = Flaky(pipeline.uploads, current=[ConfigurationError("no rights")])
    assert receive(pipeline, request, WORK) == ["m1"]
    assert state(pipeline)[1]["message"] == "no rights"


def test_a_message_of_the_wrong_shape_fails_the_document_that_it_names(pipeline):
    request = put(pipeline)
    pipeline.catalog.receive(request, request.size)
    body = json.dumps({**request.identity, "surprise": 1})
    assert [handed("chunk", body, n) for n in range(1, BURIAL + 1)] == [["m1"]] * BURIAL
    status, error = state(pipeline)
    assert (status, error["code"]) == ("FAILED", "bad_message")
    assert error["message"] == (
        f"fees.md: the chunk step could not make sense of a message about it, {WORK} times"
    )


@pytest.mark.parametrize("body", ["no json", "5", "[]", '{"key": 1}', '{"key": "a"}'])
def test_a_message_that_names_no_document_is_only_buried(pipeline, body):
    assert handed("chunk", body, BURIAL) == ["m1"]
    assert pipeline.catalog.documents("acme") == ([], "")


def test_a_burial_that_cannot_be_recorded_still_fails_the_message(pipeline):
    request = put(pipeline)
    pipeline.catalog = Flaky(pipeline.catalog, receive=[BUSY])
    assert receive(pipeline, request, BURIAL) == ["m1"]
    assert pipeline.catalog.documents("acme") == ([], "")


def test_a_removal_that_was_stopped_half_way_stays_a_removal(pipeline):
    record = pipeline.upload(KEY, TEXT)
    pipeline.uploads.delete(KEY)
    [(gone, _)] = pipeline.uploads.take_events()
    pipeline.catalog.remove(gone)
    assert receive(pipeline, RemoveRequest(**gone.identity), BURIAL) == ["m1"]
    assert pipeline.catalog.get(record.document_id).status == "DELETED"


@pytest.mark.parametrize("lines", ["off", "on"])
def test_a_part_that_ends_later_leaves_a_document_failed(pipeline, lines):
    pipeline.settings = Settings.model_validate(
        pipeline.settings.model_dump() | {"contextual_lines": lines}
    )
    pipeline.context_llm = Says("It is about fees.")
    long = "It stands on a rock. " * (BUDGET // 10)  # a section makes a chunk, and 64 chunks a part
    sections = (f"# Pier {n}\n\nThe fee at pier {n} is {n}. {long}\n\n" for n in range(70))
    revision = pipeline.uploads.put(KEY, "".join(sections).encode())
    pipeline.uploads.take_events()
    parse = ParseRequest(**revision.identity, size=1)
    assert receive(pipeline, parse) == []
    assert receive(pipeline, pipeline.queues.sent["chunk"].pop()) == []
    first, second = pipeline.queues.sent["index"]
    assert receive(pipeline, first, BURIAL) == ["m1"]
    assert receive(pipeline, second) == []
    status, error = state(pipeline)
    assert (status, error["code"]) == ("FAILED", "stopped")
    assert receive(pipeline, first) == []  # redriven
    assert state(pipeline) == ("READY", None)


class Broken:
    """A bucket that breaks the step with an error nobody has foreseen, while it is read."""

    def __init__(self, port):
        self._port = port

    def __getattr__(self, name):
        return getattr(self._port, name)

    def read(self, *_):
        raise ZeroDivisionError


@pytest.mark.parametrize("broken", [None, *range(1, BURIAL + 1)])
def test_a_part_that_fails_or_stops_its_step_is_divided_once(pipeline, broken):
    """`broken`: the delivery from which on the step fails; before, and for None, it is stopped."""
    revision = pipeline.uploads.put("acme/default/a.pdf", b"%PDF")
    part = ParseRequest(**revision.identity, size=4, part=(1, 10), of=10)
    pipeline.catalog.receive(part, 4)
    pipeline.uploads = Broken(pipeline.uploads)
    for receives in range(broken or BURIAL, BURIAL + 1):
        if not receive(pipeline, part, receives):
            break  # SQS deletes the message
    divided = [message.part for message in pipeline.queues.sent["parse"]]
    assert divided == [(page, page) for page in range(1, 11)]
    assert pipeline.catalog.get(revision.document_id).status == "PARSING"


# -- tried again ---------------------------------------------------------------------------------


class Counted:
    """Counts how often a file is read from the uploads behind it."""

    def __init__(self, port):
        self._port = port
        self.reads = 0

    def __getattr__(self, name):
        return getattr(self._port, name)

    def read(self, key, version):
        self.reads += 1
        return self._port.read(key, version)


@pytest.mark.parametrize(
    ("fails", "reads", "queue"),
    [
        ({"uploads": {"read": WORK}}, 1, ParseRequest),
        ({"tokenizer": {"count": WORK}}, 0, ChunkRequest),
        ({"index": {"write": WORK}}, 0, IndexRequest),
        ({"catalog": {"publish": WORK}}, 0, IndexRequest),
    ],
    ids=["parse", "chunk", "index", "publish"],
)
@pytest.mark.parametrize("by", ["document", "code"])
def test_a_retry_goes_on_from_what_is_stored(pipeline, fails, reads, queue, by):
    for port, calls in fails.items():
        errors = {call: [ConfigurationError("no rights")] * n for call, n in calls.items()}
        setattr(pipeline, port, Flaky(getattr(pipeline, port), **errors))
    assert pipeline.upload(KEY, TEXT).error.code == "configuration"
    pipeline.uploads = Counted(pipeline.uploads)
    service = Service(pipeline, "acme")
    service.retries.retry("fees.md") if by == "document" else service.retries.retry_all(
        "configuration"
    )
    sent = [message for messages in pipeline.queues.sent.values() for message in messages]
    assert [type(message) for message in sent] == [queue]
    pipeline.drain()
    assert (state(pipeline), pipeline.uploads.reads) == (("READY", None), reads)
    hits, _ = service.searches.search("harbour fee")
    assert [hit.chunk.text for hit in hits] == [TEXT.decode().strip()]


def test_a_retry_that_cannot_be_sent_says_so_and_can_be_tried_again(pipeline):
    pipeline.index = Flaky(pipeline.index, write=[ConfigurationError("no rights")] * WORK)
    pipeline.upload(KEY, TEXT)
    pipeline.queues = Flaky(pipeline.queues, send=[UnavailableError("queue busy")])
    service = Service(pipeline, "acme")
    with pytest.raises(UnavailableError):
        service.retries.retry("fees.md")
    assert state(pipeline)[1]["code"] == "unavailable"
    service.retries.retry("fees.md")
    pipeline.drain()
    assert state(pipeline) == ("READY", None)


def test_a_new_version_that_stops_its_step_says_so_while_the_one_before_serves(pipeline):
    first = pipeline.upload(KEY, TEXT)
    second = put(pipeline)
    assert receive(pipeline, second, BURIAL) == ["m1"]
    status, error = state(pipeline)
    assert (status, error["code"]) == ("FAILED", "stopped")
    assert pipeline.catalog.get(document_id(KEY)).live_version == first.version
