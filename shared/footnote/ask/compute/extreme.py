"""Tells which row or column of a table has the largest or smallest figure, as a question asks.

The whole table is compared, also what the search did not find of it. Nothing is told where a second
column, row or figure could be meant as well, or where two are equal.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import parts_of
from footnote.ask.check.periods import INTERIM
from footnote.ask.check.readings import FigureAt, figures_at, years_named, years_of
from footnote.ask.check.segments import Unit
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.quoted_places import pages_of
from footnote.ask.write.rests_on_ocr import read_of
from footnote.errors import NotFoundError
from footnote.model import CELL, HowRead, Passage, Sentence, how_read
from footnote.text.extremes import Extreme, asked_extreme
from footnote.text.instructions import is_instruction
from footnote.text.language import STOPWORDS, words
from footnote.text.quotes import unmark

MOST_TABLES = 20  # of the passages of one answer
BEFORE = 300  # characters above a table that may say its scale
# Rows and columns that are none of those compared.
_SUMS = frozenset({"total", "subtotal", "sum", "consolidated", "eliminations", "unallocated"})
_OF_A_YEAR = re.compile(r"\byears?\b|\btwelve months\b|\b12 months\b|\bannual", re.IGNORECASE)
_DROPPED = frozenset({"total", "amount", "number", "value"})  # a column "Sales" is of "total sales"


class Entry(NamedTuple):
    """One that is compared: what it is called, its figure, and its row."""

    label: str
    figure: FigureAt
    row: Unit

    @property
    def value(self) -> Decimal:
        return self.figure.full


def find_extreme(
    question: str, checker: Checker, passages: Mapping[int, Passage]
) -> Sentence | None:
    """Returns a sentence with the one that is asked for and the next one, or None.

    `passages` are those of the answer; tables of the documents that it cites are compared in order.
    """
    asked = asked_extreme(question)
    if asked is None or not _content(asked.measure):
        return None
    years = years_named(question)
    for number, units, read in _tables(checker, passages):
        for entries in (_in_column(asked, years, units), _in_row(asked, years, units)):
            if len(entries) > 1 and (made := _sentence(asked, entries, number, checker, read)):
                return made
    return None


def _tables(
    checker: Checker, passages: Mapping[int, Passage]
) -> Iterator[tuple[int, Sequence[Unit], HowRead]]:
    """Yields the tables in the passages: the number of a passage of each, its rows, who read it."""
    cited = {(one.document_id, one.version) for one in checker.checked_citations}
    seen: set[tuple[str, int]] = set()
    for passage in list(passages.values()):
        if (passage.document_id, passage.version) not in cited or CELL not in passage.text:
            continue
        try:
            document = checker.document_of(passage)
        except NotFoundError:  # gone by now: the answer does without
            continue
        for table in document.tables:
            key = passage.document_id, table.start
            is_here = table.start < passage.end and passage.start < table.end
            if is_here and key not in seen and len(seen) < MOST_TABLES:
                seen.add(key)
                number = checker.open_place(passage, max(table.start - BEFORE, 0), table.end)
                read = how_read(pages_of(document, table.start, table.end))
                yield number, checker.units_at(number, (table.start, table.end)), read


def _in_column(asked: Extreme, years: frozenset[str], units: Sequence[Unit]) -> list[Entry]:
    """Returns the rows with their figures in the column of what is asked for, or []."""
    wanted = _content(asked.measure)
    columns = dict.fromkeys(label for one in units if one.row for label, _ in one.row.cells)
    if years and (told := years_named(" ".join(columns))) and not years <= told:
        return []
    fitting = [
        one
        for one in columns
        if wanted <= _content(one) and (not years or years_named(one) <= years)
    ]
    exact = [one for one in fitting if _content(one) == wanted]
    if len(exact or fitting) != 1:
        return []
    [column] = exact or fitting
    entries: list[Entry] = []
    for unit in units:
        label = unit.row.label if unit.row else ""
        found = _figures_of(unit, column)
        if found and (not label or len(found) > 1):
            return []
        if found and not _is_sum(label):
            entries.append(Entry(label, found[0], unit))
    return entries if _are_meant(asked, entries) else []


def _in_row(asked: Extreme, years: frozenset[str], units: Sequence[Unit]) -> list[Entry]:
    """Returns the columns with their figures in the row of what is asked for, or []."""
    rows = _rows_of(_content(asked.measure), years, units)
    if len(rows) != 1:
        return []
    [(said, unit)] = rows
    entries = [
        Entry(label, figure, unit)
        for label, _ in (unit.row.cells if unit.row else ())
        for figure in _figures_of(unit, label)
        if not _is_sum(label)
    ]
    told = frozenset[str]().union(*(years_named(one.label) for one in entries))
    around = years_named(said) or unit.context.keys
    if years and not (told <= years if told else years <= around):
        return []
    return entries if _are_meant(asked, entries) else []


def _rows_of(
    wanted: frozenset[str], years: frozenset[str], units: Sequence[Unit]
) -> list[tuple[str, Unit]]:
    """Returns the rows of that label, each with the line without figures above it.

    Of several they are those below a line that says the years.
    """
    found: list[tuple[str, Unit]] = []
    group = ""
    for unit in units:
        label = unit.row.label if unit.row else unit.text
        if not unit.row or not figures_at(unit):
            group = label
        elif _content(label) == wanted:
            found.append((group, unit))
    if len(found) > 1:
        return [one for one in found if years and years_named(one[0]) == years]
    return found


def _are_meant(asked: Extreme, entries: Sequence[Entry]) -> bool:
    """Tells whether entries are of the kind that is asked for, and each another one.

    Where a period is asked for they must differ in nothing else, and be years where it is a year.
    """
    labels = [one.label for one in entries]
    alike = len({one.figure.unit for one in entries}) == 1
    if not alike or len(set(labels)) < len(labels) or any(map(is_instruction, labels)):
        return False
    periods = [_periods(one) for one in labels]
    if not asked.period:
        return not any(periods) or all(_content(one) for one in labels)
    is_apart = len(set(periods)) == len(periods) and len({_content(one) for one in labels}) == 1
    if not all(periods) or not is_apart:  # they differ in more than the period
        return False
    if asked.period == "year":
        years = [years_of(one) for one in periods]
        return len(frozenset().union(*years)) == len(years) and not any(map(INTERIM.search, labels))
    are_years = all(years_of(one) == one for one in periods)
    return not are_years and not any(map(_OF_A_YEAR.search, labels))


def _sentence(
    asked: Extreme, entries: Sequence[Entry], number: int, checker: Checker, read: HowRead
) -> Sentence | None:
    """Tells the first of the entries, and the next one, so that a reader sees what it is before.

    Where OCR has read others of them, all are cited: the first is that only if these are right.
    """
    costs = all(one.value <= 0 for one in entries)  # shown below zero: the largest is furthest away
    ranked = sorted(
        entries,
        key=lambda one: abs(one.value) if costs else one.value,
        reverse=asked.wanted == "largest",
    )
    first, second = ranked[:2]
    if first.value == second.value:
        return None
    places = dict.fromkeys(one.row.start for one in (first, second))
    rows = [next(one.row for one in (first, second) if one.row.start == at) for at in places]
    citations = _cite_rows([(number, one) for one in rows], checker)
    if read_of(citations, checker.citations) != read:
        every = {one.row.start: one.row for one in entries}
        citations = _cite_rows([(number, one) for one in every.values()], checker)
    if not citations:
        return None
    shown, following = (_show(one) for one in (first, second))
    name = f"{asked.wanted} of {len(entries)}"
    return Sentence(
        text=f"Computed from these figures ({name}): {shown}, then {following}.",
        citations=citations,
        checked="confirmed",
        computed=(f"{shown}: {name}",),
    )


def _cite_rows(rows: Sequence[tuple[int, Unit]], checker: Checker) -> tuple[int, ...]:
    """Returns the citations of rows, each of a passage by number.

    It is () where one of them does not stand in the stored text.
    """
    checked = [
        checker.check(Claim(" ".join(unmark(row.text).split()), (number,))) for number, row in rows
    ]
    stored = [one.citations for one in checked if isinstance(one, Sentence)]
    if len(stored) < len(checked):
        return ()
    return tuple(dict.fromkeys(n for numbers in stored for n in numbers))


def _show(one: Entry) -> str:
    """Tells an entry as it stands in the table, whose heading may say a scale for some columns."""
    label = one.label
    if label.endswith(")"):  # "June 30 (in thousands)", "Zone AOA (b)"
        label = label[: label.rfind("(")].rstrip() or label
    return f"{unmark(label)}: {unmark(one.figure.text)}"


def _figures_of(unit: Unit, column: str) -> list[FigureAt]:
    """Returns the figures of a row in one of its columns."""
    if unit.row is None:
        return []
    only = unit.row._replace(cells=tuple(one for one in unit.row.cells if one[0] == column))
    return figures_at(unit._replace(row=only))


def _is_sum(label: str) -> bool:
    return not _SUMS.isdisjoint(words(label))


def _content(text: str) -> frozenset[str]:
    """Returns the keys of the words and names of a text, but for those that say nothing."""
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
