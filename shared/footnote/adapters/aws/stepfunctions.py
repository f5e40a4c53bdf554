"""Step Functions: starts the machines that answer questions, fill grids, rebuild the index."""

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.rules.limits import must_be_startable, must_fit_state
from footnote.errors import ConflictError, NotFoundError, problem_of
from footnote.model import Problem, ReindexRun

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient
    from mypy_boto3_stepfunctions.type_defs import DescribeExecutionOutputTypeDef

STATES: Mapping[str, Literal["RUNNING", "DONE"]] = {
    "RUNNING": "RUNNING",
    "PENDING_REDRIVE": "RUNNING",
    "SUCCEEDED": "DONE",
}
EXECUTION = re.compile(r"[A-Za-z0-9_-]{1,80}")
"""The names that executions can have. Any other would make an ARN that AWS does not read."""

OWN_ERRORS = {"ReindexFailed"}
"""The errors of the machine's own Fail states. Their causes are sentences of ours."""


class StepFunctionsWorkflow:
    """Starts an Express machine to answer, and Standard ones to fill grids and to re-index."""

    def __init__(
        self, client: "SFNClient", ask_arn: str, reindex_arn: str, grid_arn: str = ""
    ) -> None:
        self._client = client
        self._ask = ask_arn
        self._reindex = reindex_arn
        self._grid = grid_arn

    def ask(self, tenant: str, question_id: str) -> None:
        text = json.dumps({"tenant": tenant, "question_id": question_id})
        must_be_startable(question_id, text)
        with translate_errors("start", self._ask):
            self._client.start_execution(stateMachineArn=self._ask, name=question_id, input=text)

    def fill(self, tenant: str, grid_id: str) -> None:
        text = json.dumps({"tenant": tenant, "grid_id": grid_id, "turn": 0})
        must_fit_state("fill a grid", text)
        with translate_errors("start", self._grid):
            self._client.start_execution(stateMachineArn=self._grid, input=text)

    def reindex(self, reason: str, *, force: bool = False) -> str:
        text = json.dumps({"reason": reason, "force": force})
        must_fit_state("start a re-index", text)
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

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        if not EXECUTION.fullmatch(reindex_id):
            raise NotFoundError(f"no re-index {reindex_id[:100]}")
        machine = self._reindex.replace(":stateMachine:", ":execution:")
        try:
            with translate_errors("describe", f"re-index {reindex_id}"):
                execution = self._client.describe_execution(executionArn=f"{machine}:{reindex_id}")
        except NotFoundError as error:
            raise NotFoundError(f"no re-index {reindex_id}", detail=error.reason) from error
        status = STATES.get(execution["status"], "FAILED")
        if status == "FAILED":
            return ReindexRun(status=status, error=reindex_problem(execution))
        outcome = outcome_of(execution.get("output", "")) if status == "DONE" else ""
        return ReindexRun(status=status, outcome=outcome)


def outcome_of(output: str) -> Literal["rebuilt", "unchanged"]:
    """Reads from the machine's output whether a new generation was made."""
    try:
        return "unchanged" if json.loads(output)["unchanged"] else "rebuilt"
    except (ValueError, KeyError, TypeError):
        return "rebuilt"


def reindex_problem(execution: "DescribeExecutionOutputTypeDef") -> Problem:
    """Says why it failed: a step's error by its own code, else how the execution ended."""
    ended, error = execution["status"].lower(), execution.get("error", "")
    cause = execution.get("cause") or f"the re-index ended as {ended.upper()}"
    problem = Problem(code=error or ended, message=cause, action="")
    if ended == "failed" and error not in OWN_ERRORS:
        problem = problem_of(error, cause)
    action = "Queries go on with the old index. Mend the cause and start the re-index again."
    return problem.model_copy(update={"action": action})
