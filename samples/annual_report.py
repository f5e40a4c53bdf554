"""The annual report as a PDF: seven A4 pages with outline, tables and page numbers."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pymupdf

TITLE = "Ottermoss Cargo Cycles plc: Annual Report 2025"
DATE = "D:20260310090000Z"
PAGE = pymupdf.paper_rect("a4")
LEFT, RIGHT, TOP, BOTTOM = 62, 533, 84, 778
GUTTER = 22
TEAL, ORANGE, SAND, INK, GREY = (
    (0.07, 0.28, 0.29),
    (0.85, 0.46, 0.16),
    (0.95, 0.93, 0.88),
    (0.13, 0.13, 0.13),
    (0.45, 0.45, 0.45),
)
CSS = """
body { font-family: sans-serif; font-size: 11.4pt; line-height: 1.5; color: #222; }
p { margin: 0 0 8pt 0; }
h1 { font-size: 23pt; line-height: 1.15; color: #12474a; margin: 0 0 12pt 0; }
h2 { font-size: 14.5pt; line-height: 1.2; color: #12474a; margin: 14pt 0 4pt 0; }
ul { margin: 0 0 7pt 0; }
li { margin: 0 0 3pt 0; }
.lead { font-size: 13pt; color: #555; }
.sign { margin-top: 14pt; }
"""

CONTENTS = (
    ("Letter from the chief executive", 3),
    ("Products and customers", 4),
    ("Financial review", 5),
    ("People, operations and environment", 6),
    ("Risks, outlook and the board", 7),
)
TILES = (
    ("£48.2m", "revenue"),
    ("£3.8m", "operating profit"),
    ("14,200", "bikes on Roost"),
    ("263", "employees"),
)
LINES = (
    ("£ million", "2025", "2024", "Change", "Bikes delivered 2025"),
    ("Badger", "21.6", "18.9", "+14%", "3,920"),
    ("Heron", "15.3", "12.8", "+20%", "4,310"),
    ("Wren", "6.4", "3.1", "+106%", "2,610"),
    ("Roost", "4.9", "2.7", "+81%", "none"),
    ("Total", "48.2", "37.5", "+29%", "10,840"),
)
INCOME = (
    ("£ million", "2025", "2024"),
    ("Revenue", "48.2", "37.5"),
    ("Cost of sales", "31.3", "25.1"),
    ("Gross profit", "16.9", "12.4"),
    ("Operating costs", "13.1", "10.9"),
    ("Operating profit", "3.8", "1.5"),
)


class Cell(NamedTuple):
    """A cell of a ruled table: its box and its text, right-aligned unless first in its row."""

    box: pymupdf.Rect
    text: str
    first: bool
    bold: bool
    white: bool


def build(target: Path) -> None:
    """Writes the report to `target`; the same input gives the same bytes."""
    document = pymupdf.open()
    _cover(document.new_page(width=PAGE.width, height=PAGE.height))
    bodies = (_glance, _letter, _products, _finance, _people, _risks)
    for number, draw in enumerate(bodies, start=2):
        page = document.new_page(width=PAGE.width, height=PAGE.height)
        _header(page)
        draw(page)
        _footer(page, f"Page {number} of {len(bodies) + 1}")
    document.set_toc(_outline())
    document.set_metadata(
        {
            "title": TITLE,
            "author": "Ottermoss Cargo Cycles plc",
            "creationDate": DATE,
            "modDate": DATE,
        }
    )
    document.subset_fonts()
    document.save(target, garbage=4, deflate=True, clean=True, no_new_id=True)


def _outline() -> list[list[object]]:
    pages = {"The year at a glance": 2} | dict(CONTENTS)
    sections = {
        3: ("What went well", "What did not", "What comes next"),
        4: ("Badger", "Heron", "Wren", "Roost", "Who rides", "What they told us", "Warranty"),
        5: (
            "Revenue by product line",
            "Income statement, shortened",
            "Cash and borrowing",
            "Dividend",
        ),
        6: ("People", "Harrowmouth", "Castlebeck", "Environment"),
        7: ("Principal risks", "Outlook", "The board of directors"),
    }
    rows: list[list[object]] = []
    for title, page in pages.items():
        rows.append([1, title, page])
        rows.extend([2, section, page] for section in sections.get(page, ()))
    return rows


@cache
def _blocks() -> dict[str, str]:
    html = (Path(__file__).parent / "words" / "annual-report.html").read_text(encoding="utf-8")
    parts = re.split(r"<!-- block ([a-z-]+) -->", html)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _block(name: str) -> str:
    return _blocks()[name]


def _html(page: pymupdf.Page, y: float, html: str, x0: float = LEFT, x1: float = RIGHT) -> float:
    """Sets `html` from `y` downwards at full size and returns the y where it ends."""
    box = pymupdf.Rect(x0, y, x1, BOTTOM)
    # A span between the letters keeps MuPDF from joining them into a ligature. That would be
    # extracted as one character, which no reader types into a question.
    unjoined = re.sub(r"f(?=[fil])", "f<span></span>", html)
    spare, scale = page.insert_htmlbox(box, unjoined, css=CSS, scale_low=1)
    if scale != 1 or spare < 0:
        message = (
            f"page {page.number + 1}: the text does not fit under {y}: {html[:40]!r}; shorten it"
        )
        raise ValueError(message)
    return BOTTOM - spare


def _words(
    page: pymupdf.Page,
    point: tuple[float, float],
    text: str,
    size: float,
    color: tuple[float, float, float] = INK,
    *,
    bold: bool = False,
    right: bool = False,
) -> None:
    font = pymupdf.Font("hebo" if bold else "helv")
    x, y = point
    writer = pymupdf.TextWriter(page.rect, color=color)
    writer.append((x - font.text_length(text, size) if right else x, y), text, font, size)
    writer.write_text(page)


def _header(page: pymupdf.Page) -> None:
    _words(page, (LEFT, 48), "Ottermoss Cargo Cycles plc", 8.5, TEAL, bold=True)
    _words(page, (RIGHT, 48), "Annual Report 2025", 8.5, GREY, right=True)
    page.draw_line((LEFT, 56), (RIGHT, 56), color=ORANGE, width=0.8)


def _footer(page: pymupdf.Page, number: str) -> None:
    _words(page, (LEFT, 812), "The Old Lifeboat Station, Harrowmouth", 8.5, GREY)
    _words(page, (RIGHT, 812), number, 8.5, GREY, right=True)


def _table(
    page: pymupdf.Page, y: float, rows: tuple[tuple[str, ...], ...], widths: tuple[float, ...]
) -> float:
    """Draws a ruled table under `y` and returns its lower edge."""
    height = 19.0
    for index, row in enumerate(rows):
        x = float(LEFT)
        for column, (text, width) in enumerate(zip(row, widths, strict=True)):
            box = pymupdf.Rect(x, y, x + width, y + height)
            header, last = index == 0, index == len(rows) - 1
            _cell(page, Cell(box, text, column == 0, header or last, header))
            x += width
        y += height
    return y


def _cell(page: pymupdf.Page, cell: Cell) -> None:
    page.draw_rect(cell.box, color=TEAL, width=0.5, fill=TEAL if cell.white else None)
    x = cell.box.x0 + 6 if cell.first else cell.box.x1 - 6
    color = (1.0, 1.0, 1.0) if cell.white else INK
    _words(page, (x, cell.box.y1 - 6), cell.text, 9.2, color, bold=cell.bold, right=not cell.first)


def _cover(page: pymupdf.Page) -> None:
    page.draw_rect(pymupdf.Rect(0, 0, PAGE.width, 590), color=None, fill=TEAL)
    page.draw_rect(pymupdf.Rect(0, 590, PAGE.width, 600), color=None, fill=ORANGE)
    _bike(page)
    _words(page, (LEFT, 120), "Forty loaves,", 40, (1, 1, 1), bold=True)
    _words(page, (LEFT, 166), "one headwind", 40, (1, 1, 1), bold=True)
    _words(page, (LEFT, 204), "Annual Report 2025", 18, SAND)
    _words(page, (LEFT, 660), "Ottermoss Cargo Cycles plc", 20, TEAL, bold=True)
    _words(page, (LEFT, 684), "The Old Lifeboat Station, Harrowmouth", 11, GREY)
    _words(page, (LEFT, 702), "For the year ended 31 December 2025", 11, GREY)


def _bike(page: pymupdf.Page) -> None:
    """Draws a front loader in a few strokes."""
    rear, front = pymupdf.Point(420, 470), pymupdf.Point(190, 484)
    for hub, radius in ((rear, 62), (front, 48)):
        page.draw_circle(hub, radius, color=SAND, width=5)
        page.draw_circle(hub, 7, color=SAND, fill=SAND)
    crank, seat, head = pymupdf.Point(345, 480), pymupdf.Point(372, 372), pymupdf.Point(290, 378)
    for start, end in ((rear, crank), (crank, seat), (seat, rear), (crank, head), (seat, head)):
        page.draw_line(start, end, color=ORANGE, width=6, lineCap=1)
    page.draw_polyline([head, (270, 460), (236, 484), front], color=ORANGE, width=6, lineCap=1)
    page.draw_line((288, 380), (282, 332), color=SAND, width=5, lineCap=1)
    page.draw_line((282, 332), (310, 326), color=SAND, width=5, lineCap=1)
    page.draw_line((352, 362), (398, 362), color=SAND, width=8, lineCap=1)
    page.draw_polyline(
        [(112, 356), (262, 356), (250, 440), (134, 440), (112, 356)], color=SAND, width=4
    )
    for x in (140, 176, 212, 244):
        page.draw_oval(pymupdf.Rect(x - 22, 334, x + 20, 358), color=TEAL, fill=ORANGE, width=2)
    page.draw_line((0, 534), (PAGE.width, 534), color=SAND, width=1.5)


def _glance(page: pymupdf.Page) -> None:
    y = _html(page, TOP, _block("glance")) + 6
    width = (RIGHT - LEFT - 3 * 10) / len(TILES)
    for index, (figure, label) in enumerate(TILES):
        x = LEFT + index * (width + 10)
        page.draw_rect(pymupdf.Rect(x, y, x + width, y + 66), color=None, fill=SAND)
        _words(page, (x + 10, y + 34), figure, 21, TEAL, bold=True)
        _words(page, (x + 10, y + 53), label, 9.5, GREY)
    y = _html(page, y + 84, _block("glance-more")) + 4
    for title, number in CONTENTS:
        y += 18
        _words(page, (LEFT, y), title, 10.2)
        _words(page, (RIGHT, y), str(number), 10.2, right=True)
        page.draw_line((LEFT, y + 5), (RIGHT, y + 5), color=SAND, width=1)


def _letter(page: pymupdf.Page) -> None:
    _html(page, TOP, _block("letter"))


def _products(page: pymupdf.Page) -> None:
    y = _html(page, TOP, _block("products-head")) + 4
    middle = (LEFT + RIGHT) / 2
    _html(page, y, _block("products-left"), x1=middle - GUTTER / 2)
    _html(page, y, _block("products-right"), x0=middle + GUTTER / 2)


def _finance(page: pymupdf.Page) -> None:
    y = _table(page, _html(page, TOP, _block("finance")) + 4, LINES, (115, 80, 80, 80, 116))
    y = _table(page, _html(page, y + 8, _block("finance-income")) + 4, INCOME, (195, 80, 80))
    _html(page, y + 8, _block("finance-end"))


def _people(page: pymupdf.Page) -> None:
    _html(page, TOP, _block("people"))


def _risks(page: pymupdf.Page) -> None:
    _html(page, TOP, _block("risks"))
