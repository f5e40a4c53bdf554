"""Opens the financial statements of a document, and reads the figure of a line in a year."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from footnote.accounting.glossary import flat
from footnote.accounting.lines import LINES, LOSSES, is_labelled
from footnote.accounting.statements import Statement, statement_of
from footnote.ask.check.periods import INTERIM
from footnote.ask.check.readings import years_named
from footnote.ask.check.rows import CellFigure, cell_figures
from footnote.ask.check.segments import Row, Unit
from footnote.ask.write.citations import Checker
from footnote.model import Passage

MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b",
    re.IGNORECASE,
)
# In which a fiscal year may end that is called by the year before.
_EARLY = (frozenset({"january", "february"}), frozenset({"march"}))
BEFORE = 300  # characters above a table that may say its scale
# Lines that may be below zero. Statements show others in brackets only to say that they are costs.
SIGNED = frozenset(
    {
        *("gross profit", "operating income", "income before taxes", "net income"),
        *("operating cash flow", "equity"),
    }
)


class Opened(NamedTuple):
    """A statement: the number of the passage that it was opened as, and its rows.

    `has_shares`: beside each figure stands its share of another, which need not have a sign.
    `ahead`: years by which the days of its columns are ahead of the fiscal years that they end.
    """

    number: int
    rows: Sequence[Unit]
    has_shares: bool
    largest: Decimal
    ahead: int = 0


type Statements = Mapping[Statement, Sequence[Opened]]


class Value(NamedTuple):
    """A figure as it stands, in a scale, and where: the number of a passage, and its row."""

    number: Decimal
    scale: int
    unit: str
    passage: int
    row: Unit


def years_in(text: str) -> set[int]:
    """Returns the years that a text names in any form: 2025, FY25, fiscal 2025."""
    return {int(key.partition(" ")[2]) for key in years_named(text)}


def open_statements(passage: Passage, checker: Checker) -> Statements:
    """Opens the statements in the document of a passage: of each kind those of the whole company.

    A report may have others, of a part of the company or of the year. Their figures are smaller.
    """
    opened: defaultdict[Statement, list[Opened]] = defaultdict(list)
    for table in checker.document_of(passage).tables:
        if kind := statement_of(row[0] for row in table.rows if row):
            number = checker.open_place(passage, max(table.start - BEFORE, 0), table.end)
            units = checker.units_at(number, (table.start, table.end))
            opened[kind].append(_read_table(number, units))
    whole = {
        kind: [one for one in found if one.largest == max(each.largest for each in found)]
        for kind, found in opened.items()
    }
    return _aligned(whole)


def _aligned(opened: Statements) -> Statements:
    """Says how far balance sheets are ahead: fiscal 2023 of a shop may end on February 3, 2024.

    They are where their latest column is a year later than that of the income statement, and all of
    them end in the first months of a year.
    """
    latest = {kind: max(map(_latest_year, found)) for kind, found in opened.items()}
    earned, held = latest.get("income_statement", 0), latest.get("balance_sheet", 0)
    if not earned or held != earned + 1:
        return opened
    months = {month for one in opened["balance_sheet"] for month in _months(one)}
    if not months or not any(months <= early for early in _EARLY):
        return opened
    sheets = [one._replace(ahead=1) for one in opened["balance_sheet"]]
    return {**opened, "balance_sheet": sheets}


def by_date(opened: Statements) -> Statements:
    """Returns the statements with their columns as they are dated, for a question of a date."""
    return {kind: [one._replace(ahead=0) for one in found] for kind, found in opened.items()}


def _latest_year(opened: Opened) -> int:
    """Returns the latest year that is whole or ends on a day of it, 0 where no column names one."""
    return max((year for column in _columns(opened) for year in years_in(column)), default=0)


def _months(opened: Opened) -> set[str]:
    return {month.casefold() for column in _columns(opened) for month in MONTH.findall(column)}


def _columns(opened: Opened) -> set[str]:
    cells = (cell for unit in opened.rows if unit.row for cell in cell_figures(unit.row))
    return {cell.column for cell in cells if not INTERIM.search(cell.column)}


def _read_table(number: int, units: Sequence[Unit]) -> Opened:
    cells = [(one, cell) for unit in units if (one := unit.row) for cell in cell_figures(one)]
    full = [cell.figure.value.scaleb(cell.scale) for _, cell in cells if cell.figure.unit != "%"]
    has_shares = any(
        same.figure.unit == "%" and same.column == cell.column and same is not cell
        for (row, cell), (other, same) in pairwise(cells)
        if row is other
    )
    return Opened(number, units, has_shares, max(full, default=Decimal(0)))


def read_value(line: str, year: int, opened: Opened) -> Value | None:
    """Returns the figure of a line in a year; None where there is none, or more than one."""
    for label in LINES[line].labels:
        found = [
            (unit, cell)
            for unit in opened.rows
            if unit.row and is_labelled(unit.row.label, label)
            for cell in _of_year(unit.row, year + opened.ahead)[: 1 if opened.has_shares else None]
        ]
        exact = [one for one in found if one[0].row and flat(one[0].row.label) == flat(label)]
        found = exact or found
        if found:
            (unit, cell), *others = found
            is_doubtful = others or (label in LOSSES and not cell.figure.negative)
            return None if is_doubtful else _read(line, cell, opened.number, unit)
    return None


def _read(line: str, cell: CellFigure, passage: int, row: Unit) -> Value:
    figure = cell.figure
    value = -figure.value if figure.negative and line in SIGNED else figure.value
    if figure.scaled:
        return Value(value, 0, figure.unit or cell.currency, passage, row)
    return Value(value, cell.scale, figure.unit or cell.currency, passage, row)


def _of_year(row: Row, year: int) -> list[CellFigure]:
    """Returns a row's figures in the columns of a whole year, or of a day in it."""
    return [
        cell
        for cell in cell_figures(row)
        if years_in(cell.column) == {year}
        and not INTERIM.search(cell.column)
        and cell.figure.unit != "%"
    ]
