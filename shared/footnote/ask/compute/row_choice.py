"""Tells which rows of a table a question chooses: by cells that it names, and by comparisons.

"Orders from Norway above 10 units that are not delivered" names two cells, one of them to leave
out, and compares a column.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.compute.cells import read_cell
from footnote.ask.compute.label_words import keys_of, label_stems, unit_stems
from footnote.ask.compute.typed_table import Column, TypedTable
from footnote.model import RowTest
from footnote.text.comparisons import NUMBERS, Comparison, days_of
from footnote.text.table_questions import EMPTY_STEMS, TableAsked, stems_in, stems_of

NEAR = 3  # words between a comparison and the label of what is compared
FILLERS = 2  # words between "not" and the cell that is left out

type Test = tuple[int, RowTest]
"""The number of a column, and the test of its cells."""


class Choice(NamedTuple):
    """The tests of rows. `cells`: the stems of the cells that are named or left out.

    `labels`: the stems of compared columns and of their units and times. `compared`: the numbers of
    these columns.
    """

    tests: tuple[Test, ...] = ()
    cells: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    compared: tuple[int, ...] = ()


def choose_rows(asked: TableAsked, table: TypedTable) -> Choice | None:
    """Returns the tests that a question makes of rows; None where that is not clear."""
    without = _left_out(asked, table)
    named = None if without is None else _named(asked, table, without)
    compared = _compared(asked, table)
    if without is None or named is None or compared is None:
        return None
    tests = (*named, *without, *compared.tests)
    cells = frozenset[str]().union(*(stems_in(test.value) for _, test in (*named, *without)))
    return compared._replace(tests=tests, cells=cells)


# -- cells that are named --------------------------------------------------------------------------


def _named(asked: TableAsked, table: TypedTable, without: Sequence[Test]) -> list[Test] | None:
    """Returns the cells that the question names, each with its column; None if unclear."""
    words = asked.words - frozenset[str]().union(*(stems_of(t.value) for _, t in without))
    tests: list[Test] = []
    for n, column in enumerate(table.columns):
        if column.kind != "words":
            continue
        values = {row.cells[n].text.strip() for row in table.addends}
        named = [value for value in values if _is_named(value, column, words)]
        widest = [v for v in named if not any(_is_part(v, other) for other in named)]
        # "delivered" may mean "delivered late" as well, and a blank cell the one above it
        unclear = any(_is_part(value, other) for value in widest for other in values)
        if len(widest) > 1 or (widest and (unclear or "" in values)):
            return None
        tests += [(n, RowTest(column=column.label, value=value)) for value in widest]
    kept = [
        (n, test) for n, test in tests if not any(_is_part(test.value, t.value) for _, t in tests)
    ]
    keys = [stems_of(test.value) for _, test in kept]
    return None if any(a & b for i, a in enumerate(keys) for b in keys[:i]) else kept


def _is_named(value: str, column: Column, words: frozenset[str]) -> bool:
    keys = stems_of(value)
    return bool(keys) and keys <= words and not keys <= label_stems(column.label)


def _is_part(value: str, other: str) -> bool:
    return stems_of(value) < stems_of(other)


def _left_out(asked: TableAsked, table: TypedTable) -> list[Test] | None:
    """Returns the cells that are left out, each the widest behind its "not"; None if unclear."""
    tests: list[Test] = []
    for after in asked.excluded:
        fitting = [
            (len(stems), n, column.label, value)
            for n, column in enumerate(table.columns)
            if column.kind == "words"
            for value in dict.fromkeys(row.cells[n].text.strip() for row in table.addends)
            if (stems := stems_in(value)) and _stands_behind(stems, after)
        ]
        widest = [each for each in fitting if each[0] == max(fitting)[0]]
        if len(widest) != 1:
            return None
        _, n, label, value = widest[0]
        tests.append((n, RowTest(column=label, test="is not", value=value)))
    return tests


def _stands_behind(stems: tuple[str, ...], after: tuple[str, ...]) -> bool:
    """Tells whether words follow a "not", but for a few that mean nothing."""
    for skipped in range(FILLERS + 1):
        if after[skipped : skipped + len(stems)] == stems:
            return all(word in EMPTY_STEMS for word in after[:skipped])
    return False


# -- comparisons -----------------------------------------------------------------------------------


def _compared(asked: TableAsked, table: TypedTable) -> Choice | None:
    choice = Choice()
    for comparison in asked.comparisons:
        readings = list(_readings(comparison, table, asked.words))
        if not readings and comparison.is_period:
            continue  # a label or the title may have it: else a word is left over
        if len(readings) != 1:
            return None
        [(n, tests)] = readings
        column = table.columns[n]
        own = frozenset(comparison.own) if comparison.is_period else frozenset[str]()
        choice = Choice(
            (*choice.tests, *((n, test) for test in tests)),
            labels=choice.labels | label_stems(column.label) | unit_stems(column) | own,
            compared=(*choice.compared, n),
        )
    return choice


def _readings(
    comparison: Comparison, table: TypedTable, words: frozenset[str]
) -> Iterator[tuple[int, list[RowTest]]]:
    """Yields the columns that a comparison may be of, with its tests: the nearest by their label.

    Where no label stands near, it is the only column whose label the question has, or the only one
    of days.
    """
    fitting = [
        (n, tests)
        for n in range(len(table.columns))
        if (tests := _tests(comparison, n, table)) is not None
    ]
    columns = table.columns
    near = [each for each in fitting if _is_near(keys_of(columns[each[0]]), comparison)]
    widest = [
        each
        for each in near
        if not any(keys_of(columns[each[0]]) < keys_of(columns[n]) for n, _ in near)
    ]
    labelled = [each for each in fitting if (k := keys_of(columns[each[0]])) and k <= words]
    days = [each for each in fitting if columns[each[0]].kind == "days"]
    yield from widest or labelled or (days if len(days) == len(fitting) else ())


def _is_near(keys: frozenset[str], comparison: Comparison) -> bool:
    size = len(keys) + NEAR
    ahead = frozenset(comparison.after[: len(keys) + 1])
    return bool(keys) and (keys <= frozenset(comparison.before[-size:]) or keys <= ahead)


def _tests(comparison: Comparison, n: int, table: TypedTable) -> list[RowTest] | None:
    """Returns the tests of a column's cells, or None where they are not of this kind."""
    column = table.columns[n]
    if column.kind == "days":
        return _day_tests(comparison, n, table)
    if column.kind != "figures" or comparison.is_period:
        return None
    bounds = [(bound, _amount(value, column, table)) for bound, value in comparison.limits]
    return (
        [
            RowTest(column=column.label, test=bound, value=f"{value:f}")
            for bound, value in bounds
            if value is not None
        ]
        if all(value is not None for _, value in bounds)
        else None
    )


def _amount(text: str, column: Column, table: TypedTable) -> Decimal | None:
    """Returns a value in the scale of a column; None where unit or scale may be another."""
    number = NUMBERS.get(text.casefold())
    cell = read_cell(text if number is None else str(number))
    if cell.kind != "figure":
        return None
    if cell.unit and cell.unit != column.unit and (column.unit or cell.unit == "%"):
        return None
    is_scaled = any(map(str.isalpha, text.replace("percent", ""))) and number is None
    if not is_scaled:  # "70" of a column of thousands is what stands there
        return cell.number
    is_in_full = cell.number == read_cell(text.split(maxsplit=1)[0]).number
    if table.unit_words and not column.scale:
        return None
    return None if is_in_full and column.scale else cell.number.scaleb(-column.scale)


def _day_tests(comparison: Comparison, n: int, table: TypedTable) -> list[RowTest] | None:
    cells = [row.cells[n].day for row in table.addends]
    years = {day.year for day in cells if day}
    own = [span[1].year for _, v in comparison.limits if (span := days_of(v))]
    year = own[0] if own else next(iter(years)) if len(years) == 1 else 0
    spans = [(bound, days_of(value, year)) for bound, value in comparison.limits]
    tests: list[RowTest] = []
    for bound, span in spans:
        if span is None:
            return None
        day = span[0] if bound in {"below", "at least"} else span[1]
        tests.append(RowTest(column=table.columns[n].label, test=bound, value=day.isoformat()))
    return tests
