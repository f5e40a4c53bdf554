"""Works a ratio out of the rows of financial statements, year by year, and shows how."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.accounting.lines import LINES
from footnote.accounting.ratios import Ratio, Term, before_definition
from footnote.ask.compute.numerals import show_number
from footnote.ask.compute.statement_rows import (
    Opened,
    Statements,
    Value,
    read_value,
    years_in,
)

MOST_YEARS = 6
DAYS = 365
_RANGE = re.compile(
    r"\d\d\s*(?:-|\u2013|to|through|until)\s*(?:FY\s?|fiscal )?'?\d\d", re.IGNORECASE
)
TREND = re.compile(
    r"\b(?:improv|declin|increas|decreas|gr[eo]w|chang|drop|fluctuat|consisten|r[io]se|f[ae]ll"
    r"|shr[aiu]nk)\w*",
    re.IGNORECASE,
)


class Worked(NamedTuple):
    """What a ratio is in a year, how it follows, and from what."""

    year: int
    result: Decimal
    how: str
    values: tuple[Value, ...]


def asked_years(question: str) -> tuple[int, ...]:
    """Returns the years of a question, the latest first, with all those of a range."""
    told = before_definition(question)
    years = years_in(told)
    if len(years) == 2 and _RANGE.search(told):
        years = set(range(min(years), max(years) + 1))
    return tuple(sorted(years, reverse=True))


def by_year(ratio: Ratio, question: str, opened: Statements) -> list[Worked]:
    """Returns what a ratio is in each year that is asked for; [] where one is missing.

    Without a year it is the latest. A trend wants the year before as well, if it is there.
    """
    years = asked_years(question) or _latest(ratio, opened)
    found = [one for year in years[:MOST_YEARS] if (one := _worked(ratio, year, opened))]
    if len(found) < len(years):
        return []
    if len(years) == 1 and TREND.search(question):
        before = _worked(ratio, years[0] - 1, opened)
        found += [before] if before else []
    return found


def _latest(ratio: Ratio, opened: Statements) -> tuple[int, ...]:
    kinds = {LINES[one.line].statement for one in ratio.terms}
    rows = [
        (unit.row, one.ahead)
        for kind in kinds
        for one in opened.get(kind, ())
        for unit in one.rows
        if unit.row
    ]
    years = {
        year - ahead for row, ahead in rows for column, _ in row.cells for year in years_in(column)
    }
    return (max(years),) if years else ()


def _worked(ratio: Ratio, year: int, opened: Statements) -> Worked | None:
    given = _given(ratio, year, opened)
    if given is None:
        return None
    values = [value for some in given.values() for value in some]
    if len({one.scale for one in values}) > 1 or len({one.unit for one in values} - {""}) > 1:
        return None
    over, first = _side(ratio.over, given)
    if not ratio.under:
        return Worked(year, over, first, tuple(values))
    under, second = _side(ratio.under, given)
    if not under:
        return None
    factor = {"%": 100, "days": DAYS}.get(ratio.shown, 1)
    times = f" \u00d7 {factor}" if factor > 1 else ""
    how = f"{_bracket(first)} \u00f7 {_bracket(second)}{times}"
    return Worked(year, over / under * factor, how, tuple(values))


def _given(ratio: Ratio, year: int, opened: Statements) -> Mapping[Term, tuple[Value, ...]] | None:
    """Returns the figures of each term, those of one statement from one table; None: one lacks."""
    found: dict[Term, tuple[Value, ...]] = {}
    for kind in dict.fromkeys(LINES[one.line].statement for one in ratio.terms):
        terms = [one for one in ratio.terms if LINES[one.line].statement == kind]
        tables = ({t: _of_term(t, year, one) for t in terms} for one in opened.get(kind, ()))
        whole = next((table for table in tables if all(table.values())), None)
        if whole is None:
            return None
        found |= whole
    return found


def _of_term(term: Term, year: int, opened: Opened) -> tuple[Value, ...]:
    """Returns the figure of the year, or those of two years of which the mean is taken, or ()."""
    years = (year, year - 1) if term.is_mean or term.is_change else (year,)
    found = tuple(one for each in years if (one := read_value(term.line, each, opened)))
    return found if len(found) == len(years) else ()


def _side(terms: Sequence[Term], given: Mapping[Term, tuple[Value, ...]]) -> tuple[Decimal, str]:
    """Returns the sum of terms, and how it follows."""
    total, told = Decimal(0), ""
    for term in terms:
        values = given[term]
        if term.is_change:
            later, earlier = values
            total += term.sign * (later.number - earlier.number)
            shown = f"({show_number(later.number)} \u2212 {show_number(earlier.number)})"
        else:
            total += term.sign * sum((one.number for one in values), Decimal(0)) / len(values)
            alone = len(terms) == 1 and len(values) > 1
            shown = _show_mean(values) if alone else _show_term(values)
        told += (" + " if term.sign > 0 else " \u2212 ") * bool(told) + shown
    return total, told


def _show_term(values: Sequence[Value]) -> str:
    if len(values) > 1:
        return f"({_show_mean(values)})"
    told = show_number(values[0].number)
    return f"({told})" if values[0].number < 0 else told


def _show_mean(values: Sequence[Value]) -> str:
    return f"({' + '.join(show_number(one.number) for one in values)}) \u00f7 {len(values)}"


def _bracket(told: str) -> str:
    return f"({told})" if " " in told else told
