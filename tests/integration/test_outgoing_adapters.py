"""Runs the suites of events out on EventBridge and SQS, and reads what a stream hands on."""

import json
import time
import uuid
from math import inf

import boto3
import pytest

from footnote.adapters.aws.clients import client
from footnote.adapters.aws.cloudwatch_audit import CloudwatchAudit
from footnote.adapters.aws.eventbridge import EventBridgeAnnouncer
from footnote.adapters.aws.sqs import SqsDeliveries
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.rules.questions import PLAIN_BYTES
from footnote.errors import ConfigurationError, NotFoundError
from footnote.model import Answer
from tests.contract.suites.outgoing import AnnouncerSuite, AuditLogSuite, DeliveriesSuite
from tests.contract.suites.questions import question
from tests.stack import find_stack


@pytest.fixture
def queue(aws):
    sqs = client("sqs", aws)
    url = sqs.create_queue(QueueName=f"footnote-test-{uuid.uuid4().hex[:8]}")["QueueUrl"]
    yield url
    sqs.delete_queue(QueueUrl=url)


def received(aws, queue, count, seconds=inf):
    """Returns the bodies of so many messages, and any that come with them."""
    sqs, bodies, end = client("sqs", aws), [], time.monotonic() + seconds
    while len(bodies) < count and time.monotonic() < end:
        found = sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10, WaitTimeSeconds=1)
        bodies += [one["Body"] for one in found.get("Messages", [])]
    return bodies


@pytest.fixture
def rule(aws, queue):
    """Sends events of a source and with a part of the detail to the queue."""
    events, name = client("events", aws), f"footnote-test-{uuid.uuid4().hex[:8]}"
    sqs = client("sqs", aws)
    arn = sqs.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]

    def make(source, **detail):
        pattern = {"source": [source], "detail": {key: [value] for key, value in detail.items()}}
        events.put_rule(Name=name, EventPattern=json.dumps(pattern))
        events.put_targets(Rule=name, Targets=[{"Id": "queue", "Arn": arn["QueueArn"]}])

    yield make
    events.remove_targets(Rule=name, Ids=["queue"])
    events.delete_rule(Name=name)


class TestEventBridgeAnnouncer(AnnouncerSuite):
    @pytest.fixture
    def source(self, rule):
        name = f"footnote-test-{uuid.uuid4().hex[:8]}"
        rule(name, v=1)
        return name

    @pytest.fixture
    def announcer(self, aws, source):
        return EventBridgeAnnouncer(client("events", aws), "default", source)

    @pytest.fixture
    def heard(self, aws, queue):
        return lambda count: [json.loads(one)["detail"] for one in received(aws, queue, count)]


class TestCloudwatchAudit(AuditLogSuite):
    @pytest.fixture
    def group(self, aws):
        logs, name = client("logs", aws), f"footnote-test-{uuid.uuid4().hex[:8]}"
        logs.create_log_group(logGroupName=name)
        yield name
        logs.delete_log_group(logGroupName=name)

    @pytest.fixture
    def audit_log(self, aws, group):
        return CloudwatchAudit(client("logs", aws), group)

    @pytest.fixture
    def kept(self, aws, group):
        def read():
            found = client("logs", aws).filter_log_events(logGroupName=group)["events"]
            return [event["message"] for event in found]

        return read

    def test_without_its_group_it_is_an_error_each_time(self, aws):
        audit_log = CloudwatchAudit(client("logs", aws), "footnote-test-nowhere")
        for _ in range(2):
            with pytest.raises(ConfigurationError):
                audit_log.keep("{}")


class TestSqsDeliveries(DeliveriesSuite):
    @pytest.fixture
    def waiting(self, aws, queue):
        sqs = client("sqs", aws)
        sqs.send_message(QueueUrl=queue, MessageBody="waits")
        [message] = sqs.receive_message(QueueUrl=queue, VisibilityTimeout=3600, WaitTimeSeconds=20)[
            "Messages"
        ]
        return message["ReceiptHandle"]

    @pytest.fixture
    def letters(self, aws):
        sqs = client("sqs", aws)
        url = sqs.create_queue(QueueName=f"footnote-test-{uuid.uuid4().hex[:8]}")["QueueUrl"]
        yield url
        sqs.delete_queue(QueueUrl=url)

    @pytest.fixture
    def deliveries(self, aws, queue, letters):
        return SqsDeliveries(client("sqs", aws), queue, letters)

    @pytest.fixture
    def receipt(self, waiting):
        return waiting

    @pytest.fixture
    def hidden(self, aws, queue):
        def wait():
            started = time.monotonic()
            assert received(aws, queue, 1) == ["waits"]
            return time.monotonic() - started

        return wait

    @pytest.fixture
    def buried(self, aws, letters):
        return lambda: received(aws, letters, 1)

    def test_a_receipt_that_does_not_count_is_not_found(self, deliveries):
        with pytest.raises(NotFoundError):
            deliveries.hold("none", 2)


def test_a_long_answer_whose_text_is_compressed_is_announced(aws, queue, rule):
    """Its bytes come through the stream of the deployed table, and through `notify`."""
    stack = find_stack()
    asked = question(f"t{uuid.uuid4().hex[:10]}")
    rule("footnote", question_id=asked.question_id)
    table = stack["outputs"]["QuestionsTable"]
    dynamodb = boto3.client("dynamodb", endpoint_url=aws, region_name=stack["region"])
    questions = DynamoQuestions(dynamodb, table)
    questions.create(asked)
    text = " ".join(str(n) for n in range(PLAIN_BYTES // 4))
    answer = Answer(id=asked.question_id, kind="answer", found=True, answer=text)
    questions.finish(asked.model_copy(update={"status": "DONE", "answer": answer}))
    [told] = received(aws, queue, 1)
    detail = json.loads(told)["detail"]
    assert (detail["status"], detail["found"], detail["tenant"]) == ("DONE", True, asked.tenant)
    assert received(aws, queue, 1, seconds=3) == []  # its beginning is not told
