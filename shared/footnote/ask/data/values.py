"""Reads the value of a field from a quote, and tells whether a quote states a given value.

Both use the parts by which sentences are checked. So a figure counts in every form in which it is
written, in its own period only.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

from footnote.ask.check.arithmetic import computation
from footnote.ask.check.figures import Figure
from footnote.ask.check.parts import parts_of
from footnote.ask.check.readings import FigureAt, figures_at, subject_keys, years_of
from footnote.ask.check.segments import Unit
from footnote.ask.data.schema import FieldSpec
from footnote.model import Scalar
from footnote.text.quotes import locate

MAX_VALUE = 1_000  # characters of a text, and of what a model gives for one
_PERSON = re.compile(
    r"\b[A-Z][\w'-]{1,40}+(?: (?:[A-Z]\.|[a-z]{2,3}(?= [A-Z])|[A-Z][\w'-]{1,40}+))+"
)
_ASKS_FOR_A_PERSON = re.compile(
    r"\b(?:who|whom|person|signatory|signed by|author|chair\w*|director|manager|contact|name of the"
    r" (?:ceo|cfo|buyer|seller|owner))\b",
    re.IGNORECASE,
)
_IS_YEAR = re.compile(r"\byears?\b", re.IGNORECASE)
_PERCENT = re.compile(r"%|\bper ?cent\b|\bpercentage\b|\brate\b|\bmargin\b", re.IGNORECASE)
_YES, _NO = {"true", "yes"}, {"false", "no"}

type Found = tuple[Scalar | None, str]
"""A value, or None with the reason."""


def parse_value(field: FieldSpec, told: str) -> Scalar | None:
    """Returns what a model told as a value of the field's type; None if it is none."""
    text = " ".join(told.split())[:MAX_VALUE]
    if field.type == "boolean":
        return True if text.casefold() in _YES else False if text.casefold() in _NO else None
    if field.type == "string":
        known = [one for one in field.options if str(one).casefold() == text.casefold()]
        return known[0] if known else None if field.options or not text else text
    try:
        value = as_number(Decimal(text), field)
    except InvalidOperation:
        return None
    return value if not field.options or value in field.options else None


def as_number(value: Decimal, field: FieldSpec) -> int | float | None:
    """Returns a figure as a number of the field's type; None where it is to be whole and is not."""
    if not value.is_finite() or abs(value.adjusted()) > 30:
        return None
    if value == value.to_integral_value():
        return int(value)
    return float(value) if field.type == "number" else None


def read_value(field: FieldSpec, text: str, units: Sequence[Unit]) -> Found:
    """Reads the value of a field from a sentence or a row; only where there is no choice."""
    if field.type == "boolean":
        return _truth(field, units), "it says neither yes nor no"
    if field.options:
        return _only([one for one in field.options if states(field, one, text, units)])
    if field.type == "string" and not field.is_date:
        if _ASKS_FOR_A_PERSON.search(field.label):
            return _only(_PERSON.findall(text))
        return text[:MAX_VALUE], ""
    if field.is_date:
        return _only(list(_dates(units)))
    return _only([one for one in _numbers(field, units) if one is not None])


def states(field: FieldSpec, value: Scalar, text: str, units: Sequence[Unit]) -> bool:
    """Returns whether a quote states a value of a field."""
    match value:
        case bool():
            return _truth(field, units) is value
        case int() | float():
            return value in set(_numbers(field, units, also_raw=True))
        case str() if field.is_date:
            return value in set(_dates(units))
        case _:
            return stands_in(str(value), text)


def stands_in(value: str, text: str) -> bool:
    """Returns whether a text has another one as whole words."""
    span = locate(value, text)
    if span is None:
        return False
    before, after = text[: span[0]][-1:], text[span[1] :][:1]
    begins = not (before.isalnum() and text[span[0]].isalnum())
    return begins and not (after.isalnum() and text[span[1] - 1].isalnum())


def computed_from(field: FieldSpec, value: Scalar, units: Iterable[Unit]) -> str:
    """Says how a number follows from the figures of quotes, if the field's label names it; ""."""
    if isinstance(value, bool | str):
        return ""
    given = [one for unit in units for one in figures_at(unit)]
    figures = [one.figure._replace(value=one.full) for one in given]
    unit = "%" if _PERCENT.search(field.label) else ""
    wanted = Figure(abs(Decimal(str(value))), unit)
    keys = frozenset(part.key for part in parts_of(field.label))
    distinct = list(dict.fromkeys(figures))
    bare = distinct if unit else [one._replace(unit="") for one in distinct]
    name = computation(wanted, bare, keys)
    return f"{value}: {name} ({', '.join(one.text for one in given)})" if name else ""


def _only(found: Sequence[Scalar]) -> Found:
    distinct = list(dict.fromkeys(found))
    if len(distinct) == 1:
        return distinct[0], ""
    return None, f"{len(distinct)} values stand there" if distinct else "no such value stands there"


def _numbers(
    field: FieldSpec, units: Sequence[Unit], *, also_raw: bool = False
) -> Iterator[int | float | None]:
    """Yields the figures of quotes that may be the field's: of its years, and shares if it is one.

    With `also_raw` a figure of a table "in millions" counts as it stands there too.
    """
    asked = parts_of(field.label)
    years = years_of(frozenset(part.key for part in asked))
    if field.type == "integer" and _IS_YEAR.search(field.label) and not years:
        for unit in units:
            yield from (int(key.removeprefix("year ")) for key in sorted(_years_in(unit)))
        return
    is_share = bool(_PERCENT.search(field.label))
    for unit in units:
        figures = [one for one in figures_at(unit) if not years or _is_of(one, years, unit)]
        exact = [one for one in figures if (one.unit in {"%", "pp"}) == is_share] or figures
        of_column = _of_column(exact, subject_keys(asked), unit)
        for one in of_column:
            yield as_number(one.full, field)
            if also_raw and one.scale:
                yield as_number(one.value, field)


def _of_column(
    figures: Sequence[FigureAt], asked: frozenset[str], unit: Unit
) -> Sequence[FigureAt]:
    """Returns the figures of a row whose columns have most words of the label."""
    if unit.row is None or not figures:
        return figures
    shared = [len(one.keys & asked) for one in figures]
    return [one for one, n in zip(figures, shared, strict=True) if n == max(shared)]


def _is_of(figure: FigureAt, years: frozenset[str], unit: Unit) -> bool:
    """Returns whether a figure is of these years; one without a year has that of its document."""
    return years == figure.years if figure.years else years <= (unit.context.keys | years_in(unit))


def years_in(unit: Unit) -> frozenset[str]:
    return frozenset(_years_in(unit))


def _years_in(unit: Unit) -> set[str]:
    return {part.key for part in unit.parts if part.key.startswith("year ")}


def _dates(units: Sequence[Unit]) -> Iterator[str]:
    """Yields the whole dates of quotes as ISO 8601."""
    for unit in units:
        for part in unit.parts:
            found = dict(key.split(" ", 1) for key in part.date if " " in key)
            if part.kind == "period" and {"year", "month", "day"} <= set(found):
                yield f"{int(found['year']):04}-{int(found['month']):02}-{int(found['day']):02}"


def _truth(field: FieldSpec, units: Sequence[Unit]) -> bool | None:
    """Returns whether a quote affirms or denies what the label says; None if it does neither.

    It must have all words of the label; then "not" decides.
    """
    asked = parts_of(field.label)
    wanted = subject_keys(asked)
    for unit in units:
        if wanted and wanted <= subject_keys(unit.parts):
            denied = sum(part.kind == "not" for part in unit.parts) % 2 == 1
            return denied == any(part.kind == "not" for part in asked)
    return None
