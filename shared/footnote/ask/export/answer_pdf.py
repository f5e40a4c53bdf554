"""An answer as a PDF: sentences with raised numbers, and the footnotes after them.

The page is built node by node, as MuPDF reads entities in HTML twice, and would change a document's
`&amp;lt;`.
"""

from io import BytesIO
from typing import Any

import pymupdf

from footnote.ask.export.report import Report

_STYLE = """
body { font-family: sans-serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-size: 15pt; } h2 { font-size: 11pt; margin-top: 14pt; }
sup { font-size: 7pt; } .note { font-size: 9pt; } .remark { font-style: italic; color: #555555; }
"""
_MARGIN = 56.0  # points


def to_pdf(report: Report) -> bytes:
    library: Any = pymupdf  # not typed
    story = library.Story(user_css=_STYLE)
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
    return body.getvalue()


def _fill(body: Any, report: Report) -> None:
    """Adds the whole report to the body of a story."""
    _add(body, "h1", report.question)
    for pieces in report.paragraphs:
        paragraph = _add(body, "p")
        for n, piece in enumerate(pieces):
            _say(paragraph, f"{' ' * bool(n)}{piece.text}")
            for number in piece.notes:
                _add(paragraph, "sup", f"\u00a0{number}")
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


def _add(parent: Any, tag: str, text: str = "") -> Any:
    """Adds an element with this text, and returns it."""
    element = parent.create_element(tag)
    if text:
        _say(element, text)
    parent.append_child(element)
    return element


def _say(element: Any, text: str) -> None:
    element.append_child(element.create_text_node(text))
