"""What a request needs: operation and parameters → IAM's actions, each on a resource.

From the service authorization reference, for the requests that functions, event source mappings and
state machines make. What is not here is refused, so that nothing passes because it was forgotten.
https://docs.aws.amazon.com/service-authorization/latest/reference/
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

type Parameters = Mapping[str, Any]


class Right(NamedTuple):
    """An action on a resource."""

    action: str
    resource: str


class Place(NamedTuple):
    """Where a request goes."""

    region: str
    account: str

    def arn(self, service: str, rest: str) -> str:
        """Returns the ARN of what has `rest` for a name; an ARN stays as it is."""
        if rest.startswith("arn:"):
            return rest
        return f"arn:aws:{service}:{self.region}:{self.account}:{rest}"


class UnknownRequestError(Exception):
    """Raised for a request that has no row here: nobody can say what it needs."""


def rights_of(service: str, operation: str, given: Parameters, place: Place) -> list[Right]:
    """Returns all rights that a request needs; none where IAM asks for none.

    Raises UnknownRequestError.
    """
    found = RIGHTS.get(service)
    rights = None if found is None else found(operation, given, place)
    if rights is None:
        raise UnknownRequestError(
            f"footnote_executor.iam.rights does not know what {service}:{operation} needs"
        )
    return list(rights)


# -- S3 --------------------------------------------------------------------------------------------

OBJECTS = {
    "GetObject": "GetObject",
    "HeadObject": "GetObject",
    "GetObjectTagging": "GetObjectTagging",
    "PutObject": "PutObject",
    "PostObject": "PutObject",
    "PutObjectTagging": "PutObjectTagging",
    "CreateMultipartUpload": "PutObject",
    "UploadPart": "PutObject",
    "CompleteMultipartUpload": "PutObject",
    "AbortMultipartUpload": "AbortMultipartUpload",
    "DeleteObject": "DeleteObject",
}
BUCKETS = {
    "HeadBucket": "ListBucket",
    "ListObjects": "ListBucket",
    "ListObjectsV2": "ListBucket",
    "ListObjectVersions": "ListBucketVersions",
}
OF_A_VERSION = {
    "GetObject": "GetObjectVersion",
    "GetObjectTagging": "GetObjectVersionTagging",
    "PutObjectTagging": "PutObjectVersionTagging",
    "DeleteObject": "DeleteObjectVersion",
}


def s3(operation: str, given: Parameters, _: Place) -> list[Right] | None:
    bucket = f"arn:aws:s3:::{given.get('Bucket')}"
    if operation in BUCKETS:
        return [Right(f"s3:{BUCKETS[operation]}", bucket)]
    if operation == "DeleteObjects":
        objects = given["Delete"]["Objects"]
        return [of_object("DeleteObject", bucket, one["Key"], one) for one in objects]
    if operation not in OBJECTS:
        return None
    found = [of_object(OBJECTS[operation], bucket, given["Key"], given)]
    if given.get("Tagging") and operation in ("PutObject", "PostObject", "CreateMultipartUpload"):
        found.append(Right("s3:PutObjectTagging", f"{bucket}/{given['Key']}"))
    return found


def of_object(action: str, bucket: str, key: str, given: Parameters) -> Right:
    chosen = OF_A_VERSION.get(action, action) if given.get("VersionId") else action
    return Right(f"s3:{chosen}", f"{bucket}/{key}")


# -- DynamoDB --------------------------------------------------------------------------------------

ITEMS = {"GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan", "DescribeTable"}
PARTS_OF_A_TRANSACTION = {
    "Get": "GetItem",
    "Put": "PutItem",
    "Update": "UpdateItem",
    "Delete": "DeleteItem",
    "ConditionCheck": "ConditionCheckItem",
}


def dynamodb(operation: str, given: Parameters, place: Place) -> Iterator[Right] | None:
    def table(name: str) -> str:
        return place.arn("dynamodb", name if name.startswith("arn:") else f"table/{name}")

    if operation in ITEMS:
        index = f"/index/{given['IndexName']}" if given.get("IndexName") else ""
        return iter([Right(f"dynamodb:{operation}", table(given["TableName"]) + index)])
    if operation in ("BatchGetItem", "BatchWriteItem"):
        return (Right(f"dynamodb:{operation}", table(name)) for name in given["RequestItems"])
    if operation in ("TransactGetItems", "TransactWriteItems"):
        return (
            Right(f"dynamodb:{PARTS_OF_A_TRANSACTION[part]}", table(said["TableName"]))
            for item in given["TransactItems"]
            for part, said in item.items()
            if said
        )
    return None


def dynamodbstreams(operation: str, given: Parameters, place: Place) -> list[Right] | None:
    if operation in ("DescribeStream", "GetShardIterator"):
        return [Right(f"dynamodb:{operation}", given["StreamArn"])]
    if operation == "GetRecords":  # a shard iterator names its stream
        # of DynamoDB Local the stream is in a region of its own
        found = re.search(r"arn:aws:dynamodb:[^:]+:\d+:([^|]+)", given["ShardIterator"])
        return [Right("dynamodb:GetRecords", place.arn("dynamodb", found[1]))] if found else None
    if operation == "ListStreams":
        name = given.get("TableName")
        resource = place.arn("dynamodb", f"table/{name}/stream/*") if name else "*"
        return [Right("dynamodb:ListStreams", resource)]
    return None


# -- what is named by one parameter ----------------------------------------------------------------


def queue(given: Parameters, place: Place) -> str:
    *_, account, name = given["QueueUrl"].rstrip("/").split("/")
    return f"arn:aws:sqs:{place.region}:{account}:{name}"


def function(given: Parameters, place: Place) -> str:
    name = given["FunctionName"]
    arn = name if name.startswith("arn:") else place.arn("lambda", f"function:{name}")
    return f"{arn}:{given['Qualifier']}" if given.get("Qualifier") else arn


def parameter(given: Parameters, place: Place) -> str:
    return place.arn("ssm", f"parameter/{given['Name'].removeprefix('/')}")


def api_key(given: Parameters, place: Place) -> str:
    return f"arn:aws:apigateway:{place.region}::/apikeys/{given['apiKey']}"


def machine(given: Parameters, _: Place) -> str:
    return str(given["stateMachineArn"])


def execution(given: Parameters, _: Place) -> str:
    return str(given["executionArn"])


def anything(_given: Parameters, _place: Place) -> str:
    return "*"


ONE: Mapping[str, tuple[str, Callable[[Parameters, Place], str]]] = {
    "sqs.SendMessage": ("sqs:SendMessage", queue),
    "sqs.SendMessageBatch": ("sqs:SendMessage", queue),
    "sqs.ReceiveMessage": ("sqs:ReceiveMessage", queue),
    "sqs.DeleteMessage": ("sqs:DeleteMessage", queue),
    "sqs.DeleteMessageBatch": ("sqs:DeleteMessage", queue),
    "sqs.ChangeMessageVisibility": ("sqs:ChangeMessageVisibility", queue),
    "sqs.ChangeMessageVisibilityBatch": ("sqs:ChangeMessageVisibility", queue),
    "sqs.GetQueueAttributes": ("sqs:GetQueueAttributes", queue),
    "lambda.Invoke": ("lambda:InvokeFunction", function),
    "lambda.InvokeWithResponseStream": ("lambda:InvokeFunction", function),
    "ssm.GetParameter": ("ssm:GetParameter", parameter),
    "apigateway.GetApiKey": ("apigateway:GET", api_key),
    "stepfunctions.StartExecution": ("states:StartExecution", machine),
    "stepfunctions.StartSyncExecution": ("states:StartSyncExecution", machine),
    "stepfunctions.ListExecutions": ("states:ListExecutions", machine),
    "stepfunctions.DescribeExecution": ("states:DescribeExecution", execution),
    "stepfunctions.StopExecution": ("states:StopExecution", execution),
    "cloudwatch.PutMetricData": ("cloudwatch:PutMetricData", anything),
}
"""Requests of one action on one resource."""


def one(service: str) -> Callable[[str, Parameters, Place], list[Right] | None]:
    def rights(operation: str, given: Parameters, place: Place) -> list[Right] | None:
        row = ONE.get(f"{service}.{operation}")
        return [Right(row[0], row[1](given, place))] if row else None

    return rights


def events(operation: str, given: Parameters, place: Place) -> Iterator[Right] | None:
    if operation != "PutEvents":
        return None
    buses = {entry.get("EventBusName") or "default" for entry in given["Entries"]}
    named = (bus if bus.startswith("arn:") else f"event-bus/{bus}" for bus in sorted(buses))
    return (Right("events:PutEvents", place.arn("events", bus)) for bus in named)


def sts(operation: str, _given: Parameters, _place: Place) -> list[Right] | None:
    return [] if operation == "GetCallerIdentity" else None  # whoever has a key may ask whose it is


RIGHTS: Mapping[str, Callable[[str, Parameters, Place], Any]] = {
    "s3": s3,
    "dynamodb": dynamodb,
    "dynamodbstreams": dynamodbstreams,
    "events": events,
    "sts": sts,
    **{service: one(service) for service in {name.partition(".")[0] for name in ONE}},
}
"""Service → what its requests need; None where that is not known."""
