"""The synthesize step: writes the answer from the evidence and checks each sentence as it comes.

Nothing is shown that has not been checked: a sentence goes out once its citations hold.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from footnote.ask.catalogue.reply import write_catalogue
from footnote.ask.compute.calculation import calculate
from footnote.ask.compute.contradiction import find_contradictions
from footnote.ask.compute.extreme import find_extreme
from footnote.ask.compute.requested import (
    state_all,
    state_requested,
    work_out_asked,
    work_out_requested,
)
from footnote.ask.compute.table_answer import Stated
from footnote.ask.data.fields import DataSchema
from footnote.ask.data.fill import Filled, field_sentences, fill
from footnote.ask.evidence.merge import numbered_passages
from footnote.ask.evidence.pieces import citable, show_pieces
from footnote.ask.evidence.shorten import shorten
from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.quote.quotations import write
from footnote.ask.whole.merge import cost_of, merge
from footnote.ask.whole.report import report
from footnote.ask.whole.summary import summarise
from footnote.ask.write.answer_text import to_text, words_event
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.draft import Draft, Emit
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts, tell_read
from footnote.ask.write.unanswered import show_unanswered
from footnote.model import (
    Answer,
    Evidence,
    ModelRequest,
    Notes,
    Passage,
    Plan,
    Requested,
    Sentence,
    SubQuestion,
)
from footnote.model.catalogue import Catalogue, CatalogueQuery
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.personas import PERSONAS
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.tasks import request_for
from footnote.text.fates import NOT_HELD
from footnote.text.own_words import NO_FIGURES, NOT_REACHED, NOT_STATED, ONE_FIGURE, SEARCH_FAILED
from footnote.text.quotes import unmark

WORKED_OUT = "\nWorked out by code, and shown below what you write. Do not write it again:"
REPORTED = (
    "\nReported by those who looked for passages. It may be wrong: cite nothing but the passages:"
)

NO_DATA = DataSchema()


def synthesize(  # noqa: PLR0917 - four of them are ports
    question_id: str,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    documents: Documents,
    words: Words,
    llm: LLM | None,
    emit: Emit,
    schema: DataSchema = NO_DATA,
    *,
    take_stock: Callable[[CatalogueQuery], Catalogue] | None = None,
    evidence_tokens: int = 0,
    strict: bool = False,
    describe_share: Callable[[], str] = str,
    notes: Sequence[Notes] = (),
) -> Answer:
    """Writes the answer; `evidence` is by sub-question id, as `gather` makes it.

    `notes` are on the documents that were read whole, where that was done in place of a search.

    `schema` is that of the data that the caller wants as well. A model that writes reads at most
    `evidence_tokens` of the evidence, or with 0 all of it. `strict`: whether sentences that nothing
    confirms are replaced or left out. `describe_share` says how many of the documents were asked.
    `take_stock` counts documents, for a question of the catalogue.
    """
    progress = _without_chart(progress)
    if (query := progress.plan.catalogue) and take_stock:
        return _say_stock(question_id, progress, query, take_stock(query), emit)
    plan = progress.plan
    if whole := progress.whole:
        merged = merge(whole, notes)
        progress = progress.paid("read", *cost_of(notes))
        if llm and merged.items and whole.kind == "document":
            return summarise(
                question_id, progress, merged, documents, words, llm, emit, strict=strict
            )
        return report(question_id, progress, merged, documents, words, emit)
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
    if shown:
        worked_out = state_requested(
            _requested(asked), shown, documents, draft.another_checker(shown)
        )
        reports = {name: piece.summary for name, piece in asked.items() if piece.summary}
        request = _request(plan, shown, evidence_tokens, worked_out, reports)
        draft.write(request, lambda: write(plan, asked, shown, draft.has_labels))
    of_tables = _compute(plan, draft, asked, documents)
    progress = _without_notes(progress, of_tables) if of_tables else progress
    draft.add(find_contradictions(draft.sentences, draft.checker, shown))
    not_looked_up = _say_not_looked_up(plan)
    if draft.is_cited:
        draft.add(not_looked_up)
    filled = Filled.nothing(schema)
    if schema:
        filled = fill(schema, plan.question, of_fields, passages, draft.checker, llm)
        draft.replies += filled.replies
        if not draft.is_cited:
            draft.add(field_sentences(schema, filled))
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
    return (
        first.noted(after)
        .begin_answer(question_id)
        .model_copy(
            update={
                "found": True,
                "outcome": "answer",
                "answer": to_text(draft.sentences, draft.breaks, cited),
                "sentences": tuple(call_ocr(draft.sentences, cited)),
                "citations": cited,
                "confidence": _confidence(plan, draft),
                "removed": removed,
                "data": filled.data if schema else None,
                "fields": tuple(tell_read(filled.values, cited)),
                "chart": next((each.chart for each in of_tables if each.chart), None),
            }
        )
    )


def _compute(
    plan: Plan,
    draft: Draft,
    evidence: Mapping[str, Evidence],
    documents: Documents,
) -> list[Stated]:
    """Adds what the question wants worked out from what answers it, unless the writer has.

    Returns what is worked out of whole tables. That is an answer by itself: it needs nothing that
    was written. Where rules quote, what is worked out comes first.
    """
    if any(sentence.computed for sentence in draft.sentences):
        return []
    passages = numbered_passages(evidence.values())
    of_model = work_out_requested(_requested(evidence), passages, documents)
    by_rule = work_out_asked(plan, passages, documents)
    for of_table in (of_model, by_rule):
        if state_all(of_table, draft.another_checker(passages)):
            if draft.is_quoting or not draft.is_cited:  # it was written without the whole table
                draft.start_over()
            stated = state_all(of_table, draft.checker)
            draft.add(each.sentence for each in stated)
            return stated
    if not draft.is_cited:
        return []
    if result := calculate(plan, draft.checker.cited_units()):
        draft.lead_with(result) if draft.is_quoting else draft.add([result])
    elif draft.is_quoting:
        _compare_rows(plan, draft, evidence, passages)
    elif result := find_extreme(plan.question, draft.checker, passages, draft.cited_documents):
        draft.add([result])
    return []


def _without_chart(progress: Progress) -> Progress:
    """Says that there is no chart where one is wanted, until something is worked out."""
    notes = (*progress.degraded, *([NO_FIGURES] if progress.plan.wants_chart else []))
    return progress.model_copy(update={"degraded": notes})


def _without_notes(progress: Progress, of_tables: Sequence[Stated]) -> Progress:
    """Takes back that a list may have more, as a table was read whole, and that no chart is."""
    limit = KINDS[progress.plan.question_kind].limit
    notes = [note for note in progress.degraded if note not in {limit, NO_FIGURES}]
    if progress.plan.wants_chart and not any(each.chart for each in of_tables):
        notes.append(ONE_FIGURE)
    return progress.model_copy(update={"degraded": tuple(notes)})


def _requested(evidence: Mapping[str, Evidence]) -> list[Requested]:
    return [each for piece in evidence.values() for each in piece.computations]


def _compare_rows(
    plan: Plan, draft: Draft, evidence: Mapping[str, Evidence], passages: Mapping[int, Passage]
) -> None:
    """Puts what is largest first, and takes back single rows, which do not say what is."""
    cited, checker = draft.cited_documents, draft.another_checker(passages)
    found = {(each.document_id, each.version) for each in passages.values()}
    is_clear = find_extreme(plan.question, checker, passages, found)
    largest = is_clear and find_extreme(plan.question, checker, passages, cited)
    may_stay = write(plan, evidence, passages, draft.has_labels, is_choice=True)
    if not largest and may_stay == write(plan, evidence, passages, draft.has_labels):
        return
    draft.start_over()
    largest = largest and find_extreme(plan.question, draft.checker, passages, cited)
    draft.add([largest] if largest else [])
    if not largest or len(_worded(plan)) > 1:
        draft.quote(may_stay)


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
    plan: Plan,
    passages: Mapping[int, Passage],
    tokens: int,
    worked_out: Sequence[Stated],
    reports: Mapping[str, str],
) -> ModelRequest:
    shown = shorten(passages, tokens)
    results = {str(n): unmark(each.sentence.text) for n, each in enumerate(worked_out, start=1)}
    return request_for(
        "synthesize",
        style=_style(plan),
        question=fence_texts({"question": plan.question}),
        sub_questions=fence_texts({q.id: q.text for q in _worded(plan) if q.was_looked_up}),
        worked_out=f"{WORKED_OUT}\n{fence_texts(results)}\n" if results else "",
        reports=f"{REPORTED}\n{fence_texts(reports)}\n" if reports else "",
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
    return progress.begin_answer(question_id).model_copy(
        update={"kind": kind, "answer": plan.reply, "confidence": 1.0, "rounds": 0}
    )


def _say_stock(
    question_id: str, progress: Progress, query: CatalogueQuery, stock: Catalogue, emit: Emit
) -> Answer:
    """Returns what the table of documents says. Code has counted: nothing in it is uncertain."""
    texts, breaks = write_catalogue(query, stock)
    sentences = tuple(Sentence(text=text) for text in texts)
    for sentence in sentences:
        emit("words", words_event(sentence))
    emit("written", written_event(len(sentences), (), 0, ()))
    return progress.begin_answer(question_id).model_copy(
        update={
            "found": True,
            "outcome": "answer",
            "answer": to_text(sentences, breaks),
            "sentences": sentences,
            "confidence": 1.0,
            "rounds": 0,
            "catalogue": stock,
        }
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
    return progress.begin_answer(question_id).model_copy(
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


def _confidence(plan: Plan, draft: Draft) -> float:
    """Returns the mean confidence of grading times the share of the written sentences that held.

    An unconfirmed sentence counts half.
    """
    graded = [q.verdict.confidence for q in plan.sub_questions if q.verdict and not q.field]
    mean = sum(graded) / len(graded) if graded else 0.5
    shown, removed = len(draft.sentences), len(draft.removed)
    unconfirmed = sum(sentence.checked == "unconfirmed" for sentence in draft.sentences)
    return round(mean * (shown - unconfirmed / 2) / (shown + removed), 3)
