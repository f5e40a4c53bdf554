"""Tries a deployment from end to end, as its first hour would, and tidies up behind itself.

A sample goes in, becomes READY, is asked about, closed by a sidecar, re-indexed and removed; a
dead letter is redriven, and an alarm rings. Each finding has a name, whether it is good, what was
found with its seconds, and what to do. It works on the local stack as on an account.
"""

import json
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import boto3
from botocore.exceptions import BotoCoreError, ClientError

from footnote.client import Client
from footnote.contracts import ParseRequest
from footnote.errors import FootnoteError, NotFoundError
from footnote.metadata.attributes import SUFFIX
from footnote.model import Revision
from local.account import Finding, parameters
from local.costs import NODES
from local.deploy import cloudformation_name
from local.deploy import session as local_session
from local.state import StackError, running_stack

PATIENCE = 900.0  # seconds for one step: a first deployment starts every function
LOOK = 1.0  # seconds between two looks
FEE = "84 crowns"
QUESTION = "What is the mooring fee at Copper Quay?"
BOARD = "first-hour-board"  # a group that nobody is in
ALARM = "ParseDeadLettersAlarm"
ADVICE = (
    "docs/operations.md, by what was found; `sam logs --stack-name …` shows what functions said"
)


class TrialError(Exception):
    """Raised when a step did not come to what it should; says what was seen instead."""


@dataclass
class Deployment:
    """A stack that is deployed: its name, what makes clients of AWS, its outputs and parameters."""

    name: str
    ask: Callable[[str], Any]
    url: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, str] = field(default_factory=dict)


def findings_of(profile: str, *, aws: bool) -> Iterator[Finding]:
    """Yields findings of the deployment of a profile of samconfig.toml, or of the local stack."""
    try:
        deployment = of_account(profile) if aws else of_this_machine()
    except (ClientError, BotoCoreError, StackError) as error:
        yield Finding("stack", False, str(error)[:300], "deploy first: docs/deploying.md")
        return
    yield from findings(deployment)


def of_account(profile: str) -> Deployment:
    _, name = parameters(profile)
    session = boto3.Session()

    def ask(service: str) -> Any:
        return session.client(service)  # type: ignore[call-overload]

    return find(name, ask)


def of_this_machine() -> Deployment:
    stack = running_stack(os.environ.get("FOOTNOTE_STACK", "dev"))
    made = local_session(stack)

    def ask(service: str) -> Any:
        return made.client(service, endpoint_url=stack.aws_url)  # type: ignore[call-overload]

    return find(cloudformation_name(stack), ask, str(stack.api_url))


def find(name: str, ask: Callable[[str], Any], url: str = "") -> Deployment:
    """Returns the deployment of a CloudFormation stack; `url` where its output is not the way in.

    Raises ClientError where there is no such stack.
    """
    [stack] = ask("cloudformation").describe_stacks(StackName=name)["Stacks"]
    outputs = {one["OutputKey"]: one["OutputValue"] for one in stack.get("Outputs", [])}
    given = {one["ParameterKey"]: one["ParameterValue"] for one in stack.get("Parameters", [])}
    return Deployment(name, ask, url or outputs["ApiUrl"], outputs, given)


class Trial:
    """A document of a name that nobody has, seen by the deployment's key and by a guest's."""

    def __init__(self, deployment: Deployment) -> None:
        self.of = deployment
        self.name = f"first-hour-{uuid.uuid4().hex[:8]}.md"
        self.usd = 0.0
        self.gateway = deployment.ask("apigateway")
        own = self.gateway.get_api_key(apiKey=deployment.outputs["ApiKeyId"], includeValue=True)
        self.tenant = own["tags"]["tenant"]
        tags = {"tenant": self.tenant, "groups": "first-hour"}
        guest = self.gateway.create_api_key(name=self.name, enabled=True, tags=tags)
        self.guest_id = guest["id"]
        self.gateway.create_usage_plan_key(
            usagePlanId=deployment.outputs["UsagePlanId"], keyId=guest["id"], keyType="API_KEY"
        )
        self.client, self.guest = (
            Client(deployment.url, one["value"], timeout=PATIENCE) for one in (own, guest)
        )

    def close(self) -> None:
        """Removes what is left of the trial: the document, its sidecar, the guest's key."""
        for key in (self.key, self.key + SUFFIX):
            self.of.ask("s3").delete_object(Bucket=self.of.outputs["UploadsBucket"], Key=key)
        self.gateway.delete_api_key(apiKey=self.guest_id)
        self.client.close()
        self.guest.close()

    @property
    def key(self) -> str:
        return f"{self.tenant}/default/{self.name}"

    def physical(self, logical: str) -> str:
        found = self.of.ask("cloudformation").describe_stack_resource(
            StackName=self.of.name, LogicalResourceId=logical
        )
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    def is_seen(self, client: Client) -> bool:
        """Tells whether a caller finds the sample and may look at it."""
        try:
            client.document(self.name)
        except NotFoundError:
            return False
        hits = client.search(QUESTION, k=50)["hits"]
        return any(hit["document"] == self.name for hit in hits)


def add(trial: Trial) -> str:
    added = trial.client.add_text(
        trial.name, f"# Fees\n\nThe mooring fee at Copper Quay is {FEE}.\n"
    )
    [record] = trial.client.wait([added], lambda _: None)
    expect(record["status"] == "READY", f"{record['status']}: {record.get('reason')}")
    trial.usd += record["usd"]
    until(lambda: trial.is_seen(trial.guest), "the guest does not find the sample")
    return f"READY with {record['chunks']} chunk"


def ask_question(trial: Trial) -> str:
    answer = trial.client.ask(QUESTION)
    trial.usd += answer["usage"]["usd"]
    expect(FEE in answer["answer"], f"the answer lacks the fee: {answer['answer'][:200]}")
    cited = [one for one in answer["citations"] if one["document"] == trial.name]
    expect(bool(cited) and cited[0]["verified"], "it does not cite the sample")
    return f"answered by {answer['mode']}, cited and checked"


def close_by_sidecar(trial: Trial) -> str:
    trial.of.ask("s3").put_object(
        Bucket=trial.of.outputs["UploadsBucket"],
        Key=trial.key + SUFFIX,
        Body=json.dumps({"acl": [BOARD], "metadataAttributes": {}}).encode(),
    )
    until(lambda: not trial.is_seen(trial.guest), "the guest still sees what a sidecar has closed")
    expect(trial.is_seen(trial.client), "the key of @all no longer finds the sample")
    return "closed to the guest, open to @all"


def reindex(trial: Trial) -> str:
    run = trial.client.reindex(force=True)
    while run["status"] == "RUNNING":
        time.sleep(LOOK)
        run = trial.client.reindex_status(run["id"])
    expect(run["status"] == "DONE", f"{run['status']}: {run.get('reason') or run.get('error')}")
    expect(trial.is_seen(trial.client), "the sample is not found after it")
    expect(not trial.is_seen(trial.guest), "the re-index has opened what a sidecar closed")
    return f"{run['documents']} documents, {run['chunks']} chunks" if "chunks" in run else "DONE"


def remove(trial: Trial) -> str:
    trial.client.remove(trial.name)
    until(lambda: not trial.is_seen(trial.client), "the sample is still found")
    return "no longer found"


def redrive(trial: Trial) -> str:
    """Puts a message of the removed file among the dead letters, and has SQS move it back."""
    sqs, letters = trial.of.ask("sqs"), trial.physical("ParseDeadLetters")
    queue = trial.physical("ParseQueue")
    late = Revision(key=trial.key, version="gone", sequencer="0000000000000001")
    body = ParseRequest(**late.identity).model_dump_json()
    sqs.send_message(QueueUrl=letters, MessageBody=body, MessageGroupId=trial.tenant)
    until(lambda: waiting(sqs, letters) > 0, "the dead letter is not there")
    # of a message that came by no redrive policy SQS does not know where it belongs
    source, goal = arn(sqs, letters), arn(sqs, queue)
    sqs.start_message_move_task(SourceArn=source, DestinationArn=goal)
    until(lambda: is_moved(sqs, source), "the dead letter is not moved")
    until(lambda: not waiting(sqs, letters) + waiting(sqs, queue), "a message waits still")
    expect(not trial.is_seen(trial.client), "a late message has brought the file back")
    return "the late message was moved, and dropped"


def is_moved(sqs: Any, source: str) -> bool:
    """Tells whether the newest move out of a queue is through. Raises TrialError if it failed."""
    task = sqs.list_message_move_tasks(SourceArn=source)["Results"][0]
    expect(task["Status"] != "FAILED", f"SQS could not move it: {task.get('FailureReason')}")
    return bool(task["Status"] == "COMPLETED")


def arn(sqs: Any, url: str) -> str:
    told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
    return str(told["Attributes"]["QueueArn"])


def waiting(sqs: Any, url: str) -> int:
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    told = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return sum(int(told[name]) for name in names)


def ring(trial: Trial) -> str:
    """Rings an alarm, which tells whoever is subscribed, and quietens it."""
    cloudwatch, name = trial.of.ask("cloudwatch"), trial.physical(ALARM)
    state = {"AlarmName": name, "StateReason": "a trial by `footnote doctor --aws --after`"}
    cloudwatch.set_alarm_state(**state, StateValue="ALARM")
    [alarm] = cloudwatch.describe_alarms(AlarmNames=[name])["MetricAlarms"]
    expect(alarm["StateValue"] == "ALARM", f"{name} is {alarm['StateValue']}")
    cloudwatch.set_alarm_state(**state, StateValue="OK")
    topics = alarm["AlarmActions"]
    if not topics:
        return "rang; it tells nobody: deploy with AlarmEmail or AlarmTopicArn"
    told = [
        one["Endpoint"]
        for topic in topics
        for one in trial.of.ask("sns").list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]
        if one["SubscriptionArn"].startswith(
            "arn:"
        )  # "PendingConfirmation" until its mail is answered
    ]
    expect(bool(told), f"nobody has confirmed a subscription of {topics[0]}")
    return f"rang; {', '.join(told)} should hear of it"


def cost(trial: Trial) -> str:
    node = trial.of.parameters.get("OpenSearchInstanceType", "")
    price = {one.name: one.price for one in NODES}.get(node)
    own = not trial.of.parameters.get("OpenSearchEndpoint")
    hourly = (
        f"; the domain costs ${price:.3f} an hour and node, used or not" if own and price else ""
    )
    return f"models ${trial.usd:.4f}; requests to AWS below a cent{hourly}"


STEPS: Mapping[str, Callable[[Trial], str]] = {
    "add": add,
    "ask": ask_question,
    "sidecar": close_by_sidecar,
    "reindex": reindex,
    "remove": remove,
    "redrive": redrive,
    "alarm": ring,
    "cost": cost,
}


def findings(deployment: Deployment) -> Iterator[Finding]:
    """Yields what each step came to. After one that failed no other is tried."""
    trial = Trial(deployment)
    try:
        for name, step in STEPS.items():
            started = time.monotonic()
            try:
                found = step(trial)
            except (TrialError, FootnoteError, ClientError, BotoCoreError) as error:
                yield Finding(name, False, str(error)[:300], ADVICE)
                return
            yield Finding(name, True, f"{found} ({time.monotonic() - started:.1f} s)", "")
    finally:
        trial.close()


def expect(good: bool, otherwise: str) -> None:  # noqa: FBT001
    """Raises TrialError with what was seen instead."""
    if not good:
        raise TrialError(otherwise)


def until(good: Callable[[], bool], otherwise: str) -> None:
    """Looks again until it is good. Raises TrialError after `PATIENCE`."""
    end = time.monotonic() + PATIENCE
    while not good():
        expect(time.monotonic() < end, f"{otherwise} after {PATIENCE:.0f} s")
        time.sleep(LOOK)
