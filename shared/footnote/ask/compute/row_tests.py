"""Tests the rows of a table as a query wants it, and tells what was tested in the table's words."""

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from footnote.ask.compute.cells import Cell, has_none, read_cell, read_day
from footnote.ask.compute.columns import find_column, is_same_word
from footnote.ask.compute.formula import show_number
from footnote.ask.compute.typed_table import Column, TableRow, TypedTable
from footnote.errors import BadRequestError
from footnote.model import RowTest

MOST_VALUES = 12  # of a column that an error names


def choose(where: Sequence[RowTest], table: TypedTable) -> list[TableRow]:
    """Returns the rows that pass all tests; raises BadRequestError for a test that cannot be made.

    Rows that add up others are never chosen.
    """
    tests = [_test(test, table) for test in where]
    return [row for row in table.addends if all(holds(row) for holds in tests)]


def _test(test: RowTest, table: TypedTable) -> Callable[[TableRow], bool]:
    """Returns the test of a row. Raises BadRequestError for a value that no cell has."""
    n = find_column(test.column, table.columns)
    if test.test in _COMPARE:
        compare, bound = _COMPARE[test.test], _bound(test, table.columns[n])
        return lambda row: (value := _ordered(row.cells[n])) is not None and compare(value, bound)
    if test.test in {"has none", "has some"}:
        return lambda row: has_none(row.cells[n]) == (test.test == "has none")
    if not any(_holds(test, row.cells[n]) for row in table.addends):
        values = list(dict.fromkeys(row.cells[n].text for row in table.addends))
        label = table.columns[n].label
        more = ", \u2026" if len(values) > MOST_VALUES else ""
        raise BadRequestError(
            f"no row has '{test.value}' in '{label}'",
            action=f"It has {', '.join(f"'{value}'" for value in values[:MOST_VALUES])}{more}.",
        )
    return lambda row: _holds(test, row.cells[n]) != (test.test == "is not")


def _holds(test: RowTest, cell: Cell) -> bool:
    """Tells whether a cell has the value of a test, whichever way the test goes."""
    if test.test == "contains":
        return test.value.casefold() in cell.text.casefold()
    return _is(cell, test.value)


_COMPARE: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "at least": operator.ge,
    "at most": operator.le,
}
_OF_DAYS = {"above": "after", "below": "before", "at least": "from", "at most": "until"}


def tell_test(test: RowTest, table: TypedTable) -> str:
    """Says what was tested, in words of the table: a model's own would be unchecked."""
    n = find_column(test.column, table.columns)
    column, cells = table.columns[n], [row.cells[n] for row in table.addends]
    if test.test in _COMPARE:
        if day := read_day(test.value):
            return f"{column.label} {_OF_DAYS[test.test]} {day.isoformat()}"
        return f"{column.label} {test.test} {show_number(_bound(test, column))}"
    if test.test in {"has none", "has some"}:
        return f"{column.label} {test.test}"
    holds = [cell for cell in cells if _holds(test, cell)]
    value = holds[0].text if holds else ""
    if test.test == "contains":
        at = value.casefold().find(test.value.casefold())
        value = value[at : at + len(test.value)]
    return f"{column.label} {test.test} {value.strip()}"


def _bound(test: RowTest, column: Column) -> Decimal:
    """Returns the value that a column's cells are compared with."""
    bound = _ordered(read_cell(test.value))
    if bound is None or (read_day(test.value) is not None) != (column.kind == "days"):
        wanted = "a day, as in 2026-02-28" if column.kind == "days" else "a figure"
        raise BadRequestError(
            f"'{test.value}' cannot be compared with '{column.label}'", action=f"Give {wanted}."
        )
    return bound


def _ordered(cell: Cell) -> Decimal | None:
    if cell.day:
        return Decimal(cell.day.toordinal())
    return cell.number if cell.kind == "figure" else None


def _is(cell: Cell, value: str) -> bool:
    other = read_cell(value)
    if cell.kind == other.kind == "figure":
        return cell.number == other.number
    if cell.day and other.day:
        return cell.day == other.day
    return is_same_word(cell.text, value)
