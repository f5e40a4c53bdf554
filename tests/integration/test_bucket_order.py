"""Real buckets and their real events, told in many orders: the end is what the bucket holds.

The histories of `tests/unit/test_order.py` that S3 itself has to play: permanent deletes of
versions and of markers, and versions without an id. Bucket, events and table are real; the steps
run in this process.
"""

import json
import random

import pytest

from footnote.adapters.aws.clients import client
from footnote.adapters.aws.s3 import S3Uploads
from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.ingest.upkeep.settle import find_record
from footnote.model import QUEUE_NAMES, document_id
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.contract.suites import new_tenant
from tests.corpus import HashEmbedder
from tests.integration.test_aws_adapters import table, unique_name
from tests.unit.faces import Words

PUT, MARK, OLDEST, NEWEST, SUSPEND = "put", "mark", "drop oldest", "drop newest", "suspend"
HISTORIES = (
    (PUT, PUT, OLDEST),
    (PUT, PUT, NEWEST),
    (PUT, MARK, NEWEST),
    (PUT, MARK, OLDEST),
    (PUT, PUT, MARK, NEWEST, NEWEST),
    (PUT, SUSPEND, PUT, PUT),
    (PUT, SUSPEND, PUT, NEWEST),
    (PUT, SUSPEND, PUT, MARK),
    (PUT, SUSPEND, MARK, PUT),
)
ORDERS = 4


@pytest.fixture
def told(aws):
    """A bucket and the queue that its events go to."""
    s3, sqs = client("s3", aws), client("sqs", aws)
    bucket, url = (
        unique_name("bucket"),
        sqs.create_queue(QueueName=unique_name("events"))["QueueUrl"],
    )
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]
    s3.create_bucket(Bucket=bucket)
    s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    events = ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]
    s3.put_bucket_notification_configuration(
        Bucket=bucket,
        NotificationConfiguration={
            "QueueConfigurations": [{"QueueArn": arn["QueueArn"], "Events": events}]
        },
    )
    yield s3, bucket, sqs, url
    for page in s3.get_paginator("list_object_versions").paginate(Bucket=bucket):
        for thing in page.get("Versions", []) + page.get("DeleteMarkers", []):
            s3.delete_object(Bucket=bucket, Key=thing["Key"], VersionId=thing["VersionId"])
    s3.delete_bucket(Bucket=bucket)
    sqs.delete_queue(QueueUrl=url)


@pytest.fixture(scope="module")
def catalog(aws):
    with table(client("dynamodb", aws), "DocumentsTable") as name:
        yield DynamoCatalog(client("dynamodb", aws), name)


def change(s3, bucket, key, operation, number):
    """Changes the bucket. Returns how many events that makes."""
    page = s3.list_object_versions(Bucket=bucket, Prefix=key)
    things = page.get("Versions", []) + page.get("DeleteMarkers", [])
    current = [thing["VersionId"] for thing in things if thing["IsLatest"]]
    others = [thing["VersionId"] for thing in things if not thing["IsLatest"]]
    match operation:
        case "put":
            body = f"# Fees\n\nThe harbour fee is {number} crowns."
            s3.put_object(Bucket=bucket, Key=key, Body=body.encode())
        case "mark":
            s3.delete_object(Bucket=bucket, Key=key)
        case "suspend":
            s3.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Suspended"})
            return 0
        case "drop newest":
            s3.delete_object(Bucket=bucket, Key=key, VersionId=current[0])
        case _:
            s3.delete_object(Bucket=bucket, Key=key, VersionId=others[-1])
    return 1


def events_of(sqs, url, count):
    found = []
    while len(found) < count:
        reply = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=2)
        for message in reply.get("Messages", []):
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            if "Records" in (body := json.loads(message["Body"])):
                found.append(("Created" in body["Records"][0]["eventName"].split(":")[0], body))
    assert len(found) == count
    return [("admit" if created else "remove", json.dumps(body)) for created, body in found]


@pytest.mark.parametrize("history", HISTORIES, ids=" ".join)
def test_the_table_ends_as_the_bucket_is(told, catalog, history):
    s3, bucket, sqs, url = told
    uploads, tenant = S3Uploads(s3, bucket), new_tenant()
    made = f"{tenant}/docs/fees.md"
    count = sum(change(s3, bucket, made, one, n) for n, one in enumerate(history))
    events = events_of(sqs, url, count)
    for seed in range(ORDERS):
        random.Random(seed).shuffle(events)
        pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
        pipeline.uploads, pipeline.catalog = uploads, catalog
        for queue, body in events:
            deliver_all(pipeline, queue, body)
        assert problem(pipeline, uploads, tenant, made) == "", (history, seed)
        if record := find_record(catalog, document_id(made)):
            forget(catalog, record)


def deliver_all(pipeline, queue, body):
    waiting = [(queue, body)]
    while waiting:
        queue, body = waiting.pop(0)
        step_of(queue).receive(body, pipeline, 1)
        for name in QUEUE_NAMES:
            sent = pipeline.queues.sent[name]
            waiting += [(name, message.model_dump_json()) for message in sent]
            sent.clear()


def forget(catalog, record):
    """Deletes the record, so that the same events can be told in another order."""
    catalog._client.delete_item(
        TableName=catalog._table, Key={"document_id": {"S": record.document_id}}
    )


def problem(pipeline, uploads, tenant, key):
    """Says what differs from the bucket, or nothing."""
    there, record = uploads.current(key), find_record(pipeline.catalog, document_id(key))
    hits, _ = Service(pipeline, tenant).searches.search("harbour fee crowns")
    texts = [hit.chunk.text for hit in hits]
    if there is None:
        return "" if (record.status, texts) == ("DELETED", []) else f"gone: {record} {texts}"
    wanted = ("READY", there.version, there.version)
    state = (record.status, record.version, record.live_version)
    body = uploads.read(key, there.version).decode()
    return "" if state == wanted and texts == [body] else f"{wanted}, but {state} {texts}"
