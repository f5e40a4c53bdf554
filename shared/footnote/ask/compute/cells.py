"""Reads the cells of a table's columns as what they are: figures, days, words or nothing."""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from typing import Literal, NamedTuple

from footnote.ask.check.figures import FIGURE, PERIOD, figure_in, periods_in
from footnote.ask.check.parts import DECIMAL_COMMA, parts_of

type CellKind = Literal["figure", "day", "words", "nothing"]

DASHES = frozenset({"-", "\u2013", "\u2014", "\u2212"})
_NOTHING = DASHES | {"", "..", "...", "n/a", "na", "n.a.", "nil"}
_NONE = frozenset({"no", "none", "false", "zero", "nein", "keine", "kein", "keiner", "keins"})
_NOTE = re.compile(
    r"(?<!\s)\s*+(?:\([a-z]\)|\[[a-z\d]\]"
    r"|(?<![*\u2020\u2021\u00b9\u00b2\u00b3])[*\u2020\u2021\u00b9\u00b2\u00b3]++)\Z",
    re.IGNORECASE,
)
_UNIT = re.compile(r"[^\W\d_]{1,12}(?:/[^\W\d_]{1,8})?|\u00b0[CF]")
_LONE_SCALE = re.compile(r"(?<=[\d.,])[ -]?(?:[kmb]|mm)\Z", re.IGNORECASE)
_DOTTED_DAY = re.compile(r"(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>(?:19|20)\d\d)")
_TIME = re.compile(r"[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?\Z")
_LEADING_ZERO = re.compile(r"0\d+")
_SURELY_COMMA = re.compile(
    r"\d{1,3}(?:\.\d{3})+,\d+|\d+,(?:\d{1,2}|\d{4,})|0,\d+|\d{1,3}(?:\.\d{3}){2,}"
)
_SURELY_POINT = re.compile(
    r"\d{1,3}(?:,\d{3})+\.\d+|\d+\.(?:\d{1,2}|\d{4,})|0\.\d+|\d{1,3}(?:,\d{3}){2,}"
)
_DIGITS = re.compile(r"\d[\d.,]*\d")


class Cell(NamedTuple):
    """A cell: its text as it stands, and its figure with the unit that stands with it, or its day.

    `number` is signed, and in full where the cell names a scale ("4.2 million").
    """

    text: str
    kind: CellKind
    number: Decimal = Decimal(0)
    unit: str = ""
    day: date | None = None


def read_cell(text: str, *, comma: bool = False) -> Cell:
    """Reads a cell on its own. `comma`: its column writes 1.234,5."""
    bare = _NOTE.sub("", text.strip())
    if bare.casefold() in _NOTHING:
        return Cell(text, "nothing")
    if not any(map(str.isdigit, bare)):
        return Cell(text, "words")
    if day := read_day(bare):
        return Cell(text, "day", day=day)
    return _read_figure(text, bare, comma=comma) or Cell(text, "words")


def read_day(text: str) -> date | None:
    """Returns the day that a text is, in any form whose order of day and month is sure."""
    bare = _TIME.sub("", text.strip())
    if dotted := _DOTTED_DAY.fullmatch(bare):
        return _day(*(int(dotted[part]) for part in ("year", "month", "day")))
    match = PERIOD.fullmatch(bare)
    numbers = {period.part: period.number for period in periods_in(match)} if match else {}
    if numbers.keys() != {"year", "month", "day"}:
        return None
    return _day(numbers["year"], numbers["month"], numbers["day"])


def has_none(cell: Cell) -> bool:
    """Tells whether a cell says that there is none: blank, a dash, 0, "no"."""
    if cell.kind == "figure":
        return not cell.number
    return cell.kind == "nothing" or cell.text.strip().casefold() in _NONE


def is_time(label: str) -> bool:
    """Tells whether a label is a year, a quarter, a month or a day, and nothing else."""
    parts = parts_of(label)
    return bool(parts) and all(part.kind == "period" for part in parts)


def writes_comma(texts: Iterable[str], language: str) -> bool:
    """Tells whether figures have a decimal comma, by those that are written in one way only.

    Where none is, or they do not agree, the language decides.
    """
    digits = [match[0] for text in texts for match in _DIGITS.finditer(text)]
    has_comma = any(map(_SURELY_COMMA.fullmatch, digits))
    has_point = any(map(_SURELY_POINT.fullmatch, digits))
    return has_comma if has_comma != has_point else language in DECIMAL_COMMA


def unit_of(cells: Sequence[Cell]) -> str | None:
    """Returns the unit of a column's figures, or None where they have several.

    A figure without a currency has that of the others: reports write it in the first row alone.
    """
    units = {cell.unit for cell in cells if cell.kind == "figure"}
    named = units - {""}
    if len(named) > 1 or (named == {"%"} and "" in units):
        return None
    return next(iter(named), "")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _read_figure(text: str, bare: str, *, comma: bool) -> Cell | None:
    match = FIGURE.match(bare)
    if match is None or match["words"] or _LEADING_ZERO.fullmatch(bare):
        return None
    rest, unit = bare[match.end() :].strip(), ""
    if match["scale"] and not (match["before"] or match["after"]):
        lone = _LONE_SCALE.search(bare)  # "12 m" are metres or millions: no scale, but a unit
        if lone:
            return _read_with_unit(text, bare[: lone.start()], lone[0].strip(" -"), comma=comma)
    if rest and not _UNIT.fullmatch(rest):
        return None
    unit = rest
    figure = figure_in(match, comma=comma)
    if figure is None or (unit and figure.unit):
        return None
    number = -figure.value if figure.negative else figure.value
    return Cell(text, "figure", number, figure.unit or unit)


def _read_with_unit(text: str, digits: str, unit: str, *, comma: bool) -> Cell | None:
    cell = _read_figure(text, digits, comma=comma)
    return cell._replace(unit=unit) if cell and not cell.unit else None
