"""The plan step: answer directly, ask back, or split the question into what to look up."""

import json
from collections.abc import Sequence

from footnote.ask.catalogue.question import say_question
from footnote.ask.catalogue.read import Reader, reads_nothing
from footnote.ask.data.lookups import field_questions
from footnote.ask.data.schema import read_schema
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
from footnote.ask.planning.collections import split_collection
from footnote.ask.planning.context import anchors_of, named_values, read_context
from footnote.ask.planning.waves import MOST_WORDINGS
from footnote.ask.question.bounds import MAX_QUESTION, check_text
from footnote.ask.question.handoff import Progress
from footnote.ask.question.structured_output import ask_for
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    STRATEGIES,
    AnswerOptions,
    ModelReply,
    ModelRequest,
    Persona,
    Plan,
    Scope,
    SubQuestion,
)
from footnote.model.catalogue import CatalogueQuery
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.personas import describe_personas
from footnote.prompts.question_kinds import KINDS, describe_kinds
from footnote.prompts.shapes import PlannedQuestion, PlanReply
from footnote.prompts.tasks import request_for
from footnote.text.own_words import CATALOGUE

MAX_SUB_QUESTIONS = 5
NO_OPTIONS = AnswerOptions()
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
    options: AnswerOptions = NO_OPTIONS,
    persona: Persona = "default",
    *,
    catalogue: Reader = reads_nothing,
    condensed: Sequence[ModelReply] = (),
    collections: Sequence[str] = (),
) -> Progress:
    """Plans a question; `history` holds the session's earlier questions and answers.

    An answer without a question is a line of a summary; `condensed` are the replies that made it.
    `persona` is for an answer for which neither the caller nor the planner chooses one. Searches
    may be narrowed to one of `collections`. `catalogue` tells questions that the table of documents
    answers: no model plans these.

    Raises BadRequestError when the question cannot be asked.
    """
    question = check_question(question)
    if not options.data_schema and (query := catalogue(question, history)):
        return Progress(plan=_of_catalogue(question, query, history)).after("plan", condensed)
    context = read_context(options.context)

    def by_rule() -> PlanReply:
        anchors, named = anchors_of(context), named_values(question, context)
        exchanges = [(asked, answer) for asked, answer in history if asked]
        text, collection = split_collection(question, collections)
        drawn_up = plan_by_rule(text, exchanges, scope.names, anchors, named)
        for one in drawn_up.sub_questions:
            one.collection = collection
        return drawn_up

    request = _request(question, history, scope, context, collections)
    reply, replies = ask_for(PlanReply, request, llm, by_rule)
    if reply.kind == "catalogue":
        said = keep_safe([reply.resolved], UserWords(question, history, scope.names).known)
        if not options.data_schema and said and (query := catalogue(said[0], ())):
            made = Progress(plan=_of_catalogue(question, query, history))
            return made.after("plan", [*condensed, *replies])
        reply = unsplit_plan(question)
    reply, said_nothing = _with_content(reply, question)
    if options.kind:
        reply = reply.model_copy(update={"question_kind": options.kind})
    user = UserWords(question, history, scope.names)
    drafted, notes = _to_plan(reply, user, context, collections)
    drafted = drafted.model_copy(
        update={
            "resolved": resolve(reply, drafted, user, context),
            "persona": options.persona or reply.persona or persona,
            "min_confidence": options.min_confidence,
            "wants_chart": options.chart,
        }
    )
    if drafted.kind == "retrieve":
        fields = field_questions(read_schema(options.data_schema), question)
        drafted = drafted.model_copy(update={"sub_questions": (*drafted.sub_questions, *fields)})
    limit = KINDS[drafted.question_kind].limit if drafted.kind == "retrieve" else ""
    degraded = (*said_nothing, *notes, *filter(None, [limit]))
    return Progress(plan=drafted).after("plan", [*condensed, *replies], degraded=degraded)


def _of_catalogue(question: str, query: CatalogueQuery, history: Sequence[tuple[str, str]]) -> Plan:
    return Plan(
        kind="direct",
        question=question,
        reply=CATALOGUE,  # shown by a release that does not know `catalogue`
        catalogue=query,
        reason="asks about the documents themselves",
        resolved=say_question(query) if history else question,
    )


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
    reply: PlanReply,
    user: UserWords,
    context: Sequence[str] = (),
    collections: Sequence[str] = (),
) -> tuple[Plan, tuple[str, ...]]:
    """Returns the plan without what the user cannot have meant, and notes on what was dropped."""
    reason = "".join(keep_safe([reply.reason[:500]], (*user.known, *context)))
    if reply.kind != "retrieve":
        text, notes = choose_reply(reply.kind, reply.reply, user)
        if notes and reply.kind == "direct" and has_content(user.question):
            looked_up, _ = _to_plan(unsplit_plan(user.question), user, context)
            return looked_up, notes
        return Plan(kind=reply.kind, question=user.question, reply=text, reason=reason), notes
    clean, notes = clean_questions(
        reply.sub_questions,
        user.known,
        instead=user.question,
        context=context,
        collections=collections,
    )
    wide = KINDS[reply.question_kind].lists
    numbered = tuple(one.model_copy(update={"wide": wide}) for one in number_questions(clean))
    ordered = cut_circles(numbered)
    plan = Plan(
        kind="retrieve",
        question=user.question,
        sub_questions=ordered,
        reason=reason,
        question_kind=reply.question_kind,
    )
    notes = notes if reason == reply.reason[:500] else (DROPPED,)
    return plan, notes if ordered == numbered else (*notes, IN_A_CIRCLE)


def resolve(reply: PlanReply, drafted: Plan, user: UserWords, context: Sequence[str] = ()) -> str:
    """Returns the question in words that need no history: the planner's, if they may be kept.

    Where the planner gives none, its only sub-question stands for them. Without a history the
    question stays as it is. Where nothing is looked up, there is nothing to resolve.
    """
    if drafted.kind != "retrieve":
        return ""
    if not user.history:
        return drafted.question
    resolved = " ".join(reply.resolved.split())[:MAX_QUESTION]
    if resolved and keep_safe([resolved], (*user.known, *context)):
        return resolved
    subs = drafted.sub_questions
    return subs[0].text if len(subs) == 1 else drafted.question


def unsplit_plan(question: str) -> PlanReply:
    """Returns the plan to use when there is no other: look the question up as it is."""
    return PlanReply(kind="retrieve", sub_questions=[PlannedQuestion(text=question)])


def clean_questions(
    planned: Sequence[PlannedQuestion],
    known: Sequence[str],
    instead: str,
    context: Sequence[str] = (),
    collections: Sequence[str] = (),
) -> tuple[list[PlannedQuestion], tuple[str, ...]]:
    """Removes links, markup, codes and instructions that no `known` text has from sub-questions.

    A sub-question whose text has any of them asks `instead`. The words of a `context` may be
    searched for, too, but name no documents and no filters. A collection must be one of
    `collections`. Also returns a note if anything was
    dropped.
    """
    searchable = (*known, *context)
    clean = [
        one.model_copy(
            update={
                "text": one.text if keep_safe([one.text], searchable) else instead,
                "variants": keep_safe(one.variants, searchable),
                "documents": keep_named(one.documents, known),
                "filters": keep_filters(one.filters, known),
                "collection": one.collection if one.collection in collections else "",
            }
        )
        for one in planned
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
    """Gives planned sub-questions ids of our own (q1, q2 …) that follow those of `taken`.

    Each may depend on any other, also on a later one: see `cut_circles`. A sub-question that
    repeats another is left out. What depends on it then depends on the other.
    """
    ids = {question.id: question.id for question in taken}
    id_by_text = {question.text.casefold(): question.id for question in taken}
    kept: list[tuple[str, str, PlannedQuestion]] = []
    for one in planned:
        text = " ".join(one.text.split())[:MAX_QUESTION]
        if not text or (text.casefold() not in id_by_text and len(kept) >= most):
            continue
        name = id_by_text.get(text.casefold()) or f"q{len(taken) + len(kept) + 1}"
        if text.casefold() not in id_by_text:
            kept.append((name, text, one))
            id_by_text[text.casefold()] = name
        ids[one.id or name] = name
    return tuple(
        SubQuestion(
            id=name,
            text=text,
            variants=wordings(one.variants, text),
            strategy=one.strategy,
            minimum_results=one.minimum_results,
            documents=tuple(one.documents),
            depends_on=_others(name, [ids[other] for other in one.depends_on if other in ids]),
            where=parse_filters(one.filters) if one.filters else None,
            collection=one.collection,
        )
        for name, text, one in kept
    )


def _others(name: str, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(other for other in names if other != name))


def cut_circles(
    questions: Sequence[SubQuestion], taken: Sequence[SubQuestion] = ()
) -> tuple[SubQuestion, ...]:
    """Cuts dependencies so that no question waits for itself by way of others.

    Where all that are left wait for each other, the first of them no longer waits for any of these.
    """
    placed = {question.id for question in taken}
    by_id = {question.id: question for question in questions}
    while left := [name for name in by_id if name not in placed]:
        free = [name for name in left if set(by_id[name].depends_on) <= placed]
        if not free:
            kept = tuple(name for name in by_id[left[0]].depends_on if name in placed)
            by_id[left[0]] = by_id[left[0]].model_copy(update={"depends_on": kept})
            free = left[:1]
        placed.update(free)
    return tuple(by_id.values())


def wordings(variants: Sequence[str], text: str) -> tuple[str, ...]:
    """Returns the variants that differ from the text and from each other."""
    clean = (" ".join(variant.split())[:MAX_QUESTION] for variant in variants)
    different = {one.casefold(): one for one in clean if one and one.casefold() != text.casefold()}
    return tuple(different.values())[:MOST_WORDINGS]


def describe_strategies() -> str:
    """Returns a line for each strategy: its name and when to use it."""
    return "\n".join(f"- `{name}`: {recipe.when}." for name, recipe in STRATEGIES.items())


def _request(
    question: str,
    history: Sequence[tuple[str, str]],
    scope: Scope,
    context: Sequence[str],
    collections: Sequence[str],
) -> ModelRequest:
    said = {
        "earlier": "\n".join(answer for asked, answer in history if not asked),
        "exchanges": "\n".join(json.dumps(p, ensure_ascii=False) for p in history if p[0]),
    }
    exchanges = {label: text for label, text in said.items() if text}
    names = "\n".join(" ".join(name.split()) for name in scope.names)
    return request_for(
        "plan",
        history=fence_texts(exchanges) if exchanges else "(none)",
        strategies=describe_strategies(),
        kinds=describe_kinds(),
        personas=describe_personas(),
        context=fence_texts({"context": "\n".join(context)}) if context else "(none)",
        documents=fence_texts({"documents": names}) if names else "(all)",
        collections=fence_texts({"collections": "\n".join(collections)})
        if collections
        else "(one)",
        question=fence_texts({"question": question}),
    )
