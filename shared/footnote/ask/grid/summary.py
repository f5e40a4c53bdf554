"""Sums up an answer for a cell of a grid: its first checked sentences, their fate and place."""

from collections.abc import Sequence

from footnote.model import Answer, Cell, Problem, QuestionRecord, Sentence, Source
from footnote.text.fates import CHECKED
from footnote.text.own_language import is_said
from footnote.text.own_words import BY_MODEL

NO_PASSAGE = "no passage with these words"
NOT_IN_IT = "not in it"  # only where a model has read the document whole
MAX_TEXT = 300  # characters that a cell shows; its question has the whole answer
MAX_QUOTE = 600
WEAKEST_FIRST = ("unconfirmed", "ocr", "confirmed", "exact")
UNANSWERED = Problem(
    code="internal",
    message="the question ended without an answer",
    action="Ask the cell again.",
)


def cell_after(cell: Cell, record: QuestionRecord) -> Cell:
    """Returns the cell with what became of its question, which has ended."""
    if record.answer is None:
        failed = {"status": "FAILED", "error": record.error or UNANSWERED}
        return cell.model_copy(update=failed)
    answer = record.answer
    sentences = _shown(answer)
    fates = [sentence.checked for sentence in sentences]
    text = " ".join(sentence.text for sentence in sentences)
    if answer.outcome == "none":
        text = NOT_IN_IT if _is_read_by_model(answer) else NO_PASSAGE
    elif answer.kind != "answer":
        text = answer.answer
    return cell.model_copy(
        update={
            "status": "DONE",
            "kind": answer.kind,
            "outcome": answer.outcome,
            "text": _cut(text, MAX_TEXT),
            "checked": next((fate for fate in WEAKEST_FIRST if fate in fates), None),
            "source": _source(answer, sentences),
            "confidence": answer.confidence,
            "usd": answer.usage.usd,
            "error": None,
        }
    )


def _is_read_by_model(answer: Answer) -> bool:
    coverage = answer.coverage
    is_whole = coverage is not None and coverage.documents >= coverage.of
    return is_whole and any(is_said(note, BY_MODEL) for note in answer.degraded)


def _shown(answer: Answer) -> Sequence[Sentence]:
    """Returns the sentences of a cell: the first that hold, as many as it has room for.

    Where none holds, it is the first that cites something. Of an answer that says that nothing is
    there, it is none.
    """
    if answer.outcome not in {"answer", "nearest"}:
        return []
    cited = [sentence for sentence in answer.sentences if sentence.citations]
    if answer.outcome == "nearest":
        return cited[:1]
    shown: list[Sentence] = []
    room = MAX_TEXT
    for sentence in cited:
        room -= len(sentence.text) + 1
        if sentence.checked not in CHECKED or (shown and room < 0):
            continue
        shown.append(sentence)
    return shown or cited[:1]


def _source(answer: Answer, sentences: Sequence[Sentence]) -> Source | None:
    """Returns where the first sentence stands."""
    numbers = sentences[0].citations if sentences else ()
    cited = next((one for one in answer.citations if one.n in numbers), None)
    if cited is None:
        return None
    quote = _cut(cited.quote, MAX_QUOTE)
    return Source(pages=cited.pages, labels=cited.labels, quote=quote, read=cited.read)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
