"""Estimates what a question is going to cost, and refuses it where that is too much.

The estimate is no bound: that is the question's ledger (`model/budget.py`).
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from footnote.errors import BadRequestError
from footnote.model import Budget, Caps, Estimate, Mode, Task
from footnote.prompts.tasks import TASKS, Role


class Expected(NamedTuple):
    """How often a task is done for a question, and the tokens of one call of its model."""

    calls: float
    input: int
    output: int


# Calls and tokens in are means over the sample questions: the tokens of each request were counted,
# and nothing was sent (2026-11-23). Tokens out, and calls that only a model causes (judge, repair),
# are guesses from the tasks' bounds. `_work` estimates the task `work`.
EXPECTED: Mapping[Task, Expected] = {
    "plan": Expected(1.0, 1_300, 200),
    "grade": Expected(1.1, 3_900, 150),
    "synthesize": Expected(1.0, 3_800, 250),
    "judge": Expected(0.5, 400, 30),
    "repair": Expected(0.3, 700, 60),
}
CONDENSE = Expected(1.0, 2_000, 300)  # where a session's older exchanges take too much
EXTRACT = Expected(1.0, 4_500, 300)  # where a schema asks for data
# in the small profile, in the same samples
ALONE: Mapping[Task, Expected] = {"synthesize": Expected(1.0, 1_900, 250)}
READ_CALL = 310  # tokens of each call that reads, beside the lines and the question
READ_REPLY = 60  # that it writes: most parts have few lines or none
ABOVE_LINES = 1.05  # times the lines: headings, columns and the document's name stand with them
SUMMARY = 640  # tokens that a writer of a summary reads beside the question and the lines
NOTED = 350  # of the lines that each call notes for it, with their headings and numbers
MOST_NOTED = 6_000  # that a writer is shown (ask/whole/summary.py)
SUB_QUESTIONS = 1.2  # of a question, in the same samples
EVIDENCE = 2_800  # tokens of one sub-question's passages, which grading and writing read
# What the round of opening adds at most. No estimate counts it, as few answers need it.
OPENED_TOKENS = EVIDENCE // 2
TURNS = 3  # that a model takes for a sub-question: search, look closer, finish
TURN = Expected(1.0, 900, 100)  # the first; each later one also reads what a search has shown
SHOWN = 3_000
FREE = "No language model is configured: nothing is paid for."
UNPRICED = "No price is known for {}: its dollars are not counted. ModelPrices sets one."


class Reading(NamedTuple):
    """The documents that are read whole: calls of a model, and the tokens of all their lines.

    `writes` tells whether a writer then writes from the lines that were noted. Not `planned` is
    what the table of documents answers: no model does anything for it.
    """

    calls: int
    lines: int
    writes: bool = False
    planned: bool = True


type PriceOf = Mapping[Role, tuple[str, tuple[float, float] | None]]
"""Role → name of its model, and its dollars for a million tokens in and out, None if unknown."""


def estimate(
    mode: Mode,
    prices: PriceOf,
    budget: Budget,
    *,
    own: int = 0,
    history: int = 0,
    schema: bool = False,
    condenses: bool = False,
    only_writes: bool = False,
    reading: Reading | None = None,
) -> Estimate:
    """Returns the tokens and dollars that a question is expected to cost.

    Fewer rounds, searches and turns in `budget` cost less. Its tokens and dollars change nothing:
    `check_estimate` compares with them. `own` are the tokens of the question and its context, which
    planning, grading and writing read; `history` are those of its session, which planning reads.
    `reading` is what is read whole in place of any search. `schema` tells whether data is wanted,
    `condenses` whether the history is summed up first. With `only_writes` rules do all but the
    writing (the setting `ModelProfile`). Without a model all is free, and `notes` says so.
    """
    if mode == "extractive":
        return Estimate(mode=mode, notes=(FREE,))
    tasks = ALONE if only_writes else _tasks_within(budget, schema=schema, condenses=condenses)
    if reading and not reading.planned:
        tasks = {}
    elif reading and not only_writes:
        tasks = _tasks_of_reading(reading, own, tasks)
    tokens, dollars, missing = 0.0, 0.0, set[str]()
    by_task: dict[str, dict[str, float]] = {}
    brought = dict.fromkeys(("grade", "synthesize"), own) | {"plan": own + history}
    for task, one in tasks.items():
        read = one.calls * (one.input + brought.get(task, 0))
        wrote = one.calls * one.output
        name, price = prices[TASKS[task].role]
        usd = (read * price[0] + wrote * price[1]) / 1_000_000 if price else 0.0
        if price is None:
            missing.add(name)
        by_task[task] = {"tokens": round(read + wrote), "usd": round(usd, 6)}
        tokens, dollars = tokens + read + wrote, dollars + usd
    return Estimate(
        mode=mode,
        tokens=round(tokens),
        usd=round(dollars, 6),
        by_task=by_task,
        priced=not missing,
        notes=tuple(UNPRICED.format(name) for name in sorted(missing)),
    )


def _tasks_within(budget: Budget, *, schema: bool, condenses: bool) -> Mapping[Task, Expected]:
    """Returns the tasks of a question as its caps allow them.

    One search is one sub-question in one round: there is less to read, and it is graded once.
    """
    tasks = dict(EXPECTED)
    looked_up = min(SUB_QUESTIONS, budget.searches)
    less = round(EVIDENCE * (SUB_QUESTIONS - looked_up))
    for task in ("grade", "synthesize"):
        tasks[task] = tasks[task]._replace(input=tasks[task].input - less)
    if budget.rounds == 1 or budget.searches == 1:
        tasks["grade"] = tasks["grade"]._replace(calls=1.0)
    if budget.turns:
        tasks["work"] = _work(min(budget.turns, TURNS), looked_up)
    if condenses:
        tasks["condense"] = CONDENSE
    if schema:
        tasks["extract"] = EXTRACT
    return tasks


def _tasks_of_reading(
    reading: Reading, own: int, tasks: Mapping[Task, Expected]
) -> Mapping[Task, Expected]:
    """Returns the tasks of a question whose documents are read whole: nothing is graded.

    Code writes lists and counts. Each call reads the question's `own` tokens.
    """
    calls = max(1, reading.calls)
    each = round(reading.lines * ABOVE_LINES / calls) + READ_CALL + own
    kept = {"plan", "condense", *(("synthesize", "judge", "repair") if reading.writes else ())}
    noted = SUMMARY + min(MOST_NOTED, calls * NOTED)
    tasks = {**tasks, "synthesize": tasks["synthesize"]._replace(input=noted)}
    return {
        **{task: one for task, one in tasks.items() if task in kept},
        "read": Expected(reading.calls, each, READ_REPLY),
    }


def tokens_to_read(lines: int, part: int) -> int:
    """Returns about how many tokens it takes to read a document whose lines have so many.

    A model is shown `part` of them at once.
    """
    calls = math.ceil(max(1, lines) / part)
    return round(lines * ABOVE_LINES) + calls * (READ_CALL + READ_REPLY)


def _work(turns: int, looked_up: float) -> Expected:
    """Returns the cost of looking with tools: each turn reads what earlier turns have shown."""
    read = sum(TURN.input + SHOWN * before for before in range(turns))
    return Expected(looked_up, read, turns * TURN.output)


def check_estimate(expected: Estimate, caps: Caps) -> None:
    """Raises BadRequestError where a question is expected to cost more than its request allows.

    Dollars are compared where a price is known for each model.
    """
    over = []
    if caps.tokens is not None and expected.tokens > caps.tokens:
        over.append(f"{expected.tokens:,} tokens, and `budget.tokens` is {caps.tokens:,}")
    if caps.usd is not None and expected.priced and expected.usd > caps.usd:
        over.append(f"${expected.usd:.4f}, and `budget.usd` is ${caps.usd:g}")
    if over:
        raise BadRequestError(
            f"the question is expected to cost {'; '.join(over)}: nothing was asked or paid",
            code="over_budget",
            action="Raise the budget, choose cheaper models (PlannerModel, WriterModel), or deploy"
            " without a model: then questions cost nothing.",
        )
