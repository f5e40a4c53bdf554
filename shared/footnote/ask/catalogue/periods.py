"""Reads days and periods in questions: "since March 2024", "in the last 30 days", "gestern"."""

import calendar
import re
from datetime import date, timedelta

from footnote.model.catalogue import Days

MONTHS = (
    ("january", "januar", "jan"), ("february", "februar", "feb"), ("march", "m\u00e4rz", "mar"),
    ("april", "april", "apr"), ("may", "mai", "may"), ("june", "juni", "jun"),
    ("july", "juli", "jul"), ("august", "august", "aug"), ("september", "september", "sep"),
    ("october", "oktober", "oct"), ("november", "november", "nov"),
    ("december", "dezember", "dec"),
)  # fmt: skip
_NUMBERS = {name: n for n, names in enumerate(MONTHS, start=1) for name in names}
_MONTH = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_DAY = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.)? (?:of )?(?:{_MONTH}) \d{{4}}"
    rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{4}}-\d\d|(?:{_MONTH})(?: \d{{4}})?|\d{{4}}|today|yesterday|heute|gestern)"
)
_ON = r"(?:(?:in|on|during|im|am|an|w\u00e4hrend)(?: the| dem)?(?: year| jahre?| monat)? )?"
_SINCE = r"since|after|later than|from|seit|nach|ab"
_UNTIL = r"before|until|till|up to|earlier than|vor|bis"
_AND = r"and|to|until|till|und|bis"
_RECENT = (
    r"(?:(?:in|within|during|over|w\u00e4hrend|innerhalb) )?(?:the |den |der |dem )?"
    r"(?:last|past|letzten|vergangenen|letzter|letztem)"
    r" (?P<count>\d{1,4} )?"
    r"(?P<unit>days?|weeks?|months?|years?|hours|tagen?|wochen?|monaten?|jahren?)"
)
_THIS = (
    r"(?:in |im |in der |in dem )?(?P<which>this|last|diese[mnrs]?|letzte[mnrs]?)"
    r" (?P<span>week|month|year|woche|monat|jahr)"
)
PERIOD = (
    rf"(?P<between>(?:between|from|zwischen|von) (?P<low>{_DAY}) (?:{_AND}) (?P<high>{_DAY}))"
    rf"|(?P<since>(?:{_SINCE}) (?:the year |dem )?(?P<from>{_DAY}))"
    rf"|(?P<until>(?:{_UNTIL}) (?:the year |zum |dem )?(?P<to>{_DAY}))"
    rf"|(?P<this>{_THIS})|(?P<recent>{_RECENT})|{_ON}(?P<on>{_DAY})"
)
"""A pattern for a period. `days_of` reads what it has matched."""
_FOLLOWS = frozenset({"after", "later than", "nach"})  # the day itself is not meant


def days_of(match: re.Match[str], today: date) -> Days | None:
    """Returns the days that a match of PERIOD names; None where there are no such days."""
    try:
        first, end = _span(match, today)
    except (ValueError, OverflowError):  # the 31st of February
        return None
    return Days(first=first.isoformat() if first else "", end=end.isoformat() if end else "")


def _span(match: re.Match[str], today: date) -> tuple[date | None, date | None]:
    """Returns the first day and the day after the last one; None does not bound."""
    if match["between"]:
        return _named(match["low"], today)[0], _named(match["high"], today)[1]
    if match["since"]:
        low, high = _named(match["from"], today)
        word = match["since"].casefold().partition(f" {match['from'].casefold()}")[0]
        return (high if word in _FOLLOWS else low), None
    if match["until"]:
        low, high = _named(match["to"], today)
        is_within = match["until"].casefold().startswith(("until", "till", "up to", "bis"))
        return None, (high if is_within else low)
    if match["this"]:
        return _calendar(match["which"].casefold(), match["span"].casefold(), today)
    if match["recent"]:
        return _recent(int(match["count"] or 1), match["unit"].casefold(), today)
    return _named(match["on"], today)


def _named(text: str, today: date) -> tuple[date, date]:
    """Returns the day, month or year that a text names: its first day, and the day after it."""
    text = text.casefold()
    if text in {"today", "heute", "yesterday", "gestern"}:
        day = today - timedelta(days=text in {"yesterday", "gestern"})
        return day, day + timedelta(days=1)
    year, month, day_number = _numbers(text, today)
    if not month:
        return date(year, 1, 1), date(year + 1, 1, 1)
    if not day_number:
        return date(year, month, 1), _after_month(year, month)
    day = date(year, month, day_number)
    return day, day + timedelta(days=1)


def _numbers(text: str, today: date) -> tuple[int, int, int]:
    """Returns year, month and day of a text; 0 for what it does not say."""
    if iso := re.fullmatch(r"(\d{4})(?:-(\d\d))?(?:-(\d\d))?", text):
        return int(iso[1]), int(iso[2] or 0), int(iso[3] or 0)
    if german := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", text):
        return int(german[3]), int(german[2]), int(german[1])
    words = re.findall(r"[^\W\d]+|\d+", text)
    month = next(_NUMBERS[word] for word in words if word in _NUMBERS)
    year = next((int(word) for word in words if len(word) == 4 and word.isdigit()), 0)
    day = next((int(word) for word in words if word.isdigit() and len(word) < 3), 0)
    # the last month of that name
    return year or today.year - (month > today.month), month, day


def _after_month(year: int, month: int) -> date:
    return date(year, month, calendar.monthrange(year, month)[1]) + timedelta(days=1)


def _calendar(which: str, unit: str, today: date) -> tuple[date, date]:
    """Returns this or the last week, month or year of the calendar."""
    is_last = which.startswith(("last", "letzt"))
    if unit in {"week", "woche"}:
        monday = today - timedelta(days=today.weekday() + 7 * is_last)
        return monday, monday + timedelta(days=7)
    if unit in {"month", "monat"}:
        first = today.replace(day=1)
        first = (first - timedelta(days=1)).replace(day=1) if is_last else first
        return first, _after_month(first.year, first.month)
    year = today.year - is_last
    return date(year, 1, 1), date(year + 1, 1, 1)


def _recent(count: int, unit: str, today: date) -> tuple[date, None]:
    """Returns the first of the last days. Whole days: hours count from yesterday on."""
    if unit == "hours":
        return today - timedelta(days=-(-count // 24)), None
    days = {"d": 1, "t": 1, "w": 7, "m": 30, "y": 365, "j": 365}[unit[0]]
    return today - timedelta(days=count * days), None
