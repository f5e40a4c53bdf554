"""Tells which rows of a table add up others, by their labels and by arithmetic.

A sum of a column leaves them out: else it would count everything twice.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from footnote.text.language import words

MOST_BACK = 60  # rows above one that it may add up
_SUMS = frozenset({"total", "totals", "subtotal", "subtotals", "sum", "consolidated"})
_SUMS |= {"gesamt", "insgesamt", "summe", "totaal", "totale", "somme", "suma"}
_BALANCES = frozenset({"balance", "balances"})
_REST = frozenset({"eliminations", "unallocated"})


class Addends(NamedTuple):
    """A row for this purpose: its label, and its figures by the number of their column."""

    label: str
    numbers: Mapping[int, Decimal]


class Totals(NamedTuple):
    """The rows that add up others, by number.

    `is_statement`: a row is the difference of two others, or a balance. `doubtful`: the label of a
    row that may be a sum or not: it is called one and adds up nothing, or the other way round.
    """

    rows: frozenset[int]
    is_statement: bool
    doubtful: str


def is_sum(label: str) -> bool:
    """Tells whether a label says that its row or column adds up others."""
    said = words(label)
    return not _SUMS.isdisjoint(said) or said[:1] == ["all"]


def is_peer(label: str) -> bool:
    """Tells whether a row or column can be compared with others: no sum, and no rest of one."""
    return not is_sum(label) and _REST.isdisjoint(words(label))


def find_totals(rows: Sequence[Addends]) -> Totals:
    """Finds the rows that add up the rows above them."""
    totals: set[int] = set()
    doubtful = ""
    for n, row in enumerate(rows):
        adds_up = bool(_count(row)) and _adds_up(n, rows, totals)
        is_wide = adds_up and _count(row) > 1
        if is_sum(row.label) or is_wide:
            totals.add(n)
            is_doubtful = bool(_count(row)) and not adds_up
        else:
            is_doubtful = adds_up or _heads_parts(n, rows)
        doubtful = doubtful or (row.label if is_doubtful else "")
    statement = any(_is_difference(n, rows) for n in range(2, len(rows)))
    statement |= any(not _BALANCES.isdisjoint(words(row.label)) for row in rows)
    return Totals(frozenset(totals), statement, doubtful)


def _count(row: Addends) -> int:
    return sum(1 for number in row.numbers.values() if number)


def _adds_up(n: int, rows: Sequence[Addends], totals: set[int]) -> bool:
    """Tells whether the figures of a row are the sums of a run of rows just above it.

    The run has no totals in it, or it is one of totals alone, as a grand total adds up. A row with
    one figure may be a sum by chance, so its run must go back to the beginning, or to a total.
    """
    above = range(n - 1, max(-1, n - 1 - MOST_BACK), -1)
    until_total = next((k for k, i in enumerate(above) if i in totals), len(above))
    plain = [rows[i] for i in above if i not in totals]
    runs = (plain[:until_total], plain, [rows[i] for i in above if i in totals])
    is_whole = _count(rows[n]) == 1 and not is_sum(rows[n].label)
    return any(_is_sum_of(rows[n], run, whole=is_whole) for run in runs)


def _heads_parts(n: int, rows: Sequence[Addends]) -> bool:
    """Tells whether a row is the sum of the rows below it, as "Europe" is above its countries."""
    below = rows[n + 1 : n + 1 + MOST_BACK]
    return (_count(rows[n]) > 1 or (n == 0 and bool(_count(rows[n])))) and _is_sum_of(
        rows[n], below, whole=_count(rows[n]) == 1
    )


def _is_sum_of(row: Addends, run: Sequence[Addends], *, whole: bool) -> bool:
    """Tells whether two or more rows of a run add up to a row, rounded as its figures are.

    They are the first of the run, or all of it where it must be the whole.
    """
    columns = [n for n, number in row.numbers.items() if number]
    sums = {n: list(accumulate(each.numbers.get(n, Decimal(0)) for each in run)) for n in columns}
    return any(
        all(abs(sums[n][k] - row.numbers[n]) <= _slack(row.numbers[n], k + 1) for n in columns)
        for k in range(len(run) - 1 if whole else 1, len(run))
        if k > 0
    )


def _slack(number: Decimal, count: int) -> Decimal:
    """Returns by how much rounded figures may miss their rounded sum; whole ones do not."""
    exponent = number.as_tuple().exponent
    step = Decimal(1).scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else Decimal(0)
    return step * count / 2


def _is_difference(n: int, rows: Sequence[Addends]) -> bool:
    """Tells whether a row is one of the five above it less another, in two or more columns."""
    row = rows[n].numbers
    columns = [i for i, number in row.items() if number]
    near = [rows[i].numbers for i in range(max(0, n - 5), n)]
    return len(columns) > 1 and any(
        first is not second
        and all(
            i in first and second.get(i) and first[i] - abs(second[i]) == row[i] for i in columns
        )
        for first in near
        for second in near
    )
