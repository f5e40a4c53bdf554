"""Draws PDFs with tables as reports set them; the cells of each table are known."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pymupdf

PROSE = (
    "The company sold more bicycles than in any year before, in the whole of Europe",
    "and in the countries around it, and it is thought that this will go on for long.",
)
LEFT, STEP = 72, 15
ENDS = (300, 370, 440, 510)  # x of the right edges of columns of figures

type Rows = tuple[tuple[str, ...], ...]


class MadePdf(NamedTuple):
    """A PDF and its tables: each with its cells and its number of header rows."""

    body: bytes
    tables: list[tuple[Rows, int]]


class Sheet:
    """A page that is drawn from the top down."""

    def __init__(self, file):
        self.page = file.new_page()
        self.y = 80

    def text(self, *lines, x=LEFT, size=10):
        for line in lines:
            self.page.insert_text((x, self.y), line, fontsize=size)
            self.y += STEP
        self.y += STEP

    def row(self, cells, ends=ENDS, x=LEFT, font="helv"):
        """Draws a row: the first cell from the left edge, the others right-aligned at `ends`."""
        for at, cell in zip((None, *ends), cells, strict=False):
            start = x if at is None else at - pymupdf.get_text_length(cell, font, 10)
            self.page.insert_text((start, self.y), cell, fontsize=10, fontname=font)
        self.y += STEP

    def centred(self, *places, font="helv"):
        """Draws labels, each (label, left, right) centred between left and right."""
        for label, left, right in places:
            width = pymupdf.get_text_length(label, font, 10)
            at = (left + right - width) / 2
            self.page.insert_text((at, self.y), label, fontsize=10, fontname=font)
        self.y += STEP

    def rule(self, columns, rows, top):
        """Draws lines around cells; `columns` holds the x of each edge, `rows` their number."""
        for x in columns:
            self.page.draw_line((x, top), (x, top + rows * STEP))
        for i in range(rows + 1):
            self.page.draw_line((columns[0], top + i * STEP), (columns[-1], top + i * STEP))


ASSETS = (
    ("Cash", "1,234", "987"),
    ("Inventories", "(12)", "7"),
    ("Other assets", "56", "-"),
    ("Total current assets", "1,278", "994"),
)


def plain() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    rows = (("", "2025", "2024"), *ASSETS)
    for row in rows:
        sheet.row(row)
    sheet.y += STEP
    sheet.text(*PROSE)
    return MadePdf(file.tobytes(), [(rows, 1)])


def ruled() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    rows = (("Item", "2025", "2024"), *ASSETS)
    sheet.rule((LEFT - 4, 240, 310, 380), len(rows), sheet.y - 11)
    for row in rows:
        sheet.row(row)
    return MadePdf(file.tobytes(), [(rows, 1)])


def dotted_dates() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    rows = (("", "31.12.2025", "31.12.2024"), *ASSETS)
    for row in rows:
        sheet.row(row)
    return MadePdf(file.tobytes(), [(rows, 1)])


def several_lines_between_rules() -> MadePdf:
    """Draws cells of two lines, in the header and in rows with figures, and sentences."""
    file = pymupdf.open()
    page = file.new_page()
    rows = (
        (("Line",), ("From", "and to"), ("First car", "on workdays"), ("Fare",)),
        (("1",), ("Old Quay, Mill Street", "to Corn Gate by way of Sand"), ("04:52",), ("2.70",)),
        (("2",), ("Corn Gate",), ("05:07",), ("3.60",)),
        (("3",), ("Old Quay, Mill Street", "to Sand in summer alone"), ("none",), ("-",)),
    )
    edges, height = (LEFT, 110, 300, 400, 480), 32
    for i, row in enumerate(rows):
        top = 100 + i * height
        for lines, left, right in zip(row, edges, edges[1:], strict=False):
            page.draw_rect((left, top, right, top + height))
            for n, line in enumerate(lines):
                page.insert_text((left + 4, top + 12 + 12 * n), line, fontsize=10)
    wanted = tuple(tuple(" ".join(lines) for lines in row) for row in rows)
    return MadePdf(file.tobytes(), [(wanted, 1)])


def split_currency() -> MadePdf:
    """Draws the currency's sign apart, at the column's left edge."""
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.row(("", "2025", "2024"))
    for i, row in enumerate(ASSETS):
        if i in {0, 3}:
            for end in ENDS[:2]:
                sheet.page.insert_text((end - 45, sheet.y), "$", fontsize=10)
        sheet.row(row)
    first, *middle, last = ASSETS
    signed = [(row[0], *(f"$ {cell}" for cell in row[1:])) for row in (first, last)]
    return MadePdf(file.tobytes(), [((("", "2025", "2024"), signed[0], *middle, signed[1]), 1)])


def merged_header() -> MadePdf:
    """Draws two labels, each over two columns, above a row of years."""
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    sheet.centred(("Three months ended", 265, 370), ("Nine months ended", 400, 510))
    body = [(label, a, b, a, b) for label, a, b in ASSETS]
    rows = (("", "2025", "2024", "2025", "2024"), *body)
    for row in rows:
        sheet.row(row)
    head = ("", *("Three months ended",) * 2, *("Nine months ended",) * 2)
    return MadePdf(file.tobytes(), [((head, *rows), 2)])


def one_label_over_all() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    sheet.centred(("Year ended December 31,", 275, 440))
    body = [(label, a, b, a) for label, a, b in ASSETS]
    rows = (("(In millions)", "2025", "2024", "2023"), *body)
    for row in rows:
        sheet.row(row)
    return MadePdf(file.tobytes(), [((("", *("Year ended December 31,",) * 3), *rows), 2)])


def three_levels() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.centred(("Worldwide", 265, 510))
    sheet.centred(("Operating", 265, 370), ("Reported", 400, 510))
    body = [(label, a, b, a, b) for label, a, b in ASSETS]
    rows = (("", "Q1", "Q2", "Q1", "Q2"), *body)
    for row in rows:
        sheet.row(row)
    head = (("", *("Worldwide",) * 4), ("", *("Operating",) * 2, *("Reported",) * 2))
    return MadePdf(file.tobytes(), [((*head, *rows), 3)])


def sections_and_long_labels() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    sheet.row(("", "2025", "2024"))
    sheet.row(("Current assets:",))
    for row in ASSETS[:2]:
        sheet.row(row)
    sheet.row(("Software, licences and other",))
    sheet.y -= 3
    sheet.row(("intellectual property", "45", "44"))
    sheet.row(ASSETS[3])
    rows = (
        ("", "2025", "2024"),
        ("Current assets:", "", ""),
        *ASSETS[:2],
        ("Software, licences and other intellectual property", "45", "44"),
        ASSETS[3],
    )
    return MadePdf(file.tobytes(), [(rows, 1)])


def footer_and_units() -> MadePdf:
    """Draws a line of units between header and figures, and a line of notes below."""
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.row(("", "2025", "2024"))
    sheet.centred(("(In millions)", 270, 370))
    for row in ASSETS:
        sheet.row(row)
    sheet.y += 4
    sheet.text("The notes on the pages that follow are an integral part of these statements.")
    rows = (("", "2025", "2024"), ("", "(In millions)", "(In millions)"), *ASSETS)
    return MadePdf(file.tobytes(), [(rows, 2)])


def _lots(first: int, last: int) -> tuple[tuple[str, ...], ...]:
    return tuple((f"Item number {n}", f"{n * 37:,}", f"{n * 41:,}") for n in range(first, last))


def continued(*, is_repeated: bool, note: str = "", end: int = 50) -> MadePdf:
    file = pymupdf.open()
    head = ("", "2025", "2024")
    sheet = Sheet(file)
    sheet.text(*PROSE)
    for row in (head, *_lots(1, 30)):
        sheet.row(row)
    sheet = Sheet(file)
    if note:
        sheet.row((note,))
    for row in (*((head,) if is_repeated else ()), *_lots(30, end)):
        sheet.row(row)
    sheet.y += STEP
    sheet.text(*PROSE)
    return MadePdf(file.tobytes(), [((head, *_lots(1, end)), 1)])


def another_on_the_next_page() -> MadePdf:
    """Draws a second table with the same columns but a header of its own."""
    file = pymupdf.open()
    tables = []
    for year, lots in ((2025, _lots(1, 30)), (2023, _lots(30, 50))):
        rows = (("", str(year), str(year - 1)), *lots)
        sheet = Sheet(file)
        for row in rows:
            sheet.row(row)
        tables.append((rows, 1))
    return MadePdf(file.tobytes(), tables)


def two_a_page() -> MadePdf:
    file = pymupdf.open()
    sheet = Sheet(file)
    first = (("", "2025", "2024"), *ASSETS)
    second = (("Country", "Sites", "People", "Sales"), *(
        ("France", "3", "120", "45.1"), ("Spain", "1", "40", "9.9"), ("Italy", "2", "77", "20.4"),
    ))  # fmt: skip
    for rows in (first, second):
        sheet.text(*PROSE)
        for row in rows:
            sheet.row(row)
        sheet.y += 2 * STEP
    return MadePdf(file.tobytes(), [(first, 1), (second, 1)])


def in_a_column() -> MadePdf:
    """Draws prose on the left, a table and prose on the right."""
    file = pymupdf.open()
    sheet = Sheet(file)
    lines = ["The left column tells everybody", "about the little town by the sea",
             "where nobody ever wanted to live", "before the railway finally came",
             "and people began to like it much"]  # fmt: skip
    for i in range(25):
        sheet.page.insert_text((LEFT, 80 + 14 * i), lines[i % 5], fontsize=10)
    sheet.text(*lines[:4], x=320)
    rows = (("", "2025", "2024"), *ASSETS)
    for row in rows:
        sheet.row(row, ends=(470, 520), x=320)
    sheet.y += STEP
    sheet.text(*[lines[i % 5] for i in range(9)], x=320)
    return MadePdf(file.tobytes(), [(rows, 1)])


def words_only() -> MadePdf:
    """Draws a table without figures: a header in bold type, and words in every cell."""
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    rows = (
        ("Name", "Role", "Place"), ("Ada", "Engineer", "London"), ("Grace", "Admiral", "New York"),
        ("Emmy", "Professor", "Erlangen"),
    )  # fmt: skip
    for row in rows:
        for x, cell in zip((72, 220, 360), row, strict=True):
            font = "hebo" if row is rows[0] else "helv"
            sheet.page.insert_text((x, sheet.y), cell, fontsize=10, fontname=font)
        sheet.y += STEP
    return MadePdf(file.tobytes(), [(rows, 1)])


def list_of_words() -> MadePdf:
    """Draws a table without a header over two pages: abbreviations and their meanings."""
    file = pymupdf.open()
    rows = tuple((f"AB{chr(65 + n % 26)}", f"Abbreviated {chr(97 + n % 26)}") for n in range(60))
    for part in (rows[:40], rows[40:]):
        sheet = Sheet(file)
        for row in part:
            for x, cell in zip((72, 220), row, strict=True):
                sheet.page.insert_text((x, sheet.y), cell, fontsize=10)
            sheet.y += STEP
    return MadePdf(file.tobytes(), [(rows, 0)])


def cells_of_several_lines() -> MadePdf:
    """Draws a ruled table with cells of more than one line."""
    file = pymupdf.open()
    sheet = Sheet(file)
    sheet.text(*PROSE)
    columns, top = (68, 180, 400, 480), sheet.y
    lines = (
        (("Risk",), ("What may happen",), ("Weight",)),
        (("Supply",), ("A supplier may fail and leave us", "without frames for a year"), ("3",)),
        (("Currency",), ("The dollar may rise against the", "euro, in which we sell"), ("2",)),
    )
    edges = [top]
    for row in lines:
        for x, cell in zip(columns, row, strict=False):
            for i, line in enumerate(cell):
                sheet.page.insert_text((x + 4, edges[-1] + 11 + 12 * i), line, fontsize=10)
        edges.append(edges[-1] + 12 * max(map(len, row)) + 4)
    for y in edges:
        sheet.page.draw_line((columns[0], y), (columns[-1], y))
    for x in columns:
        sheet.page.draw_line((x, top), (x, edges[-1]))
    rows = tuple(tuple(" ".join(cell) for cell in row) for row in lines)
    return MadePdf(file.tobytes(), [(rows, 1)])


def parted(*lines: str, is_one: bool, header: Rows = (("", "2025", "2024"),)) -> MadePdf:
    """Draws two runs of rows, the second without a header, far apart, with lines between them."""
    file = pymupdf.open()
    sheet = Sheet(file)
    above = (*header, *ASSETS)
    below = (("Payables", "310", "298"), ("Loans", "1,050", "990"), ("Other debts", "40", "55"))
    for row in above:
        sheet.row(row)
    sheet.y += 3 * STEP
    sheet.text(*lines)
    for row in below:
        sheet.row(row)
    count = len(header)
    tables = [((*above, *below), count)] if is_one else [(above, count), (below, 0)]
    return MadePdf(file.tobytes(), tables)


CASES: dict[str, Callable[[], MadePdf]] = {
    "plain": plain,
    "ruled": ruled,
    "dotted dates": dotted_dates,
    "several lines between rules": several_lines_between_rules,
    "split currency": split_currency,
    "merged header": merged_header,
    "one label over all": one_label_over_all,
    "three levels": three_levels,
    "sections and long labels": sections_and_long_labels,
    "footer and units": footer_and_units,
    "continued, header repeated": lambda: continued(is_repeated=True),
    "continued, header once": lambda: continued(is_repeated=False),
    "continued, and says so": lambda: continued(is_repeated=True, note="Costs (continued)"),
    "another on the next page": another_on_the_next_page,
    "two a page": two_a_page,
    "in a column": in_a_column,
    "words only": words_only,
    "list of words": list_of_words,
    "cells of several lines": cells_of_several_lines,
    "parted by headings of rows": lambda: parted("Liabilities", "Due in a year:", is_one=True),
    "parted by a sentence": lambda: parted("We owe this to our banks.", is_one=False),
    "parted by prose": lambda: parted(*PROSE, is_one=False),
    "parted by many lines": lambda: parted("Debts", "By bank", "In euros", is_one=False),
    "parted, without a header": lambda: parted("Liabilities", is_one=False, header=()),
}


def count_right(found: Sequence[Rows], wanted: Sequence[Rows]) -> tuple[int, int]:
    """Counts the cells that stand in the right row and column of the right table.

    Returns that count and the number of all cells, wanted or found.
    """
    hits = total = 0
    for i in range(max(len(found), len(wanted))):
        have = found[i] if i < len(found) else ()
        want = wanted[i] if i < len(wanted) else ()
        cells = {(r, c) for rows in (have, want) for r, row in enumerate(rows)
                 for c in range(len(row))}  # fmt: skip
        total += len(cells)
        hits += sum(_at(have, r, c) == _at(want, r, c) for r, c in cells)
    return hits, total


def _at(rows: Rows, r: int, c: int) -> str | None:
    return rows[r][c] if r < len(rows) and c < len(rows[r]) else None
