"""Tells which rows of a table add up others, by their labels and by arithmetic.

A sum of a column leaves them out: else it would count everything twice.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from footnote.ask.check.table_labels import is_sum
from footnote.text.language import words

MOST_BACK = 60  # rows above one that it may add up
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
    runs = [plain]
    if until_total < len(above):
        runs += [plain[:until_total], [rows[i] for i in above if i in totals]]
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
    (first, wanted), *others = [item for item in row.numbers.items() if item[1]]
    slack = _slack(wanted)
    sums = accumulate(each.numbers.get(first, Decimal(0)) for each in run)
    return any(
        abs(total - wanted) <= slack * count
        and count > 1
        and (count == len(run) or not whole)
        and all(_adds_to(number, n, run[:count]) for n, number in others)
        for count, total in enumerate(sums, start=1)
    )


def _adds_to(wanted: Decimal, n: int, rows: Sequence[Addends]) -> bool:
    total = sum((each.numbers.get(n, Decimal(0)) for each in rows), Decimal(0))
    return abs(total - wanted) <= _slack(wanted) * len(rows)


def _slack(number: Decimal) -> Decimal:
    """Returns by how much each rounded addend may be off; whole figures are not rounded."""
    exponent = number.as_tuple().exponent
    is_rounded = isinstance(exponent, int) and exponent < 0
    return Decimal(1).scaleb(int(exponent)) / 2 if is_rounded else Decimal(0)


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
