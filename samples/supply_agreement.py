"""The battery supply agreement as a Word file: headings, clauses and the price table."""

import datetime as dt
from pathlib import Path

import docx
from docx.document import Document
from docx.shared import Cm, Pt

SIGNED = dt.datetime(2025, 11, 3, 9, 0, tzinfo=dt.UTC)
TITLE = "Battery supply agreement"
PRICES = (
    ("Pack", "Used in", "Rated energy", "Price per pack", "Expected packs per year"),
    ("BP-500", "Wren", "504 Wh", "£238", "3,200"),
    ("BP-750", "Heron", "756 Wh", "£324", "5,100"),
    ("BP-1000", "Badger", "1,008 Wh", "£412", "4,300"),
)


def build(target: Path) -> None:
    """Writes the agreement to `target`."""
    words = Path(__file__).parent / "words" / "battery-supply-agreement.txt"
    document = docx.Document()
    _set_page(document)
    for paragraph in words.read_text(encoding="utf-8").strip().split("\n\n"):
        _add(document, paragraph)
    document.save(str(target))


def _add(document: Document, paragraph: str) -> None:
    if paragraph == "[prices]":
        _price_table(document)
    elif paragraph.startswith("## "):
        document.add_heading(paragraph[3:], level=1)
    elif paragraph.startswith("# "):
        document.add_heading(paragraph[2:], level=0)
    else:
        document.add_paragraph(paragraph)


def _set_page(document: Document) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.header.paragraphs[0].text = "Ottermoss / Nordaker, agreement OC-2025-117"
    document.styles["Normal"].font.size = Pt(11)
    properties = document.core_properties
    properties.title, properties.author = TITLE, "Ottermoss Cargo Cycles plc"
    properties.last_modified_by, properties.comments = "Jonas Lindqvist", ""
    properties.created = properties.modified = SIGNED


def _price_table(document: Document) -> None:
    table = document.add_table(rows=0, cols=len(PRICES[0]), style="Light Grid Accent 1")
    for row in PRICES:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph("Table 1. Prices exclude value added tax.", style="Caption")
