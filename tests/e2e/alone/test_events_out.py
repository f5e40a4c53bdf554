"""Events leave the deployed system: on the bus, and to a webhook that is whole, down or says no."""

import json
import time
import uuid

import pytest

from footnote.webhook import verify
from tests.chaos.deployed import COUNTED
from tests.receiver import run_receiver
from tests.reconfigured import Reconfigured
from tests.stack import find_resource

SECRET = "whsec-of-the-test"
TEXT = "# Fees\n\nThe mooring fee at Copper Quay is 84 crowns a day.\n"
QUESTION = "What is the mooring fee at Copper Quay?"


def until(found):
    """Returns what `found` gives as soon as it is not empty."""
    while not (got := found()):
        time.sleep(0.3)
    return got


@pytest.fixture(scope="module")
def hooked(stack, aws):
    """Has the deployment post to a receiver; gives the receiver and its queues."""
    functions, rules, secrets = Reconfigured(stack, aws), aws("events"), aws("ssm")
    rule = find_resource(aws, stack, "DeliverRule").rpartition("|")[2]  # of "bus|rule"
    parameter = f"webhook-{uuid.uuid4().hex[:8]}"
    secrets.put_parameter(Name=parameter, Value=SECRET, Type="SecureString")
    with run_receiver() as receiver:
        hook = {"WebhookUrl": receiver.hook, "WebhookSecretParameter": parameter}
        before = functions.change("Deliver", hook, FOOTNOTE_RETRY_SECONDS="1")
        rules.enable_rule(Name=rule)
        yield receiver, before["FOOTNOTE_DELIVER_QUEUE"], before["FOOTNOTE_DELIVER_DEAD_LETTERS"]
        rules.disable_rule(Name=rule)
        functions.restore()
    secrets.delete_parameter(Name=parameter)


@pytest.fixture
def receiver(hooked):
    receiver = hooked[0]
    reply(receiver, "", 204)
    return receiver


def reply(receiver, tenant, *statuses):
    """Has it reply so to events of the tenant, from the first that comes now."""
    receiver.only, receiver.statuses = tenant, list(statuses)
    receiver.requests.clear()


def told(receiver, name, **wanted):
    """Returns verified events of a name whose detail has these fields, each once.

    A receiver whose reply is late is told again.
    """
    events = [verify(SECRET, headers, body) for _, headers, body in list(receiver.requests)]
    found = {
        one["detail"]["id"]: one
        for one in events
        if one["type"] == name and wanted.items() <= one["detail"].items()
    }
    return list(found.values())


def write(folder, name, text=TEXT):
    file = folder / name
    file.write_text(text)
    return file


def test_a_document_and_a_question_are_told_from_ready_to_deleted(receiver, new_tenant, tmp_path):
    client, tenant = new_tenant()
    added = client.add(write(tmp_path, "fees.md"))
    [record] = client.wait([added], lambda _: None)
    [ready] = until(lambda: told(receiver, "Document Ready", tenant=tenant))
    detail = ready["detail"]
    assert detail["document_id"] == record["id"]
    assert (detail["path"], detail["status"], detail["v"]) == ("fees.md", "READY", 1)
    assert detail["chunks"] == record["chunks"] > 0

    answer = client.ask(QUESTION)
    [answered] = until(lambda: told(receiver, "Question Answered", tenant=tenant))
    assert answered["detail"]["question_id"] == answer["id"]
    assert answered["detail"]["found"]
    assert answered["detail"]["citations"] == len(answer["citations"]) > 0

    client.remove(record["id"])
    [deleted] = until(lambda: told(receiver, "Document Deleted", tenant=tenant))
    assert deleted["detail"]["document_id"] == record["id"]
    said = json.dumps([json.loads(body) for _, _, body in receiver.requests])
    assert "84 crowns" not in said  # no text of a document, a question or an answer
    assert "mooring" not in said


def test_a_file_that_cannot_be_read_is_told_with_its_code(receiver, new_tenant, tmp_path):
    client, tenant = new_tenant()
    broken = client.add(write(tmp_path, "broken.pdf", "%PDF-1.7\nnothing"))
    [record] = client.wait([broken], lambda _: None)
    [failed] = until(lambda: told(receiver, "Document Failed", tenant=tenant))
    assert failed["detail"]["code"] == record["error"]["code"]
    assert failed["detail"]["status"] == record["status"] == "FAILED"


def at_work(aws, url):
    """Returns how many messages of a queue wait or are received."""
    told = aws("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=COUNTED)["Attributes"]
    return sum(int(told[name]) for name in COUNTED)


def test_a_receiver_that_fails_twice_has_the_event_the_third_time(
    receiver, hooked, aws, new_tenant, tmp_path
):
    client, tenant = new_tenant()
    reply(receiver, tenant, 503, 429, 204)
    client.add(write(tmp_path, "fees.md"))
    until(lambda: len(receiver.requests) >= 3)
    until(lambda: not at_work(aws, hooked[1]))  # no fourth can come
    assert len(told(receiver, "Document Ready", tenant=tenant)) == 1
    assert len(receiver.requests) == 3


def dead_letters(aws, url, tenant):
    found = aws("sqs").receive_message(QueueUrl=url, MaxNumberOfMessages=10, VisibilityTimeout=1)
    bodies = [json.loads(one["Body"]) for one in found.get("Messages", [])]
    return [one["detail"] for one in bodies if one["detail"]["tenant"] == tenant]


def test_what_a_receiver_refuses_goes_to_the_dead_letters_at_once(
    receiver, hooked, aws, new_tenant, tmp_path
):
    client, tenant = new_tenant()
    reply(receiver, tenant, 410)
    client.add(write(tmp_path, "fees.md"))
    [left] = until(lambda: dead_letters(aws, hooked[2], tenant))
    assert left["status"] == "READY"
    assert len(receiver.requests) == 1


def test_what_a_receiver_that_is_down_misses_ends_in_the_dead_letters(
    receiver, hooked, aws, new_tenant, tmp_path
):
    """With two receives instead of twelve, which would last for over an hour."""
    queues, (_, queue, buried) = aws("sqs"), hooked
    policy = queues.get_queue_attributes(QueueUrl=queue, AttributeNames=["RedrivePolicy"])
    before = policy["Attributes"]["RedrivePolicy"]
    assert int(json.loads(before)["maxReceiveCount"]) == 12
    fewer = json.dumps(json.loads(before) | {"maxReceiveCount": 2})
    queues.set_queue_attributes(QueueUrl=queue, Attributes={"RedrivePolicy": fewer})
    try:
        client, tenant = new_tenant()
        reply(receiver, tenant, 500)
        client.add(write(tmp_path, "fees.md"))
        [left] = until(lambda: dead_letters(aws, buried, tenant))
        assert left["status"] == "READY"
        assert len(receiver.requests) == 2
    finally:
        queues.set_queue_attributes(QueueUrl=queue, Attributes={"RedrivePolicy": before})
