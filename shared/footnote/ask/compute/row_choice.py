"""Tells which rows of a table a question chooses: by cells that it names, and by comparisons.

"Orders from Norway above 10 units that are not delivered" names two cells, one of them to leave
out, and compares a column.
"""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from footnote.ask.compute.cells import read_cell
from footnote.ask.compute.column_conditions import FILLERS, Choice, Test, having_of, lacking_of
from footnote.ask.compute.label_words import is_form, keys_of, label_stems, unit_stems
from footnote.ask.compute.typed_table import Column, TypedTable
from footnote.model import RowTest
from footnote.text.comparisons import NUMBERS, Comparison, days_of
from footnote.text.table_questions import EMPTY_STEMS, TableAsked, stems_in, stems_of
from footnote.text.terms import stem

NEAR = 3  # words between a comparison and the label of what is compared
_PRICES = frozenset(map(stem, ("cost", "costs", "price", "priced", "kosten", "kostet", "preis")))


def choose_rows(asked: TableAsked, table: TypedTable) -> Choice | None:
    """Returns the tests that a question makes of rows; None where that is not clear."""
    left_out = _left_out(asked, table)
    named = None if left_out is None else _named(asked, table, left_out.tests)
    compared = _compared(asked, table)
    if left_out is None or named is None or compared is None:
        return None
    tests = (*named, *left_out.tests, *compared.tests)
    having = having_of(asked, table, {n for n, _ in tests})
    cells = frozenset[str]().union(*(stems_in(test.value) for _, test in (*named, *left_out.tests)))
    labels = compared.labels | left_out.labels | having.labels
    labels = labels.union(*(label_stems(test.column) for _, test in named))
    return compared._replace(tests=(*tests, *having.tests), cells=cells, labels=labels)


# -- cells that are named --------------------------------------------------------------------------


def _named(asked: TableAsked, table: TypedTable, without: Sequence[Test]) -> list[Test] | None:
    """Returns the cells that the question names, each with its column; None if unclear."""
    words = asked.words - frozenset[str]().union(*(stems_of(t.value) for _, t in without))
    tests: list[Test] = []
    for n, column in enumerate(table.columns):
        if column.kind in {"figures", "mixed"} and (numbered := _numbered(asked, n, table)):
            tests.append((n, numbered))
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
    if _share_words(kept):  # a name stands in two columns: "owned by" says in which
        said = frozenset(asked.text)
        kept = [(n, t) for n, t in kept if _is_said(table.columns[n], said - stems_of(t.value))]
    return None if _share_words(kept) else kept


def _share_words(tests: Sequence[Test]) -> bool:
    keys = [stems_of(test.value) for _, test in tests]
    return any(a & b for i, a in enumerate(keys) for b in keys[:i])


def _is_said(column: Column, words: frozenset[str]) -> bool:
    return any(is_form(key, words) for key in keys_of(column))


def _is_named(value: str, column: Column, words: frozenset[str]) -> bool:
    keys = stems_of(value)
    return bool(keys) and keys <= words and not keys <= label_stems(column.label)


def _numbered(asked: TableAsked, n: int, table: TypedTable) -> RowTest | None:
    """Returns the test for the number behind the label of a column: "rooms on floor 2"."""
    keys = keys_of(table.columns[n])
    said = zip(asked.text, asked.text[1:], strict=False)
    values = {row.cells[n].text.strip() for row in table.addends}
    named = [after for before, after in said if {before} == keys and after in values]
    return RowTest(column=table.columns[n].label, value=named[0]) if len(named) == 1 else None


def _is_part(value: str, other: str) -> bool:
    return stems_of(value) < stems_of(other)


def _left_out(asked: TableAsked, table: TypedTable) -> Choice | None:
    """Returns what is left out: the widest cell behind each "not", or else what a column has.

    "Not delivered" is a cell, "no defects" none of what the column "Defects" has. It is None if
    that is unclear.
    """
    choice = Choice()
    for after in asked.excluded:
        fitting = [
            (len(stems), n, column.label, value)
            for n, column in enumerate(table.columns)
            if column.kind == "words"
            for value in dict.fromkeys(row.cells[n].text.strip() for row in table.addends)
            if (stems := stems_in(value)) and _stands_behind(stems, after)
        ]
        widest = [each for each in fitting if each[0] == max(fitting)[0]]
        if not widest:
            lacking = lacking_of(after, table)
            if lacking is None:
                return None
            tests, labels = (*choice.tests, *lacking.tests), choice.labels | lacking.labels
            choice = Choice(tests, labels=labels)
            continue
        if len(widest) > 1:
            return None
        _, n, label, value = widest[0]
        test = RowTest(column=label, test="is not", value=value)
        choice = choice._replace(tests=(*choice.tests, (n, test)))
    return choice


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
            labels=choice.labels | _named_by(column) | unit_stems(column) | own,
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


def _named_by(column: Column) -> frozenset[str]:
    labels = label_stems(column.label)
    return labels | (_PRICES if not labels.isdisjoint(_PRICES) else frozenset())


def _is_near(keys: frozenset[str], comparison: Comparison) -> bool:
    size = len(keys) + NEAR
    sides = (comparison.before[-size:], comparison.after[: len(keys) + 1])
    return bool(keys) and any(_are_said(keys, side) for side in sides)


def _are_said(keys: Collection[str], said: Collection[str]) -> bool:
    """Tells whether words name a column: "inspected" names an inspection, "cost" a price."""
    if not _PRICES.isdisjoint(said) and not _PRICES.isdisjoint(keys):
        return True  # also of a "price per night"
    return all(is_form(key, said) for key in keys)


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
