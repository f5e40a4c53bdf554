"""The work step: one turn of a model that looks for evidence with tools (`ask/tools`)."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from footnote.ask.evidence.passages import TOKEN_BUDGET, trim_passages
from footnote.ask.grade import describe_tried
from footnote.ask.guard.screen import is_unsafe
from footnote.ask.plan import describe_strategies
from footnote.ask.planning.waves import Limits
from footnote.ask.question.stand_in import NO_REPLY, stand_in
from footnote.ask.question.structured_output import ask_again
from footnote.ask.retrieve import judge_by_sentence
from footnote.ask.tools.scratchpad import Desk
from footnote.ask.tools.toolbox import Bench, describe_tools
from footnote.errors import ModelReplyError
from footnote.model import Evidence, Ledger, ModelReply, ModelRequest, Plan, SubQuestion
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.tasks import request_for

MAX_WRONG = 3  # turns in a row of which nothing could be used: then what was found has to do
MAX_UNDECIDED = 2  # such turns where places were shown and none was chosen yet
NO_TOOLS = "no_tools"  # code of a ModelReplyError: the model's server takes no tools
WITHOUT_TOOLS = "The model's server takes no tools: the plan's searches were made instead."
BY_SCORES = "The model chose none of the places that it was shown: the plan's searches were made."
LEFT_OFF = "Looking for evidence ended after {} turns: {}"


class Task(NamedTuple):
    """What a turn works on. `findings`: for others that it depends on, "" for not found."""

    plan: Plan
    sub: SubQuestion
    findings: Mapping[str, str]
    turns: int


def take_turn(task: Task, desk: Desk, llm: LLM | None) -> Desk:
    """Asks the model what to do next. A turn without a call ends the work.

    Where there is no model, and for a field of the data that is wanted, the plan's searches are
    made instead.
    """
    if llm is None or task.sub.field:
        return desk.model_copy(update={"ended": True})
    request = _request(task, desk)
    desk = desk.model_copy(update={"messages": request.messages})
    asked = ask_again(request, desk.failure) if desk.failure else request
    started = time.perf_counter()
    try:
        reply = llm.complete(asked)
    except NO_REPLY as error:
        reply = stand_in("work", error, started)  # it calls no tool
    except ModelReplyError as error:
        desk = _paid(desk, error.spent)
        if error.code == NO_TOOLS:
            note = (*desk.degraded, WITHOUT_TOOLS)
            return desk.model_copy(update={"ended": True, "degraded": note})
        wrong = {"wrong": desk.wrong + 1, "failure": error.message, "calls": ()}
        return desk.model_copy(update=wrong)
    desk = _paid(desk, reply)
    return desk.model_copy(
        update={
            "messages": (*asked.messages, reply.as_message()) if reply.calls else asked.messages,
            "calls": reply.calls,
            "failure": "",
            "ended": not reply.calls,
            "degraded": tuple(dict.fromkeys((*desk.degraded, *reply.degraded))),
        }
    )


def goes_on(desk: Desk, turn: int, limits: Limits) -> bool:
    """Tells whether another turn follows `turn`: there must be use, turns and time for it."""
    useful = not desk.ended and desk.wrong < (MAX_UNDECIDED if desk.is_undecided else MAX_WRONG)
    return useful and turn < limits.budget.turns and limits.in_time


def gather_desk(desk: Desk, sub: SubQuestion, turn: int, bench: Bench) -> Evidence | None:
    """Returns the evidence that the work has found, or None where it has found nothing at all.

    Places that nobody looked into are nothing: their best are what the plan's searches find.

    It is what the model cites or, where it did not come to an end, all that it found. The summary
    is kept if it holds nothing that an attacker may have written.
    """
    if not desk.finished and (desk.is_undecided or not desk.searched):
        return None
    cited = [desk.passages[n - 1] for n in desk.cited]
    if not desk.finished:
        cited = list(desk.passages)
    left_off = () if desk.ended else (LEFT_OFF.format(turn, sub.text),)
    safe = desk.summary if not is_unsafe(desk.summary, (sub.text,)) else ""
    evidence = Evidence(
        sub_question=sub.id,
        question=sub.text,
        strategy=desk.strategy,
        passages=tuple(trim_passages(cited, TOKEN_BUDGET)),
        degraded=(*desk.degraded, *left_off),
        # a model that has read passages may search for an attacker's words, and the plan is shown
        searched=tuple(one for one in desk.searched if not is_unsafe(one.text, (sub.text,))),
        summary=safe,
    )
    return judge_by_sentence(evidence, bench.scope, bench.ports)


def told(desk: Desk) -> tuple[str, ...]:
    """Returns what to say where the plan's searches are made instead of the work's."""
    return (*desk.degraded, BY_SCORES) if desk.is_undecided else desk.degraded


def _request(task: Task, desk: Desk) -> ModelRequest:
    """Returns the request of this turn: the messages so far, or the first one."""
    found = {name: text or "not found" for name, text in task.findings.items()}
    request = request_for(
        "work",
        question=fence_texts({"question": task.plan.question}),
        sub_question=fence_texts({task.sub.id: task.sub.text}),
        findings=fence_texts(found) if found else "(nothing)",
        tried=fence_texts({task.sub.id: describe_tried(task.sub)}),
        strategies=describe_strategies(),
        planned=task.sub.strategy,
        turns=str(task.turns),
    )
    messages = desk.messages or request.messages
    return request.model_copy(update={"messages": messages, "tools": describe_tools()})


def _paid(desk: Desk, reply: ModelReply | None) -> Desk:
    if reply is None:
        return desk
    spent = Ledger(
        turns=int(reply.mode != "extractive"),
        tokens=reply.input_tokens + reply.output_tokens,
        usd=reply.usd,
    )
    return desk.model_copy(update={"ledger": desk.ledger.plus(spent)})
