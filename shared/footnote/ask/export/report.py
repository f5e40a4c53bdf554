"""An answer as it is exported: paragraphs and tables with footnotes, all of it plain text."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from footnote.ask.write.rests_on_ocr import doubts_of
from footnote.errors import ConflictError
from footnote.model import Answer, Chart, Citation, QuestionRecord, RemovedSentence, Sentence
from footnote.text.answer_layout import Grid, Line, lay_out
from footnote.text.characters import strip_controls
from footnote.text.fates import NEAREST, UNCONFIRMED, count_fates, fate_of, say_refusal
from footnote.text.own_words import BY_OCR, explain_figures, mark_figures
from footnote.text.part_names import name_parts

_BLANKS = re.compile(r"\s+")


class Piece(NamedTuple):
    """A sentence with the numbers of its footnotes.

    `remark` says that nothing confirms it, with the quotes to compare it with.
    """

    text: str
    notes: tuple[int, ...]
    remark: str = ""


class Table(NamedTuple):
    """A table: the labels of its columns, or none, and its rows."""

    header: tuple[str, ...]
    rows: tuple["TableRow", ...]


class TableRow(NamedTuple):
    """The cells of a row, and the sentence that it is."""

    cells: tuple[str, ...]
    piece: Piece


class Footnote(NamedTuple):
    """A footnote: its number, where its quote stands, and the quote."""

    n: int
    place: str
    quote: str
    remark: str = ""  # why OCR may have misread a figure of the quote


class Report(NamedTuple):
    question: str
    blocks: tuple[tuple[Piece, ...] | Table, ...]
    notes: tuple[Footnote, ...]
    remarks: tuple[str, ...]  # what did not go as it should
    asked: str  # ISO 8601
    chart: Chart | None = None


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
        blocks=tuple(blocks(answer)),
        notes=tuple(map(note_of, answer.citations)),
        remarks=tuple(map(plain, (*_fates(answer), *answer.degraded))),
        asked=record.created,
        chart=answer.chart,
    )


def blocks(answer: Answer) -> list[tuple[Piece, ...] | Table]:
    """Returns the paragraphs and tables of an answer, as its text has them."""
    if answer.outcome is None or not answer.sentences:
        text = say_refusal(answer.answer, is_check_failed=is_check_failed(answer))
        lines = (plain(line) for line in text.split("\n"))
        return [(Piece(line, ()),) for line in lines if line]
    quotes = {citation.n: _quote_of(citation) for citation in answer.citations}
    pieces = [
        Piece(plain(sentence.text), sentence.citations, _remark(sentence, quotes))
        for sentence in answer.sentences
    ]
    head = [(Piece(NEAREST, ()),)] if answer.outcome == "nearest" else []
    return head + [
        Table(
            tuple(map(plain, block.header)),
            tuple(
                TableRow(tuple(map(plain, row.cells)), pieces[row.sentence]) for row in block.rows
            ),
        )
        if isinstance(block, Grid)
        else tuple(pieces[n] for n in block)
        for block in blocks_of(answer.answer, answer.sentences, answer.citations)
    ]


def is_check_failed(answer: Answer) -> bool:
    """Tells whether an answer lacks its sentences because none of them held."""
    return answer.kind == "answer" and not answer.found and has_removed(answer.removed)


def has_removed(removed: Sequence[RemovedSentence]) -> bool:
    """Tells whether sentences were removed, besides values of the data."""
    return any(not one.field for one in removed)


def blocks_of(
    answer: str, sentences: Sequence[Sentence], citations: Sequence[Citation]
) -> list[Line | Grid]:
    """Lays an answer out: lines and tables, with the labels that the citations of rows name."""
    headers = {citation.n: citation.header for citation in citations}
    labels = [
        next((headers[n] for n in sentence.citations if headers.get(n)), ())
        for sentence in sentences
    ]
    return lay_out(answer, [sentence.text for sentence in sentences], labels)


def _remark(sentence: Sentence, quotes: Mapping[int, str]) -> str:
    """Returns that nothing confirms a sentence, with its quotes, or ""."""
    if sentence.checked != "unconfirmed":
        return ""
    shown = " ".join(f"“{quotes[n]}”" for n in sentence.citations if n in quotes)
    return f"{UNCONFIRMED.mark} {UNCONFIRMED.words} {shown}".rstrip()


def _fates(answer: Answer) -> list[str]:
    counted = count_fates(fate_of(one.checked, one.judged_by) for one in answer.sentences)
    return [f"Its sentences: {counted}."] if counted else []


def _quote_of(citation: Citation) -> str:
    return plain(mark_figures(citation.quote, doubts_of(citation)))


def note_of(citation: Citation) -> Footnote:
    """Returns the footnote of a citation, with a mark at each figure that OCR may have misread."""
    doubts = doubts_of(citation)
    return Footnote(
        citation.n,
        place_of(citation),
        _quote_of(citation),
        plain("; ".join(explain_figures(citation.quote, doubts))),
    )


def place_of(citation: Citation) -> str:
    """Returns document, place and section: "report.pdf, page 2, The year at a glance".

    A remark follows if OCR read the page.
    """
    names = citation.labels or tuple(map(str, citation.pages))
    parts = [citation.document]
    if names:
        parts.append(name_parts(citation.document, names))
    if citation.section:
        parts.append(" > ".join(citation.section))
    if citation.url:
        parts.append(f"{citation.url}, fetched {citation.fetched}")
    how = f" ({BY_OCR})" if citation.read == "ocr" else ""
    return plain(", ".join(parts)) + how


def plain(text: str) -> str:
    """Returns text on one line, without characters that no format can show."""
    return _BLANKS.sub(" ", strip_controls(text)).strip()
