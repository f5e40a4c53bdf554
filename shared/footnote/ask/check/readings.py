"""Reads the figures of a sentence or a row, each with its period and with what it is a figure of.

Fields, calculations and contradictions compare figures of different places by this.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.figures import Figure
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.periods import nearest_periods
from footnote.ask.check.rows import cell_figures
from footnote.ask.check.segments import Unit

SUBJECT_KINDS = frozenset({"word", "name"})


class FigureAt(NamedTuple):
    """A figure and what it is a figure of.

    `text`: as it stands. `value`: signed, in full where `full`, else as it stands in its table.
    `periods`: keys of its own period, or of the only one around it. `keys`: those of the words and
    names that it stands with: of its row and its column, or of its sentence.
    """

    text: str
    value: Decimal
    unit: str
    scale: int
    periods: frozenset[str]
    keys: frozenset[str]
    figure: Figure

    @property
    def full(self) -> Decimal:
        return self.value.scaleb(self.scale)

    @property
    def years(self) -> frozenset[str]:
        return years_of(self.periods)


def figures_at(unit: Unit) -> list[FigureAt]:
    """Returns the figures of a unit in order."""
    return list(_in_row(unit) if unit.row else _in_sentence(unit.parts))


def years_of(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key in keys if key.startswith("year "))


def years_named(text: str) -> frozenset[str]:
    """Returns the keys of the years that a text names in any form: 2025, FY25, fiscal 2025."""
    return years_of(frozenset(part.key for part in parts_of(text)))


def subject_keys(parts: Sequence[Part]) -> frozenset[str]:
    """Returns the keys of the words and names among parts."""
    return frozenset(part.key for part in parts if part.kind in SUBJECT_KINDS)


def _in_row(unit: Unit) -> Iterator[FigureAt]:
    if unit.row is None:
        return
    label = parts_of(unit.row.label)
    around = frozenset(part.key for part in label if part.kind == "period")
    for cell in cell_figures(unit.row):
        column = parts_of(cell.column)
        own = frozenset(part.key for part in column if part.kind == "period")
        yield FigureAt(
            cell.text,
            _signed(cell.figure),
            cell.figure.unit or cell.currency,
            0 if cell.figure.scaled else cell.scale,
            own or around,
            subject_keys(label) | subject_keys(column),
            cell.figure,
        )


def _in_sentence(parts: Sequence[Part]) -> Iterator[FigureAt]:
    keys = subject_keys(parts)
    for n, part in enumerate(parts):
        if part.figure:
            own = frozenset(period.key for period in nearest_periods(parts, n))
            yield FigureAt(
                part.text, _signed(part.figure), part.figure.unit, 0, own, keys, part.figure
            )


def _signed(figure: Figure) -> Decimal:
    return -figure.value if figure.negative else figure.value
