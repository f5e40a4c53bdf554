"""A deployed local stack for drills: what it logs, what AWS would count there, what it is told."""

import json
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen

from footnote.client import Client
from local.deploy import cloudformation_name
from local.state import Stack
from tests.alarm_rules import Figure, counted, figure
from tests.chaos.deployed import DeployedStack
from tests.insights import Line, lines_of
from tests.reconfigured import Deployed, Reconfigured
from tests.stack import PATIENCE
from tests.transformed import SETS

MEASURED = (
    *("admit", "parse", "chunk", "index", "remove", "annotate"),
    *("plan", "retrieve", "grade", "synthesize", "fail"),
)
"""The functions that measure, of those that drills call."""


class Named(Deployed):
    """The template with everything on, as this stack would have it."""

    def __init__(self, stack: str, names: Mapping[str, str]) -> None:
        self.stack = stack
        super().__init__(SETS["everything"], names)


class Site:
    """The stack with the means to break it, and to look at it as somebody on call does."""

    def __init__(self, stack: Mapping[str, Any]) -> None:
        self.stack = DeployedStack(stack)
        self.aws = self.stack.aws
        name = cloudformation_name(Stack(**stack))
        resources = self.aws("cloudformation").get_paginator("list_stack_resources")
        self.names: dict[str, str] = {
            one["LogicalResourceId"]: one["PhysicalResourceId"]
            for page in resources.paginate(StackName=name)
            for one in page["StackResourceSummaries"]
        }
        self.template = Named(name, self.names)
        self.tenant = f"drill{uuid.uuid4().hex[:8]}"
        self.client: Client = self.stack.client(self.tenant)

    @contextmanager
    def measuring(self) -> Iterator[None]:
        with self.stack.given({"POWERTOOLS_METRICS_DISABLED": "false"}, MEASURED):
            yield

    @contextmanager
    def given(self, step: str, parameters: Mapping[str, str]) -> Iterator[None]:
        """Has a step's function as the template makes it with these parameters."""
        changed = Reconfigured(self.stack.stack, self.aws)
        changed.change(step, parameters, POWERTOOLS_METRICS_DISABLED="false")
        try:
            yield
        finally:
            changed.restore()

    # -- what is done ----------------------------------------------------------------------------

    def put(self, name: str, body: bytes = b"# Fees\n\nThe harbour fee is 84 crowns.\n") -> str:
        key = f"{self.tenant}/default/{name}"
        self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)
        return key

    def search_server(self, method: str, path: str, body: Any = None) -> Any:
        request = Request(  # noqa: S310 - loopback
            f"{self.stack.stack['opensearch_url']}/{path}",
            None if body is None else json.dumps(body).encode(),
            {"content-type": "application/json"},
            method=method,
        )
        with urlopen(request, timeout=60) as reply:  # noqa: S310
            return json.loads(reply.read() or b"{}")

    def indexes(self) -> list[str]:
        found = self.search_server("GET", "_cat/indices?format=json&expand_wildcards=open")
        return [one["index"] for one in found if not one["index"].startswith(".")]

    # -- what is seen ----------------------------------------------------------------------------

    def mark(self) -> dict[str, int]:
        """Returns where the logs of functions end now."""
        return {path.name: path.stat().st_size for path in self._logs()}

    def logged(self, mark: Mapping[str, int]) -> str:
        """Returns what functions have logged since."""
        parts = []
        for path in self._logs():
            with path.open("rb") as log:
                log.seek(mark.get(path.name, 0))
                parts.append(log.read().decode(errors="replace"))
        return "\n".join(parts)

    def _logs(self) -> list[Any]:
        return sorted((self.stack.folder / "logs").glob("footnote-*.log"))

    def lines(self, mark: Mapping[str, int]) -> list[Line]:
        return [*lines_of(self.logged(mark))]

    def measured(self, mark: Mapping[str, int], second: float = 0) -> list[Figure]:
        return [*counted(self.logged(mark), second)]

    def says(self, mark: Mapping[str, int], message: str) -> bool:
        return any(line.get("message") == message for line in self.lines(mark))

    def status(self, name: str) -> str | None:
        return {one["document"]: one["status"] for one in self.client.documents()}.get(name)

    def of_queue(self, logical: str, metric: str, second: float, value: float) -> Figure:
        queue = self.template.physical(logical)
        return figure("AWS/SQS", metric, second, value, QueueName=queue)

    def of_domain(self, metric: str, second: float, value: float) -> Figure:
        domain, account = self.template.physical("Domain"), self.template.account
        return figure("AWS/ES", metric, second, value, DomainName=domain, ClientId=account)

    def of_questions(self, begun: int, failed: int) -> Iterator[Figure]:
        """Express executions, which LocalStack counts nowhere: one a question that was asked."""
        arn = self.template.ref("AskMachine")
        for name, count in (("Started", begun), ("Failed", failed)):
            if count:
                yield figure("AWS/States", f"Executions{name}", 0, count, StateMachineArn=arn)


def until(what: str, holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Waits until something holds; raises TimeoutError, which says what was waited for."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.5)
