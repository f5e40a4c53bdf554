"""Rows of tables in plain text: their header, and the line that heads them."""

import pytest

from footnote.model import CELL
from footnote.text.sentences import sentences
from footnote.text.table_lines import has_figures, read_lines


def read(text, above=""):
    return read_lines(text, sentences(text), CELL, above)


def headers(text, above=""):
    return {line.text: line.header for line in read(text, above) if line.is_row}


SHEET = """Balance sheet of the shed

As of June 30, | 2023 | 2022
Assets
Current assets:
Cash | 120 | 99
Spokes, net | 31 | 40
Total assets | 151 | 139"""


def test_a_first_row_of_dates_heads_all_rows_of_its_table():
    head = "As of June 30, | 2023 | 2022"
    assert headers(SHEET) == {
        head: "",
        "Cash | 120 | 99": head,
        "Spokes, net | 31 | 40": head,
        "Total assets | 151 | 139": head,
    }
    assert [line.text for line in read(SHEET) if line.is_header] == [head]


def test_a_line_without_cells_heads_the_rows_below_it_and_ends_no_table():
    assert {line.text: line.group for line in read(SHEET) if line.is_row and line.group} == {
        "Cash | 120 | 99": "Current assets:",
        "Spokes, net | 31 | 40": "Current assets:",
        "Total assets | 151 | 139": "Current assets:",
    }


def test_a_header_of_several_rows_ends_with_its_dates():
    table = "Three months | Six months\nSales | Cost | Sales | Cost\n2023 | 2022 | 2023 | 2022"
    row = "Bikes | 12 | 10 | 25 | 19"
    assert headers(f"{table}\n{row}")[row] == " ".join(table.split())


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("Item | London\nHotel | 170", "Item | London"),
        ("Founded | 2015\nListed | 2016\nStaff | 12", "Founded | 2015"),
        ("Year | Event\n2015 | Founded\n2016 | Listed", "Year | Event"),
        ("Hotel | 170\nBreakfast | 12", ""),
        (
            "Zone | until 31.07.2024 | from 01.08.2024\nQuay | 1.60 | 2.00",
            "Zone | until 31.07.2024 | from 01.08.2024",
        ),
        ("Fee | 31/12/2024 | 31/12/2023\nQuay | 16 | 20", "Fee | 31/12/2024 | 31/12/2023"),
        ("Stop | Line 1 | Line 2\nQuay | 9 | -", "Stop | Line 1 | Line 2"),
        ("Quay | 9 of 12 | Line 2\nMill | 9 | -", ""),
        ("Quay | 1.2.2024.5 | 7\nMill | 9 | -", ""),
        ("| Item | London |\n|---|---|\n| Hotel | 170 |", "| Item | London |"),
        ("Item | London\n\nHotel | 170", ""),
        ("Item | London\nAll of it is refunded.\nHotel | 170", ""),
    ],
)
def test_the_header_is_the_first_row_unless_it_has_figures(table, header):
    assert read(table)[-1].header == header


def test_a_table_that_goes_on_has_the_header_above_it():
    above = "Item | London"
    assert headers("Hotel, flat | none\nBreakfast | 12", above) == {
        "Hotel, flat | none": above,
        "Breakfast | 12": above,
    }


def test_lines_outside_of_tables_stand_under_nothing():
    text = "A hotel is paid for. So is breakfast.\n\nItem | London\nHotel | 170"
    assert [(line.text, line.header, line.group) for line in read(text)[:2]] == [
        ("A hotel is paid for.", "", ""),
        ("So is breakfast.", "", ""),
    ]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("June 30, | 2023 | 2022", False),
        ("January 28, 2023 | January 29, 2022", False),
        ("FY2023 | FY2022", False),
        ("Q2 2024 | 2. Mai 2023", True),
        ("Cash | 1,874 | 2,936", True),
        ("Stores | 2015 %", True),
        ("Price | $ 2015", True),
        ("2023-01-31 | 2022/12/01", False),
    ],
)
def test_dates_are_no_figures(row, expected):
    assert has_figures(row) is expected


def test_a_header_of_rows_with_as_many_cells_is_joined_cell_by_cell():
    table = "Fiscal | Fiscal\n2023 | 2022\nNet sales | 400 | 380"
    assert headers(table)["Net sales | 400 | 380"] == "Fiscal 2023 | Fiscal 2022"
    goes_on = headers("Costs | 270 | 260", "Fiscal | Fiscal\n2023 | 2022")
    assert goes_on == {"Costs | 270 | 260": "Fiscal 2023 | Fiscal 2022"}
    corner = "| Fiscal | Fiscal\n| 2023 | 2022\nNet sales | 400 | 380"
    assert headers(corner)["Net sales | 400 | 380"] == "| Fiscal 2023 | Fiscal 2022"
