"""An answer as a PDF: sentences with raised numbers, and the footnotes after them.

The page is built node by node, as MuPDF reads entities in HTML twice, and would change a document's
`&amp;lt;`.
"""

from io import BytesIO
from typing import Any

import pymupdf

from footnote.ask.export.chart_picture import WIDTH, blank_for, draw_over_blank
from footnote.ask.export.chart_svg import tell
from footnote.ask.export.report import Piece, Report, Table, plain
from footnote.model import Chart

_STYLE = """
body { font-family: sans-serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-size: 15pt; } h2 { font-size: 11pt; margin-top: 14pt; }
sup { font-size: 7pt; } .note { font-size: 9pt; } .remark { font-style: italic; color: #555555; }
td, th { padding: 2pt 6pt; text-align: left; }
"""
_MARGIN = 56.0  # points
_CHART = "chart.png"  # its name within the story


def to_pdf(report: Report) -> bytes:
    library: Any = pymupdf  # not typed
    pictures = library.Archive(blank_for(report.chart), _CHART) if report.chart else None
    story = library.Story(user_css=_STYLE, archive=pictures)
    _fill(story.body, report)
    body = BytesIO()
    writer = library.DocumentWriter(body)
    sheet = library.paper_rect("a4")
    inner = library.Rect(_MARGIN, _MARGIN, sheet.width - _MARGIN, sheet.height - _MARGIN)
    more = True
    while more:
        device = writer.begin_page(sheet)
        more, _ = story.place(inner)
        story.draw(device)
        writer.end_page()
    writer.close()
    whole = body.getvalue()
    return draw_over_blank(whole, report.chart) if report.chart else whole


def _fill(body: Any, report: Report) -> None:
    """Adds the whole report to the body of a story."""
    _add(body, "h1", report.question)
    for block in report.blocks:
        if isinstance(block, Table):
            _add_table(body, block)
            continue
        paragraph = _add(body, "p")
        for n, piece in enumerate(block):
            _say(paragraph, f"{' ' * bool(n)}{piece.text}")
            _end(paragraph, piece)
    if report.chart:
        _add_chart(body, report.chart)
    for remark in report.remarks:
        _add(body, "p", remark).set_attribute("class", "remark")
    if report.notes:
        _add(body, "h2", "Sources")
    for note in report.notes:
        paragraph = _add(body, "p")
        paragraph.set_attribute("class", "note")
        _add(paragraph, "b", f"{note.n}\u00a0 ")
        _say(paragraph, f"{note.place}: ")
        _add(paragraph, "i", f"“{note.quote}”")
        if note.remark:
            _say(paragraph, f" ({note.remark})")


def _add_table(body: Any, table: Table) -> None:
    """Adds a table. Its rows have their footnotes in the last cell."""
    shown = _add(body, "table")
    if table.header:
        head = _add(shown, "tr")
        for label in table.header:
            _add(head, "th", label)
    for row in table.rows:
        line = _add(shown, "tr")
        cells = [_add(line, "td", text) for text in row.cells]
        _end(cells[-1], row.piece)


def _add_chart(body: Any, chart: Chart) -> None:
    """Adds the place of a chart, and below it its figures as text."""
    picture = body.create_element("img")
    picture.set_attribute("src", _CHART)
    picture.set_attribute("width", str(WIDTH))
    body.append_child(picture)
    _add(body, "p", plain(tell(chart))).set_attribute("class", "remark")


def _end(element: Any, piece: Piece) -> None:
    """Adds the footnotes of a sentence, and that nothing confirms it where that is so."""
    for number in piece.notes:
        _add(element, "sup", f"\u00a0{number}")
    if piece.remark:
        _add(element, "i", f" ({piece.remark})")


def _add(parent: Any, tag: str, text: str = "") -> Any:
    """Adds an element with this text, and returns it."""
    element = parent.create_element(tag)
    if text:
        _say(element, text)
    parent.append_child(element)
    return element


def _say(element: Any, text: str) -> None:
    element.append_child(element.create_text_node(text))
