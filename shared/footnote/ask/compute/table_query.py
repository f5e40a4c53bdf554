"""Works a query out of a table: chooses rows, groups them, and adds up, counts or compares figures.

It is a pure function. Each result carries the rows that it is made of.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.compute.cells import Cell, read_cell, read_day
from footnote.ask.compute.columns import find_column, is_same_word, spell
from footnote.ask.compute.formula import show_number, work_out
from footnote.ask.compute.totals import is_peer
from footnote.ask.compute.typed_table import Column, TableRow, TypedTable
from footnote.errors import BadRequestError
from footnote.model import RowTest, TableQuery

MOST_GROUPS = 200
MOST_VALUES = 12  # of a column that an error names
MOST_TERMS = 6  # figures of a sum or a mean that are shown one by one


class Result(NamedTuple):
    """A row of what a query gives: its label, its figure in the column's scale, its rows.

    `figure` is None where the query asks for rows alone. `how` shows it worked out of few figures.
    `lacking` counts rows without a figure.
    """

    label: str
    figure: Decimal | None
    rows: tuple[TableRow, ...]
    how: str = ""
    lacking: int = 0


class Worked(NamedTuple):
    """What a query gives, in order. `measure` is the column of the figures, None for a count.

    `tests` tell in the table's own words what was tested. `chosen` of `all_rows` rows have passed.
    `more` counts results beyond the limit, `totals` are the labels of rows that were left out as
    they add up others. `unit_words`: what the table says of its unit where the column does not.
    """

    query: TableQuery
    results: tuple[Result, ...]
    measure: Column | None
    tests: tuple[str, ...]
    chosen: int
    all_rows: int
    more: int = 0
    totals: tuple[str, ...] = ()
    unit_words: str = ""

    @property
    def given(self) -> tuple[object, ...]:
        """The figures and their unit: what is equal where two tables say the same."""
        figures = tuple((each.label, each.figure) for each in self.results)
        unit = (self.measure.unit, self.measure.scale) if self.measure else ()
        return figures, unit, self.unit_words


def run_query(query: TableQuery, table: TypedTable) -> Worked:
    """Runs a query. Raises BadRequestError with what to ask instead."""
    addends = table.addends
    if any(not row.spans for row in addends):
        raise BadRequestError(
            "some rows of the table do not stand in the text as lines", action="Open the table."
        )
    tests = [_test(test, table) for test in query.where]
    rows = [row for row in addends if all(holds(row) for holds in tests)]
    if not rows:
        raise BadRequestError("no row passes all tests", action="Leave one of them out.")
    column = _measure(query, table)
    groups = _groups(query, table, rows)
    results = [_result(query, label, members, column) for label, members in groups.items()]
    if query.operation in {"rows", "max", "min"} and not query.group_by:
        results = [_as_it_stands(row, column) for row in rows]
    ranked = _sort(query, results)
    measure = table.columns[column] if column is not None else None
    most = query.limit or MOST_GROUPS
    return Worked(
        query,
        tuple(ranked[:most]),
        measure,
        tuple(_tell(test, table) for test in query.where),
        len(rows),
        len(addends),
        max(0, len(ranked) - most),
        tuple(row.label for row in table.rows if row.is_total),
        table.unit_words if measure and not measure.unit and not measure.scale else "",
    )


def _measure(query: TableQuery, table: TypedTable) -> int | None:
    """Returns the number of the column whose figures are wanted."""
    if query.operation == "count" or (query.operation == "rows" and not query.measure):
        return None
    if not query.measure:
        labels = spell(table.columns)
        raise BadRequestError(
            f"`{query.operation}` needs a measure", action=f"Name one of {labels}."
        )
    n = find_column(query.measure, table.columns)
    column = table.columns[n]
    if query.operation == "rows" or column.kind == "figures":
        return n
    why = "it has no figures"
    if column.kind == "mixed":
        why = f"it has the cell '{column.odd}'" if column.odd else "its figures have several units"
    raise BadRequestError(
        f"the column '{column.label}' cannot be computed with: {why}",
        action="Choose rows by `where`, or another column.",
    )


def _test(test: RowTest, table: TypedTable) -> Callable[[TableRow], bool]:
    """Returns the test of a row. Raises BadRequestError for a value that no cell has."""
    n = find_column(test.column, table.columns)
    if test.test in _COMPARE:
        compare, bound = _COMPARE[test.test], _bound(test, table.columns[n])
        return lambda row: (value := _ordered(row.cells[n])) is not None and compare(value, bound)
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


def _tell(test: RowTest, table: TypedTable) -> str:
    """Says what was tested, in words of the table: a model's own would be unchecked."""
    n = find_column(test.column, table.columns)
    column, cells = table.columns[n], [row.cells[n] for row in table.addends]
    if test.test in _COMPARE:
        day = read_day(test.value)
        value = day.isoformat() if day else show_number(_bound(test, column))
        return f"{column.label} {test.test} {value}"
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


def _groups(
    query: TableQuery, table: TypedTable, rows: Sequence[TableRow]
) -> Mapping[str, list[TableRow]]:
    if not query.group_by:
        return {"": list(rows)}
    n = find_column(query.group_by, table.columns)
    groups: dict[str, list[TableRow]] = {}
    for row in rows:
        groups.setdefault(row.cells[n].text.strip(), []).append(row)
    return groups


def _as_it_stands(row: TableRow, column: int | None) -> Result:
    cell = row.cells[column] if column is not None else None
    figure = cell.number if cell and cell.kind == "figure" else None
    return Result(row.label, figure, (row,), lacking=int(bool(cell) and figure is None))


def _result(query: TableQuery, label: str, rows: Sequence[TableRow], column: int | None) -> Result:
    if column is None or query.operation == "rows":
        figure = Decimal(len(rows)) if query.operation == "count" else None
        return Result(label, figure, tuple(rows))
    having = [row for row in rows if row.cells[column].kind == "figure"]
    numbers = [row.cells[column].number for row in having]
    lacking = len(rows) - len(having)
    if not numbers:
        return Result(label, None, tuple(rows), lacking=lacking)
    if query.operation in {"max", "min"}:
        figure = max(numbers) if query.operation == "max" else min(numbers)
        having = [row for row in having if row.cells[column].number == figure]
        return Result(label, figure, tuple(having), lacking=lacking)
    worked_out = work_out("sum" if query.operation == "sum" else "mean", numbers)
    how, figure = worked_out or ("", None)
    shown = how if 1 < len(numbers) <= MOST_TERMS else ""
    return Result(label, figure, tuple(having), shown, lacking)


def _sort(query: TableQuery, results: Sequence[Result]) -> list[Result]:
    """Sorts results: the wanted extreme first where one is asked for, those without figures last.

    A row that is the rest of others is no peer of theirs, and is not compared with them.
    """
    order = query.sort
    if query.operation in {"max", "min"}:
        order = "largest first" if query.operation == "max" else "smallest first"
        results = [each for each in results if each.figure is not None and is_peer(each.label)]
    if not order:
        return list(results)
    sign = -1 if order == "largest first" else 1
    return sorted(
        results, key=lambda each: (each.figure is None, sign * (each.figure or Decimal(0)))
    )
