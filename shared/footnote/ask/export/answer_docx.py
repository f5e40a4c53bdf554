"""An answer as a Word file: sentences with raised numbers, and a numbered list of footnotes.

Word's own footnotes would be better, but the library cannot write them.
"""

from datetime import datetime
from io import BytesIO
from typing import Any

from docx import Document
from docx.shared import Pt

from footnote.ask.export.chart_picture import WIDTH, to_png
from footnote.ask.export.chart_svg import tell
from footnote.ask.export.report import Piece, Report, Table, plain
from footnote.model import Chart


def to_docx(report: Report) -> bytes:
    file = Document()
    properties = file.core_properties
    properties.author, properties.title = "footnote", report.question[:250]
    properties.created = properties.modified = datetime.fromisoformat(report.asked)
    file.add_heading(report.question, level=1)
    for block in report.blocks:
        if isinstance(block, Table):
            _add_table(file, block)
            continue
        paragraph = file.add_paragraph()
        for n, piece in enumerate(block):
            paragraph.add_run(f"{' ' * bool(n)}{piece.text}")
            _end(paragraph, piece)
    if report.chart:
        _add_chart(file, report.chart)
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


def _add_table(file: Any, table: Table) -> None:
    """Adds a table. Its rows have their footnotes in the last cell."""
    shown = file.add_table(0, len(table.rows[0].cells))
    shown.style = "Table Grid"
    if table.header:
        for cell, label in zip(shown.add_row().cells, table.header, strict=True):
            cell.paragraphs[0].add_run(label).bold = True
    for row in table.rows:
        cells = shown.add_row().cells
        for cell, text in zip(cells, row.cells, strict=True):
            cell.paragraphs[0].add_run(text)
        _end(cells[-1].paragraphs[0], row.piece)


def _add_chart(file: Any, chart: Chart) -> None:
    """Adds a picture of a chart, and its figures as text below it and for screen readers."""
    picture = file.add_picture(BytesIO(to_png(chart)), width=Pt(WIDTH))
    words = plain(tell(chart))
    picture._inline.docPr.set("descr", words)  # noqa: SLF001 - the library has no other way
    file.add_paragraph().add_run(words).italic = True


def _end(paragraph: Any, piece: Piece) -> None:
    """Adds the footnotes of a sentence, and that nothing confirms it where that is so."""
    if piece.notes:
        numbers = paragraph.add_run(" ".join(map(str, piece.notes)))
        numbers.font.superscript = True
    if piece.remark:
        paragraph.add_run(f" ({piece.remark})").italic = True
