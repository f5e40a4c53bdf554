"""The synthesize step: writes the answer from the evidence and checks each sentence as it comes.

Nothing is shown that has not been checked: a sentence goes out once its citations hold.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from footnote.ask.compute.calculation import calculate
from footnote.ask.compute.contradiction import find_contradictions
from footnote.ask.compute.extreme import find_extreme
from footnote.ask.compute.requested import state_asked, state_requested
from footnote.ask.compute.table_answer import Stated
from footnote.ask.data.fill import Filled, field_sentences, fill
from footnote.ask.data.schema import FieldSpec
from footnote.ask.evidence.merge import numbered_passages
from footnote.ask.evidence.pieces import citable, show_pieces
from footnote.ask.evidence.shorten import shorten
from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.quote.quotations import write
from footnote.ask.write.answer_text import to_text, words_event
from footnote.ask.write.checker import Checker
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.draft import Draft, Emit
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts, tell_read
from footnote.ask.write.unanswered import show_unanswered
from footnote.model import (
    Answer,
    Chart,
    Evidence,
    ModelRequest,
    Passage,
    Plan,
    Requested,
    Sentence,
    SubQuestion,
)
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.personas import PERSONAS
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.tasks import request_for
from footnote.text.fates import NOT_HELD
from footnote.text.own_words import NOT_REACHED, NOT_STATED, SEARCH_FAILED
from footnote.text.quotes import unmark

WORKED_OUT = "\nWorked out by code, and shown below what you write. Do not write it again:"


def synthesize(  # noqa: PLR0917 - four of them are ports
    question_id: str,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    documents: Documents,
    words: Words,
    llm: LLM | None,
    emit: Emit,
    fields: Sequence[FieldSpec] = (),
    *,
    evidence_tokens: int = 0,
    strict: bool = False,
    describe_share: Callable[[], str] = str,
) -> Answer:
    """Writes the answer; `evidence` is by sub-question id, as `gather` makes it.

    `fields` are those of the data that the caller wants as well. A model that writes reads at most
    `evidence_tokens` of the evidence, or with 0 all of it. `strict`: whether sentences that nothing
    confirms are replaced or left out. `describe_share` says how many of the documents were asked.
    """
    plan = progress.plan
    if plan.kind != "retrieve":
        return _reply_at_once(question_id, progress, emit)
    found, of_fields = _split_evidence(plan, evidence)
    asked, unsure = _sure_of(plan, found)
    progress = progress.after("synthesize", (), degraded=unsure)
    passages = numbered_passages([*asked.values(), *of_fields.values()])
    first = FirstWord(emit)
    is_believed = not evidence_tokens  # where it reads but little, rules have graded
    draft = Draft(
        plan, passages, documents, words, llm, first.emit, strict=strict, is_believed=is_believed
    )
    shown = numbered_passages(asked.values())
    requested = [each for piece in asked.values() for each in piece.computations]
    if shown:
        worked_out = state_requested(requested, shown, documents, draft.another_checker(shown))
        request = _request(plan, shown, evidence_tokens, worked_out)
        draft.write(request, lambda: write(plan, asked, shown, draft.has_labels))
    chart = _compute(plan, draft, shown, documents, requested)
    draft.add(find_contradictions(draft.sentences, draft.checker, shown))
    not_looked_up = _say_not_looked_up(plan)
    if draft.is_cited:
        draft.add(not_looked_up)
    filled = Filled.nothing(())
    if fields:
        filled = fill(fields, plan.question, of_fields, passages, draft.checker, llm)
        draft.replies += filled.replies
        if not draft.is_cited:
            draft.add(field_sentences(fields, filled))
    cited = draft.checker.citations
    after = progress.after("synthesize", draft.replies, degraded=note_doubts(cited))
    removed = (*draft.removed, *filled.removed)
    emit("written", written_event(len(draft.sentences), cited, len(removed), after.calls))
    if not draft.is_cited:
        return _unanswered(
            question_id,
            after,
            found or of_fields,
            draft,
            filled,
            remarks=not_looked_up,
            share=describe_share(),
        )
    return _base_answer(question_id, first.noted(after)).model_copy(
        update={
            "found": True,
            "outcome": "answer",
            "answer": to_text(draft.sentences, draft.breaks, cited),
            "sentences": tuple(call_ocr(draft.sentences, cited)),
            "citations": cited,
            "confidence": _confidence(plan, draft),
            "removed": removed,
            "data": filled.data if fields else None,
            "fields": tuple(tell_read(filled.values, cited)),
            "chart": chart,
        }
    )


def _compute(
    plan: Plan,
    draft: Draft,
    passages: Mapping[int, Passage],
    documents: Documents,
    requested: Sequence[Requested],
) -> Chart | None:
    """Adds what the question wants worked out from what answers it, unless the writer has.

    Returns the chart of several figures. What is worked out of a whole table is an answer by
    itself: it needs nothing that was written.
    """
    if any(sentence.computed for sentence in draft.sentences):
        return None
    of_tables: tuple[Callable[[Checker], list[Stated]], ...] = (
        partial(state_requested, requested, passages, documents),
        partial(state_asked, plan.question, passages, documents),
    )
    for state in of_tables:
        if state(draft.another_checker(passages)):
            if draft.is_quoting or not draft.is_cited:  # it was written without the whole table
                draft.start_over()
            stated = state(draft.checker)
            draft.add(each.sentence for each in stated)
            return next((each.chart for each in stated if each.chart), None)
    result = draft.is_cited and (
        calculate(plan, draft.checker.cited_units())
        or find_extreme(plan.question, draft.checker, passages)
    )
    draft.add([result] if result else [])
    return None


def _worded(plan: Plan) -> list[SubQuestion]:
    """Returns the sub-questions that the answer's words are about: not those of fields."""
    return [question for question in plan.sub_questions if not question.field]


def _split_evidence(
    plan: Plan, evidence: Mapping[str, Evidence]
) -> tuple[dict[str, Evidence], dict[str, Evidence]]:
    """Returns the evidence for the answer's words by sub-question, and for the data by field."""
    fields = {q.id: q.field for q in plan.sub_questions if q.field}
    asked = {name: piece for name, piece in evidence.items() if name not in fields}
    return asked, {fields[name]: piece for name, piece in evidence.items() if name in fields}


def _sure_of(
    plan: Plan, found: Mapping[str, Evidence]
) -> tuple[dict[str, Evidence], tuple[str, ...]]:
    """Returns the evidence that grading was as sure of as the caller wants, and notes on others."""
    doubted = {q.id: q for q in _worded(plan) if q.id in found and not plan.is_sure(q)}
    notes = tuple(
        # the texts are safe to show: see `clean_questions`
        f"Left out, as its confidence is below {plan.min_confidence}: what was found for {q.text}"
        for q in doubted.values()
        if found[q.id].passages
    )
    return {name: piece for name, piece in found.items() if name not in doubted}, notes


def _say_not_looked_up(plan: Plan) -> list[Sentence]:
    """Names what no search was made for, or only ones that failed: the documents may say it."""
    return [
        # the texts are safe to show: see `clean_questions`
        Sentence(text=f"{why}: {question.text.rstrip(' .?!')}.")
        for question in _worded(plan)
        if not question.was_looked_up and question.verdict
        for why in [SEARCH_FAILED if question.verdict.decision == "failed" else NOT_REACHED]
    ]


class FirstWord:
    """Passes events on, and takes the time until the first words that stand."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._started = time.perf_counter()
        self._took: float | None = None

    def emit(self, kind: str, data: Mapping[str, object]) -> None:
        self._emit(kind, data)
        if kind == "words" and self._took is None:
            self._took = (time.perf_counter() - self._started) * 1000
        elif kind == "restart":  # the words so far are void
            self._took = None

    def noted(self, progress: Progress) -> Progress:
        """Returns the progress with the milliseconds from the start of writing to those words."""
        return progress if self._took is None else progress.timed("first_word", self._took)


def _request(
    plan: Plan, passages: Mapping[int, Passage], tokens: int, worked_out: Sequence[Stated]
) -> ModelRequest:
    shown = shorten(passages, tokens)
    results = {str(n): unmark(each.sentence.text) for n, each in enumerate(worked_out, start=1)}
    return request_for(
        "synthesize",
        style=_style(plan),
        question=fence_texts({"question": plan.question}),
        sub_questions=fence_texts({q.id: q.text for q in _worded(plan) if q.was_looked_up}),
        worked_out=f"{WORKED_OUT}\n{fence_texts(results)}\n" if results else "",
        citable=citable(passages, shown),
        passages=show_pieces(passages, shown),
    )


def _style(plan: Plan) -> str:
    return f"{PERSONAS[plan.persona].tells} {KINDS[plan.question_kind].tells}".strip()


def _reply_at_once(question_id: str, progress: Progress, emit: Emit) -> Answer:
    """Returns the plan's reply, which is footnote's own or has passed `ask/guard`.

    The reply says nothing about the world. So nothing in it is uncertain: its confidence is 1.
    """
    plan = progress.plan
    emit("words", words_event(Sentence(text=plan.reply)))
    kind = "clarify" if plan.kind == "clarify" else "direct"
    return _base_answer(question_id, progress).model_copy(
        update={"kind": kind, "answer": plan.reply, "confidence": 1.0, "rounds": 0}
    )


def _unanswered(
    question_id: str,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    draft: Draft,
    filled: Filled,
    *,
    remarks: Sequence[Sentence],
    share: str,
) -> Answer:
    """Returns the nearest passages, or that the search knows of none."""
    checker = draft.another_checker(numbered_passages(evidence.values()))
    head = [*_say_why(draft), *remarks]
    shown = show_unanswered(progress.plan, evidence, checker, head, share)
    return _base_answer(question_id, progress).model_copy(
        update={
            "outcome": shown.outcome,
            "answer": to_text(shown.sentences, shown.breaks, shown.citations),
            "sentences": shown.sentences,
            "citations": shown.citations,
            "removed": (*draft.removed, *filled.removed),
            "data": filled.data or None,
        }
    )


def _say_why(draft: Draft) -> list[Sentence]:
    """Returns what the writer says that the documents do not say, or else what footnote knows.

    Sentences that failed the check tell nothing of what the documents say.
    """
    denials = [sentence for sentence in draft.sentences if not sentence.citations]
    own = NOT_HELD if draft.removed else f"{NOT_STATED} what was asked."
    return denials or [Sentence(text=own)]


def _base_answer(question_id: str, progress: Progress) -> Answer:
    return Answer(
        id=question_id,
        kind="answer",
        found=False,
        answer="",
        degraded=progress.degraded,
        mode=progress.mode,
        plan=progress.plan,
        rounds=progress.round,
        usage=progress.usage,
        timings_ms=progress.timings_ms,
    )


def _confidence(plan: Plan, draft: Draft) -> float:
    """Returns the mean confidence of grading times the share of the written sentences that held.

    An unconfirmed sentence counts half.
    """
    graded = [q.verdict.confidence for q in plan.sub_questions if q.verdict and not q.field]
    mean = sum(graded) / len(graded) if graded else 0.5
    shown, removed = len(draft.sentences), len(draft.removed)
    unconfirmed = sum(sentence.checked == "unconfirmed" for sentence in draft.sentences)
    return round(mean * (shown - unconfirmed / 2) / (shown + removed), 3)
