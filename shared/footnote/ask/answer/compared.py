"""The answer that lays documents beside each other: what code counts, and what differs."""

from footnote.ask.answer.material import Material
from footnote.ask.question.handoff import Progress
from footnote.ask.question.trace import written_event
from footnote.ask.whole.comparison import (
    BY_ALIGNMENT,
    CUT,
    MOST_LINES,
    OF_TOPIC,
    compare,
    is_cut,
    passages_of,
    rows_of,
    say_differences,
    say_silence,
    silent_in,
)
from footnote.ask.whole.merge import Merged
from footnote.ask.whole.report import confidence_of, say_coverage
from footnote.ask.whole.summary import lines_request
from footnote.ask.write.answer_text import to_text
from footnote.ask.write.draft import Draft
from footnote.ask.write.rests_on_ocr import call_ocr, note_doubts
from footnote.model import Answer, Sentence, Whole
from footnote.text.own_language import asked_in, say
from footnote.text.own_words import BY_MODEL

NOT_BOTH = "Fewer than two of the documents have text that could be read, so nothing is compared."


def answer_compared(given: Material, progress: Progress, merged: Merged) -> Answer:
    """Returns the tables of what differs, below what a model writes of it where there is one."""
    whole = progress.whole or Whole(kind="comparison", question=progress.plan.question)
    compared, plan, topic = compare(whole, given.notes), progress.plan, whole.topic
    passages = passages_of(compared, topic)
    draft = Draft(
        *(plan, passages, given.documents, given.words, given.llm, given.emit), strict=given.strict
    )
    if given.llm and passages:
        draft.write(lines_request(plan, passages, "comparison"), str)
    numbers = {passage.key: n for n, passage in passages.items()}
    coverage = merged.coverage
    own = asked_in(plan.question)
    silence = say_silence(silent_in(whole, given.notes), topic, own) if topic else ""
    heads = [say_differences(each, topic, own) for each in compared]
    heads = heads or ([] if silence else [say(own, NOT_BOTH)])
    first = " ".join(filter(None, (*heads[:1], silence, say_coverage(coverage, own))))
    heads = [first, *heads[1:]]
    for n, head in enumerate(heads):
        draft.add([Sentence(text=head)])
        draft.add(rows_of(compared[n], draft.checker, numbers, topic, own) if compared else ())
    # a row lays lines of two tables beside each other: the labels of neither are its columns'
    cited = tuple(one.model_copy(update={"header": ()}) for one in draft.checker.citations)
    notes = [*merged.degraded, BY_MODEL if merged.by_model else BY_ALIGNMENT, *note_doubts(cited)]
    notes += [CUT.format(MOST_LINES)] if is_cut(given.notes) else []
    notes += [say(own, OF_TOPIC, topic=topic)] if topic and not merged.by_model else []
    after = progress.after("synthesize", draft.replies, degraded=tuple(notes))
    removed = tuple(draft.removed)
    is_silent = bool(silence) and coverage.documents >= coverage.of
    given.emit("written", written_event(len(draft.sentences), cited, len(removed), after.calls))
    return after.begin_answer(given.question_id).model_copy(
        update={
            "found": bool(compared),
            "outcome": "answer" if compared else "none" if is_silent else "nearest",
            "answer": to_text(draft.sentences, draft.breaks, cited),
            "sentences": tuple(call_ocr(draft.sentences, cited)),
            "citations": cited,
            "confidence": confidence_of(coverage) if compared else 0.0,
            "removed": removed,
            "coverage": coverage,
        }
    )
