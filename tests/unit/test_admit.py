"""Admit: events of S3 become messages that carry their tenant, a batch in one call."""

import json

import pytest

from footnote.adapters.rules.limits import GROUP
from footnote.adapters.rules.queues import group_id
from footnote.contracts import AnnotateRequest, ParseRequest
from footnote.errors import UnavailableError
from footnote.wiring import step
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import Context, Flaky, small


class Counting:
    """Counts the calls of the queues behind it."""

    def __init__(self, queues):
        self.calls = 0
        self._queues = queues

    def send(self, queue, messages):
        self.calls += 1
        self._queues.send(queue, messages)


@pytest.fixture
def services(monkeypatch):
    services = small()
    monkeypatch.setattr(step, "services", lambda: services)
    return services


def body(*keys):
    return json.dumps(
        {
            "Records": [
                {
                    "responseElements": {"x-amz-request-id": "put-1"},
                    "s3": {"object": {"key": key, "versionId": "v1", "sequencer": "0A", "size": 7}},
                }
                for key in keys
            ]
        }
    )


AT = {"version": "v1", "sequencer": "0A", "correlation_id": "put-1"}
DELIVERED = {"receiptHandle": "r", "attributes": {"ApproximateReceiveCount": "1"}}
"""What SQS adds to a message on its first delivery."""


def admitted(*bodies):
    records = [{"messageId": f"m{n}", "body": one, **DELIVERED} for n, one in enumerate(bodies)]
    failed = step_of("admit")({"Records": records}, Context())["batchItemFailures"]
    return [one["itemIdentifier"] for one in failed]


def parse_request(key):
    return ParseRequest(**AT, key=key, size=7)


def test_a_batch_of_events_is_handed_on_in_order_by_one_call(services):
    queues = services.queues
    services.queues = Counting(queues)
    keys = [f"{tenant}/docs/{n}.md" for n in range(5) for tenant in ("acme", "other")]
    assert admitted(*(body(key) for key in keys[:8]), body(*keys[8:])) == []
    assert queues.sent["parse"] == [parse_request(key) for key in keys]
    assert services.queues.calls == 1


def test_what_is_no_event_comes_back_and_the_others_go_on(services):
    event = '{"Records": [{"s3": {}}]}'
    bodies = [body("acme/docs/a.md"), "nonsense", event, body("acme/docs/b.md")]
    assert admitted(*bodies) == ["m1", "m2"]
    assert [one.path for one in services.queues.sent["parse"]] == ["a.md", "b.md"]


def test_a_sidecar_goes_past_all_files_that_wait_to_be_parsed(services):
    assert admitted(body("acme/docs/a.md", "acme/docs/a.md.metadata.json")) == []
    assert [one.path for one in services.queues.sent["parse"]] == ["a.md"]
    assert services.queues.sent["annotate"] == [AnnotateRequest(**AT, key="acme/docs/a.md")]


def test_a_folder_marker_and_a_test_event_lead_to_nothing(services):
    assert admitted(body("acme/docs/"), '{"Event": "s3:TestEvent"}') == []
    assert services.queues.sent["parse"] == []


def test_a_batch_that_could_not_be_sent_comes_back_whole(services):
    queues = services.queues
    services.queues = Flaky(queues, send=[UnavailableError("queue busy")])
    assert admitted(body("acme/docs/a.md"), body("acme/docs/b.md")) == ["m0", "m1"]
    assert queues.sent["parse"] == []
    assert admitted(body("acme/docs/a.md"), body("acme/docs/b.md")) == []
    assert [one.path for one in queues.sent["parse"]] == ["a.md", "b.md"]


@pytest.mark.parametrize(
    ("tenant", "group"),
    [
        ("acme", "acme"),
        ("a-1", "a-1"),
        ("_", "_"),
        ("x" * 128, "x" * 128),
    ],
)
def test_a_tenant_whose_name_sqs_takes_is_its_own_group(tenant, group):
    assert group_id(tenant) == group


@pytest.mark.parametrize("tenant", ["Grün GmbH", "two words", "x" * 129, "#acme"])
def test_every_other_tenant_has_a_group_that_no_name_is(tenant):
    made = group_id(tenant)
    assert GROUP.fullmatch(made)
    assert made.startswith("#")
    assert made not in {group_id(f"{tenant}!"), group_id(made)}


def test_events_that_cannot_be_handed_on_come_again_soon(services):
    queues = services.queues
    services.queues = Flaky(queues, send=[UnavailableError("queue busy")])
    assert admitted(body("acme/default/a.md"), body("acme/default/b.md")) == ["m0", "m1"]
    assert len(queues.held) == 2
    assert {seconds for _, seconds in queues.held} <= set(range(2, 9))


def test_a_batch_that_comes_again_is_held_by_one_call(services):
    queues, busy = services.queues, UnavailableError("queue busy")
    services.queues = Flaky(queues, send=[busy], hold=[busy])  # a second call would be taken
    assert admitted(body("acme/default/a.md"), body("acme/default/b.md")) == ["m0", "m1"]
    assert queues.held == []
