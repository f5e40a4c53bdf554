"""Gives a figure of accounting that a question names: reads it in a financial statement, or works
it out of several rows.

The rows need not be among the passages: the statements of a document that the answer cites are
opened, and each row that is used is cited. A figure is given only where each of its rows stands
once in a statement of the whole company, under a column that says the year.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import pairwise

from footnote.accounting.glossary import FIGURES, asked_statements
from footnote.accounting.lines import asked_lines
from footnote.accounting.ratios import Ratio, Term, asked_ratios, before_definition
from footnote.ask.check.periods import INTERIM
from footnote.ask.compute.calculation import apply
from footnote.ask.compute.numerals import round_to, show_number, unit_in_words
from footnote.ask.compute.row_contradiction import cite_rows
from footnote.ask.compute.statement_ratios import TREND, Worked, asked_years, by_year
from footnote.ask.compute.statement_rows import (
    MONTH,
    Statements,
    Value,
    by_date,
    open_statements,
)
from footnote.ask.write.citations import Checker
from footnote.errors import NotFoundError
from footnote.model import Passage, Sentence
from footnote.text.computations import asked_computation
from footnote.text.language import words
from footnote.text.names import called_words, names

PLACES = {"%": 1, "times": 2, "days": 1, "amount": 0}
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_YEARLY_GROWTH = re.compile(r"\bCAGR\b|\bcompound(?:ed)? annual growth\b", re.IGNORECASE)
GROWTH = "compound annual growth rate"
# They do not say of which company a report is.
_FORMS = frozenset({"inc", "corp", "corporation", "company", "group", "plc", "ltd", "limited"})
_AVERAGE = re.compile(r"\baverage\b", re.IGNORECASE)


def work_out(
    question: str, said: str, checker: Checker, passages: Iterable[Passage]
) -> Sentence | None:
    """Returns a sentence with the figures that a question names, for each of its years, or None.

    A ratio is worked out. A line of a statement is read, unless the answer (`said`) has its figure.
    `passages` are those of the answer. The documents that it cites are tried in order; where
    nothing is said yet, those that the question names.
    """
    is_growth = bool(_YEARLY_GROWTH.search(question))
    if INTERIM.search(question) or (is_growth and len(asked_years(question)) < 2):
        return None
    ratios = asked_ratios(question) if asked_statements(question) else ()
    for passage in _documents(question, said, checker, passages):
        lines = () if ratios else asked_lines(question, f"{passage.document} {passage.title}")
        if not ratios and not lines:
            continue
        with suppress(NotFoundError):
            opened = _open(passage, question, checker)
            for ratio in ratios:
                found = by_year(ratio, question, opened)
                if found and (made := _sentence(ratio, found, question, checker)):
                    return made
            if made := _change(lines, question, opened, checker):
                return made
            if made := _read_lines(lines, question, said, opened, checker):
                return made
    return None


def _documents(
    question: str, said: str, checker: Checker, passages: Iterable[Passage]
) -> list[Passage]:
    """Returns a passage of each document that is cited, or that the question names."""
    shown: dict[tuple[str, str], Passage] = {}
    for one in passages:
        shown.setdefault((one.document_id, one.version), one)
    if said:
        cited = dict.fromkeys((one.document_id, one.version) for one in checker.citations)
        return [shown[key] for key in cited if key in shown]
    if not asked_years(question):
        return []
    return [one for one in shown.values() if _is_called(question, one, checker)]


def _open(passage: Passage, question: str, checker: Checker) -> Statements:
    """Opens a document's statements; a question that names a month asks by dates."""
    opened = open_statements(passage, checker)
    return by_date(opened) if MONTH.search(question) else opened


def _is_called(question: str, passage: Passage, checker: Checker) -> bool:
    """Tells whether a question names the document of a passage, and nothing that is strange to it.

    What stands together in the question must do so in the document: "Kestrel Foods" is not Kestrel
    Yards, which sells foods.
    """
    called = called_words(question) - FIGURES - _FORMS
    known = names(f"{passage.document} {passage.title}", most=sys.maxsize)
    if not any(word in known for word in called):
        return False
    try:
        text = f" {' '.join(words(checker.document_of(passage).text))} "
    except NotFoundError:
        return False
    runs = pairwise(words(question))
    pairs = [(one, other) for one, other in runs if one in called and other in called]
    return all(f" {word} " in text or word in known for word in called) and all(
        f" {one} {other} " in text or f"{one}{other}" in known for one, other in pairs
    )


# -- telling ---------------------------------------------------------------------------------------


def _change(
    lines: Sequence[str], question: str, opened: Statements, checker: Checker
) -> Sentence | None:
    """Returns a sentence with how a line changed between two years, if that is asked for."""
    is_yearly = bool(_YEARLY_GROWTH.search(question))
    name = GROWTH if is_yearly else asked_computation(question)
    if len(lines) != 1 or name not in {"difference", "change in percent", GROWTH}:
        return None
    found = by_year(Ratio((lines[0],), (Term(lines[0]),), (), "amount"), question, opened)
    if len(found) < 2 or (len(found) > 2 and not is_yearly):
        return None
    later, earlier = found[0], found[-1]
    values = (*later.values, *earlier.values)
    worked = _apart(name, later, earlier)
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


def _apart(name: str, later: Worked, earlier: Worked) -> tuple[str, Decimal] | None:
    """Returns how the change between two years follows, and what it is."""
    if name == "difference":
        return apply("difference", [later.result, earlier.result])
    if name == "change in percent":
        return apply("change in percent", [earlier.result, later.result])
    years = later.year - earlier.year
    if later.result <= 0 or earlier.result <= 0:
        return None  # no rate leads from a loss to a profit
    grown = (later.result / earlier.result) ** (Decimal(1) / years)
    how = f"(({later.how} \u00f7 {earlier.how}) ^ (1 \u00f7 {years}) \u2212 1) \u00d7 100"
    return how, round_to((grown - 1) * 100, PLACES["%"])


def _read_lines(
    lines: Sequence[str], question: str, said: str, opened: Statements, checker: Checker
) -> Sentence | None:
    """Returns a sentence with the figures of lines as they stand, or None where one is missing."""
    values: list[Value] = []
    parts: list[str] = []
    for line in lines:
        found = by_year(Ratio((line,), (Term(line),), (), "amount"), question, opened)
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
    if len(found) == 2 and ratio.shown == "%" and TREND.search(question):
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
