"""Gives a figure of accounting that a question names: reads it in a financial statement, or works
it out of several rows.

The rows need not be among the passages: the statements of a document that the answer cites are
opened, and each row that is used is cited. A figure is given only where each of its rows stands
once in a statement of the whole company, under a column that says the year.
"""

import re
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.periods import INTERIM
from footnote.ask.write.calculation import apply
from footnote.ask.write.citations import Checker
from footnote.ask.write.numerals import round_to, show_number, unit_in_words
from footnote.ask.write.row_contradiction import cite_rows
from footnote.ask.write.statement_rows import (
    Opened,
    Statements,
    Value,
    open_statements,
    read_value,
    years_in,
)
from footnote.errors import NotFoundError
from footnote.model import Passage, Sentence
from footnote.text.computations import asked_computation
from footnote.text.glossary import FIGURES, asked_statements
from footnote.text.names import called_words, names
from footnote.text.ratios import Ratio, Term, asked_ratios, before_definition
from footnote.text.statement_lines import LINES, asked_lines

MOST_YEARS = 6
DAYS = 365
PLACES = {"%": 1, "times": 2, "days": 1, "amount": 0}
_RANGE = re.compile(
    r"\d\d\s*(?:-|\u2013|to|through|until)\s*(?:FY\s?|fiscal )?'?\d\d", re.IGNORECASE
)
_TREND = re.compile(
    r"\b(?:improv|declin|increas|decreas|gr[eo]w|chang|drop|fluctuat|consisten|r[io]se|f[ae]ll"
    r"|shr[aiu]nk)\w*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_AVERAGE = re.compile(r"\baverage\b", re.IGNORECASE)


class Worked(NamedTuple):
    """What a ratio is in a year, how it follows, and from what."""

    year: int
    result: Decimal
    how: str
    values: tuple[Value, ...]


def work_out(
    question: str, said: str, checker: Checker, passages: Iterable[Passage]
) -> Sentence | None:
    """Returns a sentence with the figures that a question names, for each of its years, or None.

    A ratio is worked out. A line of a statement is read, unless the answer (`said`) has its figure.
    `passages` are those of the answer. The documents that it cites are tried in order; where
    nothing is said yet, those that the question names.
    """
    if INTERIM.search(question):
        return None
    ratios = asked_ratios(question) if asked_statements(question) else ()
    shown: dict[tuple[str, str], Passage] = {}
    for one in passages:
        shown.setdefault((one.document_id, one.version), one)
    cited = dict.fromkeys((one.document_id, one.version) for one in checker.citations)
    if not said and asked_years(question):
        called = {word for word in called_words(question) - FIGURES if word.isalpha()}
        of_it = (key for key, one in shown.items() if _is_called(called, one, checker))
        cited = dict.fromkeys(of_it)
    for passage in (shown[key] for key in cited if key in shown):
        lines = () if ratios else asked_lines(question, f"{passage.document} {passage.title}")
        if not ratios and not lines:
            continue
        with suppress(NotFoundError):
            opened = open_statements(passage, checker)
            for ratio in ratios:
                found = _by_year(ratio, question, opened)
                if found and (made := _sentence(ratio, found, question, checker)):
                    return made
            if made := _change(lines, question, opened, checker):
                return made
            if made := _read_lines(lines, question, said, opened, checker):
                return made
    return None


def _is_called(called: Collection[str], passage: Passage, checker: Checker) -> bool:
    """Tells whether words name the document of a passage, and none of them is strange to it."""
    known = names(f"{passage.document} {passage.title}", most=sys.maxsize)
    if not any(word in known for word in called):
        return False
    try:
        text = checker.document_of(passage).text.casefold()
    except NotFoundError:
        return False
    return all(word in text or word in known for word in called)


def asked_years(question: str) -> tuple[int, ...]:
    """Returns the years of a question, the latest first, with all those of a range."""
    told = before_definition(question)
    years = years_in(told)
    if len(years) == 2 and _RANGE.search(told):
        years = set(range(min(years), max(years) + 1))
    return tuple(sorted(years, reverse=True))


# -- working out -----------------------------------------------------------------------------------


def _by_year(ratio: Ratio, question: str, opened: Statements) -> list[Worked]:
    """Returns what a ratio is in each year that is asked for; [] where one is missing.

    Without a year it is the latest. A trend wants the year before as well, if it is there.
    """
    years = asked_years(question) or _latest(ratio, opened)
    found = [one for year in years[:MOST_YEARS] if (one := _worked(ratio, year, opened))]
    if len(found) < len(years):
        return []
    if len(years) == 1 and _TREND.search(question):
        before = _worked(ratio, years[0] - 1, opened)
        found += [before] if before else []
    return found


def _latest(ratio: Ratio, opened: Statements) -> tuple[int, ...]:
    kinds = {LINES[one.line].statement for one in ratio.terms}
    rows = [
        unit.row for kind in kinds for one in opened.get(kind, ()) for unit in one.rows if unit.row
    ]
    years = {year for row in rows for column, _ in row.cells for year in years_in(column)}
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


# -- telling ---------------------------------------------------------------------------------------


def _change(
    lines: Sequence[str], question: str, opened: Statements, checker: Checker
) -> Sentence | None:
    """Returns a sentence with how a line changed between two years, if that is asked for."""
    name = asked_computation(question)
    if len(lines) != 1 or name not in {"difference", "change in percent"}:
        return None
    ratio = Ratio((lines[0],), (Term(lines[0]),), (), "amount")
    found = _by_year(ratio, question, opened)
    if len(found) != 2:
        return None
    later, earlier = found
    values = (*later.values, *earlier.values)
    numbers = [later.result, earlier.result]
    worked = apply(name, numbers if name == "difference" else numbers[::-1])
    citations = _cite(values, checker)
    if worked is None or len({one.scale for one in values}) > 1 or not citations:
        return None
    how, result = worked
    unit = next((one.unit for one in values if one.unit), "")
    told = unit_in_words(unit, values[0].scale) if name == "difference" else " %"
    shown = f"{show_number(result)}{told}"
    years = f"{later.year} and {earlier.year}"
    return Sentence(
        text=f"Computed from these figures ({name}, {lines[0]} of {years}): {how} = {shown}.",
        citations=citations,
        checked="supported",
        computed=(f"{shown}: {name} of {lines[0]}",),
    )


def _read_lines(
    lines: Sequence[str], question: str, said: str, opened: Statements, checker: Checker
) -> Sentence | None:
    """Returns a sentence with the figures of lines as they stand, or None where one is missing."""
    values: list[Value] = []
    parts: list[str] = []
    for line in lines:
        found = _by_year(Ratio((line,), (Term(line),), (), "amount"), question, opened)
        if not found:
            return None
        for one in found:
            [value] = one.values
            values.append(value)
            told = f"{show_number(value.number)}{unit_in_words(value.unit, value.scale)}"
            parts.append(f"{line}, {one.year}: {told}")
    if not parts or all(_is_told(one, said, checker) for one in values):
        return None
    citations = _cite(values, checker)
    if not citations:
        return None
    text = f"From the financial statements: {'; '.join(parts)}."
    return Sentence(text=text, citations=citations, checked="supported")


def _is_told(value: Value, said: str, checker: Checker) -> bool:
    """Tells whether an answer has a figure as it stands, or cites its row and so may round it."""
    known = checker.passage(value.passage)
    return show_number(abs(value.number)) in _NUMBER.findall(said) or any(
        (one.document_id, one.version) == (known.document_id, known.version)
        and one.start < value.row.end
        and value.row.start < one.end
        for one in checker.citations
    )


def _show_term(values: Sequence[Value]) -> str:
    if len(values) > 1:
        return f"({_show_mean(values)})"
    told = show_number(values[0].number)
    return f"({told})" if values[0].number < 0 else told


def _show_mean(values: Sequence[Value]) -> str:
    return f"({' + '.join(show_number(one.number) for one in values)}) \u00f7 {len(values)}"


def _bracket(told: str) -> str:
    return f"({told})" if " " in told else told


def _sentence(
    ratio: Ratio, found: Sequence[Worked], question: str, checker: Checker
) -> Sentence | None:
    citations = _cite((value for one in found for value in one.values), checker)
    if not citations:
        return None
    name, parts, computed = ratio.called[0], [], []
    for one in found:
        shown = _show(one.result, ratio, one.values)
        parts.append(f"{one.year}: {one.how} = {shown}")
        computed.append(f"{shown}: {name}")
    if len(found) == 2 and ratio.shown == "%" and _TREND.search(question):
        apart = _points(found[0].result - found[1].result)
        parts.append(f"change: {apart}")
        computed.append(f"{apart}: change of {name}")
    if len(found) > 1 and _AVERAGE.search(before_definition(question)):
        mean = sum((one.result for one in found), Decimal(0)) / len(found)
        parts.append(f"mean of the {len(found)} years: {_show(mean, ratio, found[0].values)}")
        computed.append(f"{_show(mean, ratio, found[0].values)}: mean of {name}")
    return Sentence(
        text=f"Computed from these figures ({name}): {'; '.join(parts)}.",
        citations=citations,
        checked="supported",
        computed=tuple(computed),
    )


def _points(apart: Decimal) -> str:
    return f"{show_number(round_to(apart, PLACES['%']))} percentage points"


def _show(result: Decimal, ratio: Ratio, values: Sequence[Value]) -> str:
    number = show_number(round_to(result, PLACES[ratio.shown]))
    match ratio.shown:
        case "%":
            return f"{number} %"
        case "days":
            return f"{number} days"
        case "amount":
            unit = next((one.unit for one in values if one.unit), "")
            return f"{number}{unit_in_words(unit, values[0].scale)}"
        case "times":
            return number


def _cite(values: Iterable[Value], checker: Checker) -> tuple[int, ...]:
    """Returns the citations of the rows, each once, or () where one cannot be cited."""
    rows = {(one.passage, one.row.start): (one.passage, one.row) for one in values}
    return cite_rows([*rows.values()], checker)
