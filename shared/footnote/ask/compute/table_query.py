"""Works a query out of a table: chooses rows, groups them, and adds up, counts or compares figures.

It is a pure function. Each result carries the rows that it is made of.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.compute.columns import find_column, spell
from footnote.ask.compute.formula import show_number, work_out
from footnote.ask.compute.row_tests import choose, tell_test
from footnote.ask.compute.totals import is_peer
from footnote.ask.compute.typed_table import Column, TableRow, TypedTable, words_of
from footnote.errors import BadRequestError
from footnote.model import TableQuery

MOST_GROUPS = 200
_COUNTED = frozenset({"posts", "employees", "headcount", "people", "persons", "number", "count"})
_COUNTED |= {"quantity", "units", "pieces", "customers", "orders"}  # they are in no currency
MOST_TERMS = 6  # figures of a sum or a mean that are shown one by one


class Result(NamedTuple):
    """A row of what a query gives: its label, its figure in the column's scale, its rows.

    `figure` is None where the query asks for rows alone. `how` shows it worked out of few figures.
    `lacking` counts rows without a figure. `text` is the cell of a row that has no figure there.
    """

    label: str
    figure: Decimal | None
    rows: tuple[TableRow, ...]
    how: str = ""
    lacking: int = 0
    text: str = ""


class Worked(NamedTuple):
    """What a query gives, in order. `measure` is the column of the figures, None for a count.

    `tests` tell in the table's own words what was tested. `chosen` of `all_rows` rows have passed.
    `more` counts results beyond the limit, `totals` are the labels of rows that were left out as
    they add up others. `unit_words`: what the table says of its unit where the column does not.
    `following` is the result after a single one that is wanted, to show the distance. `looked_at`
    are the rows that were tested or compared: the result rests on their figures, too.
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
    following: Result | None = None
    looked_at: tuple[TableRow, ...] = ()

    @property
    def given(self) -> tuple[object, ...]:
        """The figures and their unit: what is equal where two tables say the same."""
        figures = tuple((each.label, each.figure, each.text) for each in self.results)
        unit = (self.measure.unit, self.measure.scale) if self.measure else ()
        return figures, unit, self.unit_words


def run_query(query: TableQuery, table: TypedTable) -> Worked:
    """Runs a query. Raises BadRequestError with what to ask instead."""
    if any(not row.spans for row in table.addends):
        raise BadRequestError(
            "some rows of the table do not stand in the text as lines", action="Open the table."
        )
    rows = choose(query.where, table)
    if not rows:
        raise BadRequestError("no row passes all tests", action="Leave one of them out.")
    column = _measure(query, table)
    if query.operation in {"rows", "max", "min"} and not query.group_by:
        label = find_column(query.label, table.columns) if query.label else None
        results = [_as_it_stands(row, column, label) for row in rows]
    elif query.operation == "share":
        results = [_share(rows, table.addends, column or 0)]
    else:
        groups = _groups(query, table, rows)
        results = [_result(query, label, members, column) for label, members in groups.items()]
    ranked = _sort(query, results)
    given, following = _cut(query, ranked)
    measure = table.columns[column] if column is not None else None
    return Worked(
        query,
        tuple(given),
        measure,
        tuple(tell_test(test, table) for test in query.where),
        len(rows),
        len(table.addends),
        max(0, len(ranked) - len(given)),
        tuple(row.label for row in table.rows if row.is_total),
        _unit_words(query, table, measure),
        following,
        tuple(table.addends),
    )


def _unit_words(query: TableQuery, table: TypedTable, measure: Column | None) -> str:
    """Returns what the table says of its unit, where that may be the unit of the figures."""
    if measure is None or measure.kind != "figures" or query.operation in {"count", "share"}:
        return ""
    is_number = not _COUNTED.isdisjoint(words_of(measure.label))
    return "" if measure.unit or measure.scale or is_number else table.unit_words


def _cut(query: TableQuery, ranked: Sequence[Result]) -> tuple[list[Result], Result | None]:
    """Returns the results that are wanted, with all that are equal to the last of them.

    Raises BadRequestError where it is not clear which is the n-th, as two are equal.
    """
    if query.first == 1:
        most = query.limit or MOST_GROUPS
        given = list(ranked[:most])
        if not query.sort:
            return given, None
        last = given[-1].figure if given else None
        given += [each for each in ranked[most:] if each.figure == last]
        is_single = query.limit == len(given) == 1 < len(ranked)
        return given, ranked[1] if is_single and ranked[1].figure is not None else None
    at = query.first - 1
    given = list(ranked[at : at + (query.limit or 1)])
    near = [each.figure for each in ranked[max(0, at - 1) : at + len(given) + 1]]
    if not given or None in near or len(set(near)) < len(near):
        raise BadRequestError(
            f"it is not clear which result is number {query.first}", action="Ask for more of them."
        )
    return given, None


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


def _as_it_stands(row: TableRow, column: int | None, label: int | None) -> Result:
    cell = row.cells[column] if column is not None else None
    figure = cell.number if cell and cell.kind == "figure" else None
    lacks = cell is not None and cell.kind == "nothing"
    name = row.label if label is None else row.cells[label].text.strip()
    text = cell.text.strip() if cell and figure is None else ""
    return Result(name, figure, (row,), lacking=int(lacks), text=text)


def _share(rows: Sequence[TableRow], addends: Sequence[TableRow], column: int) -> Result:
    """Returns the share of the sum of all rows that the chosen ones have, in percent."""
    part, whole = (
        sum((row.cells[column].number for row in some), Decimal(0)) for some in (rows, addends)
    )
    if not whole:
        raise BadRequestError("the sum of all rows is zero", action="Ask for the rows.")
    share = (part / whole * 100).quantize(Decimal("0.1"))
    how = f"{show_number(part)} \u00f7 {show_number(whole)} \u00d7 100"
    lacking = sum(row.cells[column].kind != "figure" for row in addends)
    return Result("", share, tuple(addends), how, lacking)


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
        order = order or ("largest first" if query.operation == "max" else "smallest first")
        results = [each for each in results if each.figure is not None and is_peer(each.label)]
    if not order:
        return list(results)
    sign = -1 if order == "largest first" else 1
    return sorted(
        results, key=lambda each: (each.figure is None, sign * (each.figure or Decimal(0)))
    )
