"""A sidecar takes effect by its rule alone, while the queues of the bucket hear of nothing."""

import pytest

from tests.e2e.test_metadata import (
    becomes_ready,
    eventually,
    found_documents,
    harbour_note,
    sidecar,
)

DOCUMENT = "past all+queues.md"


@pytest.fixture
def only_rules(aws, stack):
    """Has the bucket tell its events to EventBridge alone: its queues hear of nothing."""
    s3, bucket = aws("s3"), stack["outputs"]["UploadsBucket"]
    before = s3.get_bucket_notification_configuration(Bucket=bucket)
    before.pop("ResponseMetadata")

    def notify(configuration):
        s3.put_bucket_notification_configuration(
            Bucket=bucket, NotificationConfiguration=configuration
        )

    yield lambda: notify({"EventBridgeConfiguration": {}})
    notify(before)


def test_a_sidecar_does_not_wait_for_what_the_bucket_has_told_before(
    new_tenant, aws, stack, only_rules
):
    guest, tenant = new_tenant()
    s3, bucket, key = aws("s3"), stack["outputs"]["UploadsBucket"], f"{tenant}/default/{DOCUMENT}"
    s3.put_object(Bucket=bucket, Key=key, Body=harbour_note("past"))
    assert becomes_ready(guest, DOCUMENT)
    only_rules()
    s3.put_object(Bucket=bucket, Key=f"{key}.metadata.json", Body=sidecar(["board"]))
    assert eventually(lambda: DOCUMENT not in found_documents(guest))
    s3.delete_object(Bucket=bucket, Key=f"{key}.metadata.json")
    assert eventually(lambda: DOCUMENT in found_documents(guest))
