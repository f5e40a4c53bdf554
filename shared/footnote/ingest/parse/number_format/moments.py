"""Writes dates and times: what a serial number of days means under a section of a code."""

import math
from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from footnote.ingest.parse.number_format import numerals
from footnote.ingest.parse.number_format.calendars import (
    era_of,
    month_name,
    weekday_name,
    weekday_sign,
)
from footnote.ingest.parse.number_format.sections import Section, Token

_LAST = 2_958_466  # the day after 9999-12-31
_SECONDS = 86_400
_MOST_DECIMALS = 6
_LEAP_DAY = 60  # Excel believes that there was a 29 February 1900
_DAYS_1904 = 1462
_TAIWAN, _TAIWAN_BEGINS = 0x0404, 1911
_BUDDHIST_BEGINS = -543
_NOON = 12
_ABBREVIATED, _FULL, _INITIAL = 3, 4, 5  # letters of a month or a weekday


class _Moment(NamedTuple):
    year: int
    month: int
    day: int
    weekday: int  # Sunday is 0
    seconds: int  # of the day
    total: int  # seconds of all days
    part: str  # digits of a second's fraction


def show(value: float, section: Section, *, is_1904: bool) -> str:
    """Shows a moment. Returns "" for one that no calendar has."""
    days = value + (_DAYS_1904 if is_1904 else 0)
    if not (math.isfinite(value) and 0 <= days < _LAST):
        return ""
    return _Writer(section, _moment(days, _decimals(section), value)).write()


def _decimals(section: Section) -> int:
    """Returns the number of digits behind the point of the seconds."""
    return min(_MOST_DECIMALS, sum(token.kind == "digit" for token in section.tokens))


def _moment(days: float, decimals: int, value: float) -> _Moment:
    scale = 10**decimals
    ticks = math.floor(days * _SECONDS * scale + 0.5)
    total, part = divmod(ticks, scale)
    whole, seconds = divmod(total, _SECONDS)
    if whole == 0:
        year, month, day = 1900, 1, 0
    elif whole == _LEAP_DAY:
        year, month, day = 1900, 2, 29
    else:
        before = date(1899, 12, 30 if whole > _LEAP_DAY else 31)
        year, month, day = (before + timedelta(min(whole, _LAST - 1))).timetuple()[:3]
    elapsed = math.floor(value * _SECONDS + 0.5)
    return _Moment(year, month, day, (whole + 6) % 7, seconds, elapsed, f"{part:0{decimals}d}")


class _Writer:
    def __init__(self, section: Section, moment: _Moment) -> None:
        self._section = section
        self._moment = moment
        self._has_era = any(t.kind == "date" and t.text[0] in "gG" for t in section.tokens)
        self._is_half = section.has("half")
        self._parts: dict[str, Callable[[int], str]] = {
            "y": self._year,
            "e": self._year_of_era,
            "b": self._buddhist_year,
            "g": self._era,
            "d": self._day,
            "a": lambda size: weekday_sign(moment.weekday, size, section.language),
            "h": lambda size: self._number(self._hour(), size),
            "s": lambda size: self._number(moment.seconds % 60, size),
        }

    def write(self) -> str:
        shown: list[str] = []
        tokens = self._section.tokens
        decimals = 0
        for at, token in enumerate(tokens):
            if token.kind == "date":
                shown.append(self._part(at, token))
            elif token.kind == "elapsed":
                shown.append(self._elapsed(token))
            elif token.kind == "half":
                shown.append(self._half(token.text))
            elif token.kind == "digit":
                shown.append(self._moment.part[decimals : decimals + 1])
                decimals += 1
            else:
                shown.append(token.shown)
        return "".join(shown)

    def _part(self, at: int, token: Token) -> str:
        letter, size = token.text[0].lower(), len(token.text)
        if letter != "m":
            return self._parts[letter](size)
        if size < _ABBREVIATED and self._is_minute(at):
            return self._number(self._moment.seconds // 60 % 60, size)
        return self._month(size)

    def _is_minute(self, at: int) -> bool:
        """Tells whether an `m` is a minute: it stands behind an hour or before a second."""
        kinds = {"date", "elapsed"}
        tokens = self._section.tokens
        before = next((t.text[0] for t in reversed(tokens[:at]) if t.kind in kinds), "")
        after = next((t.text[0] for t in tokens[at + 1 :] if t.kind in kinds), "")
        return before in {"h", "H"} or after in {"s", "S"}

    def _number(self, number: int, size: int) -> str:
        text = str(number).zfill(min(size, 2))
        kind = self._section.numerals
        return numerals.spell_day(text, kind) if kind else text

    def _year(self, size: int) -> str:
        text = f"{self._moment.year:04d}"[-2 if size < _ABBREVIATED else 0 :]
        return numerals.digits(text, self._section.numerals) if self._section.numerals else text

    def _year_of_era(self, size: int) -> str:
        if self._has_era:
            return self._number(self._moment.year - era_of(*self._moment[:3]).before, size)
        if self._section.language == _TAIWAN:
            return self._number(self._moment.year - _TAIWAN_BEGINS, size)
        return self._year(_FULL)

    def _buddhist_year(self, size: int) -> str:
        return str(self._moment.year - _BUDDHIST_BEGINS)[-2 if size < _ABBREVIATED else 0 :]

    def _era(self, size: int) -> str:
        era = era_of(*self._moment[:3])
        return era.letter if size == 1 else era.name[:1] if size == 2 else era.name

    def _month(self, size: int) -> str:
        if size < _ABBREVIATED:
            return self._number(self._moment.month, size)
        name = month_name(
            self._moment.month, is_short=size == _ABBREVIATED, language=self._section.language
        )
        return name[:1] if size == _INITIAL else name

    def _day(self, size: int) -> str:
        if size < _ABBREVIATED:
            return self._number(self._moment.day, size)
        return weekday_name(
            self._moment.weekday, is_short=size == _ABBREVIATED, language=self._section.language
        )

    def _hour(self) -> int:
        hour = self._moment.seconds // 3600
        return (hour % _NOON or _NOON) if self._is_half else hour

    def _half(self, written: str) -> str:
        is_late = self._moment.seconds >= _NOON * 3600
        return written.partition("/")[2 if is_late else 0]

    def _elapsed(self, token: Token) -> str:
        unit = {"h": 3600, "m": 60, "s": 1}[token.text[0].lower()]
        return str(self._moment.total // unit).zfill(len(token.text))
