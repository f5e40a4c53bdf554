"""Checks a claim against a row of a table: its label, the column of each figure, the scale."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.arithmetic import dated_values
from footnote.ask.check.context import Context
from footnote.ask.check.figures import Figure
from footnote.ask.check.lexicon import DOWN, GENERIC, LIMITS, NEGATIVE, UP
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.periods import nearest_periods
from footnote.ask.check.segments import Row
from footnote.ask.check.verdict import Difference

_PER = re.compile(r"\bper\b|%|\bpercent", re.IGNORECASE)
# "in thousands, except per share data" says nothing of a column; rows of such data have these names
_EXCEPT = re.compile(r"\bexcept\b[^();|]{0,30}\bper[ -]\w+", re.IGNORECASE)
_OF_SHARES = re.compile(rf"{_PER.pattern}|\b(?:basic|diluted)\b", re.IGNORECASE)
# words that a claim may drop: a row "Total revenue" is called revenue
DROPPED = frozenset({"total", "amount"})


def row_differences(claim: Sequence[Part], row: Row, context: Context) -> list[Difference]:
    """Returns all differences between a claim and a row, those that refute first."""
    cells = _cells(row)
    found = [*_labels(claim, row, cells, context), *_figures(claim, row, cells, context)]
    found += [*_directions(claim, cells), *_periods(claim, cells, context)]
    return sorted(dict.fromkeys(found), key=lambda difference: not difference.refutes)


def is_worth(figure: Figure, row: Row) -> bool:
    """Returns whether a cell of the row has this figure."""
    return any(cell.is_worth(figure) for cell in _cells(row))


class CellFigure(NamedTuple):
    """A figure of a row as it stands: its text, its column, what the table multiplies it by.

    `scale`: a power of ten. `currency`: the table's sign, if the figure has none.
    """

    text: str
    column: str
    figure: Figure
    scale: int
    currency: str

    @property
    def full(self) -> Figure:
        """The figure in full: the table's scale and currency count."""
        value = self.figure.value.scaleb(0 if self.figure.scaled else self.scale)
        return self.figure._replace(value=value, unit=self.figure.unit or self.currency)


def label_keys(row: Row) -> frozenset[str]:
    """Returns the keys of the words of a row's label, but for those that a claim may drop."""
    return frozenset(part.key for part in parts_of(row.label)) - DROPPED


def cell_figures(row: Row) -> list[CellFigure]:
    """Returns the figures of a row's cells, in order."""
    return [
        CellFigure(cell.text, cell.label, cell.figure, cell.scale, row.currency)
        for cell in _cells(row)
        if cell.figure
    ]


class _Cell:
    """A cell that has been read: its figure, its words and the keys of its column."""

    def __init__(self, label: str, text: str, scale: int, currency: str) -> None:
        self.text = text
        self.label = label
        self.keys = frozenset(part.key for part in parts_of(label))
        self.periods = frozenset(key for key in self.keys if is_period(key))
        figures = [part.figure for part in parts_of(f": {text}") if part.figure]
        self.figure = figures[0] if figures else None
        self.words = frozenset(part.key for part in parts_of(text) if not part.figure)
        self.scale = scale
        self._currency = currency

    def is_worth(self, wanted: Figure) -> bool:
        """Returns whether the claim's figure is this one, as it is written or in full."""
        if self.figure is None:
            return False
        units = {self.figure.unit, wanted.unit}
        if wanted.unit not in {"", "%", "pp", self.figure.unit, self._currency or wanted.unit}:
            return False
        if len(units - {""}) > 1 or (units == {"", "%"} and "%" not in self.keys):
            return False
        full = self.figure.value.scaleb(self.scale)
        return wanted.value in ({full} if wanted.scaled else {full, self.figure.value})


def _cells(row: Row) -> list[_Cell]:
    """Reads the cells. "In millions" above a table holds for no share, and for nothing "per"."""
    is_share = _OF_SHARES.search(row.label)
    return [
        _Cell(label, text, 0 if is_share or is_per(label) else row.scale, row.currency)
        for label, text in row.cells
    ]


def is_per(column: str) -> bool:
    """Returns whether a column has shares, or amounts per something: no scale holds for it."""
    return bool(_PER.search(_EXCEPT.sub("", column)))


def is_period(key: str) -> bool:
    return key.split(maxsplit=1)[0] in {"year", "quarter", "half", "month", "day", "span"}


def _labels(
    claim: Sequence[Part], row: Row, cells: Sequence[_Cell], context: Context
) -> Iterator[Difference]:
    """Finds words of the row's label that the claim lacks, and words of the claim from nowhere."""
    label = [part for part in parts_of(row.label) if part.kind in {"word", "name", "direction"}]
    said = {part.key for part in claim}
    missing = [p for p in label if p.key not in said and p.key not in DROPPED]
    if missing and len(missing) < len(label) + 1:
        yield Difference("figure", "", row.label, refutes=bool(label))
    known = {part.key for part in label} | context.keys
    known |= {key for cell in cells for key in (*cell.keys, *cell.words)}
    if any(cell.figure and cell.figure.negative for cell in _claimed_cells(claim, cells)):
        known |= NEGATIVE
    for part in claim:
        unknown = part.key not in known and part.word not in GENERIC
        if part.kind in {"word", "name"} and unknown and part.key not in context.before:
            refutes = part.kind == "name" and part.word not in context.text
            yield Difference(
                "name" if part.kind == "name" else "wording", part.written, "", refutes
            )
        elif part.kind == "not":
            yield Difference("negation", part.written)
        elif part.key in LIMITS:
            yield Difference("comparison", part.written, refutes=False)


def _periods(
    claim: Sequence[Part], cells: Sequence[_Cell], context: Context
) -> Iterator[Difference]:
    """Finds periods that no cell, no column and no title has, in a claim without figures."""
    if any(part.figure for part in claim):  # each figure is compared with its own period
        return
    known = context.keys | frozenset(key for cell in cells for key in (*cell.keys, *cell.words))
    for part in claim:
        if part.kind == "period" and part.key not in known:
            yield Difference("period", part.written)


def _claimed_cells(claim: Sequence[Part], cells: Sequence[_Cell]) -> list[_Cell]:
    """Returns the cells that have a figure of the claim."""
    return [c for c in cells if any(p.figure and c.is_worth(p.figure) for p in claim)]


def _figures(
    claim: Sequence[Part], row: Row, cells: Sequence[_Cell], context: Context
) -> Iterator[Difference]:
    said = frozenset(part.key for part in claim) - label_keys(row)
    negative = any(part.key in NEGATIVE for part in claim)
    told = any(cell.periods for cell in cells)
    places = [i for i, part in enumerate(claim) if part.figure]
    is_only = len(places) == 1
    # of "cut from 64 to 58 in 2025" rules cannot tell which figure is that of 2025
    dated = len({tuple(nearest_periods(claim, i)) for i in places}) == len(places)
    for i, part in enumerate(claim):
        if part.figure is None:
            continue
        worth = [cell for cell in cells if cell.is_worth(part.figure)]
        wanted = frozenset(period.key for period in nearest_periods(claim, i))
        fitting = [c for c in worth if _is_of_periods(c, wanted, context, told=told)]
        if not worth:
            other = next((c for c in cells if wanted and wanted <= c.keys), None)
            yield Difference("figure", part.written, other.text if other else "")
        elif not any(_is_meant(c, cells, said) for c in fitting or worth):
            yield Difference("figure", part.written, worth[0].label, refutes=is_only)
        elif not fitting:
            yield Difference("period", part.written, worth[0].text, refutes=dated)
        elif all(c.figure and c.figure.negative for c in fitting) and not (
            part.figure.negative or negative
        ):
            yield Difference("figure", part.written, fitting[0].text)


def _is_meant(cell: _Cell, cells: Sequence[_Cell], said: frozenset[str]) -> bool:
    """Returns whether a claim means this column: it has a word of its label, or of no other's.

    `said`: the keys of the claim without those of the row's label.
    """
    own = cell.keys - cell.periods
    if own & said:
        return True
    return not any((other.keys - other.periods - own) & said for other in cells)


def _is_of_periods(cell: _Cell, wanted: frozenset[str], context: Context, *, told: bool) -> bool:
    """Returns whether the cell is of these periods: its column or a title says so.

    A column without a period fits too where others have one, unless a title has the period.
    """
    outside = {key for key in wanted if key not in cell.keys}
    kinds = {key.split()[0] for key in cell.periods}
    if told and not cell.periods and not context.keys & outside:  # "Change", "Price"
        return True
    # a column says "2025", the title "as of 31 December": each tells a part
    return all(key in context.keys and key.split()[0] not in kinds for key in outside)


def _directions(claim: Sequence[Part], cells: Sequence[_Cell]) -> Iterator[Difference]:
    """Compares a direction with the cells: "rose to 120" beside a column with 100."""
    words = [part for part in claim if part.kind == "direction"]
    if not words:
        return
    values = [part.figure.value for part in claim if part.figure and part.figure.unit != "%"]
    if len(values) == 1:
        values = [*_counterpart(cells, values[0]), values[0]]
    if len(values) != 2:
        yield Difference("direction", words[0].written, refutes=False)
        return
    order = [part.lead for part in claim if part.figure]
    first, last = values if order[:1] != ["to"] or len(order) < 2 else values[::-1]
    first, last = dated_values(claim, [p for p in claim if p.figure and p.figure.unit != "%"]) or (
        first,
        last,
    )
    for word in words:
        if (word.key == UP) != (last > first) or (word.key == DOWN) != (last < first):
            yield Difference("direction", word.written, f"{first:f}, {last:f}")


def _counterpart(cells: Sequence[_Cell], value: Decimal) -> list[Decimal]:
    """Returns the figure of the only other cell that has one; [] if there are more or none."""
    figures = [cell.figure.value for cell in cells if cell.figure]
    other = [one for one in figures if one != value]
    return other if len(figures) == 2 and len(other) == 1 else []
