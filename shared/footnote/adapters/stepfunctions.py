"""Step Functions: starts the state machines that answer questions and rebuild the index."""

import json
from typing import TYPE_CHECKING

from footnote.adapters.aws_clients import translate_errors
from footnote.adapters.limits import must_be_startable, must_fit_state
from footnote.errors import ConflictError
from footnote.model import Problem

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_stepfunctions.type_defs import DescribeExecutionOutputTypeDef

STATES = {"RUNNING": "RUNNING", "PENDING_REDRIVE": "RUNNING", "SUCCEEDED": "DONE"}


class StepFunctionsWorkflow:
    """Starts an Express machine to answer and a Standard one to re-index."""

    def __init__(self, client: "SFNClient", ask_arn: str, reindex_arn: str) -> None:
        self._client = client
        self._ask = ask_arn
        self._reindex = reindex_arn

    def ask(self, tenant: str, question_id: str) -> None:
        text = json.dumps({"tenant": tenant, "question_id": question_id})
        must_be_startable(self._ask, question_id, text)
        with translate_errors("start", self._ask):
            self._client.start_execution(stateMachineArn=self._ask, name=question_id, input=text)

    def reindex(self, reason: str) -> str:
        text = json.dumps({"reason": reason})
        must_fit_state(f"start {self._reindex}", text)
        with translate_errors("start", self._reindex):
            running = self._client.list_executions(
                stateMachineArn=self._reindex, statusFilter="RUNNING", maxResults=1
            )["executions"]
            if running:
                raise ConflictError(
                    f"re-index {running[0]['name']} is running since {running[0]['startDate']}",
                    action="Wait until it has ended, then start another.",
                )
            started = self._client.start_execution(stateMachineArn=self._reindex, input=text)
        return started["executionArn"].rpartition(":")[2]

    def reindex_status(self, reindex_id: str) -> tuple[str, Problem | None]:
        machine = self._reindex.replace(":stateMachine:", ":execution:")
        with translate_errors("describe", f"re-index {reindex_id}"):
            execution = self._client.describe_execution(executionArn=f"{machine}:{reindex_id}")
        status = STATES.get(execution["status"], "FAILED")
        return status, problem_of(execution) if status == "FAILED" else None


def problem_of(execution: "DescribeExecutionOutputTypeDef") -> Problem:
    """Says why it failed. A failed Lambda's cause is JSON, a Fail state's is a sentence."""
    ended = execution["status"]
    cause = execution.get("cause") or f"the re-index ended as {ended}"
    try:
        message = json.loads(cause)["errorMessage"]
    except (ValueError, KeyError, TypeError):
        message = cause
    return Problem(
        code=execution.get("error") or ended.lower(),
        message=message,
        action="Queries go on with the old index. Mend the cause and start the re-index again.",
    )
