"""The 2026 budget as an Excel file: three sheets whose formulas carry their values."""

import datetime as dt
from pathlib import Path

import openpyxl
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.worksheet import Worksheet

APPROVED = dt.datetime(2025, 12, 9, 9, 0)  # noqa: DTZ001  openpyxl writes naive UTC
HEADER_FONT = Font(bold=True, color="FFFFFF")
HEADER_FILL = PatternFill("solid", fgColor="12474A")
type Value = str | int | float | dt.date

# All money is in thousands of pounds.
INCOME = (
    ("Line", "2025 actual", "2026 budget", "Change", "Remark"),
    ("Badger", 21600, 24300, "", "Capacity in Harrowmouth is the limit"),
    ("Heron", 15300, 18200, "", "Moves to Castlebeck in the autumn"),
    ("Wren", 6400, 9100, "", "Moves to Castlebeck in the autumn"),
    ("Roost", 4900, 7400, "", "21,000 connected bikes in December"),
    ("Revenue", 48200, 59000, "", ""),
    ("Cost of sales", 31300, 37200, "", "Battery prices fixed by the new agreement"),
    ("Gross profit", 16900, 21800, "", ""),
    ("Operating costs", 13100, 16400, "", "See the sheet Departments"),
    ("Operating profit", 3800, 5400, "", ""),
)
INCOME_FORMULAS = {
    "B6": "=SUM(B2:B5)", "C6": "=SUM(C2:C5)", "B8": "=B6-B7", "C8": "=C6-C7",
    "B10": "=B8-B9", "C10": "=C8-C9",
}  # fmt: skip
DEPARTMENTS = (
    ("Department", "Budget holder", "Posts at year end", "Staff costs", "Other costs", "Total"),
    ("Engineering", "Priya Raman", 62, 3350, 850, 4200),
    ("Sales and marketing", "Hugo Ferreira", 48, 2600, 1700, 4300),
    ("Operations", "Lucía Brandt", 118, 1900, 1350, 3250),
    ("Roost platform", "Devi Kaplan", 29, 1750, 650, 2400),
    ("Finance and legal", "Tobias Okafor", 21, 1050, 420, 1470),
    ("People and workplace", "Aoife Gallagher", 12, 480, 300, 780),
    ("All departments", "", 290, 11130, 5270, 16400),
)
DEPARTMENT_FORMULAS = {f"F{row}": f"=D{row}+E{row}" for row in range(2, 9)} | {
    f"{column}8": f"=SUM({column}2:{column}7)" for column in "CDE"
}
PROJECTS = (
    ("Project", "Site", "Sponsor", "Ready by", "Budget", "Approved"),
    (
        "Castlebeck assembly hall",
        "Castlebeck",
        "Lucía Brandt",
        dt.date(2026, 9, 14),
        6200,
        "pending",
    ),
    ("Battery test laboratory", "Harrowmouth", "Priya Raman", dt.date(2026, 6, 30), 540, "yes"),
    ("Second region for Roost", "none", "Devi Kaplan", dt.date(2026, 10, 31), 380, "yes"),
    ("Heat recovery, paint shop", "Harrowmouth", "Lucía Brandt", dt.date(2026, 8, 15), 290, "yes"),
    ("Order system, new module", "none", "Tobias Okafor", dt.date(2026, 11, 30), 210, "yes"),
    ("All projects", "", "", "", 7620, ""),
)
PROJECT_FORMULAS = {"E7": "=SUM(E2:E6)"}


def build(target: Path) -> dict[str, dict[str, float]]:
    """Writes the budget to `target` and returns, per sheet, the value of each formula cell."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    values = {
        "Income": _sheet(book.create_sheet("Income"), INCOME, INCOME_FORMULAS),
        "Departments": _sheet(book.create_sheet("Departments"), DEPARTMENTS, DEPARTMENT_FORMULAS),
        "Projects": _sheet(book.create_sheet("Projects"), PROJECTS, PROJECT_FORMULAS),
    }
    values["Income"] |= _changes(book["Income"])
    properties = book.properties
    properties.title, properties.creator = "Budget 2026, thousands of pounds", "Tobias Okafor"
    properties.created = APPROVED
    book.save(target)
    return values


def _sheet(
    sheet: Worksheet, rows: tuple[tuple[Value, ...], ...], formulas: dict[str, str]
) -> dict[str, float]:
    for row in rows:
        sheet.append(list(row))
    values = {}
    for cell, formula in formulas.items():
        values[cell] = float(sheet[cell].value)
        sheet[cell] = formula
    for cell in sheet[1]:
        cell.font, cell.fill = HEADER_FONT, HEADER_FILL
    for cell in sheet[sheet.max_row]:
        cell.font = Font(bold=True)
    for column in sheet.columns:
        width = max(len(str(cell.value or "")) for cell in column)
        sheet.column_dimensions[column[0].column_letter].width = width + 3
    sheet.freeze_panes = "B2"
    return values


def _changes(sheet: Worksheet) -> dict[str, float]:
    values = {}
    for row, (_, before, after, *_) in enumerate(INCOME[1:], start=2):
        sheet[f"D{row}"] = f"=C{row}/B{row}-1"
        sheet[f"D{row}"].number_format = "0.0%"
        values[f"D{row}"] = round(float(after) / float(before) - 1, 6)
    return values
