"""An answer as a Word file: each sentence with raised numbers, and the footnotes at the end.

They are a numbered list, not Word's own footnotes, which the library cannot write.
"""

from datetime import datetime
from io import BytesIO

from docx import Document

from footnote.ask.export.report import Report


def to_docx(report: Report) -> bytes:
    made = Document()
    properties = made.core_properties
    properties.author, properties.title = "footnote", report.question[:250]
    properties.created = properties.modified = datetime.fromisoformat(report.asked)
    made.add_heading(report.question, level=1)
    for pieces in report.paragraphs:
        paragraph = made.add_paragraph()
        for n, piece in enumerate(pieces):
            paragraph.add_run(f"{' ' * bool(n)}{piece.text}")
            if piece.notes:
                numbers = paragraph.add_run(" ".join(map(str, piece.notes)))
                numbers.font.superscript = True
    for remark in report.remarks:
        made.add_paragraph().add_run(remark).italic = True
    if report.notes:
        made.add_heading("Sources", level=2)
    for note in report.notes:
        paragraph = made.add_paragraph()
        paragraph.add_run(f"{note.n}  ").bold = True
        paragraph.add_run(f"{note.place}: ")
        paragraph.add_run(f"“{note.quote}”").italic = True
        if note.remark:
            paragraph.add_run(f" ({note.remark})")
    body = BytesIO()
    made.save(body)
    return body.getvalue()
