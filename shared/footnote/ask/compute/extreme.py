"""Tells which row or column of a table has the largest or smallest figure, as a question asks.

It compares the whole table, also rows that the search did not find. It tells nothing where the
question may mean another column, row or figure as well, or where two are equal.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import parts_of
from footnote.ask.check.periods import INTERIM
from footnote.ask.check.readings import FigureAt, figures_at, years_named, years_of
from footnote.ask.check.segments import Unit
from footnote.ask.compute.tables import open_alike
from footnote.ask.compute.totals import is_peer
from footnote.ask.write.checker import Checker
from footnote.ask.write.rests_on_ocr import read_of
from footnote.ask.write.tables import TableAt
from footnote.model import Passage, Sentence
from footnote.text.computations import Extreme, asked_extreme
from footnote.text.instructions import is_instruction
from footnote.text.language import STOPWORDS
from footnote.text.quotes import unmark
from footnote.text.table_questions import asked_of_table

BEFORE = 300  # characters above a table that may say its scale
_OF_A_YEAR = re.compile(r"\byears?\b|\btwelve months\b|\b12 months\b|\bannual", re.IGNORECASE)
# A column "Sales" is meant by "total sales", too.
_DROPPED = frozenset({"total", "amount", "number", "value"})


type Revised = tuple[str, str]
"""The id of a document and its version."""


class Compared(NamedTuple):
    """A row or column that is compared with others: its label, its figure, and the figure's row."""

    label: str
    figure: FigureAt
    row: Unit

    @property
    def value(self) -> Decimal:
        return self.figure.full


def find_extreme(
    question: str, checker: Checker, passages: Mapping[int, Passage], cited: Collection[Revised]
) -> Sentence | None:
    """Returns a sentence with the row or column that is asked for and the next one, or None.

    `passages` are those of the answer. Compared are the tables in them that lie in documents which
    it has `cited`. Where two tables say something else, nothing is told.
    """
    asked, of_rows = asked_extreme(question), asked_of_table(question)
    if asked is None or not _content(asked.measure) or (of_rows and not of_rows.is_plain_extreme):
        return None
    years = years_named(question)
    first: Sentence | None = None
    for at in open_alike(passages.values(), checker.document_of):
        if (at.passage.document_id, at.passage.version) not in cited:
            continue
        span = max(at.table.start - BEFORE, 0), at.table.end
        place = checker.open_place(at.passage, *span)
        units = [u for u in checker.units_at(place, span) if u.start >= at.table.start]
        readings = (_in_column(asked, years, units), _in_row(asked, years, units))
        sentences = (_sentence(asked, each, at, checker) for each in readings if len(each) > 1)
        sentence = next(filter(None, sentences), None)
        if first and sentence and sentence.text != first.text:
            return None
        first = first or sentence
    return first


def _in_column(asked: Extreme, years: frozenset[str], units: Sequence[Unit]) -> list[Compared]:
    """Returns the rows with their figures in the column of what is asked for, or []."""
    measure = _content(asked.measure)
    columns = dict.fromkeys(label for unit in units if unit.row for label, _ in unit.row.cells)
    if years and (table_years := years_named(" ".join(columns))) and not years <= table_years:
        return []
    fitting = [
        column
        for column in columns
        if measure <= _content(column) and (not years or years_named(column) <= years)
    ]
    exact = [column for column in fitting if _content(column) == measure]
    if len(exact or fitting) != 1:
        return []
    [column] = exact or fitting
    rows: list[Compared] = []
    for unit in units:
        label = unit.row.label if unit.row else ""
        figures = _figures_of(unit, column)
        if figures and (not label or len(figures) > 1):
            return []
        if figures and is_peer(label):
            rows.append(Compared(label, figures[0], unit))
    return rows if _are_meant(asked, rows) else []


def _in_row(asked: Extreme, years: frozenset[str], units: Sequence[Unit]) -> list[Compared]:
    """Returns the columns with their figures in the row of what is asked for, or []."""
    rows = _rows_of(_content(asked.measure), years, units)
    if len(rows) != 1:
        return []
    [(group, unit)] = rows
    columns = [
        Compared(label, figure, unit)
        for label, _ in (unit.row.cells if unit.row else ())
        for figure in _figures_of(unit, label)
        if is_peer(label)
    ]
    column_years = frozenset[str]().union(*(years_named(column.label) for column in columns))
    around = years_named(group) or unit.context.keys
    if years and not (column_years <= years if column_years else years <= around):
        return []
    return columns if _are_meant(asked, columns) else []


def _rows_of(
    measure: frozenset[str], years: frozenset[str], units: Sequence[Unit]
) -> list[tuple[str, Unit]]:
    """Returns the rows with this label, each with the nearest line without figures above it.

    If there are several, returns those below a line that says the years.
    """
    rows: list[tuple[str, Unit]] = []
    group = ""
    for unit in units:
        label = unit.row.label if unit.row else unit.text
        if not unit.row or not figures_at(unit):
            group = label
        elif _content(label) == measure:
            rows.append((group, unit))
    if len(rows) > 1:
        return [row for row in rows if years and years_named(row[0]) == years]
    return rows


def _are_meant(asked: Extreme, compared: Sequence[Compared]) -> bool:
    """Tells whether rows or columns are of the kind that is asked for, and all different.

    If a period is asked for, they must differ in the period alone. If that is a year, all must be
    years.
    """
    labels = [each.label for each in compared]
    is_one_unit = len({each.figure.unit for each in compared}) == 1
    if not is_one_unit or len(set(labels)) < len(labels) or any(map(is_instruction, labels)):
        return False
    periods = [_periods(label) for label in labels]
    if not asked.period:
        return not any(periods) or all(map(_content, labels))
    has_own_period = len(set(periods)) == len(periods)
    if not all(periods) or not has_own_period or len(set(map(_content, labels))) != 1:
        return False
    if asked.period == "year":
        years = [years_of(keys) for keys in periods]
        return len(frozenset().union(*years)) == len(years) and not any(map(INTERIM.search, labels))
    are_years = all(years_of(keys) == keys for keys in periods)
    return not are_years and not any(map(_OF_A_YEAR.search, labels))


def _sentence(
    asked: Extreme, compared: Sequence[Compared], at: TableAt, checker: Checker
) -> Sentence | None:
    """Names the extreme and the next one after it, so that a reader sees the distance.

    If OCR has read the table but not these two rows, cites all rows: one misread figure in any of
    them could change which is the extreme.
    """
    # costs shown below zero: the largest is the furthest from zero
    are_costs = all(each.value <= 0 for each in compared)
    ranked = sorted(
        compared,
        key=lambda each: abs(each.value) if are_costs else each.value,
        reverse=asked.wanted == "largest",
    )
    first, second = ranked[:2]
    if first.value == second.value:
        return None
    citations = _cite_rows(at, (first, second), checker)
    if read_of(citations, checker.citations) != at.read_by:
        citations = _cite_rows(at, compared, checker)
    if not citations:
        return None
    extreme, following = _show(first), _show(second)
    name = f"{asked.wanted} of {len(compared)}"
    return Sentence(
        text=f"Computed from these figures ({name}): {extreme}, then {following}.",
        citations=citations,
        checked="confirmed",
        computed=(f"{extreme}: {name}",),
    )


def _cite_rows(at: TableAt, compared: Iterable[Compared], checker: Checker) -> tuple[int, ...]:
    """Cites the rows of a table; () where one of them does not stand in the stored text."""
    places = dict.fromkeys((each.row.start, each.row.end) for each in compared)
    numbers = [checker.cite_place(at.passage, *place) for place in places]
    return tuple(dict.fromkeys(n for cited in numbers for n in cited)) if all(numbers) else ()


def _show(compared: Compared) -> str:
    """Returns label and figure as they stand in the table, the label without a note in brackets."""
    label = compared.label
    if label.endswith(")"):  # "June 30 (in thousands)", "Zone AOA (b)"
        label = label[: label.rfind("(")].rstrip() or label
    return f"{unmark(label)}: {unmark(compared.figure.text)}"


def _figures_of(unit: Unit, column: str) -> list[FigureAt]:
    """Returns the figures of a row in one of its columns."""
    if unit.row is None:
        return []
    cells = tuple(cell for cell in unit.row.cells if cell[0] == column)
    return figures_at(unit._replace(row=unit.row._replace(cells=cells)))


def _content(text: str) -> frozenset[str]:
    """Returns the keys of the words and names of a text, except those that mean nothing here."""
    return frozenset(
        part.key
        for part in parts_of(text)
        if part.kind in {"word", "name"}
        and len(part.text) > 1
        and (word := part.text.casefold()) not in GENERIC
        and word not in STOPWORDS["en"]
        and word not in _DROPPED
    )


def _periods(text: str) -> frozenset[str]:
    return frozenset(part.key for part in parts_of(text) if part.kind == "period")
