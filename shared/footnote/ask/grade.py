"""The grade step: is the evidence enough? If not, what to search for next, up to a cap."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.door.vet import keep_safe, missing
from footnote.ask.evidence import numbered_passages, show
from footnote.ask.handoff import Decision, Progress
from footnote.ask.plan import (
    MAX_VARIANTS,
    clean_questions,
    number_questions,
    wordings,
)
from footnote.ask.structured_output import ask_for
from footnote.model import (
    Evidence,
    ModelReply,
    ModelRequest,
    Plan,
    SubQuestion,
    Verdict,
)
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.shapes import GradedQuestion, GradeReply
from footnote.prompts.tasks import request_for

MAX_TOTAL = 8  # sub-questions of one question, including those that replanning adds


class GradeOutcome(NamedTuple):
    """The next step: search for the sub-questions in `wave`, or write the answer if it is empty."""

    progress: Progress
    decision: Decision
    wave: tuple[str, ...]


def grade(
    progress: Progress, evidence: Mapping[str, Evidence], max_rounds: int, llm: LLM
) -> GradeOutcome:
    """Judges what was found so far for the sub-questions that are not settled yet.

    `evidence` is by sub-question id. At `max_rounds` no further wave begins, and `degraded` says
    what was not fully found.
    """
    judged = {
        q.id: evidence[q.id]
        for q in progress.plan.sub_questions
        if q.id in evidence and not is_settled(q)
    }
    reply, replies, degraded = _verdicts(progress, judged, max_rounds, llm)
    plan = _apply(progress.plan, reply, judged)
    wanted = _next_wave(plan, reply, judged)
    decision: Decision = wanted[0]
    wave = wanted[1]
    if wave and progress.round >= max_rounds:
        degraded = (*degraded, _capped_note(plan, wave, progress.round))
        decision, wave = "capped", ()
    after = progress.after(
        "grade",
        replies,
        plan=plan,
        round_=progress.round + 1 if wave else progress.round,
        degraded=(*degraded, *(text for piece in judged.values() for text in piece.degraded)),
    )
    return GradeOutcome(after, decision, wave)


def is_settled(question: SubQuestion) -> bool:
    """Returns whether nothing more is looked up for the sub-question."""
    return question.verdict is not None and question.verdict.decision != "expand"


def _verdicts(
    progress: Progress, judged: Mapping[str, Evidence], max_rounds: int, llm: LLM
) -> tuple[GradeReply, list[ModelReply], tuple[str, ...]]:
    if not judged:
        return GradeReply(verdicts=[]), [], ()
    request = _request(progress, judged, max_rounds)
    reply, replies = ask_for(GradeReply, request, llm)
    if reply is not None:
        clean, told = _clean(reply, progress.plan)
        return clean, replies, told
    as_found = [
        GradedQuestion(id=name, decision="enough", confidence=0.5 if piece.passages else 0.0)
        for name, piece in judged.items()
    ]
    said = "The grader's reply was of no use: the answer was written from what was found at once."
    return GradeReply(verdicts=as_found), replies, (said,)


def _clean(reply: GradeReply, plan: Plan) -> tuple[GradeReply, tuple[str, ...]]:
    """Removes from the reply what only a passage can have told the grader to write."""
    known = (plan.question, *(q.text for q in plan.sub_questions))
    new, told = clean_questions(reply.new_sub_questions, known, instead=plan.question)
    verdicts = [
        verdict.model_copy(
            update={
                "variants": keep_safe(verdict.variants, known),
                "missing": missing(verdict.missing, known),
            }
        )
        for verdict in reply.verdicts
    ]
    return GradeReply(verdicts=verdicts, new_sub_questions=new), told


def _apply(plan: Plan, reply: GradeReply, judged: Mapping[str, Evidence]) -> Plan:
    """Returns the plan with the verdicts noted and new sub-questions added."""
    graded = {verdict.id: verdict for verdict in reply.verdicts}
    kept = tuple(
        _note_verdict(question, graded.get(question.id)) if question.id in judged else question
        for question in plan.sub_questions
    )
    replanned = any(q.verdict and q.verdict.decision == "replan" for q in kept if q.id in judged)
    room = max(0, MAX_TOTAL - sum(not question.field for question in kept))
    added = number_questions(reply.new_sub_questions, taken=kept)[:room] if replanned else ()
    return plan.model_copy(update={"sub_questions": kept + added})


def _note_verdict(question: SubQuestion, graded: GradedQuestion | None) -> SubQuestion:
    if graded is None:  # the grader forgot it: the answer uses what was found
        verdict = Verdict(decision="enough", confidence=0.5)
        return question.model_copy(update={"verdict": verdict})
    confidence = min(1.0, max(0.0, graded.confidence))
    verdict = Verdict(decision=graded.decision, confidence=confidence, missing=graded.missing[:300])
    if graded.decision != "expand":
        return question.model_copy(update={"verdict": verdict})
    variants = wordings((*graded.variants, *question.variants), question.text)[:MAX_VARIANTS]
    return question.model_copy(
        update={"verdict": verdict, "variants": variants, "strategy": graded.strategy}
    )


def _next_wave(
    plan: Plan, reply: GradeReply, judged: Mapping[str, Evidence]
) -> tuple[Decision, tuple[str, ...]]:
    """Returns the decision and the wave that would come next if there were no cap."""
    done = {q.id for q in plan.sub_questions if is_settled(q)}
    open_ = [q for q in plan.sub_questions if q.verdict is None and set(q.depends_on) <= done]
    again = tuple(q.id for q in plan.sub_questions if q.id in judged and not is_settled(q))
    wave = (*again, *(q.id for q in open_))
    if any(verdict.decision == "replan" for verdict in reply.verdicts) and open_:
        return "replan", wave
    if again:
        return "expand", wave
    return ("next", wave) if open_ else ("enough", ())


def _capped_note(plan: Plan, wave: Sequence[str], rounds: int) -> str:
    # the texts are safe to show: see `clean_questions`
    texts = {question.id: question.text for question in plan.sub_questions}
    left = "; ".join(texts[name] for name in wave)
    word = "round" if rounds == 1 else "rounds"
    return f"The search stopped after {rounds} {word}. Not fully found: {left}"


def _request(progress: Progress, judged: Mapping[str, Evidence], max_rounds: int) -> ModelRequest:
    questions = {q.id: q for q in progress.plan.sub_questions if q.id in judged}
    passages = {
        f"{name} ({n})": show(passage)
        for name, piece in judged.items()
        for n, passage in numbered_passages([piece]).items()
    }
    return request_for(
        "grade",
        {
            "sub_questions": tuple(questions.values()),
            "evidence": dict(judged),
            "last": progress.round >= max_rounds,
        },
        question=fence_texts({"question": progress.plan.question}),
        sub_questions=fence_texts({name: q.text for name, q in questions.items()}),
        round=str(progress.round),
        max_rounds=str(max_rounds),
        passages=fence_texts(passages) if passages else "(nothing)",
    )
