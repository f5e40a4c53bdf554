"""The work step: one turn of a model that looks for evidence with tools (`ask/tools`)."""

import time
from collections.abc import Collection, Mapping
from typing import NamedTuple

from footnote.ask.evidence.passages import TOKEN_BUDGET, trim_passages
from footnote.ask.find.passages import FoundPassages
from footnote.ask.grade import describe_tried
from footnote.ask.guard.screen import is_unsafe
from footnote.ask.planning.request import describe_strategies
from footnote.ask.planning.waves import Limits
from footnote.ask.query.reading import QueryReading
from footnote.ask.question.stand_in import NO_REPLY, stand_in
from footnote.ask.question.structured_output import ask_again
from footnote.ask.retrieve import judge_by_sentence
from footnote.ask.tools.bench import Bench
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.tools.toolbox import describe_tools
from footnote.ask.tools.turns import leave_out_turns
from footnote.errors import ModelReplyError
from footnote.model import Evidence, Ledger, ModelReply, ModelRequest, Plan, SubQuestion
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.tasks import request_for

MAX_WRONG = 3  # useless turns in a row: after them the evidence so far has to do
MAX_UNDECIDED = 2  # such turns while the model has chosen none of the places that it was shown
NO_TOOLS = "no_tools"  # code of a ModelReplyError: the model's server takes no tools
WITHOUT_TOOLS = "The model's server takes no tools: the plan's searches were made instead."
BY_SCORES = "The model chose none of the places that it was shown: the plan's searches were made."
LEFT_OFF = "Looking for evidence ended after {} turns: {}"


class Task(NamedTuple):
    """What a turn works on. `findings`: the answers that it depends on, by id, "" for not found.

    `outside` are the names of the tools that look outside, as far as they are offered.
    """

    plan: Plan
    sub: SubQuestion
    findings: Mapping[str, str]
    turns: int
    outside: Collection[str] = ()


def take_turn(task: Task, scratchpad: Scratchpad, llm: LLM | None) -> Scratchpad:
    """Asks the model what to do next. A turn without a call ends the work.

    Without a model, and for a field of the caller's schema, the work ends at once: then the plan's
    searches are made.
    """
    if llm is None or task.sub.field:
        return scratchpad.model_copy(update={"ended": True})
    request = _request(task, scratchpad)
    scratchpad = scratchpad.model_copy(update={"messages": request.messages})
    if scratchpad.failure:
        request = ask_again(request, scratchpad.failure)
    started = time.perf_counter()
    try:
        reply = llm.complete(request)
    except NO_REPLY as error:
        reply = stand_in("work", error, started)  # it calls no tool
    except ModelReplyError as error:
        scratchpad = _paid(scratchpad, error.spent)
        if error.code == NO_TOOLS:
            note = (*scratchpad.degraded, WITHOUT_TOOLS)
            return scratchpad.model_copy(update={"ended": True, "degraded": note})
        wrong = {"wrong": scratchpad.wrong + 1, "failure": error.message, "calls": ()}
        return scratchpad.model_copy(update=wrong)
    scratchpad = _paid(scratchpad, reply)
    return scratchpad.model_copy(
        update={
            "messages": (
                (*request.messages, reply.as_message()) if reply.calls else request.messages
            ),
            "calls": reply.calls,
            "failure": "",
            "ended": not reply.calls,
            "degraded": tuple(dict.fromkeys((*scratchpad.degraded, *reply.degraded))),
        }
    )


def goes_on(scratchpad: Scratchpad, turn: int, limits: Limits) -> bool:
    """Tells whether another turn follows `turn`: it must be useful, and turns and time be left."""
    useful = not scratchpad.ended and scratchpad.wrong < (
        MAX_UNDECIDED if scratchpad.is_undecided else MAX_WRONG
    )
    return useful and turn < limits.budget.turns and limits.in_time


def gather_evidence(
    scratchpad: Scratchpad, sub: SubQuestion, turn: int, bench: Bench
) -> Evidence | None:
    """Returns what the model cites or, if it did not finish, every passage that it was shown.

    Returns None if it found nothing, or chose none of the places it was shown: the plan's searches
    find the best of those. The summary stays if it holds nothing that an attacker may have written.
    """
    if not scratchpad.finished and (scratchpad.is_undecided or not scratchpad.searched):
        return None
    cited = [scratchpad.passages[n - 1] for n in scratchpad.cited]
    if not scratchpad.finished:
        cited = list(scratchpad.passages)
    left_off = () if scratchpad.ended else (LEFT_OFF.format(turn, sub.text),)
    safe = scratchpad.summary if not is_unsafe(scratchpad.summary, (sub.text,)) else ""
    evidence = Evidence(
        sub_question=sub.id,
        question=sub.text,
        strategy=scratchpad.strategy,
        passages=tuple(trim_passages(cited, TOKEN_BUDGET)),
        degraded=(*scratchpad.degraded, *left_off),
        # a model that has read passages may search for an attacker's words, and the plan is shown
        searched=tuple(
            past for past in scratchpad.searched if not is_unsafe(past.text, (sub.text,))
        ),
        summary=safe,
        computations=tuple(scratchpad.result(n).requested for n in scratchpad.stated),
    )
    found = FoundPassages(evidence, [], None)
    return judge_by_sentence(found, QueryReading(sub.text), bench.scope, bench.ports)


def notes_of(scratchpad: Scratchpad) -> tuple[str, ...]:
    """Returns what an answer says went wrong where the plan's searches replace the model's."""
    return (*scratchpad.degraded, BY_SCORES) if scratchpad.is_undecided else scratchpad.degraded


def _request(task: Task, scratchpad: Scratchpad) -> ModelRequest:
    """Returns the request of this turn: the messages so far, or the first one."""
    findings = {name: text or "not found" for name, text in task.findings.items()}
    request = request_for(
        "work",
        question=fence_texts({"question": task.plan.question}),
        sub_question=fence_texts({task.sub.id: task.sub.text}),
        findings=fence_texts(findings) if findings else "(nothing)",
        tried=fence_texts({task.sub.id: describe_tried(task.sub)}),
        strategies=describe_strategies(),
        planned=task.sub.strategy,
        turns=str(task.turns),
    )
    messages = leave_out_turns(scratchpad) if scratchpad.messages else request.messages
    return request.model_copy(update={"messages": messages, "tools": describe_tools(task.outside)})


def _paid(scratchpad: Scratchpad, reply: ModelReply | None) -> Scratchpad:
    if reply is None:
        return scratchpad
    spent = Ledger(
        turns=int(reply.mode != "extractive"),
        tokens=reply.input_tokens + reply.output_tokens,
        usd=reply.usd,
        priced=reply.priced,
    )
    return scratchpad.model_copy(update={"ledger": scratchpad.ledger.plus(spent)})
