"""Tells whether figures of a table may be added up, or have a mean that means something."""

from collections.abc import Sequence

from footnote.ask.check.rows import is_per
from footnote.ask.compute.cells import is_time
from footnote.ask.compute.label_words import label_stems
from footnote.ask.compute.typed_table import TableRow, TypedTable, words_of
from footnote.text.table_questions import stems_in
from footnote.text.terms import stem

_STOCK = frozenset({"at", "as", "end", "beginning", "start", "balance", "outstanding", "open"})
"""Words of a column that tells how much there is at a time: times of it add up to nothing."""
_RATES = frozenset({"price", "wage", "rate", "fare", "margin", "ratio", "age", "average", "mean"})
_COSTS = frozenset(map(stem, ("cost", "expense", "depreciation", "impairment", "loss", "charge")))


def is_additive(table: TypedTable, rows: Sequence[TableRow]) -> bool:
    """Tells whether rows are items of one kind, each of which counts once."""
    is_clear = not table.is_statement and not table.doubtful_total
    return is_clear and len({row.group for row in rows}) == 1


def adds_up(n: int, table: TypedTable, rows: Sequence[TableRow]) -> bool:
    """Tells whether a column has amounts: no shares, and not how much there is at times."""
    column = table.columns[n]
    is_stock = not _STOCK.isdisjoint(words_of(column.label))
    is_over_time = is_stock and all(is_time(row.cells[0].text) for row in rows)
    return column.kind == "figures" and column.unit != "%" and not is_over_time


def has_mean(n: int, table: TypedTable, rows: Sequence[TableRow]) -> bool:
    """Tells whether all rows have a figure that is itself no mean."""
    column = table.columns[n]
    around = stems_in(f"{table.around} {column.label}")
    is_average = not {"averag", "mean", "median"}.isdisjoint(around)
    is_whole = all(row.cells[n].kind == "figure" for row in rows)
    return column.kind == "figures" and not is_average and is_whole


def is_rate(label: str) -> bool:
    """Tells whether a column has prices or rates: nobody means the sum of those of a group."""
    return is_per(label) or not _RATES.isdisjoint(words_of(label))


def is_cost(label: str) -> bool:
    """Tells whether a column has costs, of which the largest may be the furthest below zero."""
    return not _COSTS.isdisjoint(label_stems(label))
