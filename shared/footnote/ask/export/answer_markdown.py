"""An answer as Markdown with footnotes. What documents say is escaped: it stays text."""

from footnote.ask.export.report import Report
from footnote.text.escaping import escape

_TITLE = "# "


def to_markdown(report: Report) -> str:
    lines = [_TITLE + escape(report.question), ""]
    for paragraph in report.paragraphs:
        said = (
            escape(piece.text, first=n == 0) + "".join(f"[^{note}]" for note in piece.notes)
            for n, piece in enumerate(paragraph)
        )
        lines += [" ".join(said), ""]
    lines += [f"_{escape(remark)}_\n" for remark in report.remarks]
    lines += [
        f"[^{note.n}]: {escape(note.place, first=True)}: “{escape(note.quote)}”"
        + (f" ({escape(note.remark)})" if note.remark else "")
        for note in report.notes
    ]
    return "\n".join(lines).rstrip("\n") + "\n"
