"""A deployed local stack under chaos: it can reroute functions and watch queues."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import boto3
from botocore.config import Config

from footnote.client import Client
from footnote.settings import Settings
from footnote.wiring.services import Services
from tests.corpus import HashEmbedder
from tests.stack import ROOT

PATIENT = Config(read_timeout=310, retries={"max_attempts": 0}, inject_host_prefix=False)
# A look after a minute may meet a connection that the server is closing just then.
AGAIN = Config(retries={"mode": "standard", "max_attempts": 5})
ASKING = ("plan", "retrieve", "grade", "synthesize", "fail")
COUNTED = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
]


class DeployedStack:
    """Handles the stack of a stack.json; reaches its services directly, not through the proxy."""

    def __init__(self, stack: Mapping) -> None:
        self.stack = stack
        self.folder = Path(ROOT / ".footnote" / "stacks" / stack["name"])
        self._lambda = self.aws("lambda")
        self.sqs = self.aws("sqs")
        self.s3 = self.aws("s3")
        self.bucket = stack["outputs"]["UploadsBucket"]
        self.search_url = stack.get("gate_url") or stack["opensearch_url"]
        self.functions = dict(self._functions())
        self.services = Services(Settings.from_env(self.environment("sweep")))
        self.services.embedder = HashEmbedder()  # for searches by words, which ask it nothing
        settings = self.services.settings
        self.queues = settings.queues

    def aws(self, service: str):
        address = {"endpoint_url": self.stack["aws_url"], "region_name": self.stack["region"]}
        config = PATIENT if service in ("lambda", "stepfunctions") else AGAIN
        return boto3.client(service, config=config, **address)

    def _functions(self) -> Iterator[tuple[str, str]]:
        prefix = f"footnote-{self.stack['name']}-"
        for page in self._lambda.get_paginator("list_functions").paginate():
            for one in page["Functions"]:
                name = one["FunctionName"]
                if name.startswith(prefix):
                    verb = name.removeprefix(prefix).partition("Function")[0].lower()
                    yield verb, name

    def client(self, tenant: str) -> Client:
        gateway = self.aws("apigateway")
        key = gateway.create_api_key(name=tenant, enabled=True, tags={"tenant": tenant})
        gateway.create_usage_plan_key(
            usagePlanId=self.stack["outputs"]["UsagePlanId"], keyId=key["id"], keyType="API_KEY"
        )
        return Client(self.stack["api_url"], key["value"])

    # -- functions -------------------------------------------------------------------------------

    def environment(self, verb: str) -> dict[str, str]:
        found = self._lambda.get_function_configuration(FunctionName=self.functions[verb])
        return found["Environment"]["Variables"]

    @contextmanager
    def given(self, variables: Mapping[str, str], verbs: Sequence[str]) -> Iterator[None]:
        """Sets these variables on the functions of these verbs, and restores the old ones after."""
        before = {verb: self.environment(verb) for verb in verbs}
        self._set({verb: {**known, **variables} for verb, known in before.items()})
        try:
            yield
        finally:
            self._set(before)

    def _set(self, environments: Mapping[str, Mapping[str, str]]) -> None:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(self._set_one, *zip(*environments.items(), strict=True)))

    def _set_one(self, verb: str, variables: Mapping[str, str]) -> None:
        name = self.functions[verb]
        environment = {"Variables": dict(variables)}
        self._lambda.update_function_configuration(FunctionName=name, Environment=environment)
        self._lambda.get_waiter("function_updated_v2").wait(
            FunctionName=name, WaiterConfig={"Delay": 1}
        )

    def invoke(self, verb: str, event: Mapping) -> dict | None:
        """Invokes the function; returns its answer, or None when it failed."""
        reply = self._lambda.invoke(
            FunctionName=self.functions[verb], Payload=json.dumps(event).encode()
        )
        body = json.loads(reply["Payload"].read())
        return None if "FunctionError" in reply else body

    # -- queues ----------------------------------------------------------------------------------

    @contextmanager
    def hide_for(self, seconds: int) -> Iterator[None]:
        """Sets the queues' visibility timeout: how soon a killed function's messages come back."""
        before = {}
        for name, url in self.queues.items():
            before[name] = self._attributes(url)["VisibilityTimeout"]
        self.hide_all(seconds)
        try:
            yield
        finally:
            for name, url in self.queues.items():
                self._hide(url, before[name])

    def hide_longer_than_a_step(self) -> None:
        """Hides messages for longer than a step takes now, where that is longer than they are.

        Else a message comes back while a slow function is still at work on it, as if it were dead.
        """
        hidden = int(self._attributes(self.queues["parse"])["VisibilityTimeout"])
        self.hide_all(max(hidden, round(2 * self._seconds_until_ready())))

    def _seconds_until_ready(self) -> float:
        tenant = f"pace{time.time_ns()}"
        began = time.monotonic()
        with self.client(tenant) as client:
            key = f"{tenant}/default/pace.md"
            self.s3.put_object(Bucket=self.bucket, Key=key, Body=f"Pace of {tenant}.".encode())
            while [one["status"] for one in client.documents()] != ["READY"]:
                time.sleep(0.2)
        return time.monotonic() - began

    def _attributes(self, url: str) -> dict[str, str]:
        return self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"]

    def hide_all(self, seconds: int) -> None:
        for url in self.queues.values():
            self._hide(url, str(seconds))

    def _hide(self, url: str, seconds: str) -> None:
        self.sqs.set_queue_attributes(QueueUrl=url, Attributes={"VisibilityTimeout": seconds})

    def at_work(self) -> int:
        return sum(sum(counts) for counts in self.counts().values())

    def counts(self) -> dict[str, list[int]]:
        """Returns how many messages of each queue wait, are received, and are delayed."""
        return {name: self._counts(url) for name, url in self.queues.items()}

    def _counts(self, url: str) -> list[int]:
        reply = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=COUNTED)
        return [int(reply["Attributes"][name]) for name in COUNTED]

    def wait_until_quiet(self, seconds: float) -> bool:
        """Waits until no queue has held anything for two seconds; False after `seconds`."""
        until = time.monotonic() + seconds
        still = 0
        while still < 4:
            if time.monotonic() > until:
                return False
            time.sleep(0.5)
            still = 0 if self.at_work() else still + 1
        return True

    def dead_letters(self, queue: str) -> list[str]:
        """Takes all messages from a step's dead-letter queue and returns their bodies."""
        attributes = self.sqs.get_queue_attributes(
            QueueUrl=self.queues[queue], AttributeNames=["RedrivePolicy"]
        )["Attributes"]
        arn = json.loads(attributes["RedrivePolicy"])["deadLetterTargetArn"]
        url = self.sqs.get_queue_url(QueueName=arn.rpartition(":")[2])["QueueUrl"]
        found: list[str] = []
        while batch := self.take(url):
            found += batch
        return found

    def take(self, url: str, wait: int = 0) -> list[str]:
        """Takes a batch from a queue; returns its bodies. Waits seconds where there is none yet."""
        reply = self.sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=wait)
        batch = reply.get("Messages", [])
        for message in batch:
            self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return [message["Body"] for message in batch]

    # -- the bucket ------------------------------------------------------------------------------

    @contextmanager
    def tap_events(self) -> Iterator[str]:
        """Sends the bucket's events to a new queue instead of to the steps; yields its URL."""
        before = self.s3.get_bucket_notification_configuration(Bucket=self.bucket)
        before.pop("ResponseMetadata")
        url = self.sqs.create_queue(QueueName=f"chaos-tap-{time.time_ns()}")["QueueUrl"]
        arn = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        events = ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]
        tap = {"QueueArn": arn["Attributes"]["QueueArn"], "Events": events}
        self._notify({"QueueConfigurations": [tap]})
        try:
            yield url
        finally:
            self._notify(before)
            self.sqs.delete_queue(QueueUrl=url)

    def _notify(self, configuration: Mapping) -> None:
        self.s3.put_bucket_notification_configuration(
            Bucket=self.bucket, NotificationConfiguration=configuration
        )
