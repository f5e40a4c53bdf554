"""One id leads from an upload, and one from a question, through each log line of all steps."""

import json
from urllib.parse import quote

import pytest

from footnote.contracts import STEPS
from footnote.model import QUEUE_NAMES, Errand
from footnote.wiring import fetch
from footnote.wiring.local_workflow import LocalWorkflow, step_of
from tests.unit.faces import Context, connect, small
from tests.unit.test_logs import EVENTS, PAPER, lines

assert lines  # a fixture


@pytest.fixture
def services():
    return small()


class StatesAsDeployed(LocalWorkflow):
    """Runs each state as Lambda would: by its handler, each in an invocation of its own."""

    invocations = 0

    def _run(self, verb, request):
        self.invocations += 1
        context = Context(aws_request_id=f"{verb}-{self.invocations}")
        result = step_of(verb)(request.model_dump(mode="json"), context)
        return STEPS[verb.capitalize()][1].model_validate(result)


def record_of(number, body):
    attributes = {"ApproximateReceiveCount": "1"}
    names = {"messageId": f"m{number}", "receiptHandle": f"h{number}"}
    return {**names, "body": body, "attributes": attributes}


def event_of_s3(revision, size, request_id):
    """Returns S3's event of a file, made of the sample."""
    sample = json.loads((EVENTS / "admit.json").read_text())["Records"][0]
    event = json.loads(sample["body"])
    [record] = event["Records"]
    record["responseElements"]["x-amz-request-id"] = request_id
    named = {"key": quote(revision.key), "versionId": revision.version, "size": size}
    record["s3"]["object"] |= {**named, "sequencer": revision.sequencer}
    return json.dumps(event)


def deliver_all(services, *bodies):
    """Delivers these to admit, and whatever follows to its step, each by an invocation."""
    waiting, number = [("admit", body) for body in bodies], 0
    while waiting:
        (queue, body), number = waiting.pop(0), number + 1
        context = Context(aws_request_id=f"i{number}")
        ended = step_of(queue)({"Records": [record_of(number, body)]}, context)
        assert ended == {"batchItemFailures": []}
        for name in QUEUE_NAMES:
            waiting += [(name, each.model_dump_json()) for each in services.queues.sent[name]]
            services.queues.sent[name].clear()


def test_each_line_of_an_upload_has_the_id_of_its_request_to_the_bucket(services, lines):
    files = {"acme/default/fees.md": "UPLOAD1", "acme/default/more.md": "UPLOAD2"}
    revisions = [services.uploads.put(key, PAPER + key.encode()) for key in files]
    services.uploads.take_events()
    ids = dict(zip((each.document_id for each in revisions), files.values(), strict=True))
    events = [event_of_s3(each, 60, ids[each.document_id]) for each in revisions]
    deliver_all(services, *events)
    found = lines()
    assert all(line["correlation_id"] for line in found)
    about = [line for line in found if "document_id" in line]
    assert [line["correlation_id"] for line in about] == [
        ids[line["document_id"]] for line in about
    ]
    for own in ids.values():
        steps = [line["step"] for line in about if line["correlation_id"] == own]
        assert steps == ["admit", "parse", "chunk", "index"]
    assert {services.catalog.get(each).status for each in ids} == {"READY"}


def test_a_line_of_the_batch_is_of_no_file_in_it(services, lines):
    revision = services.uploads.put("acme/default/fees.md", PAPER)
    body = event_of_s3(revision, 60, "UPLOAD1")
    step_of("admit")({"Records": [record_of(1, body)]}, Context(aws_request_id="i1"))
    said = [(line["message"], line["correlation_id"]) for line in lines()]
    assert said == [("handed on", "UPLOAD1"), ("step done", "i1")]


def test_each_line_of_a_question_has_its_id(services, lines):
    services.upload("acme/default/fees.md", PAPER)
    services.workflow = StatesAsDeployed(services)
    lines()
    asked = connect(services).start("What is the harbour fee for a barge?")
    found = lines()
    assert connect(services).question(asked["id"])["answer"]
    assert {line["correlation_id"] for line in found} == {asked["id"]}
    steps = [*dict.fromkeys(line["step"] for line in found)]
    assert steps == ["plan", "retrieve", "grade", "synthesize"]


def test_a_line_of_what_goes_outside_for_a_question_has_its_id(services, lines):
    errand = Errand(kind="page", tenant="acme", readers=None, url="https://x.example/")
    asked = errand.model_copy(update={"question_id": "q1"})
    assert fetch.handle(asked.model_dump(mode="json"), Context())["error"]
    assert [(line["step"], line["correlation_id"]) for line in lines()] == [("fetch", "q1")]


def test_a_retried_document_has_the_id_of_the_request_that_retried_it(services):
    services.upload("acme/default/broken.pdf", b"%PDF-1.4 broken")
    [record] = services.catalog.documents("acme", "FAILED")[0]
    sent, services.drain = services.queues.sent, lambda: None
    connect(services).retry(record.document_id)
    assert [message.correlation_id for message in sent["parse"]] == ["c6af9ac6"]
