"""Reads the value of a field from a quote, and tells whether a quote states a given value.

Both compare the parts by which sentences are checked. So a figure counts in every form in which it
is written, but only for its own period.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation

from footnote.ask.check.arithmetic import computation
from footnote.ask.check.figures import Figure
from footnote.ask.check.parts import parts_of
from footnote.ask.check.readings import FigureAt, figures_at, subject_keys, years_of
from footnote.ask.check.segments import Unit
from footnote.ask.data.fields import FieldSpec
from footnote.ask.data.formats import find_values, read_format
from footnote.model import Scalar
from footnote.text.quotes import locate

MAX_VALUE = 1_000  # characters of a value
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

type ValueOrReason = tuple[Scalar | None, str]
"""A value, or None with the reason."""


def parse_value(field: FieldSpec, raw: str) -> Scalar | None:
    """Returns a model's text as a value of the field's type, or None if it is no such value."""
    text = " ".join(raw.split())[:MAX_VALUE]
    if field.type == "boolean":
        return True if text.casefold() in _YES else False if text.casefold() in _NO else None
    if field.type == "string" and field.format and not field.is_date:
        return read_format(field.format, text)
    if field.type == "string" and field.options:
        same = (option for option in field.options if str(option).casefold() == text.casefold())
        return next(same, None)
    if field.type == "string":
        return text or None
    try:
        value = as_number(Decimal(text), field)
    except InvalidOperation:
        return None
    return value if not field.options or value in field.options else None


def as_number(value: Decimal, field: FieldSpec) -> int | float | None:
    """Returns a figure as a number of the field's type; None for a fraction in an integer field."""
    if not value.is_finite() or abs(value.adjusted()) > 30:
        return None
    if value == value.to_integral_value():
        return int(value)
    return float(value) if field.type == "number" else None


def read_value(field: FieldSpec, text: str, units: Sequence[Unit]) -> ValueOrReason:
    """Reads the value of a field from sentences or rows, if they have exactly one such value."""
    if field.type == "boolean":
        return _truth(field, units), "it says neither yes nor no"
    if field.options:
        return _only([option for option in field.options if states(field, option, text, units)])
    if field.type == "string":
        return _read_text(field, text, units)
    return _only([number for number in _numbers(field, units) if number is not None])


def _read_text(field: FieldSpec, text: str, units: Sequence[Unit]) -> ValueOrReason:
    if field.format:
        return _only(_formatted(field, text, units))
    if field.pattern:
        return _only([word for word in _words(text) if field.allows(word)])
    if _ASKS_FOR_A_PERSON.search(field.label):
        return _only(_PERSON.findall(text))
    return text[:MAX_VALUE], ""


def states(field: FieldSpec, value: Scalar, text: str, units: Sequence[Unit]) -> bool:
    """Returns whether a quote states a value of a field."""
    match value:
        case bool():
            return _truth(field, units) is value
        case int() | float():
            return value in set(_numbers(field, units, also_raw=True))
        case str() if field.format:
            return value in _formatted(field, text, units)
        case _:
            return stands_in(str(value), text)


def stands_in(value: str, text: str) -> bool:
    """Returns whether a value stands in a text as whole words: not "25 m" in "25 m²"."""
    span = locate(value, text)
    if span is None:
        return False
    before, after = text[: span[0]][-1:], text[span[1] :][:1]
    begins = not (before.isalnum() and text[span[0]].isalnum())
    return begins and not (after.isalnum() and text[span[1] - 1].isalnum())


def computed_from(field: FieldSpec, value: Scalar, units: Iterable[Unit]) -> str:
    """Says by which computation, named in the field's label, a number follows from the figures.

    Returns "" if it follows by none.
    """
    if isinstance(value, bool | str):
        return ""
    quoted = [figure for unit in units for figure in figures_at(unit)]
    unit = "%" if _PERCENT.search(field.label) else ""
    figures = list(dict.fromkeys(each.figure._replace(value=each.full) for each in quoted))
    if not unit:
        figures = [figure._replace(unit="") for figure in figures]
    keys = frozenset(part.key for part in parts_of(field.label))
    name = computation(Figure(abs(Decimal(str(value))), unit), figures, keys)
    return f"{value}: {name} ({', '.join(figure.text for figure in quoted)})" if name else ""


def _formatted(field: FieldSpec, text: str, units: Sequence[Unit]) -> list[str]:
    return find_values(field.format, text, _dates(units))


def _words(text: str) -> list[str]:
    """Returns the words of a text, without the marks around them."""
    return [word.strip(".,;:!?()[]{}|\"'\u201c\u201d\u2018\u2019") for word in text.split()]


def _only(values: Sequence[Scalar]) -> ValueOrReason:
    distinct = list(dict.fromkeys(values))
    if len(distinct) == 1:
        return distinct[0], ""
    return None, f"{len(distinct)} values stand there" if distinct else "no such value stands there"


def _numbers(
    field: FieldSpec, units: Sequence[Unit], *, also_raw: bool = False
) -> Iterator[int | float | None]:
    """Yields the figures of quotes that may be the field's: for its years, and shares for a share.

    With `also_raw`, also yields the figures of a table "in millions" as they stand there.
    """
    label_parts = parts_of(field.label)
    years = years_of(frozenset(part.key for part in label_parts))
    if field.type == "integer" and _IS_YEAR.search(field.label) and not years:
        for unit in units:
            yield from (int(key.removeprefix("year ")) for key in sorted(years_of(unit.keys)))
        return
    is_share = bool(_PERCENT.search(field.label))
    for unit in units:
        figures = [each for each in figures_at(unit) if not years or _is_of(each, years, unit)]
        of_kind = [each for each in figures if (each.unit in {"%", "pp"}) == is_share] or figures
        for figure in _of_column(of_kind, subject_keys(label_parts), unit):
            yield as_number(figure.full, field)
            if also_raw and figure.scale:
                yield as_number(figure.value, field)


def _of_column(
    figures: Sequence[FigureAt], label_keys: frozenset[str], unit: Unit
) -> Sequence[FigureAt]:
    """Returns the figures of a row whose columns share most words with the field's label."""
    if unit.row is None or not figures:
        return figures
    most = max(len(figure.keys & label_keys) for figure in figures)
    return [figure for figure in figures if len(figure.keys & label_keys) == most]


def _is_of(figure: FigureAt, years: frozenset[str], unit: Unit) -> bool:
    """Returns whether a figure is for these years. Without a year, it has its document's."""
    return years == figure.years if figure.years else years <= unit.context.keys | unit.keys


def _dates(units: Sequence[Unit]) -> Iterator[str]:
    """Yields the whole dates of quotes as ISO 8601."""
    for unit in units:
        for part in unit.parts:
            date = dict(key.split(" ", 1) for key in part.date if " " in key)
            if part.kind == "period" and {"year", "month", "day"} <= set(date):
                yield f"{int(date['year']):04}-{int(date['month']):02}-{int(date['day']):02}"


def _truth(field: FieldSpec, units: Sequence[Unit]) -> bool | None:
    """Returns whether a quote affirms or denies what the label says; None if it does neither.

    The first sentence with all words of the label counts: it denies them with an odd number of
    "not".
    """
    label_parts = parts_of(field.label)
    label_keys = subject_keys(label_parts)
    for unit in units:
        if label_keys and label_keys <= subject_keys(unit.parts):
            denied = sum(part.kind == "not" for part in unit.parts) % 2 == 1
            return denied == any(part.kind == "not" for part in label_parts)
    return None
