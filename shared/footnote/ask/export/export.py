"""Makes files of answers. `EXPORT_FORMATS` has a row for each format.

Markdown is written here, Word and PDF in modules that need the parsing layer.
"""

import json
from collections.abc import Callable
from typing import Literal, NamedTuple

from footnote.ask.export.chart_svg import to_svg
from footnote.ask.export.report import Piece, Report, Table, report_of
from footnote.errors import ConflictError
from footnote.model import LinkHeaders, QuestionRecord, digest
from footnote.ports import BlobStore
from footnote.store.keys import export_key
from footnote.text.escaping import escape

type ExportFormat = Literal["md", "docx", "pdf", "json", "svg"]

LINK_SECONDS = 300


class FormatRow(NamedTuple):
    """A format of exports: its media type, and what writes it as bytes, if it is no text."""

    media_type: str
    write: Callable[[Report], bytes] | None = None


class Exported(NamedTuple):
    """An answer as a file: Markdown and JSON as text, all else by a link."""

    name: str
    media_type: str
    text: str = ""
    url: str = ""
    expires_in: int = LINK_SECONDS


def _docx(report: Report) -> bytes:
    from footnote.ask.export.answer_docx import to_docx

    return to_docx(report)


def _pdf(report: Report) -> bytes:
    from footnote.ask.export.answer_pdf import to_pdf

    return to_pdf(report)


EXPORT_FORMATS: dict[ExportFormat, FormatRow] = {
    "md": FormatRow("text/markdown"),
    "json": FormatRow("application/json"),
    "svg": FormatRow("image/svg+xml"),
    "docx": FormatRow(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document", _docx
    ),
    "pdf": FormatRow("application/pdf", _pdf),
}


def export(record: QuestionRecord, form: ExportFormat, artifacts: BlobStore) -> Exported:
    """Returns an answer in this format; as SVG its chart.

    Raises ConflictError for a question without an answer, or an answer without a chart.
    """
    report, row = report_of(record), EXPORT_FORMATS[form]
    name = f"answer-{record.question_id[:8]}.{form}"
    if form == "md":
        return Exported(name, row.media_type, text=to_markdown(report))
    if form == "svg":
        return Exported(name, row.media_type, text=_chart_of(record))
    if row.write is None:
        text = json.dumps(record.answer.shown(), ensure_ascii=False) if record.answer else ""
        return Exported(name, row.media_type, text=text)
    key = export_key(record.question_id, digest(*map(repr, report)), form)
    artifacts.put(key, row.write(report))
    headers = LinkHeaders(media_type=row.media_type, name=name, attachment=True)
    return Exported(name, row.media_type, url=artifacts.link(key, LINK_SECONDS, headers))


def _chart_of(record: QuestionRecord) -> str:
    if record.answer is None or record.answer.chart is None:
        raise ConflictError(
            f"the answer to question {record.question_id} has no chart",
            code="no_chart",
            action="Ask for figures of a table by group, as in: the total of sales by depot.",
        )
    return to_svg(record.answer.chart)


def to_markdown(report: Report) -> str:
    """Writes Markdown with footnotes. What documents say is escaped, so that it stays text."""
    lines = [f"# {escape(report.question)}", ""]
    for block in report.blocks:
        if isinstance(block, Table):
            lines += [*_table_lines(block), ""]
            continue
        pieces = (escape(one.text, first=n == 0) + _ending(one) for n, one in enumerate(block))
        lines += [" ".join(pieces), ""]
    lines += [f"_{escape(remark)}_\n" for remark in report.remarks]
    lines += [
        f"[^{note.n}]: {escape(note.place, first=True)}: “{escape(note.quote)}”"
        + (f" ({escape(note.remark)})" if note.remark else "")
        for note in report.notes
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _ending(piece: Piece) -> str:
    """Returns the footnotes of a sentence, and that nothing confirms it where that is so."""
    notes = "".join(f"[^{note}]" for note in piece.notes)
    return notes + (f" ({escape(piece.remark)})" if piece.remark else "")


def _table_lines(table: Table) -> list[str]:
    width = len(table.rows[0].cells)
    lines = [_row_line(list(map(escape, table.header or [""] * width))), "|" + "---|" * width]
    for row in table.rows:
        *cells, last = map(escape, row.cells)
        lines.append(_row_line([*cells, f"{last}{_ending(row.piece)}"]))
    return lines


def _row_line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
