"""Measures how long a document stays visible after its acl was tightened, behind a full queue.

`make bench-tightening` runs it on a stack of its own (FILES=5000). A tenant puts so many small
files at once. As soon as they are all in the bucket, the sidecar of a document that is READY takes
the group `staff` away, then is deleted. Printed are the seconds until the table says so, and until
a member of `staff` no longer finds the document (or finds it again), and what waited meanwhile.
"""

import json
import os
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import boto3

from footnote.client import Client
from footnote.model import document_id
from footnote.wire import Json
from local.deploy import session
from local.state import Stack, running_stack
from tests.bench.flow import COUNTS, UPLOADERS, text_of

BOUND = 60.0  # seconds; one invocation's cold start on a busy machine of two cores is among them
GIVE_UP = 400.0
TEXT = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"


class Tenant:
    """A tenant with a document, two groups of readers and thousands of other files."""

    def __init__(self, stack: Stack) -> None:
        made: boto3.Session = session(stack)
        self.stack = stack
        self.s3, self.sqs, self.table, self.gateway = (
            made.client(service, endpoint_url=stack.aws_url)
            for service in ("s3", "sqs", "dynamodb", "apigateway")
        )
        self.bucket = stack.outputs["UploadsBucket"]
        self.name = f"t{uuid.uuid4().hex[:8]}"
        self.key = f"{self.name}/default/fees.md"
        self.staff = self._client("staff")
        urls = self.sqs.list_queues(QueueNamePrefix=f"footnote-{stack.name}-")["QueueUrls"]
        self.queues = {url.rsplit("/", 1)[1].split("-")[2]: url for url in urls}

    def _client(self, groups: str) -> Client:
        tags = {"tenant": self.name, "groups": groups}
        key = self.gateway.create_api_key(name=self.name, enabled=True, tags=tags)
        plan = self.stack.outputs["UsagePlanId"]
        self.gateway.create_usage_plan_key(usagePlanId=plan, keyId=key["id"], keyType="API_KEY")
        return Client(self.stack.api_url, key["value"])

    def say(self, acl: list[str]) -> None:
        body = json.dumps({"acl": acl}).encode()
        self.s3.put_object(Bucket=self.bucket, Key=f"{self.key}.metadata.json", Body=body)

    def unsay(self) -> None:
        self.s3.delete_object(Bucket=self.bucket, Key=f"{self.key}.metadata.json")

    def drop(self, count: int) -> None:
        def put(number: int) -> None:
            key = f"{self.name}/notes/{number:05d}.txt"
            self.s3.put_object(Bucket=self.bucket, Key=key, Body=text_of(key).encode())

        with ThreadPoolExecutor(UPLOADERS) as pool:
            list(pool.map(put, range(count)))

    def item(self) -> Json:
        reply = self.table.get_item(
            TableName=self.stack.outputs["DocumentsTable"],
            Key={"document_id": {"S": document_id(self.key)}},
            ConsistentRead=True,
        )
        return dict(reply.get("Item", {}))

    def acl(self) -> list[str] | None:
        listed = self.item().get("acl", {}).get("L")
        return None if listed is None else [one["S"] for one in listed]

    def is_found(self) -> bool:
        hits = self.staff.search("harbour fee for a barge", strategy="lexical")["hits"]
        return any(hit["document"] == "fees.md" for hit in hits)

    def waiting(self) -> dict[str, int]:
        depths = {name: self._depth(url) for name, url in self.queues.items()}
        return {name: count for name, count in depths.items() if count}

    def _depth(self, url: str) -> int:
        found = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=list(COUNTS))
        ready, taken = (int(found["Attributes"][name]) for name in COUNTS)
        return ready + taken


def seconds_until(holds: Callable[[], bool], since: float) -> float:
    while not holds():
        if time.monotonic() - since > GIVE_UP:
            return GIVE_UP
        time.sleep(0.1)
    return time.monotonic() - since


def measure(tenant: Tenant, what: str, change: Callable[[], None], *, found: bool) -> float:
    """Changes the sidecar; prints and returns the seconds until a member's search has followed."""
    before, wanted = tenant.waiting(), None if found else ["board"]
    since = time.monotonic()
    change()
    table = seconds_until(lambda: tenant.acl() == wanted, since)
    search = seconds_until(lambda: tenant.is_found() == found, since)
    print(
        f"{what:<26} table after {table:6.1f} s  search after {search:6.1f} s  {before}", flush=True
    )
    return search


def main() -> int:
    files = int(os.environ.get("FILES", "5000"))
    tenant = Tenant(running_stack(os.environ.get("FOOTNOTE_STACK", "dev")))
    tenant.say(["board", "staff"])
    tenant.s3.put_object(Bucket=tenant.bucket, Key=tenant.key, Body=TEXT)
    seconds_until(lambda: tenant.item().get("status", {}).get("S") == "READY", time.monotonic())
    seconds_until(tenant.is_found, time.monotonic())
    spent = [
        measure(tenant, "alone: tightened", lambda: tenant.say(["board"]), found=False),
        measure(tenant, "alone: sidecar deleted", tenant.unsay, found=True),
    ]
    tenant.say(["board", "staff"])
    seconds_until(lambda: tenant.acl() == ["board", "staff"], time.monotonic())
    started = time.monotonic()
    tenant.drop(files)
    print(f"{files} files put in {time.monotonic() - started:.0f} s", flush=True)
    spent += [
        measure(tenant, f"{files} wait: tightened", lambda: tenant.say(["board"]), found=False),
        measure(tenant, f"{files} wait: sidecar deleted", tenant.unsay, found=True),
    ]
    return 1 if max(spent) > BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
