"""The plan step: answer directly, ask back, or split the question into what to look up."""

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
    keep_safe,
)
from footnote.ask.planning.by_rule import plan as plan_by_rule
from footnote.ask.planning.collections import split_collection
from footnote.ask.planning.context import anchors_of, named_values, read_context
from footnote.ask.planning.request import planning_request
from footnote.ask.planning.sub_questions import (
    IN_A_CIRCLE,
    clean_questions,
    cut_circles,
    number_questions,
)
from footnote.ask.question.bounds import MAX_QUESTION, check_text
from footnote.ask.question.handoff import Progress
from footnote.ask.question.structured_output import ask_for
from footnote.model import AnswerOptions, ModelReply, Persona, Plan, Scope
from footnote.model.catalogue import CatalogueQuery
from footnote.ports import LLM
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.shapes import PlannedQuestion, PlanReply
from footnote.text.own_words import CATALOGUE

NO_OPTIONS = AnswerOptions()
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

    request = planning_request(question, history, scope, context, collections)
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


def check_question(question: str) -> str:
    """Returns the question without needless whitespace.

    Raises BadRequestError when it is empty or too long.
    """
    text = " ".join(question.split())
    check_text(text, "question")
    return text
