"""Runs the state machine of a question, with its own retries, one step at a time.

A step may fail or be killed at any call. Another run of the same question may begin between any two
steps, or in the middle of one.
"""

import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.contracts import STEPS, RetrieveResult
from footnote.errors import FootnoteError
from footnote.model import ModelReply, QuestionRecord, Scope
from footnote.wiring.local_workflow import step_of
from tests.chaos.faults import Faulty, Killed
from tests.machine import retrier

ROOT = Path(__file__).resolve().parents[2]
STATES = json.loads((ROOT / "statemachines/ask.asl.json").read_text())["States"]
STATES |= STATES["Wave"]["ItemProcessor"]["States"]
STATES |= STATES["Batches"]["ItemProcessor"]["States"]
CALLS = {
    "questions": {"get", "claim", "finish", "add_event", "events"},
    "artifacts": {"get", "put", "put_once"},
    "catalog": {"get", "visible_versions"},
    "index": {"search", "neighbours"},
}
FEES = (
    "# Fees\n\nThe harbour fee for a barge is 84 crowns. The harbour fee for a tug is 31 crowns."
    " The harbour fee for a ferry is 97 crowns."
)
SAID = [
    "The harbour fee for a barge is 84 crowns.",
    "The harbour fee for a tug is 31 crowns.",
    "The harbour fee for a ferry is 97 crowns.",
]
PLAN = {
    "kind": "retrieve",
    "sub_questions": [{"text": "harbour fee for a barge"}, {"text": "harbour fee for a tug"}],
}
VERDICTS = [
    {"id": "q1", "decision": "enough", "confidence": 0.9},
    {"id": "q2", "decision": "expand", "confidence": 0.4, "variants": ["fee for tugs"]},
]
REPLIES = {
    "plan": json.dumps(PLAN),
    "grade": json.dumps({"verdicts": VERDICTS}),
    "repair": "NONE",
    "synthesize": " ".join(f"{text} [1]" for text in SAID),
}
TRACE = ["plan", "found", "found", "verdict", "found", "verdict", *["words"] * 3]
TRACE += ["written", "answered"]


class Model:
    """Implements LLM: each task has one reply, or a list of replies given in turn; counts requests.

    `asked` holds the requests per task.
    """

    def __init__(self, **replies):
        self._scripts = {
            task: scripted_llm(texts if isinstance(texts, list) else [texts] * 9)
            for task, texts in (REPLIES | replies).items()
        }

    @property
    def asked(self):
        return Counter({task: len(llm.requests) for task, llm in self._scripts.items()})

    def complete(self, request):
        return self._scripts[request.task].complete(request)

    def stream(self, request):
        return self._scripts[request.task].stream(request)


def scripted_llm(texts):
    replies = [
        ModelReply(text=text, mode="anthropic", model="scripted", usd=0.01) for text in texts
    ]
    return ScriptedLLM(replies, judge=replies, repair=replies)


class Moment:
    """Makes something happen before or after the n-th call of a port (from 1).

    It happens once. With `lasts` it happens at each call from there on, until `over` is set.
    """

    def __init__(self, n=0, when="before", happens=lambda _: None, *, lasts=False):
        self.calls = []
        self.over = n == 0
        self._n = n
        self._when = when
        self._happens = happens
        self._lasts = lasts

    def at(self, where):
        when, call = where.split()
        self.calls += [call] * (when == "before")
        if not self.over and when == self._when and len(self.calls) >= self._n:
            self.over = not self._lasts  # set first, as `happens` may make calls of its own
            self._happens(where)


def watch(pipeline, moment):
    """Returns services whose every call is a boundary; the pipeline itself stays calm."""
    services = object.__new__(type(pipeline))
    services.__dict__.update(pipeline.__dict__, llm=pipeline.llm)
    for port, calls in CALLS.items():
        services.__dict__[port] = Faulty(getattr(pipeline, port), moment, frozenset(calls))
    return services


def create_question(pipeline, question="What are the harbour fees?", question_id="q-1"):
    record = QuestionRecord(
        question_id=question_id,
        tenant="acme",
        status="RUNNING",
        question=question,
        scope=Scope(tenant="acme"),
        created=datetime.now(UTC).isoformat(),
    )
    pipeline.questions.create(record)
    return record


class Run:
    """One execution for a question.

    `waits` is called with the seconds that each retry waits. A `lost` run retries nothing and does
    not fail the question: whatever stops its step ends it.
    """

    def __init__(self, services, record, name="run-1", waits=lambda _: None, *, lost=False):
        self._lost = lost
        self._services = services
        self._who = {"tenant": record.tenant, "question_id": record.question_id}
        self._name = name
        self._waits = waits
        self.ended = ""

    def all(self):
        for _ in self.steps():
            pass
        return self.ended

    def steps(self):
        """Yields the state's name before each attempt of each step."""
        try:
            yield from self._answer()
        except LostError as lost:
            failure = lost.args[0]
            yield from self._state("Fail", error=failure.Error, cause=failure.Cause)
            self.ended = "Failed"
        except (FootnoteError, Killed) as error:
            if self._lost:
                raise
            cause = json.dumps({"errorMessage": str(error)})
            yield from self._state("Fail", error=kind_of(error), cause=cause)
            self.ended = "Failed"
        else:
            self.ended = "Succeeded"

    def _answer(self):
        state = yield from self._state("Plan")
        for batch in state.batches:
            yield from self._batch(plan_key=state.plan_key, batch=batch)
        while state.wave:
            at = {"plan_key": state.plan_key, "round": state.round}
            found = []
            for name in state.wave:
                found += [(yield from self._item(state.turn, **at, sub_question=name))]
            state = yield from self._state("Grade", **at, found=tuple(found))
            if state.failure:
                raise LostError(state.failure)
        yield from self._state("Synthesize", plan_key=state.plan_key, round=state.round)

    def _batch(self, **given):
        """Reads a batch, whose Catch lets a failure end nothing."""
        try:
            yield from self._state("Read", **given)
        except (FootnoteError, Killed):
            if self._lost:
                raise

    def _item(self, turn, **given):
        """Runs one item of the Map, whose Catch yields a result that says it failed."""
        try:
            while turn:
                yield from self._state("Work", **given, turn=turn)
                found = yield from self._state("Retrieve", **given, turn=turn)
                if not (turn := found.turn):
                    return found
            found = yield from self._state("Retrieve", **given)
        except (FootnoteError, Killed) as error:
            if self._lost:
                raise
            name = kind_of(error)
            [caught] = [c for c in STATES["Retrieve"]["Catch"] if name in c["ErrorEquals"]] or [
                STATES["Retrieve"]["Catch"][-1]
            ]
            message = {} if caught["ErrorEquals"] == ["States.ALL"] else {"message": str(error)}
            return RetrieveResult(sub_question=given["sub_question"], error=name, **message)
        return found

    def _state(self, name, **given):
        kind = STEPS[name][0]
        run = {"run": self._name} if "run" in kind.model_fields else {}
        request = kind(**self._who, **run, **given)
        retried = Counter()
        while True:
            yield name
            try:
                result = step_of(name.lower()).run(request, self._services)
            except (FootnoteError, Killed) as error:
                rule = retrier(STATES[name], kind_of(error))
                waited = retried[str(rule["ErrorEquals"])]
                if self._lost or waited >= rule["MaxAttempts"]:
                    raise
                self._waits(rule["IntervalSeconds"] * rule["BackoffRate"] ** waited)
                retried[str(rule["ErrorEquals"])] += 1
            else:
                assert getattr(result, "run", self._name) == self._name
                return result


class LostError(Exception):
    """Every search of a question has failed, and Grade says why."""


def kind_of(error):
    return "Runtime.ExitError" if isinstance(error, Killed) else type(error).__name__
