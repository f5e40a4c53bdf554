"""Reads figures and periods in all the forms in which they are written.

"$1.35bn" and "1,350 million dollars" are one figure. "Q1 FY23" and "first quarter of fiscal 2023"
are the same two periods.
"""

import re
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from footnote.text.terms import ENGLISH_NUMBERS, GERMAN_NUMBERS

SCALES = {
    "hundred": 2,
    **dict.fromkeys(("k", "thousand", "thousands", "tausend", "tsd", "mille", "mil"), 3),
    **dict.fromkeys(("m", "mm", "mn", "million", "millions", "mio", "millionen"), 6),
    **dict.fromkeys(("millones", "milioni", "miljoen", "milhões"), 6),
    **dict.fromkeys(("b", "bn", "billion", "billions", "mrd", "milliarde", "milliarden"), 9),
    **dict.fromkeys(("milliard", "milliards", "miliardi", "miljard", "bilhões"), 9),
    **dict.fromkeys(("tn", "trillion", "trillions", "billionen"), 12),
}
CURRENCIES = {
    **dict.fromkeys(("$", "us$", "usd", "dollar", "dollars"), "$"),
    **dict.fromkeys(("\u20ac", "eur", "euro", "euros"), "\u20ac"),
    **dict.fromkeys(("\u00a3", "gbp", "pound", "pounds"), "\u00a3"),
    **dict.fromkeys(("\u00a5", "jpy", "yen"), "\u00a5"),
    **dict.fromkeys(("chf", "sek", "nok", "dkk", "cad", "aud", "cny", "inr", "brl"), ""),
}
CURRENCIES |= {name: name.upper() for name, sign in CURRENCIES.items() if not sign}
RATES = {
    **dict.fromkeys(("%", "percent", "prozent", "percentage"), "%"),
    **dict.fromkeys(("percentage point", "percentage points", "pp", "ppt", "ppts"), "pp"),
    # hundredths of a percentage point, see figure_in
    **dict.fromkeys(("basis point", "basis points", "bp", "bps"), "bp"),
}
COUNTED = {**ENGLISH_NUMBERS, **GERMAN_NUMBERS}
MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan januar janvier enero gennaio",
            "february feb februar février febrero febbraio",
            "march mar märz mars marzo",
            "april apr avril abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober okt octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember dez décembre diciembre dicembre",
        ),
        start=1,
    )
    for name in names.split()
}
ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}


class Figure(NamedTuple):
    """A figure in full: 5.4 million dollars is 5400000 and "$". `unit`: "" if none is said.

    `bracketed`: whether it is in brackets that may mean "negative" or nothing.
    """

    value: Decimal
    unit: str
    scaled: bool = False  # "million" or the like stood with it
    negative: bool = False  # written with a minus, or in brackets as accounts do
    bracketed: bool = False

    @property
    def key(self) -> str:
        return f"{self.value.normalize():f} {self.unit}".strip()


class Period(NamedTuple):
    """A part of a date or a period: year, quarter, half, month, day or span (of months)."""

    part: str
    number: int

    @property
    def key(self) -> str:
        return f"{self.part} {self.number}"


_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_ORDINAL = "|".join([*ORDINALS, r"\d{1,2}(?:st|nd|rd|th)"])
_YEAR = r"(?:19|20)\d\d"
_OLD = r"(?:1\d|20)\d\d"  # with a month or "in" before it: 1834 is a year there
_COUNT = "|".join(sorted(COUNTED, key=len, reverse=True))
_SCALE = "|".join(sorted(map(re.escape, SCALES), key=len, reverse=True))
_CURRENCY = r"us\$|[$\u20ac\u00a3\u00a5]|\b(?:" + "|".join(
    name for name in CURRENCIES if name.isalpha()
) + r")\b"  # fmt: skip
_RATE = "|".join(sorted(map(re.escape, RATES), key=len, reverse=True))

PERIOD = re.compile(
    rf"""
      (?P<iso>{_YEAR}-\d\d-\d\d)(?!\d)
    | \b(?P<md_month>{_MONTH})\b\.?\s+(?P<md_day>\d{{1,2}})(?:st|nd|rd|th)?\b
        (?:\s*+(?:,\s*+)?(?P<md_year>{_OLD})\b)?(?!\s*%)
    | \b(?P<dm_day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<dm_month>{_MONTH})\b\.?
        (?:\s*+(?:,\s*+)?(?P<dm_year>{_OLD})\b)?
    | \b(?P<my_month>{_MONTH})\b\.?(?:\s*+,)?\s++(?:of\s+)?(?P<my_year>{_OLD})\b
    | \b(?:(?P<quarter>{_ORDINAL})[ -](?:fiscal\s+)?quarters?\b
        |q(?P<q>[1-4])(?:\s*+(?:['\u2019]\s*+)?(?P<q_year>\d\d(?:\d\d)?)\b)?
        |(?P<nq>[1-4])q(?P<nq_year>\d\d(?:\d\d)?)?)(?!\w)
    | \b(?:(?P<half>first|second)\s+half\b|h(?P<h>[12])\b(?=[\s,.'\u2019]))
    | \b(?P<span>{_COUNT}|\d{{1,2}})[ -]months?\b
    | \bfy\s*['\u2019]?(?P<fy>\d{{4}}|\d\d)\b
    | (?:(?<=\bin\s)|(?<=\bof\s)|(?<=\bby\s)|(?<=\bsince\s)|(?<=\bfrom\s)|(?<=\buntil\s))
      (?P<old>1[0-8]\d\d)\b(?![.,]?\d|\s*(?:%|percent|million|billion))
    | (?<![\d.,$\u20ac\u00a3-])\b(?P<year>{_YEAR})s?\b
      (?![\d]|[.,]\d|\s*(?:%|percent|million|billion))
    """,
    re.IGNORECASE | re.VERBOSE,
)
FIGURE = re.compile(
    rf"""
    (?P<open>\()?\s?(?P<minus>(?<!\w)[-+\u2212](?=[$\u20ac\u00a3\d]))?
    (?:(?P<before>{_CURRENCY})\s?)?
    (?P<open2>\()?(?P<minus2>[-\u2212](?=\d))?
    (?:(?P<digits>(?<![\w.,])\d{{1,3}}(?:[ ]\d{{3}}(?!\d))+(?:[.,]\d++)?(?![\d,.]*\d)
        |(?<![\w.])\d[\d,.\u2019']*\d|(?<![\w.,])\d|(?<=[$\u20ac\u00a3\u00a5(-])\d[\d,.]*\d?)
      |\b(?P<words>{_COUNT})\b)
    (?P<close2>\))?
    (?:[ -]?(?P<scale>{_SCALE})\b\.?)?
    (?:[ -]?(?P<rate>{_RATE})(?!\w))?
    (?:\s?(?P<after>{_CURRENCY})(?!\w))?
    (?P<close>\))?
    """,
    re.IGNORECASE | re.VERBOSE,
)


_COMMA = re.compile(r"\d{1,3}(?:\.\d{3})*(?:,\d+)?|\d+,\d+")
_SURELY_COMMA = re.compile(r"\d+,\d\d?|\d{1,3}(?:\.\d{3})+,\d+")


def periods_in(found: re.Match[str]) -> tuple[Period, ...]:
    """Returns the periods of a match of PERIOD, from the smallest part to the year."""
    has = {name: value for name, value in found.groupdict().items() if value}
    if iso := has.get("iso"):
        year, month, day = map(int, iso.split("-"))
        return Period("month", month), Period("day", day), Period("year", year)
    made: list[Period] = []
    for name, value in has.items():
        match name:
            case "md_month" | "dm_month" | "my_month":
                made.append(Period("month", MONTHS[value.casefold()]))
            case "md_day" | "dm_day":
                made.append(Period("day", int(value)))
            case "quarter" | "q" | "nq":
                made.append(Period("quarter", ordinal(value)))
            case "half" | "h":
                made.append(Period("half", ordinal(value)))
            case "span":
                made.append(Period("span", count(value)))
            case _:
                made.append(Period("year", full_year(value)))
    order = ("span", "quarter", "half", "month", "day", "year")
    return tuple(sorted(made, key=lambda period: order.index(period.part)))


def ordinal(text: str) -> int:
    """Returns 1 for "first", "1st" and "1"."""
    return ORDINALS.get(text.casefold()) or int(re.sub(r"\D", "", text))


def count(text: str) -> int:
    """Returns 3 for "3" and "three"."""
    return int(text) if text.isdecimal() else COUNTED[text.casefold()]


def full_year(text: str) -> int:
    """Returns 2023 for "2023" and "23"."""
    return int(text) if len(text) == 4 else 2000 + int(text)


def figure_in(found: re.Match[str], *, comma: bool = False) -> Figure | None:
    """Returns the figure of a match of FIGURE, or None. `comma`: the text writes 1.234,5."""
    value = value_of(found, comma=comma)
    if value is None:
        return None
    scale = (found["scale"] or "").casefold().rstrip(".")
    rate = (found["rate"] or "").casefold()
    money = (found["before"] or found["after"] or "").casefold()
    unit = RATES.get(rate, "") or CURRENCIES.get(money, "")
    if unit == "bp":
        value, unit = value / 100, "pp"
    opened, closed = found["open"] or found["open2"], found["close"] or found["close2"]
    return Figure(
        value.scaleb(SCALES.get(scale, 0)),
        unit,
        scaled=bool(scale),
        negative=bool(opened and closed) or (found["minus"] or found["minus2"] or "+") != "+",
    )


def value_of(found: re.Match[str], *, comma: bool = False) -> Decimal | None:
    if words := found["words"]:
        return Decimal(COUNTED[words.casefold()])
    digits = re.sub(r"['\u2019 ]", "", found["digits"]).strip(".,")
    if _COMMA.fullmatch(digits) if comma else _SURELY_COMMA.fullmatch(digits):
        digits = digits.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:,\d{2,3})*(?:\.\d+)?|\d+(?:\.\d+)?", digits):
        digits = digits.replace(",", "")
    try:
        return Decimal(digits)
    except InvalidOperation:  # a version, a section's number, a telephone number
        return None
