"""Tells by rule which query of which table a question means, or that none is clearly meant.

Every word of the question must be accounted for: by a column's label, by a cell that rows are
chosen by, or by what stands above the table. A word that nothing has may be a test that the rules
do not read, so nothing is told.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.check.figures import CURRENCIES, MONTHS
from footnote.ask.check.table_labels import is_sum
from footnote.ask.compute.cells import DASHES, is_time
from footnote.ask.compute.typed_table import Column, TableRow, TypedTable, words_of
from footnote.model import RowTest, SortOrder, TablePlace, TableQuery
from footnote.text.table_questions import TableAsked, stems_in, stems_of
from footnote.text.terms import stem

_IDS = frozenset({"id", "ids", "no", "nr", "number", "code", "name", "names"})
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_NUMBER = frozenset({"no", "nr"})  # "No. of seats"
_TIMES = frozenset(
    map(stem, (*MONTHS, "year", "quarter", "half", "month", "week", "weeks", "ended", "fiscal"))
)
_EACH = frozenset(map(stem, ("by", "per", "each", "every")))
_STOCK = frozenset({"at", "as", "end", "beginning", "start", "balance", "outstanding", "open"})
"""Words of a column that tells how much there is at a time: times of it add up to nothing."""

type Test = tuple[int, RowTest]
"""The number of a column, and the test of its cells."""


class Fit(NamedTuple):
    """A query that a question may mean. `is_sure`: whether the table can be computed with."""

    query: TableQuery
    is_sure: bool


def find_query(asked: TableAsked, table: TypedTable, place: TablePlace, names: str) -> Fit | None:
    """Returns the query of this table that the question may mean, or None.

    `names` are those of the document: a question may say in which file it wants to know something.
    """
    if len(table.addends) < 2:
        return None
    reading = _Reading(asked, table, f"{names} {table.around}")
    tests = reading.tests()
    if tests is None:
        return None
    query = TableQuery(table=place, operation=asked.figure, where=tuple(test for _, test in tests))
    return reading.count(query, tests) if asked.figure == "count" else reading.figure(query, tests)


class _Reading:
    """A question read beside a table."""

    def __init__(self, asked: TableAsked, table: TypedTable, around: str) -> None:
        self._asked = asked
        self._table = table
        self._by = self._group()
        labels = _stems(" ".join(column.label for column in table.columns))
        own_years = _years(labels)
        names = " ".join(c.label for c in table.columns if c.kind in {"words", "days"})
        rows = [_stems(row.label) for row in table.addends]
        known = _stems(f"{around} {names}") | frozenset[str].intersection(*rows)
        # a year above the table does not hold where its columns are of others
        self._around = known - _years(known) if own_years else known
        self._around |= labels & _TIMES | (own_years if len(own_years) == 1 else frozenset())

    def _group(self) -> str:
        """Returns the label of the column that the question groups by, or "".

        "The average fare per trip" is not one for each trip, where each row is a trip.
        """
        for n, column in enumerate(self._table.columns):
            label = stems_in(column.label.replace("_", " "))
            is_by = bool(label) and label == self._asked.by[: len(label)]
            if is_by and (column.kind in {"words", "days"} or self._are_times(n)):
                return "" if self._asked.figure == "mean" and self._is_distinct(n) else column.label
        return ""

    def _order(self) -> SortOrder:
        """Returns the order of groups: times stay as the table has them."""
        labels = [column.label for column in self._table.columns]
        is_time = self._by and self._are_times(labels.index(self._by))
        return "" if is_time or not self._by else "largest first"

    def _are_times(self, n: int) -> bool:
        """Tells whether the cells of a column are years, quarters, months or days."""
        return all(is_time(row.cells[n].text) for row in self._table.addends)

    def _is_distinct(self, n: int, rows: Sequence[TableRow] = ()) -> bool:
        """Tells whether no cell of a column occurs twice."""
        cells = [row.cells[n].text for row in rows or self._table.addends]
        return len(set(cells)) == len(cells)

    def tests(self) -> list[Test] | None:
        """Returns the cells that the question names, each with its column; None if unclear."""
        tests: list[Test] = []
        for n, column in enumerate(self._table.columns):
            if column.kind != "words":
                continue
            values = {row.cells[n].text.strip() for row in self._table.addends}
            named = [value for value in values if self._is_named(value, column)]
            widest = [v for v in named if not any(_is_part(v, other) for other in named)]
            # "delivered" may mean "delivered late" as well, and a blank cell the one above it
            unclear = any(_is_part(value, other) for value in widest for other in values)
            if len(widest) > 1 or (widest and (unclear or "" in values)):
                return None
            tests += [(n, RowTest(column=column.label, value=value)) for value in widest]
        kept = [
            (n, test)
            for n, test in tests
            if not any(_is_part(test.value, t.value) for _, t in tests)
        ]
        keys = [stems_of(test.value) for _, test in kept]
        return None if any(a & b for i, a in enumerate(keys) for b in keys[:i]) else kept

    def _is_named(self, value: str, column: Column) -> bool:
        keys = stems_of(value)
        return bool(keys) and keys <= self._asked.words and not keys <= _stems(column.label)

    def figure(self, query: TableQuery, tests: Sequence[Test]) -> Fit | None:
        """Returns the query for a sum or a mean."""
        rest, rows = self._rest(tests), self._rows(tests)
        columns = range(len(self._table.columns))
        fitting = [n for n in columns if self._fits(n, rest)]
        fitting = [n for n in fitting if not rest - self._label(n) - self._around]
        widest = [n for n in fitting if not any(self._label(n) < self._label(m) for m in fitting)]
        if len(widest) != 1 or len(rows) < 2:
            return None
        [n] = widest
        column = self._table.columns[n]
        query = query.model_copy(
            update={
                "measure": column.label,
                "group_by": self._by,
                "sort": self._order(),
            }
        )
        return Fit(query, self._is_additive(rows) and self._makes_sense(n, rows))

    def _makes_sense(self, n: int, rows: Sequence[TableRow]) -> bool:
        """Tells whether the figures of a column may be added up, or have a mean that is meant."""
        column, asked = self._table.columns[n], self._asked.figure
        label = set(words_of(column.label))
        around = stems_in(f"{self._table.around} {column.label}")
        if column.kind != "figures":
            return False
        if asked == "mean":
            is_average = not {"averag", "mean", "median"}.isdisjoint(around)
            return not is_average and all(row.cells[n].kind == "figure" for row in rows)
        is_total = is_sum(column.label) and not self._asked.names(_plain(column.label))
        has_dash = any(row.cells[n].text.strip() in DASHES for row in rows)
        is_stock = bool(label & _STOCK) and all(is_time(row.cells[0].text) for row in rows)
        return not (column.unit == "%" or is_total or is_stock or (has_dash and self._by))

    def _is_additive(self, rows: Sequence[TableRow]) -> bool:
        """Tells whether the rows are items of one kind, each of which counts once."""
        table = self._table
        return (
            not table.is_statement
            and not table.doubtful_total
            and len({row.group for row in rows}) == 1
        )

    def count(self, query: TableQuery, tests: Sequence[Test]) -> Fit | None:
        """Returns the query for a count of rows that a cell chooses."""
        rest = self._rest(tests) - self._asked.noun
        rows = self._rows(tests)
        if not tests or not rows or rest - self._around or not self._are_counted(rows):
            return None
        update = {"group_by": self._by, "sort": self._order()}
        return Fit(query.model_copy(update=update), self._is_additive(rows))

    def _are_counted(self, rows: Sequence[TableRow]) -> bool:
        """Tells whether what is counted is a row: a column of that name has no cell twice."""
        noun = self._asked.noun
        return not noun or any(
            column.kind == "words"
            and noun in {noun & _naming(column), _stems(column.label)}
            and self._is_distinct(n, rows)
            for n, column in enumerate(self._table.columns)
        )

    def _rows(self, tests: Sequence[Test]) -> list[TableRow]:
        return [
            row
            for row in self._table.addends
            if all(row.cells[n].text.strip() == test.value for n, test in tests)
        ]

    def _rest(self, tests: Sequence[Test]) -> frozenset[str]:
        """Returns the question's words that neither a chosen cell nor the grouping has."""
        taken = frozenset[str]().union(*(stems_in(test.value) for _, test in tests))
        if self._by:
            taken |= _EACH | _stems(self._by)
        elif self._is_per_row():
            taken |= _EACH | {self._asked.by[0]}
        return self._asked.words - taken

    def _is_per_row(self) -> bool:
        """Tells whether "per order" means each row: a column names orders, no cell occurs twice."""
        by = frozenset(self._asked.by[:1])
        return bool(by) and any(
            by <= _naming(column) and self._is_distinct(n)
            for n, column in enumerate(self._table.columns)
        )

    def _fits(self, n: int, rest: frozenset[str]) -> bool:
        """Tells whether the question has all words of a column of figures, and no other year."""
        column = self._table.columns[n]
        if column.kind not in {"figures", "mixed"}:
            return False
        label = _plain(column.label)
        keys = stems_of(label) - _units(column) - _NUMBER
        years = _years(keys)
        is_of_years = not _years(rest) or years <= _years(rest)
        if self._asked.names(label):
            return bool(_stems(label) - years - _TIMES)
        return bool(keys - years - _TIMES) and keys - years <= rest and is_of_years

    def _label(self, n: int) -> frozenset[str]:
        return _stems(self._table.columns[n].label)


def _plain(label: str) -> str:
    """Returns a label without what stands in brackets, such as "(b)" and "(in euros)"."""
    return _IN_BRACKETS.sub("", label.replace("_", " ")).strip()


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems_in(text.replace("_", " ")))


def _is_part(value: str, other: str) -> bool:
    return stems_of(value) < stems_of(other)


def _naming(column: Column) -> frozenset[str]:
    """Returns the stems of what a column names: "order_id" names orders."""
    named = (word for word in words_of(column.label) if word not in _IDS)
    return frozenset(map(stem, named)) if column.kind == "words" else frozenset()


def _units(column: Column) -> frozenset[str]:
    return frozenset(stem(word) for word in words_of(column.label) if word in CURRENCIES)


def _years(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key in keys if len(key) == 4 and key.isdecimal() and key[0] in "12")
