"""The answer of a scope that was read whole: a report by code, a comparison, a model's summary."""

from footnote.ask.answer.compared import answer_compared
from footnote.ask.answer.material import Material
from footnote.ask.whole.merge import cost_of, merge
from footnote.ask.whole.report import report
from footnote.ask.whole.summary import summarise
from footnote.model import Answer


def answer_whole(given: Material) -> Answer:
    """Merges the notes and writes what they have. A model writes summaries only."""
    whole = given.progress.whole
    if whole is None:
        raise ValueError("nothing was read whole")
    merged = merge(whole, given.notes)
    progress = given.progress.paid("read", cost_of(given.notes))
    if whole.kind == "comparison":
        return answer_compared(given, progress, merged)
    common = (given.question_id, progress, merged, given.documents, given.words)
    if given.llm and merged.items and whole.kind == "document":
        return summarise(*common, given.llm, given.emit, strict=given.strict)
    return report(*common, given.emit)
