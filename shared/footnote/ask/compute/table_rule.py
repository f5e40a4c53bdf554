"""Tells by rule which query of which table a question means, or that none is clearly meant.

Every word of the question must be accounted for: by a column's label, by a cell that rows are
chosen by, or by what stands above the table. A word that nothing has may be a test that the rules
do not read, so nothing is told.
"""

from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.check.table_labels import is_sum
from footnote.ask.compute.additive import adds_up, has_mean, is_additive, is_cost, is_rate
from footnote.ask.compute.cells import DASHES, is_time
from footnote.ask.compute.column_conditions import Choice
from footnote.ask.compute.label_words import (
    TIMES,
    is_distinct,
    is_form,
    keys_of,
    label_stems,
    naming,
    plain,
    years_in,
)
from footnote.ask.compute.row_choice import choose_rows
from footnote.ask.compute.row_tests import choose
from footnote.ask.compute.typed_table import TableRow, TypedTable
from footnote.errors import BadRequestError
from footnote.model import SortOrder, TableOperation, TablePlace, TableQuery
from footnote.text.table_questions import TableAsked, stems_in
from footnote.text.terms import stem

_ANYTHING = frozenset(
    map(stem, ("item", "items", "thing", "things", "person", "persons", "people", "member"))
)
_EACH = frozenset(map(stem, ("by", "per", "each", "every")))


class Fit(NamedTuple):
    """A query that a question may mean. `is_sure`: whether the table can be computed with."""

    query: TableQuery
    is_sure: bool


def find_query(asked: TableAsked, table: TypedTable, place: TablePlace, names: str) -> Fit | None:
    """Returns the query of this table that the question may mean, or None.

    `names` are those of the document: a question may say in which file it wants to know something.
    """
    choice = choose_rows(asked, table) if len(table.addends) > 1 else None
    if choice is None:
        return None
    where = tuple(test for _, test in choice.tests)
    try:
        rows = choose(where, table)
    except BadRequestError:
        return None
    reading = _Reading(asked, table, f"{names} {table.around}", choice, rows)
    query = TableQuery(table=place, operation="rows", where=where)
    return reading.read(query)


class _Reading:
    """A question read beside a table: `choice` are the tests of its rows, `rows` those chosen."""

    def __init__(
        self,
        asked: TableAsked,
        table: TypedTable,
        around: str,
        choice: Choice,
        rows: Sequence[TableRow],
    ) -> None:
        self._asked = asked
        self._table = table
        self._choice = choice
        self._rows = rows
        self._by = self._group()
        labels = label_stems(" ".join(column.label for column in table.columns))
        own_years = years_in(labels)
        names = " ".join(c.label for c in table.columns if c.kind in {"words", "days"})
        row_labels = [label_stems(row.label) for row in table.addends]
        known = label_stems(f"{around} {names}") | frozenset[str].intersection(*row_labels)
        # a year above the table does not hold where its columns are of others
        self._around = known - years_in(known) if own_years else known
        self._around |= labels & TIMES | (own_years if len(own_years) == 1 else frozenset())

    # -- what is asked for -------------------------------------------------------------------------

    def read(self, query: TableQuery) -> Fit | None:
        if self._asked.ranked and self._asked.figure != "rows":
            return self.extreme(query)
        match self._asked.figure:
            case "count":
                return self.count(query)
            case "rows":
                return self.rows(query)
            case "share":
                return self.share(query)
            case "chart":
                return self.chart(query)
            case _:
                return self.figure(query)

    def figure(self, query: TableQuery) -> Fit | None:
        """Returns the query for a sum or a mean."""
        n = self._measure(self._rest())
        if n is None or len(self._rows) < 2:
            return None
        update = {
            "operation": "mean" if self._asked.figure == "mean" else "sum",
            "measure": self._table.columns[n].label,
            "group_by": self._by,
            "sort": self._order(),
        }
        is_sure = self._is_additive() and self._makes_sense(n)
        return Fit(query.model_copy(update=update), is_sure)

    def count(self, query: TableQuery) -> Fit | None:
        """Returns the query for a count of rows that a cell or a comparison chooses."""
        rest = self._rest() - self._noun()
        if not self._choice.tests or self._left(rest) or not self._are_counted():
            return None
        update = {"operation": "count", "group_by": self._by, "sort": self._order()}
        return Fit(query.model_copy(update=update), self._is_additive())

    def share(self, query: TableQuery) -> Fit | None:
        """Returns the query for the share that the chosen rows have of all."""
        n = self._measure(self._rest())
        if n is None or not self._choice.tests:
            return None
        update = {"operation": "share", "measure": self._table.columns[n].label}
        numbers = [row.cells[n].number for row in self._table.addends]
        is_sure = self._is_additive() and self._adds_up(n) and min(numbers) >= 0
        return Fit(query.model_copy(update=update), is_sure)

    def chart(self, query: TableQuery) -> Fit | None:
        """Returns the query for the sums by group, or else for the figures of the rows."""
        if self._by:
            return self.figure(query)
        n = self._measure(self._rest())
        if n is None:
            return None
        is_sure = self._table.columns[n].kind == "figures" and not self._table.doubtful_total
        return Fit(query.model_copy(update={"measure": self._label(n)}), is_sure)

    def rows(self, query: TableQuery) -> Fit | None:
        """Returns the query for a list of rows that are compared or sorted."""
        item, asked = self._item(), self._asked
        rest = self._rest() - (_EACH if asked.ranked else frozenset())
        rest -= self._naming_item(item, rest)
        n = self._measure(rest) if asked.ranked else None
        if asked.ranked and n is None:
            return None
        if n is None:
            n = next(iter(self._choice.compared), None)
            if not self._choice.tests or self._left(rest):
                return None
        update = {
            "measure": "" if n is None else self._label(n),
            "label": "" if item is None else self._label(item),
            "sort": asked.ranked,
        }
        return Fit(query.model_copy(update=update), not self._table.doubtful_total)

    def extreme(self, query: TableQuery) -> Fit | None:
        """Returns the query for the rows or groups with the largest or smallest figures."""
        asked, item = self._asked, self._item()
        own = label_stems(self._label(item)) if item is not None else frozenset[str]()
        rest = self._rest() - own - _EACH
        n = self._measure(rest)
        is_single = item is None or is_distinct(item, self._rows)
        update: dict[str, object] = {
            "first": asked.first,
            "limit": asked.most,
            "sort": asked.ranked,
            "label": "" if item is None else self._label(item),
        }
        if n is None:
            is_counted = any(
                naming(column) == asked.noun and is_distinct(m, self._rows)
                for m, column in enumerate(self._table.columns)
            )
            is_counted = is_counted and not self._left(rest)
            if is_single or item is None or not is_counted:
                return None
            update |= {"operation": "count", "group_by": self._label(item)}
            return Fit(query.model_copy(update=update), self._is_additive())
        figures = [row.cells[n].number for row in self._rows if row.cells[n].kind == "figure"]
        update["measure"] = self._label(n)
        is_sure = self._table.columns[n].kind == "figures" and not self._table.doubtful_total
        is_sure = is_sure and not self._table.is_statement and len(figures) > 1
        if is_sure and max(figures) <= 0:  # of costs below zero the furthest from it is largest
            if not is_cost(self._label(n)):
                return Fit(query, is_sure=False)
            flipped = {"largest first": "smallest first", "smallest first": "largest first"}
            update["sort"] = flipped[asked.ranked]
        if is_single:
            names = [row.label for row in self._rows]
            is_sure = is_sure and (item is not None or len(set(names)) == len(names))
            update["operation"] = "max" if update["sort"] == "largest first" else "min"
        else:
            update |= {"operation": self._of_group(n), "group_by": self._label(item or 0)}
            is_sure = is_sure and self._is_additive()
        return Fit(query.model_copy(update=update), is_sure)

    # -- which columns are meant -------------------------------------------------------------------

    def _label(self, n: int) -> str:
        return self._table.columns[n].label

    def _measure(self, rest: frozenset[str]) -> int | None:
        """Returns the one column of figures that these words name, with none of them left over."""
        numbers = range(len(self._table.columns))
        fitting = [n for n in numbers if self._fits(n, rest)]
        fitting = [n for n in fitting if not self._left(rest - label_stems(self._label(n)))]
        keys = {n: label_stems(self._label(n)) for n in fitting}
        widest = [n for n in fitting if not any(keys[n] < keys[m] for m in fitting)]
        others = [n for n in widest if n not in self._choice.compared]
        return (others or widest)[0] if len(others or widest) == 1 else None

    def _fits(self, n: int, rest: frozenset[str]) -> bool:
        """Tells whether the question has all words of a column of figures, and no other year."""
        column = self._table.columns[n]
        if column.kind not in {"figures", "mixed"}:
            return False
        label = plain(column.label)
        keys = keys_of(column)
        years = years_in(keys)
        is_of_years = not years_in(rest) or years <= years_in(rest)
        if keys == years:  # "2025" below "Sales by depot": what stands above must say the rest
            return bool(years) and years <= rest
        if self._asked.names(label):
            return bool(label_stems(label) - years - TIMES)
        within = rest | frozenset(self._asked.text) if keys == label_stems(label) else rest
        return bool(keys - years - TIMES) and keys - years <= within and is_of_years

    def _item(self) -> int | None:
        """Returns the column that names what is listed or compared: "which customers"."""
        item = self._asked.item
        for size in range(len(item), 0, -1):
            own = frozenset(item[:size])
            fitting = [
                n
                for n, column in enumerate(self._table.columns)
                if column.kind in {"words", "days"}
                and _is_named(
                    own, (naming(column), label_stems(plain(column.leaf or column.label)))
                )
            ]
            if len(fitting) == 1:
                return fitting[0]
        return None

    def _naming_item(self, item: int | None, rest: frozenset[str]) -> frozenset[str]:
        """Returns the words that say what is listed."""
        keys = label_stems(self._label(item)) if item is not None else frozenset[str]()
        return frozenset(word for word in rest if is_form(word, keys))

    def _group(self) -> str:
        """Returns the label of the column that the question groups by, or "".

        "The average fare per trip" is not one for each trip, where each row is a trip.
        """
        for n, column in enumerate(self._table.columns):
            label = stems_in(column.label.replace("_", " "))
            is_by = bool(label) and label == self._asked.by[: len(label)]
            if is_by and (column.kind in {"words", "days"} or self._are_times(n)):
                is_each = is_distinct(n, self._table.addends)
                return "" if self._asked.figure == "mean" and is_each else column.label
        return ""

    def _order(self) -> SortOrder:
        """Returns the order of groups: times stay as the table has them."""
        labels = [column.label for column in self._table.columns]
        is_time = self._by and self._are_times(labels.index(self._by))
        return "" if is_time or not self._by else "largest first"

    def _are_times(self, n: int) -> bool:
        """Tells whether the cells of a column are years, quarters, months or days."""
        return all(is_time(row.cells[n].text) for row in self._table.addends)

    # -- which words are accounted for -------------------------------------------------------------

    def _rest(self) -> frozenset[str]:
        """Returns the question's words that neither a chosen cell nor the grouping has."""
        taken = self._choice.cells
        if self._by:
            taken |= _EACH | label_stems(self._by)
        elif self._is_per_row():
            taken |= _EACH | {self._asked.by[0]}
        elif self._is_by_cell():
            taken |= _EACH
        if self._asked.figure == "rows":
            taken |= _ANYTHING
        return self._asked.words - taken

    def _left(self, rest: frozenset[str]) -> frozenset[str]:
        """Returns the words that nothing accounts for."""
        unsaid = rest - self._around - self._choice.labels
        return frozenset(word for word in unsaid if not is_form(word, self._choice.labels))

    def _is_per_row(self) -> bool:
        """Tells whether "per order" means each row: a column names orders, no cell occurs twice."""
        by = frozenset(self._asked.by[:1])
        return bool(by) and any(
            by <= naming(column) and is_distinct(n, self._table.addends)
            for n, column in enumerate(self._table.columns)
        )

    def _is_by_cell(self) -> bool:
        """Tells whether "by" leads to a cell that is named: "reports by Ann"."""
        cells = (stems_in(test.value) for _, test in self._choice.tests if test.value)
        return any(cell and self._asked.by[: len(cell)] == cell for cell in cells)

    def _noun(self) -> frozenset[str]:
        """Returns what is counted: "members joined after 2020" are members."""
        return self._asked.noun - self._choice.labels

    def _are_counted(self) -> bool:
        """Tells whether what is counted is a row: a column of that name has no cell twice."""
        noun = self._noun()
        return not noun or any(
            column.kind == "words"
            and noun in {noun & naming(column), label_stems(column.label)}
            and is_distinct(n, self._rows)
            for n, column in enumerate(self._table.columns)
        )

    def _is_additive(self) -> bool:
        return is_additive(self._table, self._rows)

    def _adds_up(self, n: int) -> bool:
        """Tells whether the figures of a column add up to something that is meant."""
        column = self._table.columns[n]
        is_total = is_sum(column.label) and not self._asked.names(plain(column.label))
        return not is_total and adds_up(n, self._table, self._rows)

    def _makes_sense(self, n: int) -> bool:
        """Tells whether the figures of a column may be added up, or have a mean that is meant."""
        if self._asked.figure == "mean":
            return has_mean(n, self._table, self._rows)
        has_dash = any(row.cells[n].text.strip() in DASHES for row in self._rows)
        return self._adds_up(n) and not (has_dash and self._by)

    def _of_group(self, n: int) -> TableOperation:
        """Returns what is compared of groups: the sum, where the figures add up."""
        if self._asked.figure == "mean":
            return "mean"
        if not is_rate(self._label(n)) and self._adds_up(n):
            return "sum"
        return "max" if self._asked.ranked == "largest first" else "min"


def _is_named(own: frozenset[str], names: Sequence[frozenset[str]]) -> bool:
    """Tells whether words are one of these names, by their roots: "Maschinen" name a "Maschine"."""
    return any(len(own) == len(name) and all(is_form(word, name) for word in own) for name in names)
