"""An answer as it is exported: paragraphs with footnotes, all of it plain text."""

import re
from typing import NamedTuple

from footnote.ask.write.rests_on_ocr import doubts_of
from footnote.errors import ConflictError
from footnote.model import Answer, Citation, QuestionRecord
from footnote.text.characters import strip_controls
from footnote.text.own_words import BY_OCR, explain_figures, mark_figures

_BLANKS = re.compile(r"\s+")


class NotedSentence(NamedTuple):
    """A sentence with the numbers of its footnotes."""

    text: str
    notes: tuple[int, ...]


class Footnote(NamedTuple):
    """A footnote: its number, where its quote stands, and the quote."""

    n: int
    place: str
    quote: str
    remark: str = ""  # why OCR may have misread a figure of the quote


class Report(NamedTuple):
    question: str
    paragraphs: tuple[tuple[NotedSentence, ...], ...]
    notes: tuple[Footnote, ...]
    remarks: tuple[str, ...]  # what the answer does without
    created: str  # when the question was asked, as ISO 8601


def report_of(record: QuestionRecord) -> Report:
    """Returns what an export shows. Raises ConflictError for a question without an answer."""
    answer = record.answer
    if answer is None:
        raise ConflictError(
            f"question {record.question_id} has no answer to export"
            + (f": {record.error.message}" if record.error else ""),
            code=record.error.code if record.error else "not_answered",
            action=record.error.action if record.error else "Wait until it has ended.",
        )
    return Report(
        question=plain(record.question),
        paragraphs=tuple(paragraphs(answer)),
        notes=tuple(map(note_of, answer.citations)),
        remarks=tuple(map(plain, answer.degraded)),
        created=record.created,
    )


def paragraphs(answer: Answer) -> list[tuple[NotedSentence, ...]]:
    """Returns the sentences by paragraph, as the answer's text has them."""
    if not answer.sentences:
        lines = (plain(line) for line in answer.answer.split("\n"))
        return [(NotedSentence(line, ()),) for line in lines if line]
    by_paragraph: list[list[NotedSentence]] = [[]]
    end = 0
    for sentence in answer.sentences:
        start = answer.answer.find(sentence.text, end)
        if start >= 0:
            if "\n" in answer.answer[end:start] and by_paragraph[-1]:
                by_paragraph.append([])
            end = start + len(sentence.text)
        by_paragraph[-1].append(NotedSentence(plain(sentence.text), sentence.citations))
    return list(map(tuple, by_paragraph))


def note_of(citation: Citation) -> Footnote:
    """Returns the footnote of a citation, with a mark at each figure that OCR may have misread."""
    doubts = doubts_of(citation)
    return Footnote(
        citation.n,
        place_of(citation),
        plain(mark_figures(citation.quote, doubts)),
        plain("; ".join(explain_figures(citation.quote, doubts))),
    )


def place_of(citation: Citation) -> str:
    """Returns document, pages and section: "report.pdf, page 2, The year at a glance".

    A remark follows if OCR read the page.
    """
    names = citation.labels or tuple(map(str, citation.pages))
    parts = [citation.document]
    if names:
        parts.append(f"page{'s' * (len(names) > 1)} {', '.join(names)}")
    if citation.section:
        parts.append(" > ".join(citation.section))
    how = f" ({BY_OCR})" if citation.read == "ocr" else ""
    return plain(", ".join(parts)) + how


def plain(text: str) -> str:
    """Returns text on one line, without characters that no format can show."""
    return _BLANKS.sub(" ", strip_controls(text)).strip()
