"""Makes files of answers. `FORMS` has one per format; Word and PDF need the parsing layer."""

from collections.abc import Callable
from typing import Literal, NamedTuple

from footnote.ask.export.answer_markdown import to_markdown
from footnote.ask.export.report import Report, report_of
from footnote.model import LinkHeaders, QuestionRecord, digest
from footnote.ports import BlobStore
from footnote.store.keys import export_key

type Format = Literal["md", "docx", "pdf", "json"]

LINK_SECONDS = 300


class Form(NamedTuple):
    """A format of exports: its media type, and what writes it. JSON is the answer as it is."""

    media_type: str
    write: Callable[[Report], bytes] | None = None


class Exported(NamedTuple):
    """An answer as a file. Text is given as it is, anything else by a link."""

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


FORMS: dict[Format, Form] = {
    "md": Form("text/markdown"),
    "json": Form("application/json"),
    "docx": Form("application/vnd.openxmlformats-officedocument.wordprocessingml.document", _docx),
    "pdf": Form("application/pdf", _pdf),
}


def export(record: QuestionRecord, form: Format, artifacts: BlobStore) -> Exported:
    """Returns an answer in this format. Raises ConflictError for a question without an answer."""
    report, kind = report_of(record), FORMS[form]
    name = f"answer-{record.question_id[:8]}.{form}"
    if form == "md":
        return Exported(name, kind.media_type, text=to_markdown(report))
    if kind.write is None:
        text = record.answer.model_dump_json() if record.answer else ""
        return Exported(name, kind.media_type, text=text)
    key = export_key(record.question_id, digest(*map(repr, report)), form)
    artifacts.put(key, kind.write(report))
    headers = LinkHeaders(media_type=kind.media_type, name=name, attachment=True)
    return Exported(name, kind.media_type, url=artifacts.link(key, LINK_SECONDS, headers))
