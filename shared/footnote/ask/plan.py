"""The plan step: answer directly, ask back, or split the question into what to look up."""

import json
from collections.abc import Sequence

from footnote.ask.data.schema import field_questions, read_schema
from footnote.ask.guard.planner_words import (
    DROPPED,
    UserWords,
    choose_reply,
    has_content,
    keep_filters,
    keep_named,
    keep_safe,
)
from footnote.ask.planning.by_rule import plan as plan_by_rule
from footnote.ask.planning.context import anchors_of, facts_of, named_in
from footnote.ask.question.bounds import MAX_QUESTION, check_text
from footnote.ask.question.handoff import Progress
from footnote.ask.question.structured_output import ask_for
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    STRATEGIES,
    ModelRequest,
    Persona,
    Plan,
    Scope,
    SubQuestion,
    Wishes,
)
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.personas import describe_personas
from footnote.prompts.question_kinds import KINDS, describe_kinds
from footnote.prompts.shapes import PlannedQuestion, PlanReply
from footnote.prompts.tasks import request_for

MAX_SUB_QUESTIONS = 5
MAX_VARIANTS = 3
NO_WISHES = Wishes()
MAX_HISTORY = 3  # exchanges; older ones hardly help with "and the year before?"
IN_A_CIRCLE = (
    "Sub-questions of the plan waited for each other: the first of them was looked up by itself."
)
SAID_NOTHING = (
    "The model's plan was to reply at once, but it had no reply: the question was looked up."
)


def plan(  # noqa: PLR0917 - the first four are what every question has
    question: str,
    history: Sequence[tuple[str, str]],
    scope: Scope,
    llm: LLM | None,
    wishes: Wishes = NO_WISHES,
    persona: Persona = "default",
) -> Progress:
    """Plans a question; `history` holds the session's earlier questions and answers.

    `persona` is for an answer for which neither the caller nor the planner chooses one.

    Raises BadRequestError when the question cannot be asked.
    """
    question = check_question(question)
    history = history[-MAX_HISTORY:]
    facts = facts_of(wishes.context)

    def by_rule() -> PlanReply:
        anchors, named = anchors_of(facts), named_in(question, facts)
        return plan_by_rule(question, history, scope.names, anchors, named)

    request = _request(question, history, scope, facts)
    reply, replies = ask_for(PlanReply, request, llm, by_rule)
    reply, notes = _with_content(reply, question)
    asked = UserWords(question, history, scope.names)
    made, told = _to_plan(reply, asked, facts)
    chosen = wishes.persona or reply.persona or persona
    made = made.model_copy(
        update={
            "resolved": resolve(reply, made, asked, facts),
            "persona": chosen,
            "min_confidence": wishes.min_confidence,
        }
    )
    if made.kind == "retrieve":
        wanted = field_questions(read_schema(wishes.data_schema), question)
        made = made.model_copy(update={"sub_questions": (*made.sub_questions, *wanted)})
    limit = KINDS[made.question_kind].limit if made.kind == "retrieve" else ""
    said = (*notes, *told, *filter(None, [limit]))
    return Progress(plan=made).after("plan", replies, degraded=said)


def _with_content(reply: PlanReply, question: str) -> tuple[PlanReply, tuple[str, ...]]:
    """Returns the plan, or one that looks the question up where the plan has nothing in it.

    Also returns the note on it. A greeting needs no reply of the model's.
    """
    if reply.kind == "retrieve":
        return reply if reply.sub_questions else unsplit_plan(question), ()
    if reply.reply.strip() or not has_content(question):
        return reply, ()
    return unsplit_plan(question), (SAID_NOTHING,)


def _to_plan(
    reply: PlanReply, asked: UserWords, facts: Sequence[str] = ()
) -> tuple[Plan, tuple[str, ...]]:
    """Returns the plan without what the user cannot have meant, and notes on what was dropped."""
    reason = "".join(keep_safe([reply.reason[:500]], (*asked.known, *facts)))
    if reply.kind != "retrieve":
        said, told = choose_reply(reply.kind, reply.reply, asked)
        if told and reply.kind == "direct" and has_content(asked.question):
            looked_up, _ = _to_plan(unsplit_plan(asked.question), asked, facts)
            return looked_up, told
        plan = Plan(kind=reply.kind, question=asked.question, reply=said, reason=reason)
        return plan, told
    clean, told = clean_questions(
        reply.sub_questions, asked.known, instead=asked.question, facts=facts
    )
    wide = KINDS[reply.question_kind].lists
    numbered = tuple(one.model_copy(update={"wide": wide}) for one in number_questions(clean))
    ordered = cut_circles(numbered)
    plan = Plan(
        kind="retrieve",
        question=asked.question,
        sub_questions=ordered,
        reason=reason,
        question_kind=reply.question_kind,
    )
    told = told if reason == reply.reason[:500] else (DROPPED,)
    return plan, told if ordered == numbered else (*told, IN_A_CIRCLE)


def resolve(reply: PlanReply, made: Plan, asked: UserWords, facts: Sequence[str] = ()) -> str:
    """Returns the question as it stands on its own: in the planner's words, if they may be kept.

    A planner that does not say takes its only sub-question for it. Without a history the question
    stays as it is. Where nothing is looked up there is nothing to resolve.
    """
    if made.kind != "retrieve":
        return ""
    if not asked.history:
        return made.question
    said = " ".join(reply.resolved.split())[:MAX_QUESTION]
    if said and keep_safe([said], (*asked.known, *facts)):
        return said
    return made.sub_questions[0].text if len(made.sub_questions) == 1 else made.question


def unsplit_plan(question: str) -> PlanReply:
    """Returns the plan to use when there is no other: look the question up as it is."""
    return PlanReply(kind="retrieve", sub_questions=[PlannedQuestion(text=question)])


def clean_questions(
    planned: Sequence[PlannedQuestion],
    known: Sequence[str],
    instead: str,
    facts: Sequence[str] = (),
) -> tuple[list[PlannedQuestion], tuple[str, ...]]:
    """Removes links, markup, codes and instructions that no `known` text has from sub-questions.

    A sub-question whose text has any of them asks `instead`. What `facts` of a context have may be
    searched for too, but names no documents and no filters. Also returns the note on what was
    dropped, () if nothing was.
    """
    told = (*known, *facts)
    clean = [
        asked.model_copy(
            update={
                "text": asked.text if keep_safe([asked.text], told) else instead,
                "variants": keep_safe(asked.variants, told),
                "documents": keep_named(asked.documents, known),
                "filters": keep_filters(asked.filters, known),
            }
        )
        for asked in planned
    ]
    dropped = any(
        (now.text, now.variants) != (before.text, before.variants)
        for now, before in zip(clean, planned, strict=True)
    )
    return clean, (DROPPED,) if dropped else ()


def check_question(question: str) -> str:
    """Returns the question without needless whitespace.

    Raises BadRequestError when it is empty or too long.
    """
    text = " ".join(question.split())
    check_text(text, "question")
    return text


def number_questions(
    planned: Sequence[PlannedQuestion],
    taken: Sequence[SubQuestion] = (),
    most: int = MAX_SUB_QUESTIONS,
) -> tuple[SubQuestion, ...]:
    """Gives planned sub-questions our own ids (q1, q2 …), behind those that are `taken`.

    Each may depend on any other, also on a later one: see `cut_circles`. One that asks what another
    asks is left out, and who depends on it depends on the other.
    """
    ids = {question.id: question.id for question in taken}
    known = {question.text.casefold(): question.id for question in taken}
    kept: list[tuple[str, str, PlannedQuestion]] = []
    for asked in planned:
        text = " ".join(asked.text.split())[:MAX_QUESTION]
        if not text or (text.casefold() not in known and len(kept) >= most):
            continue
        name = known.get(text.casefold()) or f"q{len(taken) + len(kept) + 1}"
        if text.casefold() not in known:
            kept.append((name, text, asked))
            known[text.casefold()] = name
        ids[asked.id or name] = name
    return tuple(
        SubQuestion(
            id=name,
            text=text,
            variants=wordings(asked.variants, text),
            strategy=asked.strategy,
            minimum_results=asked.minimum_results,
            documents=tuple(asked.documents),
            depends_on=_others(name, [ids[one] for one in asked.depends_on if one in ids]),
            where=parse_filters(asked.filters) if asked.filters else None,
        )
        for name, text, asked in kept
    )


def _others(name: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for other in names if other != name))


def cut_circles(
    questions: Sequence[SubQuestion], taken: Sequence[SubQuestion] = ()
) -> tuple[SubQuestion, ...]:
    """Returns the questions so that none waits for itself by way of others.

    Where all that are left wait for each other, the first of them waits for none that is left.
    """
    placed = {question.id for question in taken}
    made = {question.id: question for question in questions}
    while left := [name for name in made if name not in placed]:
        free = [name for name in left if set(made[name].depends_on) <= placed]
        if not free:
            kept = tuple(name for name in made[left[0]].depends_on if name in placed)
            made[left[0]] = made[left[0]].model_copy(update={"depends_on": kept})
            free = left[:1]
        placed.update(free)
    return tuple(made.values())


def wordings(variants: Sequence[str], text: str) -> tuple[str, ...]:
    """Returns the variants that differ from the text and from each other."""
    clean = (" ".join(variant.split())[:MAX_QUESTION] for variant in variants)
    different = {one.casefold(): one for one in clean if one and one.casefold() != text.casefold()}
    return tuple(different.values())[:MAX_VARIANTS]


def describe_strategies() -> str:
    """Returns a line for each strategy: its name and when to use it."""
    return "\n".join(f"- `{name}`: {recipe.when}." for name, recipe in STRATEGIES.items())


def _request(
    question: str, history: Sequence[tuple[str, str]], scope: Scope, facts: Sequence[str]
) -> ModelRequest:
    told = {f"exchange {n}": json.dumps(pair, ensure_ascii=False) for n, pair in enumerate(history)}
    names = "\n".join(" ".join(name.split()) for name in scope.names)
    return request_for(
        "plan",
        history=fence_texts(told) if told else "(none)",
        strategies=describe_strategies(),
        kinds=describe_kinds(),
        personas=describe_personas(),
        context=fence_texts({"context": "\n".join(facts)}) if facts else "(none)",
        documents=fence_texts({"documents": names}) if names else "(all)",
        question=fence_texts({"question": question}),
    )
