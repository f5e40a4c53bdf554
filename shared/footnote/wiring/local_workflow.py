"""Runs the state machines in this process: a loop does the work of Step Functions."""

import importlib.util
import json
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from footnote.adapters.rules.limits import must_be_startable, must_fit_state
from footnote.contracts import (
    AbandonRequest,
    FailRequest,
    FillRequest,
    FillResult,
    GradeRequest,
    GradeResult,
    PlanRequest,
    PlanResult,
    PrepareRequest,
    PrepareResult,
    PromoteRequest,
    PromoteResult,
    ReadRequest,
    RebuildRequest,
    RebuildResult,
    RetrieveRequest,
    RetrieveResult,
    SynthesizeRequest,
    WorkRequest,
)
from footnote.errors import ConfigurationError, ConflictError, FootnoteError, NotFoundError
from footnote.model import Problem, ReindexRun, Value
from footnote.wiring.services import Services

FUNCTIONS = Path(__file__).resolve().parents[3] / "functions"
MAX_PASSES = 4  # passes of Promote after the first, as in statemachines/reindex.asl.json


class LocalWorkflow:
    """The Workflow port in this process: it runs the state machines' steps one after another."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._runs: dict[str, ReindexRun] = {}
        self._turn = Lock()  # a running re-index holds it

    def ask(self, tenant: str, question_id: str) -> None:
        who, run = {"tenant": tenant, "question_id": question_id}, uuid.uuid4().hex
        must_be_startable(question_id, json.dumps(who))
        try:
            self._answer(who, run)
        except FootnoteError as error:
            cause = json.dumps({"errorMessage": error.message})
            failed = FailRequest(**who, run=run, error=type(error).__name__, cause=cause)
            with suppress(FootnoteError):  # as on the stack, nobody waits for it
                self._run("fail", failed)

    def _answer(self, who: dict[str, str], run: str) -> None:
        planned: PlanResult = self._run("plan", PlanRequest(**who, run=run))
        for batch in planned.batches:
            self._read(ReadRequest(**who, plan_key=planned.plan_key, batch=batch))
        state: PlanResult | GradeResult = planned
        while state.wave:
            at = {**who, "plan_key": state.plan_key}
            results = tuple(
                self._item({**at, "round": state.round, "sub_question": sub}, state.turn)
                for sub in state.wave
            )
            request = GradeRequest(**at, run=run, round=state.round, found=results)
            state = graded = self._run("grade", request)
            if failure := graded.failure:
                failed = FailRequest(**who, run=run, error=failure.Error, cause=failure.Cause)
                self._run("fail", failed)
                return
        at = {**who, "plan_key": state.plan_key}
        self._run("synthesize", SynthesizeRequest(**at, run=run, round=state.round))

    def _read(self, request: ReadRequest) -> None:
        """Reads a batch of documents. If that fails, the answer says that it was not read."""
        with suppress(FootnoteError):
            self._run("read", request)

    def _item(self, at: dict[str, Any], turn: int) -> RetrieveResult:
        """Runs one item of a wave. If it fails, the result holds the error."""
        try:
            while turn:
                self._run("work", WorkRequest(**at, turn=turn))
                worked: RetrieveResult = self._run("retrieve", RetrieveRequest(**at, turn=turn))
                if not (turn := worked.turn):
                    return worked
            result: RetrieveResult = self._run("retrieve", RetrieveRequest(**at))
        except FootnoteError as error:
            return RetrieveResult(
                sub_question=at["sub_question"],
                error=type(error).__name__,
                message=error.message,
            )
        return result

    def fill(self, tenant: str, grid_id: str) -> None:
        must_fit_state("fill a grid", json.dumps({"tenant": tenant, "grid_id": grid_id}))
        request = FillRequest(tenant=tenant, grid_id=grid_id)
        more = True
        with suppress(FootnoteError):  # as on the stack, nobody waits for it
            while more:
                result: FillResult = self._run("fill", request)
                request = request.model_copy(update={"turn": result.turn})
                more = result.more

    def reindex(self, reason: str, *, force: bool = False) -> str:
        must_fit_state("start reindex", json.dumps({"reason": reason, "force": force}))
        if not self._turn.acquire(blocking=False):
            raise ConflictError(
                "a re-index is running", action="Wait until it has ended, then start another."
            )
        run = uuid.uuid4().hex
        self._runs[run] = ReindexRun(status="RUNNING")
        try:
            self._runs[run] = self._rebuilt(run, reason, force=force)
        finally:
            self._turn.release()
        return run

    def _rebuilt(self, run: str, reason: str, *, force: bool) -> ReindexRun:
        """Runs a re-index and returns its outcome."""
        try:
            generation = self._prepare(PrepareRequest(run=run, reason=reason, force=force))
            if not generation:
                return ReindexRun(status="DONE", outcome="unchanged")
            if self._is_promoted(PromoteRequest(run=run, generation=generation)):
                return ReindexRun(status="DONE", outcome="rebuilt")
            why = Problem(code="incomplete", message="documents are missing", action="Try again.")
        except FootnoteError as error:
            why = error.problem
        with suppress(FootnoteError):  # as on the stack: `sweep` removes the rest
            self._run("abandon", AbandonRequest(run=run))
        return ReindexRun(status="FAILED", error=why)

    def _prepare(self, request: PrepareRequest) -> str:
        """Returns the name of the new generation, or "" when there is nothing to do."""
        while True:
            prepared: PrepareResult = self._run("prepare", request)
            if prepared.generation or prepared.unchanged:
                return prepared.generation
            request = request.model_copy(update={"cursor": prepared.cursor})

    def _is_promoted(self, request: PromoteRequest) -> bool:
        while request.attempt <= MAX_PASSES:
            result: PromoteResult = self._run("promote", request)
            if result.promoted:
                return True
            if result.list_key and result.attempt <= MAX_PASSES:
                for batch in json.loads(self._services.artifacts.get(result.list_key)):
                    self._rebuild(RebuildRequest(generation=request.generation, batch=batch))
            fields = result.model_dump(include=set(PromoteRequest.model_fields))
            request = PromoteRequest.model_validate(fields)
        return False

    def _rebuild(self, request: RebuildRequest) -> None:
        while True:
            rebuilt: RebuildResult = self._run("rebuild", request)
            if not rebuilt.more:
                return
            request = request.model_copy(update={"start": rebuilt.start})

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        if reindex_id not in self._runs:
            raise NotFoundError(f"no re-index {reindex_id}")
        return self._runs[reindex_id]

    def _run(self, verb: str, request: Value) -> Any:
        must_fit_state(f"input of {verb}", request.model_dump_json())
        result = step_of(verb).run(request, self._services)
        must_fit_state(f"result of {verb}", result.model_dump_json())
        return result


@cache
def step_of(verb: str) -> Any:
    """Returns the handler of a step, loaded from its folder as Lambda loads it.

    Raises ConfigurationError for a verb without a step.
    """
    path = FUNCTIONS / verb / "app.py"
    spec = importlib.util.spec_from_file_location(f"functions.{verb}.app", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise ConfigurationError(f"no step {verb!r}: {path} is missing")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.handler
