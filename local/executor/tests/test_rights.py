"""What requests need, by IAM's service authorization reference."""

from types import SimpleNamespace
from typing import Any

import pytest

from footnote_executor.iam.enforcement import access_key_of, parameters_of
from footnote_executor.iam.rights import Place, UnknownRequestError, rights_of

PLACE = Place("eu-central-1", "123456789012")
TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/documents"
STREAM = f"{TABLE}/stream/2026-01-01T00:00:00.000"
QUEUE = "arn:aws:sqs:eu-central-1:123456789012:parse"
URL = "http://127.0.0.1:4566/queue/eu-central-1/123456789012/parse"
MACHINE = "arn:aws:states:eu-central-1:123456789012:stateMachine:ask"
FUNCTION = "arn:aws:lambda:eu-central-1:123456789012:function:vouch"
OBJECT = {"Bucket": "b", "Key": "a/k"}


@pytest.mark.parametrize(
    ("request_", "given", "needs"),
    [
        ("s3.GetObject", OBJECT, ["s3:GetObject arn:aws:s3:::b/a/k"]),
        ("s3.HeadObject", OBJECT, ["s3:GetObject arn:aws:s3:::b/a/k"]),
        ("s3.GetObject", OBJECT | {"VersionId": "1"}, ["s3:GetObjectVersion arn:aws:s3:::b/a/k"]),
        (
            "s3.GetObjectTagging",
            OBJECT | {"VersionId": "1"},
            ["s3:GetObjectVersionTagging arn:aws:s3:::b/a/k"],
        ),
        ("s3.PostObject", OBJECT, ["s3:PutObject arn:aws:s3:::b/a/k"]),
        (
            "s3.PutObject",
            OBJECT | {"Tagging": "a=b"},
            ["s3:PutObject arn:aws:s3:::b/a/k", "s3:PutObjectTagging arn:aws:s3:::b/a/k"],
        ),
        ("s3.ListObjectsV2", {"Bucket": "b", "Prefix": "a/"}, ["s3:ListBucket arn:aws:s3:::b"]),
        ("s3.ListObjectVersions", {"Bucket": "b"}, ["s3:ListBucketVersions arn:aws:s3:::b"]),
        (
            "s3.DeleteObjects",
            {"Bucket": "b", "Delete": {"Objects": [{"Key": "x"}, {"Key": "y", "VersionId": "1"}]}},
            ["s3:DeleteObject arn:aws:s3:::b/x", "s3:DeleteObjectVersion arn:aws:s3:::b/y"],
        ),
        ("dynamodb.Query", {"TableName": "documents"}, [f"dynamodb:Query {TABLE}"]),
        (
            "dynamodb.Query",
            {"TableName": TABLE, "IndexName": "by-tenant"},
            [f"dynamodb:Query {TABLE}/index/by-tenant"],
        ),
        (
            "dynamodb.BatchWriteItem",
            {"RequestItems": {"documents": [], "other": []}},
            [
                f"dynamodb:BatchWriteItem {TABLE}",
                f"dynamodb:BatchWriteItem {TABLE.replace('documents', 'other')}",
            ],
        ),
        (
            "dynamodb.TransactWriteItems",
            {
                "TransactItems": [
                    {"Put": {"TableName": "documents"}},
                    {"ConditionCheck": {"TableName": "documents"}},
                ]
            },
            [f"dynamodb:PutItem {TABLE}", f"dynamodb:ConditionCheckItem {TABLE}"],
        ),
        (
            "dynamodbstreams.GetRecords",
            {"ShardIterator": f"{STREAM.replace('eu-central-1', 'ddblocal')}|1|AAAA"},
            [f"dynamodb:GetRecords {STREAM}"],
        ),
        (
            "dynamodbstreams.ListStreams",
            {"TableName": "documents"},
            [f"dynamodb:ListStreams {TABLE}/stream/*"],
        ),
        ("sqs.SendMessageBatch", {"QueueUrl": URL}, [f"sqs:SendMessage {QUEUE}"]),
        ("sqs.DeleteMessageBatch", {"QueueUrl": URL}, [f"sqs:DeleteMessage {QUEUE}"]),
        ("lambda.Invoke", {"FunctionName": "vouch"}, [f"lambda:InvokeFunction {FUNCTION}"]),
        (
            "lambda.Invoke",
            {"FunctionName": FUNCTION, "Qualifier": "live"},
            [f"lambda:InvokeFunction {FUNCTION}:live"],
        ),
        (
            "ssm.GetParameter",
            {"Name": "/key"},
            ["ssm:GetParameter arn:aws:ssm:eu-central-1:123456789012:parameter/key"],
        ),
        (
            "apigateway.GetApiKey",
            {"apiKey": "k1"},
            ["apigateway:GET arn:aws:apigateway:eu-central-1::/apikeys/k1"],
        ),
        (
            "stepfunctions.StartExecution",
            {"stateMachineArn": MACHINE},
            [f"states:StartExecution {MACHINE}"],
        ),
        (
            "events.PutEvents",
            {"Entries": [{"EventBusName": "ours"}, {}, {"EventBusName": "ours"}]},
            [
                "events:PutEvents arn:aws:events:eu-central-1:123456789012:event-bus/default",
                "events:PutEvents arn:aws:events:eu-central-1:123456789012:event-bus/ours",
            ],
        ),
        ("sts.GetCallerIdentity", {}, []),
    ],
)
def test_a_request_needs_an_action_on_each_resource(
    request_: str, given: Any, needs: list[str]
) -> None:
    found = rights_of(*request_.split("."), given, PLACE)
    assert [f"{right.action} {right.resource}" for right in found] == needs


@pytest.mark.parametrize(
    "request_",
    [
        "s3.PutBucketPolicy",
        "dynamodb.ExecuteStatement",
        "sqs.PurgeQueue",
        "events.PutRule",
        "sts.AssumeRole",
        "kms.Decrypt",
    ],
)
def test_a_request_that_has_no_row_is_known_to_nobody(request_: str) -> None:
    with pytest.raises(UnknownRequestError, match=request_.replace(".", ":")):
        rights_of(*request_.split("."), {}, PLACE)


@pytest.mark.parametrize("name", ["x-amz-credential", "AWSAccessKeyId"])
def test_a_form_names_its_signer_and_its_key(name: str) -> None:
    """Its key may take the file's name, and all its fields come beside the operation's own."""
    form = {"key": "a/${filename}", name: "LSIAKEY/20260101/us-east-1/s3/aws4_request"}
    sent = SimpleNamespace(
        form=form, files={"file": SimpleNamespace(filename="b.pdf")}, query_string=b"", headers={}
    )
    context = SimpleNamespace(
        request=sent,
        operation=SimpleNamespace(name="PostObject"),
        service_request={"Bucket": "b"},
    )
    assert access_key_of(context) == "LSIAKEY"
    given = parameters_of(context)
    assert rights_of("s3", "PostObject", given, PLACE) == [
        ("s3:PutObject", "arn:aws:s3:::b/a/b.pdf")
    ]
