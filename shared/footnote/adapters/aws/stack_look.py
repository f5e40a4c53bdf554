"""Looks at a deployment from outside, with an operator's credentials of AWS. It changes nothing."""

from typing import TYPE_CHECKING, NamedTuple

from footnote.adapters.aws.clients import translate_errors
from footnote.errors import NotFoundError

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.literals import QueueAttributeNameType
    from mypy_boto3_stepfunctions import SFNClient

COUNTS: "list[QueueAttributeNameType]" = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesNotVisible",
    "ApproximateNumberOfMessagesDelayed",
]
MOST_RUNS = 1_000  # executions that are counted


class Depth(NamedTuple):
    """About how many messages of a queue wait, are worked on, and are put off."""

    waiting: int
    at_work: int
    put_off: int


class StackLook:
    """One deployment, by the name of its CloudFormation stack."""

    def __init__(
        self,
        formation: "CloudFormationClient",
        sqs: "SQSClient",
        machines: "SFNClient",
        stack: str,
    ) -> None:
        self.stack = stack
        self._sqs = sqs
        self._machines = machines
        with translate_errors("list", f"stack {stack}"):
            pages = formation.get_paginator("list_stack_resources").paginate(StackName=stack)
            self._resources = {
                one["LogicalResourceId"]: one.get("PhysicalResourceId", "")
                for page in pages
                for one in page["StackResourceSummaries"]
            }

    def resource(self, name: str) -> str:
        """Returns what a resource of the template is called. Raises NotFoundError."""
        if not (found := self._resources.get(name)):
            raise NotFoundError(
                f"the stack has no {name}",
                code="no_endpoint",
                action="Give --stack the name of a CloudFormation stack that is footnote's.",
            )
        return found

    def functions(self) -> dict[str, str]:
        """Returns what each step's function is called, by the step's name."""
        ending = "Function"
        return {
            name.removesuffix(ending).lower(): found
            for name, found in sorted(self._resources.items())
            if name.endswith(ending) and found
        }

    def domain(self) -> dict[str, str]:
        """Returns the dimensions of the stack's OpenSearch domain; none where it has none."""
        name = self._resources.get("Domain")
        account = self.resource("ReindexMachine").split(":")[4]  # of its ARN
        return {"DomainName": name, "ClientId": account} if name else {}

    def depth(self, queue: str) -> Depth:
        url = self.resource(queue)
        with translate_errors("look at", url):
            told = self._sqs.get_queue_attributes(QueueUrl=url, AttributeNames=COUNTS)
        return Depth(*(int(told["Attributes"][name]) for name in COUNTS))

    def runs(self, machine: str) -> int:
        """Counts the executions of a Standard machine that run now, `MOST_RUNS` at most."""
        arn = self.resource(machine)
        with translate_errors("list", arn):
            told = self._machines.list_executions(
                stateMachineArn=arn, statusFilter="RUNNING", maxResults=MOST_RUNS
            )
        return len(told["executions"])
