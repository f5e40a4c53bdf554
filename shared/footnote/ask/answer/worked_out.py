"""What is worked out of an answer's evidence: of whole tables first, else of what is cited."""

from collections.abc import Mapping, Sequence

from footnote.ask.answer.parts import worded
from footnote.ask.compute.calculation import calculate
from footnote.ask.compute.extreme import find_extreme
from footnote.ask.compute.requested import state_all, work_out_asked, work_out_requested
from footnote.ask.compute.table_answer import Stated
from footnote.ask.evidence.merge import numbered_passages
from footnote.ask.question.handoff import Progress
from footnote.ask.quote.quotations import write
from footnote.ask.write.citations import Documents
from footnote.ask.write.draft import Draft
from footnote.model import Evidence, Passage, Plan, Requested
from footnote.prompts.question_kinds import KINDS
from footnote.text.own_words import NO_FIGURES, ONE_FIGURE


def work_out(
    plan: Plan, draft: Draft, evidence: Mapping[str, Evidence], documents: Documents
) -> list[Stated]:
    """Adds what the question wants worked out from what answers it, unless the writer has.

    Returns what is worked out of whole tables. That is an answer by itself: it needs nothing that
    was written. Where rules quote, what is worked out comes first.
    """
    if any(sentence.computed for sentence in draft.sentences):
        return []
    passages = numbered_passages(evidence.values())
    of_model = work_out_requested(requested(evidence), passages, documents)
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


def without_chart(progress: Progress) -> Progress:
    """Says that there is no chart where one is wanted, until something is worked out."""
    notes = (*progress.degraded, *([NO_FIGURES] if progress.plan.wants_chart else []))
    return progress.model_copy(update={"degraded": notes})


def without_notes(progress: Progress, of_tables: Sequence[Stated]) -> Progress:
    """Takes back that a list may have more, as a table was read whole, and that no chart is."""
    limit = KINDS[progress.plan.question_kind].limit
    notes = [note for note in progress.degraded if note not in {limit, NO_FIGURES}]
    if progress.plan.wants_chart and not any(each.chart for each in of_tables):
        notes.append(ONE_FIGURE)
    return progress.model_copy(update={"degraded": tuple(notes)})


def requested(evidence: Mapping[str, Evidence]) -> list[Requested]:
    """Returns what a model that looked wants worked out."""
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
    if not largest or len(worded(plan)) > 1:
        draft.quote(may_stay)
