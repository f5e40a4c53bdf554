"""An answer as a Word file: sentences with raised numbers, and a numbered list of footnotes.

Word's own footnotes would be better, but the library cannot write them.
"""

from datetime import datetime
from io import BytesIO

from docx import Document

from footnote.ask.export.report import Report


def to_docx(report: Report) -> bytes:
    file = Document()
    properties = file.core_properties
    properties.author, properties.title = "footnote", report.question[:250]
    properties.created = properties.modified = datetime.fromisoformat(report.created)
    file.add_heading(report.question, level=1)
    for pieces in report.paragraphs:
        paragraph = file.add_paragraph()
        for n, piece in enumerate(pieces):
            paragraph.add_run(f"{' ' * bool(n)}{piece.text}")
            if piece.notes:
                numbers = paragraph.add_run(" ".join(map(str, piece.notes)))
                numbers.font.superscript = True
    for remark in report.remarks:
        file.add_paragraph().add_run(remark).italic = True
    if report.notes:
        file.add_heading("Sources", level=2)
    for note in report.notes:
        paragraph = file.add_paragraph()
        paragraph.add_run(f"{note.n}  ").bold = True
        paragraph.add_run(f"{note.place}: ")
        paragraph.add_run(f"“{note.quote}”").italic = True
        if note.remark:
            paragraph.add_run(f" ({note.remark})")
    body = BytesIO()
    file.save(body)
    return body.getvalue()
