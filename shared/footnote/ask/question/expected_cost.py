"""Estimates what a question is going to cost, and refuses it where that is too much.

The estimate is no bound: that is the question's ledger (`model/budget.py`).
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from footnote.errors import BadRequestError
from footnote.model import Budget, Caps, Estimate, Mode, Task
from footnote.prompts.tasks import TASKS, Role


class Loop(NamedTuple):
    """How often something is done: at least, on average, and at most."""

    least: float
    mean: float
    most: float

    def times(self, factor: float) -> "Loop":
        return Loop(self.least * factor, self.mean * factor, self.most * factor)


ONCE = Loop(1, 1, 1)


class Expected(NamedTuple):
    """How often a task is done for a question, and the tokens of one call of its model."""

    calls: Loop
    input: int
    output: int


# Tokens in are counted in the requests for the sample questions, with nothing sent (2026-11-28):
# these are all but the passages. Tokens out, and how often only a model causes a call (judge,
# repair), are guesses from the tasks' bounds. `_work` estimates the task `work`.
PLAN = Expected(ONCE, 1_300, 200)
GRADE = Expected(Loop(1, 1.1, 2), 680, 150)  # a second time where rounds are left
SYNTHESIZE = Expected(Loop(1, 1, 2), 720, 250)  # a second time where it opens passages
JUDGE = Expected(Loop(0, 0.5, 6), 400, 30)
REPAIR = Expected(Loop(0, 0.3, 3), 700, 60)
CONDENSE = Expected(ONCE, 2_000, 300)  # where a session's older exchanges take too much
EXTRACT = Expected(ONCE, 770, 300)  # where a schema asks for single values
# in the small profile, in the same samples
ALONE: Mapping[Task, Expected] = {"synthesize": Expected(ONCE, 1_900, 250)}
FENCED = 1.23  # times the tokens of passages: their places and fences, in grading and extracting
NUMBERED = 1.46  # the same in writing, where each sentence and row has its number
ARRAY_CALLS = 5  # that read the passages of an array: three at a time, of some 14
READ_CALL = 310  # tokens of each call that reads, beside the lines and the question
READ_REPLY = 60  # that it writes: most parts have few lines or none
ABOVE_LINES = 1.05  # times the lines: headings, columns and the document's name stand with them
SUMMARY = 640  # tokens that a writer of a summary reads beside the question and the lines
NOTED = 350  # of the lines that each call notes for it, with their headings and numbers
MOST_NOTED = 6_000  # that a writer is shown (ask/whole/summary.py)
EVIDENCE = 1_700  # tokens of one sub-question's passages, where nothing tells their size
# What the round of opening adds at most. It counts among what a question may take, not takes.
OPENED_TOKENS = 1_400
TURNS = 3  # that a model takes for a sub-question: search, look closer, finish
TURN = Expected(ONCE, 900, 100)  # the first; each later one also reads what a search has shown
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


class Searching(NamedTuple):
    """What is searched for, and about how many tokens of passages each search brings.

    `words` are the sub-questions that grading and writing read, `fields` the look-ups for single
    values of a schema. `arrays` tells whether it has arrays of objects: code reads these from a
    table where one has a column for each field, else a model reads their passages.
    """

    words: tuple[int, ...] = (EVIDENCE,)
    fields: tuple[int, ...] = ()
    arrays: bool = False


ONE_SEARCH = Searching()


type PriceOf = Mapping[Role, tuple[str, tuple[float, float] | None]]
"""Role → name of its model, and its dollars for a million tokens in and out, None if unknown."""


def estimate(
    mode: Mode,
    prices: PriceOf,
    budget: Budget,
    *,
    own: int = 0,
    history: int = 0,
    condenses: bool = False,
    only_writes: bool = False,
    work: Reading | Searching = ONE_SEARCH,
) -> Estimate:
    """Returns the tokens and dollars that a question is expected to cost.

    Fewer rounds, searches and turns in `budget` cost less. Its tokens and dollars change nothing:
    `check_estimate` compares with them. `own` are the tokens of the question and its context, which
    planning, grading and writing read; `history` are those of its session, which planning reads.
    `work` is what is searched for, or read whole in place of any search. `condenses` tells whether
    the history is summed up first. With `only_writes` rules do all but the writing (the setting
    `ModelProfile`). Without a model all is free, and `notes` says so.

    Some loops end when a model says so. The tokens on average count them as often as they are
    expected; those at least and at most count them as seldom and as often as they may be done.
    """
    if mode == "extractive":
        return Estimate(mode=mode, notes=(FREE,))
    tasks: Mapping[Task, Expected]
    if isinstance(work, Reading):
        tasks = _tasks_of_reading(work, own) if work.planned else {}
        if only_writes and work.planned:
            tasks = ALONE
    else:
        tasks = ALONE if only_writes else _tasks_of_search(work, budget)
    if condenses and tasks and not only_writes:
        tasks = {**tasks, "condense": CONDENSE}
    sums, dollars, missing = [0.0, 0.0, 0.0], 0.0, set[str]()
    by_task: dict[str, dict[str, float]] = {}
    brought = dict.fromkeys(("grade", "synthesize", "extract"), own) | {"plan": own + history}
    for task, one in tasks.items():
        read, wrote = one.input + brought.get(task, 0), one.output
        name, price = prices[TASKS[task].role]
        usd = one.calls.mean * (read * price[0] + wrote * price[1]) / 1_000_000 if price else 0.0
        if price is None:
            missing.add(name)
        if one.calls.mean:
            tokens = round(one.calls.mean * (read + wrote))
            by_task[task] = {"tokens": tokens, "usd": round(usd, 6)}
        sums = [so_far + n * (read + wrote) for so_far, n in zip(sums, one.calls, strict=True)]
        dollars += usd
    least, mean, most = map(round, sums)
    return Estimate(
        mode=mode,
        tokens=mean,
        least_tokens=least,
        most_tokens=most,
        usd=round(dollars, 6),
        by_task=by_task,
        priced=not missing,
        notes=tuple(UNPRICED.format(name) for name in sorted(missing)),
    )


def _tasks_of_search(work: Searching, budget: Budget) -> Mapping[Task, Expected]:
    """Returns the tasks of a question that is searched for, as its caps allow them."""
    looked_up = work.words[: budget.searches]
    shown = sum(looked_up)
    tasks: dict[Task, Expected] = {
        "plan": PLAN,
        "grade": GRADE._replace(input=GRADE.input + round(FENCED * shown)),
        "synthesize": SYNTHESIZE._replace(input=SYNTHESIZE.input + round(NUMBERED * shown)),
        "judge": JUDGE,
        "repair": REPAIR,
    }
    if budget.rounds == 1 or budget.searches == 1:
        tasks["grade"] = tasks["grade"]._replace(calls=ONCE)
    if budget.turns:
        tasks["work"] = _work(budget.turns, len(looked_up))
    if work.fields or work.arrays:
        # fields are mostly looked up where the others are: all see the largest one's passages
        passages = max((*work.fields, *work.words))
        calls = Loop(*(bool(work.fields),) * 2, bool(work.fields) + ARRAY_CALLS * work.arrays)
        tasks["extract"] = EXTRACT._replace(
            calls=calls, input=EXTRACT.input + round(FENCED * passages)
        )
    return tasks


def _tasks_of_reading(reading: Reading, own: int) -> Mapping[Task, Expected]:
    """Returns the tasks of a question whose documents are read whole: nothing is graded.

    Code writes lists and counts. Each call reads the question's `own` tokens.
    """
    calls = max(1, reading.calls)
    each = round(reading.lines * ABOVE_LINES / calls) + READ_CALL + own
    read = Expected(ONCE.times(reading.calls), each, READ_REPLY)
    if not reading.writes:
        return {"plan": PLAN, "read": read}
    noted = SUMMARY + min(MOST_NOTED, calls * NOTED)
    writing = SYNTHESIZE._replace(calls=ONCE, input=noted)
    return {"plan": PLAN, "read": read, "synthesize": writing, "judge": JUDGE, "repair": REPAIR}


def tokens_to_read(lines: int, part: int) -> int:
    """Returns about how many tokens it takes to read a document whose lines have so many.

    A model is shown `part` of them at once.
    """
    calls = math.ceil(max(1, lines) / part)
    return round(lines * ABOVE_LINES) + calls * (READ_CALL + READ_REPLY)


def _work(turns: int, looked_up: int) -> Expected:
    """Returns the cost of looking with tools: each turn reads what earlier turns have shown."""
    one, usual, all_ = (
        sum(TURN.input + TURN.output + SHOWN * before for before in range(n))
        for n in (1, min(turns, TURNS), turns)
    )
    calls = Loop(one / usual, 1, all_ / usual).times(looked_up)
    wrote = min(turns, TURNS) * TURN.output
    return Expected(calls, usual - wrote, wrote)


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
