"""The answer to what was searched for: written from the evidence and checked as it comes."""

from collections.abc import Mapping, Sequence
from functools import partial

from footnote.ask.answer.material import Material
from footnote.ask.answer.parts import say_not_looked_up, split_evidence, sure_of
from footnote.ask.answer.request import writing_request
from footnote.ask.answer.worked_out import requested, without_notes, work_out
from footnote.ask.compute.contradiction import find_contradictions
from footnote.ask.compute.requested import state_requested
from footnote.ask.data.fill import Filled, field_sentences, fill
from footnote.ask.evidence.merge import numbered_passages
from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import opened_event, written_event
from footnote.ask.quote.quotations import write
from footnote.ask.write.answer_text import to_text
from footnote.ask.write.draft import Draft
from footnote.ask.write.first_word import FirstWord
from footnote.ask.write.opening import Opened, open_passages
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts, tell_read
from footnote.ask.write.unanswered import show_unanswered
from footnote.model import Answer, Evidence, Passage, Plan, Sentence
from footnote.text.fates import NOT_HELD
from footnote.text.own_words import NOTHING_STATED


def answer_searched(given: Material) -> Answer:
    """Writes an answer from the evidence, or shows the nearest passages."""
    progress, plan = given.progress, given.progress.plan
    documents, schema, llm = given.documents, given.schema, given.llm
    found, of_fields = split_evidence(plan, given.evidence)
    asked, unsure = sure_of(plan, found)
    progress = progress.after("synthesize", (), degraded=unsure)
    passages = numbered_passages([*asked.values(), *of_fields.values()])
    first = FirstWord(given.emit, given.waited_ms)
    is_believed = not given.evidence_tokens  # where it reads but little, rules have graded
    draft = Draft(
        plan,
        passages,
        documents,
        given.words,
        llm,
        first.emit,
        strict=given.strict,
        is_believed=is_believed,
    )
    shown = numbered_passages(asked.values())
    if shown:
        _write(given, draft, asked, shown, passages)
    of_tables = work_out(plan, draft, asked, documents)
    progress = without_notes(progress, of_tables) if of_tables else progress
    draft.add(find_contradictions(draft.sentences, draft.checker, shown))
    not_looked_up = say_not_looked_up(plan)
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
    given.emit("written", written_event(len(draft.sentences), cited, len(removed), after.calls))
    if not draft.is_cited:
        return _unanswered(
            given,
            after,
            found or of_fields,
            draft,
            filled,
            remarks=not_looked_up,
        )
    return (
        first.noted(after)
        .begin_answer(given.question_id)
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


def _write(
    given: Material,
    draft: Draft,
    asked: Mapping[str, Evidence],
    shown: Mapping[int, Passage],
    passages: Mapping[int, Passage],
) -> None:
    """Has the answer written from the passages that are `shown`; data may rest on all `passages`.

    What the writer opens gets numbers of its own. It is shown in place of the narrower passage.
    """
    plan, documents = given.progress.plan, given.documents
    worked_out = state_requested(requested(asked), shown, documents, draft.another_checker(shown))
    ask_writer = partial(
        writing_request,
        plan,
        tokens=given.evidence_tokens,
        worked_out=worked_out,
        reports={name: piece.summary for name, piece in asked.items() if piece.summary},
    )

    def open_(numbers: Sequence[int]) -> Opened:
        wide = open_passages(numbers, shown, documents)
        given.emit("opened", opened_event(len(numbers), tuple(wide.values())))
        opened = dict(enumerate(wide.values(), start=max(passages) + 1))
        left = {n: passage for n, passage in shown.items() if n not in wide}
        return Opened(ask_writer({**opened, **left}), {**passages, **opened})

    draft.write(
        ask_writer(shown, may_open=given.may_open),
        lambda: write(plan, asked, shown, draft.has_labels),
        open_ if given.may_open else None,
    )


def _unanswered(
    given: Material,
    progress: Progress,
    evidence: Mapping[str, Evidence],
    draft: Draft,
    filled: Filled,
    *,
    remarks: Sequence[Sentence],
) -> Answer:
    """Returns the nearest passages, or that the search knows of none."""
    checker = draft.another_checker(numbered_passages(evidence.values()))
    head = [*_say_why(draft), *remarks]
    shown = show_unanswered(progress.plan, evidence, checker, head, given.describe_share())
    return progress.begin_answer(given.question_id).model_copy(
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
    own = NOT_HELD if draft.removed else NOTHING_STATED
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
