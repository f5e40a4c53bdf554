"""Tables as data: what each cell is, which unit a column has, which rows add up others."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.compute.cells import read_cell, writes_comma
from footnote.ask.compute.totals import is_peer
from footnote.ask.compute.typed_table import MOST_CELLS, read_table
from footnote.errors import BadRequestError
from footnote.model import CELL, Document, Section, Table


def typed(text, header_rows=1, *, title="", language="en"):
    """Reads the last run of lines with cells as a table; the lines above it are its document's."""
    lines = text.strip("\n").splitlines()
    first = next(n for n, line in enumerate(lines) if CELL in line)
    above = "".join(f"{line}\n" for line in lines[:first])
    rows = tuple(tuple(cell.strip() for cell in line.split("|")) for line in lines[first:])
    body = "\n".join(CELL.join(row) for row in rows)
    table = Table(start=len(above), end=len(above + body), rows=rows, header_rows=header_rows)
    document = Document(
        title=title,
        media_type="text/csv",
        text=above + body,
        tables=(table,),
        sections=(Section(title="Yard", level=1, start=0, end=len(above + body)),),
        language=language,
    )
    return read_table(document, table, "d1", "v1")


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("12", "12", ""),
        ("1,234", "1234", ""),
        ("1 234,5", "1234.5", ""),
        ("1'234.50", "1234.50", ""),
        ("\u20ac1.234,56", "1234.56", "\u20ac"),
        ("(81)", "-81", ""),
        ("$ (12)", "-12", "$"),
        ("\u221212", "-12", ""),
        ("+14%", "14", "%"),
        ("(4.8%)", "-4.8", "%"),
        ("12,553 (a)", "12553", ""),
        ("12*", "12", ""),
        ("12.5 CHF", "12.5", "CHF"),
        ("12 kg", "12", "kg"),
        ("120 km/h", "120", "km/h"),
        ("12 m", "12", "m"),  # metres or millions: the column's unit, whichever it is
        ("\u00a32.5m", "2500000", "\u00a3"),
        ("4.2 million", "4200000", ""),
        ("0,5", "0.5", ""),
    ],
)
def test_a_figure_is_read_in_all_forms(text, number, unit):
    cell = read_cell(text)
    assert (cell.kind, cell.number, cell.unit) == ("figure", Decimal(number), unit)


@pytest.mark.parametrize("text", ["25-30", "4% to 5%", "007", "1.2.3", "Q1", "three", "$ 5 $ 6"])
def test_what_is_no_single_figure_is_words(text):
    assert read_cell(text).kind == "words"


@pytest.mark.parametrize("text", ["", " ", "-", "\u2014", "n/a"])
def test_an_empty_cell_and_a_dash_are_nothing(text):
    assert read_cell(text).kind == "nothing"


@pytest.mark.parametrize(
    "text", ["2026-02-28", "28.02.2026", "28 February 2026", "Feb 28, 2026", "2026-02-28T09:30:00Z"]
)
def test_a_day_is_read_where_its_order_is_sure(text):
    assert read_cell(text).day == date(2026, 2, 28)
    assert read_cell("02/03/2026").day is None


def test_figures_that_are_written_in_one_way_only_decide_on_the_comma():
    assert writes_comma(["1.234", "2,50"], "en")
    assert not writes_comma(["1,234", "2.50"], "de")
    assert writes_comma(["1.234"], "de")
    assert not writes_comma(["1.234,5", "1,234.5"], "en")  # they do not agree
    german = typed("Ort | Miete\nKiel | 1.250\nBonn | 980,50\n")
    assert [row.cells[1].number for row in german.rows] == [Decimal(1250), Decimal("980.50")]


SALES = """Sales of the yard, in thousands of euros

Depot | Opened | Sales 2025 | Staff | Share | Note
Kiel | 2019-04-01 | \u20ac 96 | 4 | 32 % | old
Bonn | 2021-05-01 | 84 | 9 | 28 % | -
Trier | 2020-01-01 | 120 | 7 | 40 % | none
Total | | 300 | 20 | 100 % |
"""


def test_columns_have_kinds_units_and_only_money_has_the_tables_scale():
    columns = typed(SALES).columns
    assert [(c.label, c.kind, c.unit, c.scale) for c in columns] == [
        ("Depot", "words", "", 0),
        ("Opened", "days", "", 0),
        ("Sales 2025", "figures", "\u20ac", 3),
        ("Staff", "figures", "", 0),  # nobody says that staff are thousands of euros
        ("Share", "figures", "%", 0),
        ("Note", "words", "", 0),
    ]
    assert typed(SALES).unit_words == "in thousands of euros"


def test_the_unit_of_a_label_is_that_of_its_column():
    columns = typed(
        "Item | Price (EUR) | Cost ($m) | Fee per hour (\u00a3)\nA | 1 | 2 | 3\n"
    ).columns
    assert [(c.unit, c.scale) for c in columns[1:]] == [("\u20ac", 0), ("$", 6), ("\u00a3", 0)]


def test_a_column_with_words_or_several_units_is_mixed():
    columns = typed("Item | A | B\nx | 1 | $ 3\ny | pending | 4 %\nz | 2 | 5\n").columns
    assert [(c.kind, c.odd) for c in columns[1:]] == [("mixed", "pending"), ("mixed", "")]


def totals(text):
    return [row.label for row in typed(text).rows if row.is_total]


def test_rows_of_sums_are_known_by_their_label_and_by_arithmetic():
    assert totals(SALES) == ["Total"]
    assert totals("Item | A | B\nx | 1 | 7\ny | 2 | 9\nAll of it | 3 | 16\n") == ["All of it"]
    # of one column alone three rows may be so by chance
    by_chance = typed("Item | A\nx | 1\ny | 2\nz | 3\n")
    assert (by_chance.doubtful_total, [row.is_total for row in by_chance.rows]) == (
        "z",
        [False] * 3,
    )


def test_a_row_that_heads_its_parts_is_doubtful():
    text = "Place | Cars | Vans\nNorth | 5 | 7\nKiel | 2 | 3\nLeer | 3 | 4\nUlm | 9 | 9\n"
    assert typed(text).doubtful_total == "North"
    assert typed(text.replace("| 3 | 4", "| 3 | 5")).doubtful_total == ""


def test_shares_are_added_up_where_there_is_nothing_else():
    parts = "Error | Short | Long\nWording | 29 % | 38 %\nWord | 8 % | 20 %\nOrder | 21 % | 18 %\n"
    assert typed(parts).doubtful_total == "Wording"
    beside = "Depot | Cars | Change\nKiel | 5 | 3 %\nBonn | 6 | 4 %\nTotal | 11 | 9 %\n"
    assert (typed(beside).doubtful_total, totals(beside)) == ("", ["Total"])


def test_a_total_of_totals_and_rounded_figures_add_up():
    text = (
        "Item | A | B\nx | 1.2 | 1\ny | 2.1 | 2\nTotal north | 3.4 | 3\n"
        "z | 4.0 | 4\nw | 1.0 | 5\nTotal south | 5.0 | 9\nGrand total | 8.4 | 12\n"
    )
    assert totals(text) == ["Total north", "Total south", "Grand total"]
    assert typed(text).doubtful_total == ""


def test_a_row_that_is_called_total_and_adds_up_nothing_is_doubtful():
    table = typed("Supplier | Litres\nTotal Fuels | 40\nNordoil | 70\nKielgas | 25\n")
    assert table.doubtful_total == "Total Fuels"


def test_a_table_with_differences_of_rows_is_a_statement():
    table = typed("Item | 2024 | 2025\nRevenue | 9 | 12\nCosts | 4 | 5\nProfit | 5 | 7\n")
    assert table.is_statement
    assert not typed(SALES).is_statement


def test_the_rest_of_others_counts_in_a_sum_and_is_no_peer():
    text = "Zone | A | B\nNorth | 5 | 1\nSouth | 6 | 2\nUnallocated | -1 | 3\nTotal | 10 | 6\n"
    assert totals(text) == ["Total"]
    assert [is_peer(row.label) for row in typed(text).rows] == [True, True, False, False]


def test_rows_know_their_lines_and_the_line_that_heads_them():
    text = "Item | A | B\nNorth | |\nx | 1 | 2\nSouth | |\ny | 3 | 5\n"
    rows = typed(text).rows
    assert [(row.label, row.group) for row in rows] == [("x", "North"), ("y", "South")]
    lines = ["Item | A | B", "North |  | ", "x | 1 | 2", "South |  | ", "y | 3 | 5"]
    body = "\n".join(lines)
    assert [body[row.spans[0].start : row.spans[0].end] for row in rows] == [lines[2], lines[4]]


def test_a_header_of_several_rows_names_columns_from_above_and_equal_ones_apart():
    text = " | Half | Half | Year\n | A | B | \nx | 1 | 2 | 3\n"
    assert [c.label for c in typed(text, 2).columns] == ["column 1", "Half A", "Half B", "Year"]
    assert [c.label for c in typed("x | A | A\ny | 1 | 2\n").columns] == ["x", "A", "A (2)"]


def test_the_last_row_of_a_label_names_a_column_that_no_other_has():
    text = " | Costs | Costs | Way\n | Fuel | Repairs | Km\nV1 | 1 | 2 | 3\n"
    assert [c.leaf for c in typed(text, 2).columns] == ["", "Fuel", "Repairs", "Km"]
    assert [c.leaf for c in typed(text.replace("Repairs", "Fuel"), 2).columns][1:] == ["", "", "Km"]
    assert {c.leaf for c in typed("Van | Fuel\nV1 | 1\n").columns} == {""}


@pytest.mark.parametrize(
    ("label", "unit", "scale"),
    [
        ("Margin (EUR thousand)", "\u20ac", 3),
        ("Costs in k\u20ac", "\u20ac", 3),
        ("Costs (TEUR)", "\u20ac", 3),
        ("Sales (Tsd. EUR)", "\u20ac", 3),
        ("Sales (EUR m)", "\u20ac", 6),
        ("Fee (thousand GBP)", "\u00a3", 3),
        ("Staff (thousands)", "", 3),
        ("Area (EUR m\u00b2)", "\u20ac", 0),
        ("Fee (EUR)", "\u20ac", 0),
    ],
)
def test_the_label_of_a_column_says_its_scale(label, unit, scale):
    column = typed(f"Depot | {label}\nKiel | 4\nBonn | 6\n").columns[1]
    assert (column.unit, column.scale) == (unit, scale)


def test_a_table_with_too_many_cells_is_refused():
    wide = CELL.join(["Item", *map(str, range(200))])
    body = "\n".join([wide] * (MOST_CELLS // 200))
    with pytest.raises(BadRequestError, match="100,000 cells"):
        typed(body)


NUMBERS = st.lists(st.integers(-10_000, 10_000), min_size=2, max_size=8)


@given(st.lists(NUMBERS, min_size=3, max_size=3))
def test_a_row_of_true_sums_is_always_a_total(columns):
    size = min(map(len, columns))
    body = [CELL.join((f"r{n}", *(str(c[n]) for c in columns))) for n in range(size)]
    total = CELL.join(("Total", *(str(sum(c[:size])) for c in columns)))
    table = typed("\n".join(("Item | A | B | C", *body, total)))
    assert table.rows[-1].is_total
    assert table.doubtful_total in {"", *(f"r{n}" for n in range(size))}
