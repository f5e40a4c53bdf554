"""The grade step: is the evidence enough? If not, what to search for next, up to the caps."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.evidence.merge import numbered_passages, show
from footnote.ask.guard.planner_words import blank_missing, keep_safe
from footnote.ask.planning.sub_questions import (
    IN_A_CIRCLE,
    MAX_SUB_QUESTIONS,
    clean_questions,
    cut_circles,
    number_questions,
    wordings,
)
from footnote.ask.planning.waves import (
    MOST_WORDINGS,
    Limits,
    choose_wave,
    may_search_around,
    note_failures,
    note_lost,
    note_searches,
    search_around,
    settle_fields,
    stop_at_caps,
    stopped_note,
)
from footnote.ask.question.handoff import Decision, Progress
from footnote.ask.question.structured_output import ask_for
from footnote.ask.quote.confidence import grade as grade_by_rule
from footnote.model import (
    Evidence,
    Ledger,
    ModelReply,
    ModelRequest,
    Plan,
    Problem,
    SubQuestion,
    Verdict,
)
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import GradedQuestion, GradeReply
from footnote.prompts.tasks import request_for

UNKNOWN = "The model judged sub-questions that there are none of: those verdicts were left out."
BY_RULE = "The model gave no verdict on some sub-questions: rules judged what was found for them."
MAX_TOTAL = 8  # sub-questions of one question, including those that replanning adds


class GradeOutcome(NamedTuple):
    """The next step: to search for the sub-questions in `wave` or, if it is empty, to answer."""

    progress: Progress
    decision: Decision
    wave: tuple[str, ...]


def grade(
    progress: Progress,
    evidence: Mapping[str, Evidence],
    limits: Limits,
    llm: LLM | None,
    failed: Mapping[str, Problem] | None = None,
) -> GradeOutcome:
    """Judges the evidence found so far for the sub-questions that are not settled yet.

    `evidence` is by sub-question id; so is `failed`, why the last search for it failed. Such a
    search is made once more in another way, as the caps allow it. `degraded` says what a cap leaves
    undone and what could not be looked up. Where every search has failed, the decision is `failed`.
    """
    failed = failed or {}
    open_ = [q.id for q in progress.plan.sub_questions if not q.is_settled]
    found = {name: evidence[name] for name in open_ if name in evidence and name not in failed}
    plan = note_searches(progress.plan, found, failed)
    plan = settle_fields(note_failures(plan, failed), found)
    again = may_search_around(plan, failed, limits)
    fields = {q.id for q in plan.sub_questions if q.field}
    judged = {name: piece for name, piece in found.items() if name not in fields}
    before = progress.model_copy(update={"plan": plan})
    reply, replies, notes = _verdicts(before, judged, again, limits, llm)
    plan = _note_verdicts(plan, reply, judged)
    plan = search_around(plan, again, {verdict.id: verdict for verdict in reply.verdicts})
    plan, capped = stop_at_caps(plan, judged, limits.budget)
    plan, added, refused = _replan(before, plan, reply, limits)
    spent = Ledger(waves=1, searches=len(found) + len(failed), replans=int(added))
    ledger = progress.after("grade", replies, spent=spent).ledger
    plan, wave, stopped = choose_wave(plan, ledger, limits)
    plan, not_looked_up = note_lost(plan, failed, wave)
    after = progress.after(
        "grade",
        replies,
        plan=plan,
        round_=progress.round + 1 if wave else progress.round,
        degraded=(
            *notes,
            *not_looked_up,
            *refused,
            *capped,
            *stopped,
            *(text for piece in found.values() for text in piece.degraded),
        ),
        spent=spent,
    )
    return GradeOutcome(
        after, _decide(plan, wave, added=added, capped=bool(capped + stopped)), wave
    )


def _decide(plan: Plan, wave: Sequence[str], *, added: bool, capped: bool) -> Decision:
    """Returns one word for what comes next and why."""
    if not wave:
        if all(q.verdict and q.verdict.decision == "failed" for q in plan.sub_questions):
            return "failed"
        return "capped" if capped else "enough"
    if added:
        return "replan"
    again = any(q.verdict for q in plan.sub_questions if q.id in wave)
    return "expand" if again else "next"


def _verdicts(
    progress: Progress,
    judged: Mapping[str, Evidence],
    again: Sequence[str],
    limits: Limits,
    llm: LLM | None,
) -> tuple[GradeReply, list[ModelReply], tuple[str, ...]]:
    """Returns verdicts on what was found, perhaps some on what failed (`again`), and notes."""
    if not judged:
        return GradeReply(verdicts=[]), [], ()
    left = _searches_left(progress, (*judged, *again), limits)

    def by_rule() -> GradeReply:
        questions = [q for q in progress.plan.sub_questions if q.id in judged]
        last = [name for name in judged if not left[name]]
        return grade_by_rule(questions, judged, last, progress.plan.min_confidence)

    request = _request(progress, judged, limits, left)
    reply, replies = ask_for(GradeReply, request, llm, by_rule)
    clean, told = _clean(reply, progress.plan)
    whole, notes = _with_all_verdicts(clean, progress.plan, judged, by_rule)
    return whole, replies, (*told, *notes)


def _with_all_verdicts(
    reply: GradeReply, plan: Plan, judged: Collection[str], by_rule: Callable[[], GradeReply]
) -> tuple[GradeReply, tuple[str, ...]]:
    """Adds the verdicts of rules on what the grader left out. Also returns notes on its reply."""
    given = {verdict.id for verdict in reply.verdicts}
    notes = (UNKNOWN,) if given - {question.id for question in plan.sub_questions} else ()
    if not (left_out := set(judged) - given):
        return reply, notes
    added = [verdict for verdict in by_rule().verdicts if verdict.id in left_out]
    return reply.model_copy(update={"verdicts": [*reply.verdicts, *added]}), (*notes, BY_RULE)


def _searches_left(progress: Progress, names: Collection[str], limits: Limits) -> dict[str, int]:
    """Returns how often each of these sub-questions may still be searched for."""
    most = limits.budget.rounds if limits.in_time else 0
    questions = (q for q in progress.plan.sub_questions if q.id in names)
    return {q.id: max(0, most - q.searches) for q in questions}


def _clean(reply: GradeReply, plan: Plan) -> tuple[GradeReply, tuple[str, ...]]:
    """Removes from the reply words that the grader can only have from a passage."""
    known = (plan.question, *(q.text for q in plan.sub_questions))
    new, notes = clean_questions(reply.new_sub_questions, known, instead=plan.question)
    verdicts = [
        verdict.model_copy(
            update={
                "variants": keep_safe(verdict.variants, known),
                "missing": blank_missing(verdict.missing, known),
            }
        )
        for verdict in reply.verdicts
    ]
    return GradeReply(verdicts=verdicts, new_sub_questions=new), notes


def _note_verdicts(plan: Plan, reply: GradeReply, judged: Mapping[str, Evidence]) -> Plan:
    """Returns the plan with the verdict on each sub-question that was judged."""
    graded = {verdict.id: verdict for verdict in reply.verdicts}
    sub_questions = (
        _note_verdict(question, graded[question.id], judged[question.id])
        if question.id in judged
        else question
        for question in plan.sub_questions
    )
    return plan.model_copy(update={"sub_questions": tuple(sub_questions)})


def _note_verdict(question: SubQuestion, graded: GradedQuestion, evidence: Evidence) -> SubQuestion:
    confidence = min(1.0, max(0.0, graded.confidence))
    verdict = Verdict(decision=graded.decision, confidence=confidence, missing=graded.missing[:300])
    if graded.decision != "expand":
        return question.model_copy(update={"verdict": verdict})
    variants = wordings((*graded.variants, *question.variants), question.text)[:MOST_WORDINGS]
    # `auto` would choose again what it chose for the same text
    strategy = evidence.strategy if graded.strategy == "auto" else graded.strategy
    return question.model_copy(
        update={"verdict": verdict, "variants": variants, "strategy": strategy}
    )


def _replan(
    progress: Progress, plan: Plan, reply: GradeReply, limits: Limits
) -> tuple[Plan, bool, tuple[str, ...]]:
    """Adds new sub-questions where a verdict asks for them and the budget allows it.

    Also returns whether it added any, and notes. Finished work is kept.
    """
    to_replan = {verdict.id for verdict in reply.verdicts if verdict.decision == "replan"}
    replanned = [
        q.id
        for q in plan.sub_questions
        if q.id in to_replan and q.verdict and q.verdict.decision in {"replan", "failed"}
    ]
    if not replanned or not reply.new_sub_questions:
        return plan, False, ()
    if (done := progress.ledger.replans) >= limits.budget.replans:
        why = f"after {done} new plan" if done == 1 else f"after {done} new plans"
        return plan, False, (stopped_note(plan, replanned, why),)
    taken = plan.sub_questions
    graded = sum(not question.field for question in taken)
    room = min(MAX_SUB_QUESTIONS, max(0, MAX_TOTAL - graded))
    numbered = number_questions(reply.new_sub_questions, taken, room)
    added = cut_circles(numbered, taken)
    notes = (IN_A_CIRCLE,) if added != numbered else ()
    return plan.model_copy(update={"sub_questions": (*taken, *added)}), bool(added), notes


def _request(
    progress: Progress, judged: Mapping[str, Evidence], limits: Limits, left: Mapping[str, int]
) -> ModelRequest:
    passages = {
        f"{name} ({n})": show(passage)
        for name, piece in judged.items()
        for n, passage in numbered_passages([piece]).items()
    }
    replans = max(0, limits.budget.replans - progress.ledger.replans) if limits.in_time else 0
    return request_for(
        "grade",
        question=fence_texts({"question": progress.plan.question}),
        sub_questions=fence_texts(
            {q.id: q.text for q in progress.plan.sub_questions if q.id in left}
        ),
        searches=", ".join(f"{name}: {searches}" for name, searches in left.items()),
        replans=str(replans),
        tried=fence_texts(
            {q.id: describe_tried(q) for q in progress.plan.sub_questions if not q.field}
        ),
        passages=fence_texts(passages) if passages else "(nothing)",
    )


def describe_tried(question: SubQuestion) -> str:
    """Returns what was done for a sub-question so far: its searches, and its verdict."""
    lines = [
        question.text,
        *(f"searched ({one.strategy}): {one.text}" for one in question.searched),
    ]
    if question.verdict:
        missed = f": {question.verdict.missing}" if question.verdict.missing else ""
        lines.append(f"{question.verdict.decision}{missed}")
    elif not question.searched:
        lines.append("not searched for yet")
    return "\n".join(lines)
