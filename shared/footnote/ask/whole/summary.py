"""Has a model write a summary from the lines that were noted in reading documents whole.

It is checked sentence by sentence as any answer is. How far was read stands at its end, by code.
"""

from footnote.ask.evidence.pieces import citable, show_pieces
from footnote.ask.evidence.shorten import first_of_each
from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.quote.quotations import unmark_quote
from footnote.ask.whole.merge import Merged
from footnote.ask.whole.report import confidence_of, say_coverage
from footnote.ask.write.answer_text import to_text
from footnote.ask.write.citations import Documents, Words
from footnote.ask.write.draft import Draft, Emit
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts
from footnote.model import Answer, ModelRequest, Passage, Plan, QuestionKind, Sentence
from footnote.ports import LLM
from footnote.prompts import fence_texts
from footnote.prompts.personas import PERSONAS
from footnote.prompts.question_kinds import KINDS
from footnote.prompts.tasks import request_for
from footnote.text.own_language import asked_in

MOST_TOKENS = 6_000  # of the lines that the writer reads


def summarise(  # noqa: PLR0917 - three of them are ports
    question_id: str,
    progress: Progress,
    merged: Merged,
    documents: Documents,
    words: Words,
    llm: LLM,
    emit: Emit,
    *,
    strict: bool,
) -> Answer:
    """Returns the summary that a model writes. Where it fails, the noted lines stand for it."""
    passages = {n: item.passages[0] for n, item in enumerate(merged.items, 1)}
    draft = Draft(progress.plan, passages, documents, words, llm, emit, strict=strict)
    request = lines_request(progress.plan, passages, progress.plan.question_kind)
    draft.write(request, lambda: _lines(passages))
    draft.add([Sentence(text=say_coverage(merged.coverage, asked_in(progress.plan.question)))])
    cited = draft.checker.citations
    notes = (*merged.degraded, *note_doubts(cited))
    after = progress.after("synthesize", draft.replies, degraded=notes)
    emit("written", written_event(len(draft.sentences), cited, len(draft.removed), after.calls))
    return after.begin_answer(question_id).model_copy(
        update={
            "found": draft.is_cited,
            "outcome": "answer" if draft.is_cited else "nearest",
            "answer": to_text(draft.sentences, draft.breaks, cited),
            "sentences": tuple(call_ocr(draft.sentences, cited)),
            "citations": cited,
            "confidence": confidence_of(merged.coverage) if draft.is_cited else 0.0,
            "removed": tuple(draft.removed),
            "coverage": merged.coverage,
        }
    )


def lines_request(plan: Plan, passages: dict[int, Passage], kind: QuestionKind) -> ModelRequest:
    """Returns what a writer is asked: what matters of noted lines, in an answer of this kind."""
    shown = first_of_each(passages, MOST_TOKENS)
    return request_for(
        "synthesize",
        style=f"{PERSONAS[plan.persona].tells} {KINDS[kind].tells}".strip(),
        question=fence_texts({"question": plan.question}),
        sub_questions=fence_texts({sub.id: sub.text for sub in plan.sub_questions}),
        citable=citable(passages, shown),
        reports="",
        worked_out="",
        opening="",
        passages=show_pieces(passages, shown),
    )


def _lines(passages: dict[int, Passage]) -> str:
    """Returns the noted lines as rules write them: each by itself, with its marker."""
    texts = {n: unmark_quote(" ".join(one.text.split())) for n, one in passages.items()}
    return "\n\n".join(f"{text} [{n}]" for n, text in texts.items())
