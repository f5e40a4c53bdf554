"""Requests to S3, DynamoDB, SQS and OpenSearch as they go over the wire, and their refusals."""

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

Service = Literal["s3", "dynamodb", "sqs", "opensearch"]


@dataclass(frozen=True)
class Reply:
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def json(self):
        return json.loads(self.body)


@dataclass(frozen=True)
class Call:
    """A request; `port` is the client's end of the connection and leads to its process."""

    service: Service
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    port: int

    @property
    def operation(self) -> str:
        target = self.headers.get("x-amz-target", "")
        if target:
            return target.rpartition(".")[2]
        what = next((word for word in self.path.split("?")[0].split("/") if word[:1] == "_"), "")
        return f"{self.method} {what}".strip()

    @property
    def call_id(self) -> str:
        """Returns an id shared by all attempts of an SDK at one call; "" when none was sent."""
        return self.headers.get("amz-sdk-invocation-id", "")

    @property
    def delivery(self) -> str:
        """Returns an id of the calling function's invocation."""
        return self.headers.get("x-amzn-trace-id", "")

    @cached_property
    def json(self):
        return json.loads(self.body)

    def with_json(self, body) -> "Call":
        return replace(self, body=json.dumps(body).encode())


def service_of(headers: Mapping[str, str]) -> Service:
    """Returns the service of a request to AWS; OpenSearch has an address of its own."""
    target = headers.get("x-amz-target", "")
    if target.startswith("DynamoDB"):
        return "dynamodb"
    return "sqs" if target.startswith("AmazonSQS") else "s3"


SIGNATURE = ("authorization", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256")


def signed_anew(call: Call) -> Call:
    """Signs a changed request to OpenSearch with the stack's root key, if it was signed at all."""
    if "authorization" not in call.headers:
        return call
    kept = {name: value for name, value in call.headers.items() if name not in SIGNATURE}
    made = AWSRequest(call.method, f"http://{call.headers['host']}{call.path}", data=call.body)
    SigV4Auth(Credentials("test", "test"), "es", "us-east-1").add_auth(made)
    signed = {name.lower(): value for name, value in made.headers.items()}
    return replace(call, headers=kept | signed)


# -- refusals ------------------------------------------------------------------------------------


def s3_error(status: int, code: str) -> Reply:
    text = f"<Error><Code>{code}</Code><Message>injected</Message></Error>"
    return Reply(status, text.encode(), {"content-type": "application/xml"})


def aws_error(status: int, kind: str) -> Reply:
    body = json.dumps({"__type": kind, "message": "injected", "Message": "injected"})
    return Reply(status, body.encode(), {"content-type": "application/x-amz-json-1.0"})


def opensearch_error(status: int, kind: str) -> Reply:
    error = {"type": kind, "reason": "injected", "root_cause": []}
    body = json.dumps({"error": error, "status": status})
    return Reply(status, body.encode(), {"content-type": "application/json"})


DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
REFUSALS: Mapping[tuple[Service, str], tuple[Reply, ...]] = {
    ("s3", "throttled"): (s3_error(503, "SlowDown"),),
    ("s3", "broken"): (s3_error(500, "InternalError"),),
    ("dynamodb", "throttled"): (
        aws_error(400, f"{DYNAMODB}ProvisionedThroughputExceededException"),
        aws_error(400, "com.amazon.coral.availability#ThrottlingException"),
    ),
    ("dynamodb", "broken"): (aws_error(500, f"{DYNAMODB}InternalServerError"),),
    ("sqs", "throttled"): (aws_error(400, "com.amazonaws.sqs#ThrottlingException"),),
    ("sqs", "broken"): (aws_error(503, "com.amazonaws.sqs#ServiceUnavailable"),),
    ("opensearch", "throttled"): (opensearch_error(429, "rejected_execution_exception"),),
    ("opensearch", "broken"): (opensearch_error(503, "cluster_manager_not_discovered_exception"),),
}


# -- half done -----------------------------------------------------------------------------------

type Forward = Callable[[Call], Reply]


def half_bulk(call: Call, forward: Forward, chance: random.Random) -> Reply:
    """Refuses some items of a bulk request, which are not written, and forwards the others."""
    lines = call.body.decode().splitlines()
    pairs = [(lines[n], lines[n + 1]) for n in range(0, len(lines), 2)]
    refused = choose_some(len(pairs), chance)
    taken = [pair for n, pair in enumerate(pairs) if n not in refused]
    items = iter([])
    if taken:
        body = "".join(f"{action}\n{source}\n" for action, source in taken).encode()
        reply = forward(replace(call, body=body))
        if reply.status != 200:
            return reply
        items = iter(reply.json["items"])
    outcomes = [
        refused_item(action, chance) if n in refused else next(items)
        for n, (action, _) in enumerate(pairs)
    ]
    body = json.dumps({"took": 1, "errors": True, "items": outcomes}).encode()
    return Reply(200, body, {"content-type": "application/json"})


def refused_item(action: str, chance: random.Random):
    asked = json.loads(action)["index"]
    status, kind = chance.choice(
        [(429, "rejected_execution_exception"), (503, "unavailable_shards_exception")]
    )
    error = {"type": kind, "reason": "injected"}
    return {"index": {**asked, "status": status, "error": error}}


def half_send(call: Call, forward: Forward, chance: random.Random) -> Reply:
    """Refuses some messages of a batch and forwards the others."""
    entries = call.json["Entries"]
    refused = choose_some(len(entries), chance)
    taken = [entry for n, entry in enumerate(entries) if n not in refused]
    done = []
    if taken:
        reply = forward(call.with_json({**call.json, "Entries": taken}))
        if reply.status != 200:
            return reply
        done = reply.json["Successful"]
    failed = [
        {"Id": entries[n]["Id"], "SenderFault": False, "Code": "ServiceUnavailable"}
        for n in sorted(refused)
    ]
    return json_reply(call, {"Successful": done, "Failed": failed})


def half_put(call: Call, forward: Forward, chance: random.Random) -> Reply:
    """Leaves some writes of a batch unprocessed and forwards the others."""
    [(table, requests)] = call.json["RequestItems"].items()
    refused = choose_some(len(requests), chance)
    taken = [one for n, one in enumerate(requests) if n not in refused]
    if taken:
        reply = forward(call.with_json({**call.json, "RequestItems": {table: taken}}))
        if reply.status != 200:
            return reply
    return json_reply(call, {"UnprocessedItems": {table: [requests[n] for n in sorted(refused)]}})


def half_get(call: Call, forward: Forward, chance: random.Random) -> Reply:
    """Leaves some reads of a batch unprocessed and forwards the others."""
    [(table, asked)] = call.json["RequestItems"].items()
    refused = choose_some(len(asked["Keys"]), chance)
    taken = [key for n, key in enumerate(asked["Keys"]) if n not in refused]
    answers = []
    if taken:
        less = {table: {**asked, "Keys": taken}}
        reply = forward(call.with_json({**call.json, "RequestItems": less}))
        if reply.status != 200:
            return reply
        answers = reply.json["Responses"].get(table, [])
    left = {table: {**asked, "Keys": [asked["Keys"][n] for n in sorted(refused)]}}
    return json_reply(call, {"Responses": {table: answers}, "UnprocessedKeys": left})


HALVES: Mapping[tuple[Service, str], Callable[[Call, Forward, random.Random], Reply]] = {
    ("opensearch", "POST _bulk"): half_bulk,
    ("sqs", "SendMessageBatch"): half_send,
    ("dynamodb", "BatchWriteItem"): half_put,
    ("dynamodb", "BatchGetItem"): half_get,
}
"""(service, operation) → how it is half done."""


def json_reply(call: Call, body) -> Reply:
    kind = call.headers.get("content-type", "application/x-amz-json-1.0")
    return Reply(200, json.dumps(body).encode(), {"content-type": kind})


def choose_some(number: int, chance: random.Random) -> set[int]:
    """Chooses some of the numbers below `number`, at least one."""
    chosen = {n for n in range(number) if chance.random() < 0.4}
    return chosen or {chance.randrange(number)}
