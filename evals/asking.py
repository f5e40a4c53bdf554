"""Asks a case by the deployed steps, in this process, in one of several ways."""

import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from evals.ask_cases import Case
from evals.library import TENANT
from footnote.ask.planning.by_rule import plan
from footnote.ask.question.history import history_after, pairs_of
from footnote.errors import UnavailableError
from footnote.model import AnswerOptions, ModelReply, ModelRequest, QuestionRecord, Scope
from footnote.prompts.shapes import PlannedQuestion
from footnote.wire import Json
from footnote.wiring.pipeline import Pipeline


class Row(NamedTuple):
    """A way of asking: rounds, whether a question is split, and the least confidence.

    `alone`: turns of conversations in words that need no other turn.
    """

    rounds: int = 2
    splits: bool = True
    least: float = 0.0
    alone: bool = False


ROWS = {
    "loop": Row(),
    "single": Row(rounds=1),
    "whole": Row(splits=False),
    "sure": Row(least=0.7),
    "alone": Row(alone=True),
}
TALKS = "talks"  # the part whose cases are turns of conversations

type Pairs = tuple[tuple[str, str], ...]
type Ask = Callable[[Case], Json]


def rows_of(part: str, wanted: Sequence[str]) -> list[str]:
    """Returns the rows of a part: those that are wanted, or all. Only a turn can stand alone."""
    return [row for row in wanted or ROWS if part == TALKS or not ROWS[row].alone]


class Whole:
    """Plans as the rules do, but never splits a question. Rules do all else."""

    def __init__(self, question: str, history: Sequence[tuple[str, str]], scope: Scope) -> None:
        made = plan(question, history, scope.names)
        whole = [PlannedQuestion(text=question)]
        splits = len(made.sub_questions) > 1
        self._plan = made.model_copy(update={"sub_questions": whole}) if splits else made

    def complete(self, request: ModelRequest) -> ModelReply:
        if request.task != "plan":
            raise UnavailableError("rules do it")
        return ModelReply(text=self._plan.model_dump_json(), mode="extractive", model="whole")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        yield self.complete(request)


def asker(pipeline: Pipeline, row: str) -> Ask:
    """Returns what asks a case by the deployed steps, in one of the ways of `ROWS`.

    A turn of a conversation is asked after the turn that it follows has been.
    """
    rounds, splits, least, alone = ROWS[row]
    turns: dict[str, QuestionRecord] = {}  # of conversations, by their case

    def ask(case: Case) -> Json:
        pipeline.settings = pipeline.settings.model_copy(update={"max_rounds": rounds})
        record = QuestionRecord(
            question_id=uuid.uuid4().hex,
            tenant=TENANT,
            status="RUNNING",
            question=case.alone if alone else case.text,
            scope=Scope(tenant=TENANT, collection=case.collection, documents=case.documents),
            history=case.history if alone or not case.follows else earlier(case.follows),
            wishes=AnswerOptions(min_confidence=least),
            created=datetime.now(UTC).isoformat(),
        )
        whole = Whole(record.question, record.history, record.scope)
        vars(pipeline)["llm"] = None if splits else whole
        pipeline.questions.create(record)
        pipeline.workflow.ask(TENANT, record.question_id)
        done = pipeline.questions.get(TENANT, record.question_id)
        if done.answer is None:
            problem = done.error.message if done.error else done.status
            raise LookupError(f"{case.id} was not answered: {problem}")
        if case.alone:
            turns[case.id] = done
        reply: Json = json.loads(done.answer.model_dump_json())
        return reply

    def earlier(turn: str) -> Pairs:
        return pairs_of(history_after(turns[turn], pipeline.artifacts))

    return ask
