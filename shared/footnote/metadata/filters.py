"""Filters on attributes, as spans of terms that keep name, type and order.

An attribute is the term `name U+001F type value`. A list has one term for each of its texts. A
number is written as its IEEE 754 bits in hexadecimal, with negative ones inverted, so that the
texts sort as the numbers do. Dates are in UTC. So both indexes compare only text, and agree.
"""

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from footnote.metadata.attributes import is_number, to_scalar
from footnote.model import Exists, Filter, Metadata, Range, Scalar

FIELDS = {
    "document": "path",
    "path": "path",
    "document_id": "document_id",
    "version": "version",
    "language": "language",
    "collection": "collection",
    "page": "pages",
}
"""Names in filters that are fields of a chunk. Any other name is an attribute's."""
NUMBER_FIELDS = frozenset({"page"})

_LONGEST_TERM = 1000  # characters that are compared; a term over 32,766 bytes cannot be stored
_MARK = "\x1f"
_LAST = "\U0010ffff"
_DATE = re.compile(
    r"(?P<year>\d{4})(?:-(?P<month>\d\d)(?:-(?P<day>\d\d)"
    r"(?P<time>[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?)?)?",
    re.ASCII,
)


class Span(NamedTuple):
    """The texts from `low` to `high`. `with_low` and `with_high` tell whether the ends belong."""

    low: str
    high: str
    with_low: bool = True
    with_high: bool = True

    def holds(self, text: str) -> bool:
        above = self.low <= text if self.with_low else self.low < text
        return above and (text <= self.high if self.with_high else text < self.high)


# -- attributes as terms -------------------------------------------------------------------------


def attribute_terms(metadata: Metadata) -> list[str]:
    """Returns the terms by which a chunk with these attributes is found."""
    return [
        _term(name, *_typed_text(value))
        for name, values in metadata.items()
        for value in (values if isinstance(values, list) else [values])
    ]


def _term(name: str, kind: str, value: str) -> str:
    return f"{name[:_LONGEST_TERM]}{_MARK}{kind}{value[:_LONGEST_TERM]}"


def _typed_text(value: Scalar) -> tuple[str, str]:
    match value:
        case bool():
            return "b", as_text(value)
        case int() | float():
            return "n", _sort_key(value)
    date = _DATE.fullmatch(value)
    if date and date["day"] and (span := period(value)):
        return "d", span[0]
    return "s", value


def _sort_key(number: float) -> str:
    (bits,) = struct.unpack(">Q", struct.pack(">d", number + 0.0))  # -0.0 is 0.0
    return f"{bits ^ (0xFFFFFFFFFFFFFFFF if bits >> 63 else 1 << 63):016x}"


def as_text(value: Scalar) -> str:
    """Writes a value as a person types it: true, 2023, 0.5."""
    match value:
        case bool():
            return str(value).lower()
        case float() if value.is_integer():
            return str(int(value))
        case _:
            return str(value)


def period(text: str) -> tuple[str, str] | None:
    """Returns the period of an ISO 8601 year, month, day or moment, in UTC: its start and its end.

    The end is the start of the next period. Returns None if the text is no date.
    """
    date = _DATE.fullmatch(text)
    if not date:
        return None
    try:
        if date["time"]:
            moment = datetime.fromisoformat(text)
            start = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
            return _instant(start), _instant(start + timedelta(microseconds=1))
        year, month, day = (int(date[part] or 1) for part in ("year", "month", "day"))
        start = datetime(year, month, day, tzinfo=UTC)
        end = _end_of(start, by_day=bool(date["day"]), by_month=bool(date["month"]))
        return _instant(start), _instant(end)
    except (ValueError, OverflowError):  # the 31st of February, or a date after the year 9999
        return None


def _end_of(start: datetime, *, by_day: bool, by_month: bool) -> datetime:
    if by_day:
        return start + timedelta(days=1)
    if by_month and start.month < 12:
        return start.replace(month=start.month + 1)
    return start.replace(year=start.year + 1, month=1)


def _instant(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds")


# -- filters as spans of terms -------------------------------------------------------------------


def spans(name: str, condition: Filter) -> list[Span]:
    """Returns spans. One of them must hold one of the attribute's terms.

    There are none when the bounds of a range cannot be compared.
    """
    if isinstance(condition, Exists):  # of any type; the caller inverts it for `false`
        return [Span(_term(name, "", ""), _term(name, _LAST, ""))]
    if isinstance(condition, Range):
        return list(_range_spans(name, condition))
    values = condition if isinstance(condition, tuple) else (condition,)
    return [span for value in values for span in _value_spans(name, value)]


def _value_spans(name: str, value: Scalar) -> Iterator[Span]:
    """Yields the value itself and its look-alikes: a shell or a tag gives only text."""
    text = as_text(value)
    alike = {_term(name, "s", text): None, _term(name, *_typed_text(value)): None}
    if isinstance(value, str):
        alike[_term(name, *_typed_text(to_scalar(value)))] = None
    yield from (Span(term, term) for term in alike)
    if not isinstance(value, bool) and (time := period(text)):
        yield Span(_term(name, "d", time[0]), _term(name, "d", time[1]), with_high=False)


def _range_spans(name: str, condition: Range) -> Iterator[Span]:
    """Yields the range once for each kind (number, date, text) that all of its bounds have."""
    bounds = {which: bound for which, bound in condition if bound is not None}
    kinds = {which: _bounds_by_kind(bound) for which, bound in bounds.items()}
    for kind in ("n", "d", "s"):
        if bounds and all(kind in by_kind for by_kind in kinds.values()):
            inside = {which: by_kind[kind] for which, by_kind in kinds.items()}
            yield from _span(name, kind, inside)


def _bounds_by_kind(bound: Scalar) -> dict[str, tuple[str, str]]:
    """Returns the start and the end of a bound by type. They differ for a day or a year."""
    by_kind: dict[str, tuple[str, str]] = {}
    if isinstance(bound, bool):
        return by_kind
    number = to_scalar(bound) if isinstance(bound, str) else bound
    if isinstance(number, int | float) and is_number(number) and not isinstance(number, bool):
        by_kind["n"] = (_sort_key(number), _sort_key(number))
    if time := period(as_text(bound)):
        by_kind["d"] = time
    if isinstance(bound, str) and not by_kind:
        by_kind["s"] = (bound, bound)
    return by_kind


def _span(name: str, kind: str, bounds: Mapping[str, tuple[str, str]]) -> Iterator[Span]:
    lows, highs = [(_term(name, kind, ""), True)], [(_term(name, kind, _LAST), True)]
    for which, (start, end) in bounds.items():
        match which:
            case "gte":
                lows.append((_term(name, kind, start), True))
            case "gt":  # after the end of the bound's day or year
                lows.append((_term(name, kind, end), start != end))
            case "lt":
                highs.append((_term(name, kind, start), False))
            case _:
                highs.append((_term(name, kind, end), start == end))
    low, with_low = max(lows, key=lambda bound: (bound[0], not bound[1]))
    high, with_high = min(highs)
    if low <= high:
        yield Span(low, high, with_low, with_high)


def field_spans(condition: Filter) -> list[Span]:
    """Returns spans. One of them must hold the text of a chunk's own field (see `FIELDS`)."""
    if isinstance(condition, Exists):
        return [Span("", _LAST)]
    if not isinstance(condition, Range):
        values = condition if isinstance(condition, tuple) else (condition,)
        return [Span(as_text(value), as_text(value)) for value in values]
    lows, highs = [("", True)], [(_LAST, True)]
    for which, bound in condition:
        if bound is not None:
            ends = lows if which in {"gt", "gte"} else highs
            ends.append((as_text(bound), which in {"gte", "lte"}))
    low, with_low = max(lows, key=lambda end: (end[0], not end[1]))
    high, with_high = min(highs)
    return [Span(low, high, with_low, with_high)] if low <= high else []


def is_comparable(name: str, condition: Range) -> bool:
    bounds = [_bounds_by_kind(bound) for _, bound in condition if bound is not None]
    kinds = {"s"} if name in FIELDS and name not in NUMBER_FIELDS else {"n", "d", "s"}
    if kinds == {"s"}:
        return bool(bounds)
    return bool(bounds) and any(all(kind in by_kind for by_kind in bounds) for kind in kinds)


def typed_values(condition: Filter) -> list[Scalar]:
    """Returns the values of a filter, or the bounds of its range, with their types."""
    return [to_scalar(value) if isinstance(value, str) else value for value in values_of(condition)]


def values_of(condition: Filter) -> Sequence[Scalar]:
    """Returns the values of a filter, or the bounds of its range, unchanged."""
    if isinstance(condition, Exists):
        return ()
    if isinstance(condition, Range):
        return [bound for _, bound in condition if bound is not None]
    return condition if isinstance(condition, tuple) else (condition,)
