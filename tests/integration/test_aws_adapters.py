"""Runs the ports' suites on the AWS adapters and the local stack, and tests what only AWS shows.

A run of this module makes its own buckets, tables and queues, and deletes them.
"""

import gzip
import json
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from urllib.parse import urlencode

import httpx
import pytest

from footnote.adapters.aws.apigateway_tenants import ApiGatewayTenants
from footnote.adapters.aws.clients import client
from footnote.adapters.aws.s3 import S3BlobStore, S3Uploads
from footnote.adapters.aws.sqs import SqsQueues
from footnote.adapters.aws.stepfunctions import StepFunctionsWorkflow
from footnote.adapters.dynamodb.cache import DynamoCache, DynamoReplies, DynamoVectors
from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.adapters.dynamodb.counters import DynamoCounters
from footnote.adapters.dynamodb.grids import DynamoGrids
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.dynamodb.repeats import DynamoRepeats
from footnote.clock import iso
from footnote.contracts import ChunkRequest
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ConflictError,
    NotFoundError,
    SupersededError,
    UnavailableError,
)
from footnote.model import Facts, Problem, ReindexRun, Revision, digest
from tests.contract.suites import new_tenant
from tests.contract.suites.blobs import BlobStoreSuite
from tests.contract.suites.catalog import CatalogSuite, revision_at
from tests.contract.suites.counters import CountersSuite
from tests.contract.suites.grids import GridsSuite
from tests.contract.suites.questions import QuestionsSuite, add_answer, question
from tests.contract.suites.queues import QueuesSuite, request
from tests.contract.suites.repeats import RepeatsSuite
from tests.contract.suites.replies import ReplyCacheSuite
from tests.contract.suites.tables import TABLES
from tests.contract.suites.tenants import TenantsSuite
from tests.contract.suites.uploads import UploadsSuite
from tests.contract.suites.vectors import VectorCacheSuite, vector
from tests.contract.suites.workflow import WorkflowSuite, wait_for_end
from tests.naming import raises_naming
from tests.stack import PATIENCE

DAY = 86_400


def unique_name(name: str) -> str:
    return f"footnote-test-{name}-{uuid.uuid4().hex[:8]}"


# -- S3 ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def s3(aws):
    return client("s3", aws)


@pytest.fixture(scope="module")
def bucket(s3):
    name = unique_name("bucket")
    s3.create_bucket(Bucket=name)
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    yield name
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=name):
        for thing in page.get("Versions", []) + page.get("DeleteMarkers", []):
            s3.delete_object(Bucket=name, Key=thing["Key"], VersionId=thing["VersionId"])
    s3.delete_bucket(Bucket=name)


def followed(url):
    """Returns what a browser gets at a presigned link, without any credentials."""
    reply = httpx.get(url, timeout=PATIENCE)
    reply.raise_for_status()
    return reply.content, reply.headers["content-type"], reply.headers["content-disposition"]


class TestS3BlobStore(BlobStoreSuite):
    @pytest.fixture
    def blobs(self, s3, bucket):
        return S3BlobStore(s3, bucket)

    @pytest.fixture
    def follow(self):
        return followed

    def test_more_keys_than_one_page_has_are_all_listed(self, s3, bucket, prefix):
        # to put a thousand is slow, so a page of five stands for S3's page of a thousand
        for n in range(12):
            s3.put_object(Bucket=bucket, Key=f"{prefix}{n:02d}", Body=b"x")
        listed = S3BlobStore(PagesOfFive(s3), bucket).keys(prefix)
        assert listed == [f"{prefix}{n:02d}" for n in range(12)]

    def test_a_blob_that_s3_did_not_delete_is_named(self, s3, bucket, prefix):
        s3.put_object(Bucket=bucket, Key=f"{prefix}a", Body=b"x")
        with pytest.raises(UnavailableError, match="1 of 1 stored files could not") as told:
            S3BlobStore(KeepingS3(s3), bucket).delete([f"{prefix}a"])
        assert told.value.detail.endswith(f"{prefix}a: InternalError")

    def test_a_missing_bucket_is_a_configuration_error_whose_detail_names_it(self, s3):
        with pytest.raises(ConfigurationError) as told:
            S3BlobStore(s3, "footnote-no-bucket").get("a")
        assert told.value.detail.startswith("get on s3://footnote-no-bucket/a: NoSuchBucket")


class PagesOfFive:
    """An S3 client that lists five keys per page."""

    def __init__(self, s3):
        self._s3 = s3
        self.delete_objects = s3.delete_objects

    def get_paginator(self, name):
        pages = self._s3.get_paginator(name)
        paginate = pages.paginate
        pages.paginate = lambda **query: paginate(**query, PaginationConfig={"PageSize": 5})
        return pages


class KeepingS3:
    """An S3 client that deletes nothing and reports an error for each key."""

    def __init__(self, s3):
        self.get_paginator = s3.get_paginator

    def delete_objects(self, *, Delete, **_bucket):  # noqa: N803 -- boto3's name
        return {"Errors": [{**one, "Code": "InternalError"} for one in Delete["Objects"]]}


class TestS3Uploads(UploadsSuite):
    @pytest.fixture
    def uploads(self, s3, bucket):
        return S3Uploads(s3, bucket)

    @pytest.fixture
    def follow(self):
        return followed

    @pytest.fixture
    def put(self, s3, bucket):
        def upload(key, body, attributes=None, tags=None):
            stored = s3.put_object(
                Bucket=bucket,
                Key=key,
                Body=body,
                Metadata=attributes or {},
                Tagging=urlencode(tags or {}),
            )
            return Revision(key=key, version=stored["VersionId"], sequencer="1")

        return upload

    def test_a_file_is_posted_with_the_presigned_form(self, s3, bucket, uploads, folder):
        key = folder + "Größe & 100 %.txt"
        assert post(uploads.presign(key, 10, 60), b"0123456789") == 204
        assert s3.get_object(Bucket=bucket, Key=key)["Body"].read() == b"0123456789"

    def test_a_file_that_is_too_large_is_refused(self, uploads, folder):
        assert post(uploads.presign(folder + "a", 10, 60), b"0123456789A") == 400

    def test_a_form_does_not_serve_for_another_key(self, uploads, folder):
        url, fields = uploads.presign(folder + "a", 10, 60)
        assert post((url, {**fields, "key": folder + "b"}), b"x") == 403

    def test_an_expired_form_is_refused(self, uploads, folder):
        form = uploads.presign(folder + "a", 10, 1)
        time.sleep(2.1)
        assert post(form, b"x") == 403

    def test_a_deletion_cannot_be_read(self, s3, bucket, uploads, put, folder):
        put(folder + "a", b"x")
        marker = s3.delete_object(Bucket=bucket, Key=folder + "a")["VersionId"]
        with pytest.raises(NotFoundError):
            uploads.read(folder + "a", marker)

    def test_a_name_longer_than_s3_takes_is_a_bad_request(self, s3, bucket):
        with pytest.raises(BadRequestError):
            S3BlobStore(s3, bucket).put("ü" * 513, b"x")


def post(form, body):
    url, fields = form
    sent = {"file": ("any", body)}
    return httpx.post(url, data=dict(fields), files=sent, timeout=PATIENCE).status_code


# -- SQS -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sqs(aws):
    return client("sqs", aws)


class TestSqsQueues(QueuesSuite):
    @pytest.fixture
    def url(self, sqs):
        url = sqs.create_queue(QueueName=unique_name("queue"))["QueueUrl"]
        yield url
        sqs.delete_queue(QueueUrl=url)

    @pytest.fixture
    def queues(self, sqs, url):
        return SqsQueues(sqs, {"chunk": url})

    @pytest.fixture
    def sent(self, sqs, url):
        def receive(count):
            bodies = []
            for _ in range(20):
                reply = sqs.receive_message(
                    QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=0 if count == 0 else 1
                )
                bodies += [message["Body"] for message in reply.get("Messages", [])]
                if len(bodies) >= count:
                    break
            return [ChunkRequest.model_validate_json(body) for body in bodies]

        return receive

    @pytest.mark.parametrize(("tenant", "group"), [("acme", "acme"), ("Grün & Co", None)])
    def test_a_message_carries_its_tenant_as_its_group(self, sqs, url, queues, tenant, group):
        queues.send("chunk", [request(1, tenant=tenant)])
        reply = sqs.receive_message(
            QueueUrl=url, WaitTimeSeconds=5, MessageSystemAttributeNames=["MessageGroupId"]
        )
        [message] = reply["Messages"]
        assert message["Attributes"]["MessageGroupId"] == (group or f"#{digest(tenant)}")

    def test_a_tenant_with_little_does_not_wait_for_one_with_much(self, queues, sent):
        queues.send("chunk", [request(n, tenant="big") for n in range(30)])
        assert {one.tenant for one in sent(10)} == {"big"}
        queues.send("chunk", [request(n, tenant="small") for n in range(3)])
        assert sum(one.tenant == "small" for one in sent(10)) == 3

    @pytest.mark.parametrize(("seconds", "back"), [(1, True), (600, False)])
    def test_a_held_message_is_back_sooner_never_later(self, sqs, url, queues, seconds, back):
        sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": "300"})
        queues.send("chunk", [request(1)])
        [first] = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=5)["Messages"]
        queues.hold("chunk", [first["ReceiptHandle"]], seconds)
        again = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20 if back else 4)
        assert len(again.get("Messages", [])) == back

    def test_what_sqs_did_not_take_is_sent_again(self, sqs, url, sent):
        refusing = RefusingSqs(sqs, times=2)
        messages = [request(n) for n in range(3)]
        SqsQueues(refusing, {"chunk": url}).send("chunk", messages)
        assert sorted(sent(3), key=lambda one: one.sequencer) == messages
        assert refusing.calls == 3

    def test_what_sqs_never_takes_is_unavailable(self, sqs, url):
        with raises_naming(UnavailableError, "queue chunk: 1 not taken: InternalError"):
            SqsQueues(RefusingSqs(sqs, times=9), {"chunk": url}).send("chunk", [request(1)])

    def test_a_message_that_is_our_fault_is_not_sent_again(self, sqs, url):
        refusing = RefusingSqs(sqs, times=9, ours=True)
        with raises_naming(ConfigurationError, "queue chunk: 1 not taken: InternalError"):
            SqsQueues(refusing, {"chunk": url}).send("chunk", [request(1)])
        assert refusing.calls == 1

    def test_a_queue_that_is_gone_is_a_configuration_error(self, sqs, url):
        with raises_naming(ConfigurationError, "send on queue chunk"):
            SqsQueues(sqs, {"chunk": url + "-gone"}).send("chunk", [request(1)])


class RefusingSqs:
    """An SQS client that refuses the last message of a batch, `times` times."""

    def __init__(self, sqs, times, *, ours=False):
        self._sqs = sqs
        self._ours = ours
        self._times = times
        self.calls = 0

    def send_message_batch(self, *, QueueUrl, Entries):  # noqa: N803 -- boto3's names
        self.calls += 1
        if self.calls > self._times:
            return self._sqs.send_message_batch(QueueUrl=QueueUrl, Entries=Entries)
        if len(Entries) > 1:
            self._sqs.send_message_batch(QueueUrl=QueueUrl, Entries=Entries[:-1])
        failed = {"Id": Entries[-1]["Id"], "SenderFault": self._ours, "Code": "InternalError"}
        return {"Successful": [], "Failed": [failed]}


# -- DynamoDB ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dynamodb(aws):
    return client("dynamodb", aws)


@contextmanager
def table(dynamodb, resource) -> Iterator[str]:
    name = unique_name(resource)
    dynamodb.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **TABLES[resource])
    dynamodb.get_waiter("table_exists").wait(TableName=name, WaiterConfig={"Delay": 1})
    yield name
    dynamodb.delete_table(TableName=name)


@pytest.fixture(scope="module")
def documents_table(dynamodb):
    with table(dynamodb, "DocumentsTable") as name:
        yield name


@pytest.fixture(scope="module")
def questions_table(dynamodb):
    with table(dynamodb, "QuestionsTable") as name:
        yield name


@pytest.fixture(scope="module")
def vectors_table(dynamodb):
    with table(dynamodb, "VectorsTable") as name:
        yield name


@pytest.fixture(scope="module")
def counters_table(dynamodb):
    with table(dynamodb, "CountersTable") as name:
        yield name


class TestDynamoCatalog(CatalogSuite):
    @pytest.fixture
    def catalog(self, dynamodb, documents_table):
        return DynamoCatalog(dynamodb, documents_table)

    @pytest.fixture
    def short_sighted(self, dynamodb, documents_table):
        return DynamoCatalog(dynamodb, documents_table, examine=10)

    def test_a_tombstone_expires_and_a_new_upload_does_not(self, dynamodb, documents_table, key):
        catalog = DynamoCatalog(dynamodb, documents_table, clock=lambda: 1_000_000.5)
        catalog.remove(revision_at(key, "10"))
        assert get_item(dynamodb, documents_table, key)["expires"] == {
            "N": str(1_000_000 + 90 * DAY)
        }
        catalog.receive(revision_at(key, "20"), 5)
        assert "expires" not in get_item(dynamodb, documents_table, key)

    def test_parts_that_finish_at_the_same_time_are_all_noted(self, catalog, key):
        catalog.receive(revision_at(key, "10"), 5)
        with ThreadPoolExecutor(16) as pool:
            records = list(
                pool.map(lambda part: catalog.finish_part(revision_at(key, "10"), part), range(40))
            )
        assert catalog.get(records[0].document_id).parts_done == tuple(range(40))
        assert sorted(len(record.parts_done) for record in records) == list(range(1, 41))

    def test_of_events_that_come_at_the_same_time_the_newest_wins(self, catalog, key):
        def receive(n):
            with suppress(SupersededError):
                catalog.receive(revision_at(key, f"{n:04}"), n)

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(receive, range(40)))
        assert catalog.get(revision_at(key, "").document_id).sequencer == "0039"

    def test_a_missing_table_is_a_configuration_error_that_names_it(self, dynamodb):
        with raises_naming(ConfigurationError, "footnote-no-table"):
            DynamoCatalog(dynamodb, "footnote-no-table").get("a")

    def test_a_list_longer_than_a_reply_is_read_to_its_end(self, catalog, tenant):
        metadata = {f"a{n}": "x" * 2_000 for n in range(40)}
        for n in range(15):  # 15 times 80 KB are more than the 1 MB of one reply
            revision = revision_at(f"{tenant}/docs/{n:02}", "10")
            catalog.receive(revision, 5)
            catalog.advance(revision, "INDEXING", Facts(metadata=metadata))
            catalog.publish(revision)
        catalog.receive(revision_at(f"{tenant}/docs/unfinished", "10"), 5)
        found, after = catalog.documents(tenant, "READY")
        assert [record.revision.path for record in found] == [f"{n:02}" for n in range(15)]
        assert after == ""
        live = [record for record in catalog.live() if record.revision.tenant == tenant]
        assert len(live) == 15
        for record in live:
            catalog.remove(revision_at(record.key, "20"))


def get_item(dynamodb, name, key):
    document_id = Revision(key=key, version="", sequencer="").document_id
    return dynamodb.get_item(TableName=name, Key={"document_id": {"S": document_id}})["Item"]


class TestDynamoQuestions(QuestionsSuite):
    @pytest.fixture
    def questions(self, dynamodb, questions_table):
        return DynamoQuestions(dynamodb, questions_table)

    @pytest.fixture
    def another(self, dynamodb, questions_table):
        return DynamoQuestions(dynamodb, questions_table, clock=lambda: time.time() - 3600)

    def test_a_question_and_its_events_expire(self, dynamodb, questions_table, tenant):
        questions = DynamoQuestions(dynamodb, questions_table, days=3, clock=lambda: 1_000_000.5)
        record = question(tenant)
        questions.create(record)
        questions.add_event(record.question_id, "step", {})
        items = items_of(dynamodb, questions_table, record.question_id)
        assert [item["expires"] for item in items] == [{"N": str(1_000_000 + 3 * DAY)}] * 2

    def test_status_and_error_are_attributes_that_a_state_machine_can_set(
        self, dynamodb, questions_table, questions, tenant
    ):
        record = question(tenant)
        questions.create(record)
        dynamodb.update_item(
            TableName=questions_table,
            Key={"question_id": {"S": record.question_id}, "item": {"S": "record"}},
            UpdateExpression="SET #status = :status, #error = :error",
            ExpressionAttributeNames={"#status": "status", "#error": "error"},
            ExpressionAttributeValues={
                ":status": {"S": "FAILED"},
                ":error": {"M": {name: {"S": name} for name in ("code", "message", "action")}},
            },
        )
        problem = Problem(code="code", message="message", action="action")
        failed = record.model_copy(update={"status": "FAILED", "error": problem})
        assert questions.get(tenant, record.question_id) == failed

    def test_only_long_answers_are_compressed(self, dynamodb, questions_table, questions, tenant):
        short, long = (
            add_answer(question(tenant, 1)),
            add_answer(question(tenant, 2), "x" * 300_000),
        )
        for record in (short, long):
            questions.create(record.model_copy(update={"status": "RUNNING", "answer": None}))
            questions.finish(record)
        (short_item,) = items_of(dynamodb, questions_table, short.question_id)
        (long_item,) = items_of(dynamodb, questions_table, long.question_id)
        assert json.loads(short_item["answer"]["S"])["answer"] == "It is 4,2."
        assert json.loads(gzip.decompress(long_item["answer"]["B"]))["answer"] == "x" * 300_000


def items_of(dynamodb, name, question_id):
    return dynamodb.query(
        TableName=name,
        KeyConditionExpression="question_id = :id",
        ExpressionAttributeValues={":id": {"S": question_id}},
    )["Items"]


def at_a_million(dynamodb, table):
    return DynamoCache(dynamodb, table, clock=lambda: 1_000_000.5)


class TestDynamoGrids(GridsSuite):
    @pytest.fixture
    def grids(self, dynamodb, questions_table):
        return DynamoGrids(dynamodb, questions_table)


class TestDynamoRepeats(RepeatsSuite):
    @pytest.fixture
    def repeats(self, dynamodb, questions_table, now):
        return DynamoRepeats(dynamodb, questions_table, lambda: now[0])


class TestDynamoCounters(CountersSuite):
    @pytest.fixture
    def counters(self, dynamodb, counters_table):
        return DynamoCounters(dynamodb, counters_table)

    def test_a_counter_expires_when_its_time_is_over(self, dynamodb, counters_table, name):
        DynamoCounters(dynamodb, counters_table).add(name, 3, 1_900_000_000.7, most=5)
        stored = dynamodb.get_item(TableName=counters_table, Key={"counter": {"S": name}})["Item"]
        assert stored == {
            "counter": {"S": name}, "sum": {"N": "3"}, "expires": {"N": "1900000000"}
        }  # fmt: skip


class TestDynamoReplies(ReplyCacheSuite):
    @pytest.fixture
    def replies(self, dynamodb, vectors_table):
        return DynamoReplies(DynamoCache(dynamodb, vectors_table))

    def test_a_reply_is_packed_and_expires(self, dynamodb, vectors_table, prefix):
        DynamoReplies(at_a_million(dynamodb, vectors_table)).put({prefix: "text"})
        stored = dynamodb.get_item(TableName=vectors_table, Key={"key": {"S": prefix}})["Item"]
        assert stored == {
            "key": {"S": prefix},
            "value": {"B": gzip.compress(b"text", mtime=0)},
            "expires": {"N": str(1_000_000 + 90 * DAY)},
        }


class TestDynamoVectors(VectorCacheSuite):
    @pytest.fixture
    def vectors(self, dynamodb, vectors_table):
        return DynamoVectors(DynamoCache(dynamodb, vectors_table))

    def test_a_vector_is_four_bytes_a_number_and_expires(self, dynamodb, vectors_table, prefix):
        DynamoVectors(at_a_million(dynamodb, vectors_table)).put({prefix: [1.0, -2.5]})
        stored = dynamodb.get_item(TableName=vectors_table, Key={"key": {"S": prefix}})["Item"]
        assert stored == {
            "key": {"S": prefix},
            "value": {"B": bytes.fromhex("0000803f000020c0")},
            "expires": {"N": str(1_000_000 + 90 * DAY)},
        }

    def test_what_dynamodb_left_over_is_asked_for_again(self, dynamodb, vectors_table, prefix):
        stored = {f"{prefix}:{n}": vector(n, 4) for n in range(30)}
        vectors = DynamoVectors(DynamoCache(ThrottledDynamo(dynamodb, times=2), vectors_table))
        vectors.put(stored)
        assert vectors.get(list(stored)) == stored

    def test_what_dynamodb_leaves_over_for_ever_is_unavailable(
        self, dynamodb, vectors_table, prefix
    ):
        vectors = DynamoVectors(DynamoCache(ThrottledDynamo(dynamodb, times=99), vectors_table))
        with pytest.raises(UnavailableError, match=vectors_table):
            vectors.put({prefix: [1.0]})
        with pytest.raises(UnavailableError, match=vectors_table):
            vectors.get([prefix])


class ThrottledDynamo:
    """A DynamoDB client that does only half of the first `times` batch calls of each kind."""

    def __init__(self, dynamodb, times):
        self._dynamodb = dynamodb
        self._times = {"get": times, "write": times}

    def batch_get_item(self, *, RequestItems):  # noqa: N803 -- boto3's names
        ((name, wanted),) = RequestItems.items()
        now, later = self._halves("get", wanted["Keys"])
        if not now:
            return {"Responses": {}, "UnprocessedKeys": RequestItems}
        reply = self._dynamodb.batch_get_item(RequestItems={name: {**wanted, "Keys": now}})
        return reply | {"UnprocessedKeys": {name: {**wanted, "Keys": later}} if later else {}}

    def batch_write_item(self, *, RequestItems):  # noqa: N803 -- boto3's names
        ((name, requests),) = RequestItems.items()
        now, later = self._halves("write", requests)
        if now:
            self._dynamodb.batch_write_item(RequestItems={name: now})
        return {"UnprocessedItems": {name: later} if later else {}}

    def _halves(self, kind, things):
        self._times[kind] -= 1
        half = 0 if len(things) == 1 else len(things) // 2
        return (things[:half], things[half:]) if self._times[kind] >= 0 else (things, [])


# -- Step Functions ------------------------------------------------------------------------------

WAITING = {"StartAt": "Wait", "States": {"Wait": {"Type": "Wait", "Seconds": 60, "End": True}}}
PASSING = {"StartAt": "Pass", "States": {"Pass": {"Type": "Pass", "End": True}}}
UNCHANGED = {
    "StartAt": "Unchanged",
    "States": {"Unchanged": {"Type": "Pass", "Result": {"unchanged": True}, "End": True}},
}


def fail_state(error, cause):
    return {"Type": "Fail", "Error": error, "Cause": cause}


FAILING = {"StartAt": "Fail", "States": {"Fail": fail_state("ReindexFailed", "counts differ")}}
ROLE = "arn:aws:iam::000000000000:role/footnote-test"


@pytest.fixture(scope="module")
def stepfunctions(aws):
    return client("stepfunctions", aws)


@pytest.fixture
def machine(stepfunctions):
    made = []

    def make(definition, kind="STANDARD", role=ROLE):
        machine = stepfunctions.create_state_machine(
            name=unique_name("machine"), definition=json.dumps(definition), roleArn=role, type=kind
        )
        made.append(machine["stateMachineArn"])
        return machine["stateMachineArn"]

    yield make
    for arn in made:
        stepfunctions.delete_state_machine(stateMachineArn=arn)


def policy(statement):
    return json.dumps({"Version": "2012-10-17", "Statement": [statement]})


class TestStepFunctionsWorkflow(WorkflowSuite):
    @pytest.fixture
    def told(self, sqs):
        """A queue that a machine tells what it was started with."""
        url = sqs.create_queue(QueueName=unique_name("asked"))["QueueUrl"]
        yield url
        sqs.delete_queue(QueueUrl=url)

    @pytest.fixture
    def teller(self, aws, told):
        """A role that may tell that queue: a stack may hold machines to what they may do."""
        iam, name = client("iam", aws), unique_name("teller")
        trust = {"Effect": "Allow", "Action": "sts:AssumeRole"}
        trust["Principal"] = {"Service": "states.amazonaws.com"}
        queue = f"arn:aws:sqs:us-east-1:000000000000:{told.rpartition('/')[2]}"
        may = {"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": queue}
        made = iam.create_role(RoleName=name, AssumeRolePolicyDocument=policy(trust))
        iam.put_role_policy(RoleName=name, PolicyName="tell", PolicyDocument=policy(may))
        yield made["Role"]["Arn"]
        iam.delete_role_policy(RoleName=name, PolicyName="tell")
        iam.delete_role(RoleName=name)

    @pytest.fixture
    def workflow(self, stepfunctions, machine, told, teller):
        telling = {
            "Type": "Task",
            "Resource": "arn:aws:states:::sqs:sendMessage",
            "Parameters": {"QueueUrl": told, "MessageBody.$": "States.JsonToString($)"},
            "End": True,
        }
        ask = machine({"StartAt": "Tell", "States": {"Tell": telling}}, "EXPRESS", teller)
        return StepFunctionsWorkflow(stepfunctions, ask, machine(PASSING), machine(PASSING))

    @pytest.fixture
    def question(self):
        return lambda: (new_tenant(), uuid.uuid4().hex)

    @pytest.fixture
    def has_ended(self, sqs, told):
        """The machine was started with these two ids and no more."""
        seen = []

        def look(tenant, question_id):
            wanted = {"tenant": tenant, "question_id": question_id}
            until = time.monotonic() + PATIENCE
            while wanted not in seen and time.monotonic() < until:
                got = sqs.receive_message(QueueUrl=told, WaitTimeSeconds=5)
                seen.extend(json.loads(one["Body"]) for one in got.get("Messages", []))
            return wanted in seen

        return look

    @pytest.fixture
    def failing(self, stepfunctions, machine):
        return StepFunctionsWorkflow(stepfunctions, "", machine(FAILING))

    @pytest.fixture
    def unchanged(self, stepfunctions, machine):
        return StepFunctionsWorkflow(stepfunctions, "", machine(UNCHANGED))

    @pytest.fixture
    def meanwhile(self, stepfunctions, machine):
        def run(look):
            arn = machine(WAITING)
            workflow = StepFunctionsWorkflow(stepfunctions, "", arn)
            reindex_id = workflow.reindex("cli")
            try:
                return look(workflow)
            finally:
                stop(stepfunctions, arn, reindex_id)

        return run

    def test_a_reindex_that_was_stopped_says_so(self, stepfunctions, machine):
        arn = machine(WAITING)
        workflow = StepFunctionsWorkflow(stepfunctions, "", arn)
        reindex_id = workflow.reindex("cli")
        assert workflow.reindex_status(reindex_id) == ReindexRun(status="RUNNING")
        with pytest.raises(ConflictError, match=reindex_id):
            workflow.reindex("cli")
        stop(stepfunctions, arn, reindex_id)
        assert wait_for_end(workflow, reindex_id) == ReindexRun(
            status="FAILED",
            error=Problem(
                code="aborted",
                message="the re-index ended as ABORTED",
                action="Queries go on with the old index. "
                "Mend the cause and start the re-index again.",
            ),
        )

    @pytest.mark.parametrize(
        ("error", "cause", "said"),
        [
            ("ReindexFailed", "counts differ", ("ReindexFailed", "counts differ")),
            ("ConflictError", '{"errorMessage": "one is running"}', ("conflict", "one is running")),
            ("KeyError", '{"errorMessage": "secret"}', ("internal", "a step failed")),
            ("Sandbox.Timedout", "60 s", ("timeout", "a step took too long and was stopped")),
        ],
    )
    def test_a_reindex_that_failed_says_why(self, stepfunctions, machine, error, cause, said):
        arn = machine({"StartAt": "Fail", "States": {"Fail": fail_state(error, cause)}})
        workflow = StepFunctionsWorkflow(stepfunctions, "", arn)
        found = wait_for_end(workflow, workflow.reindex("cli"))
        assert (found.status, found.error.code, found.error.message) == ("FAILED", *said)

    def test_a_missing_machine_is_a_configuration_error(self, stepfunctions, machine):
        arn = machine(PASSING) + "-gone"
        with raises_naming(ConfigurationError, arn):
            StepFunctionsWorkflow(stepfunctions, arn, arn).ask("acme", "q-1")


def stop(stepfunctions, arn, reindex_id):
    execution = f"{arn.replace(':stateMachine:', ':execution:')}:{reindex_id}"
    stepfunctions.stop_execution(executionArn=execution)


# -- API Gateway ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def apigateway(aws):
    return client("apigateway", aws)


class TestApiGatewayTenants(TenantsSuite):
    @pytest.fixture
    def key(self, apigateway):
        made = []

        def make(tenant, groups=(), expires=None):
            tags = {"tenant": tenant} if tenant else {}
            tags |= {"expires": iso(expires)} if expires else {}
            tags |= {"groups": " ".join(groups)} if groups else {}
            key = apigateway.create_api_key(name=unique_name("key"), enabled=True, tags=tags)
            made.append(key["id"])
            return key["id"]

        yield make
        for api_key_id in made:
            apigateway.delete_api_key(apiKey=api_key_id)

    @pytest.fixture
    def tenants(self, apigateway):
        return ApiGatewayTenants(apigateway)
