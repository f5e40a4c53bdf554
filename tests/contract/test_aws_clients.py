"""Checks the clients that talk to AWS itself, as far as that needs no call."""

import pytest

from footnote.adapters.aws.clients import client
from footnote.adapters.aws.s3 import S3Uploads


@pytest.fixture
def in_frankfurt(monkeypatch):
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIAEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "example")


def test_a_presigned_form_goes_to_the_buckets_region(in_frankfurt):
    url, _ = S3Uploads(client("s3", None), "uploads").presign("acme/docs/a.pdf", 10, 60)
    assert url == "https://uploads.s3.eu-central-1.amazonaws.com/"


def test_the_local_stack_never_sees_the_users_credentials(in_frankfurt):
    _, fields = S3Uploads(client("s3", "http://127.0.0.1:1"), "uploads").presign("a/b/c", 10, 60)
    assert fields["x-amz-credential"].startswith("test/")


def test_a_call_is_tried_three_times_at_most(in_frankfurt):
    retries = client("sqs", None).meta.config.retries
    assert retries == {"total_max_attempts": 3, "mode": "standard"}
