"""Reads the comparisons of a question: "more than 10", "before 1 March 2026", "other than Kiel".

What is compared depends on the tables. So each comparison keeps the words on both sides of it. The
rules are for English, with the commonest German words.
"""

import calendar
import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from footnote.text.language import words
from footnote.text.terms import ENGLISH_NUMBERS, GERMAN_NUMBERS, stem

type Bound = Literal["above", "below", "at least", "at most"]
type Limit = tuple[Bound, str]
"""How a value is compared, and the value as the question writes it."""

LONGEST = 600  # characters of a question that is read for comparisons
SIDE = 8  # words before and after a comparison that may say what is compared
_MONTHS = {
    name: n
    for n, names in enumerate(
        (
            "january jan januar",
            "february feb februar",
            "march mar m\u00e4rz",
            "april apr",
            "may mai",
            "june jun juni",
            "july jul juli",
            "august aug",
            "september sept sep",
            "october oct oktober",
            "november nov",
            "december dec dezember",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_DAY = re.compile(
    rf"(?P<iso>{_YEAR}-\d\d-\d\d)|(?P<d>\d{{1,2}})\.(?P<m>\d{{1,2}})\.(?P<y>{_YEAR})"
    rf"|q(?P<q>[1-4])[ /-]?(?P<qy>{_YEAR})"
    rf"|(?:the )?(?P<nth>{'|'.join(_QUARTERS)}) quarter(?: of)? (?P<ny>{_YEAR})"
    rf"|(?:(?:the )?(?P<before>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?)?(?P<month>{_MONTH})\b\.?"
    rf"(?: (?P<after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,? (?P<year>{_YEAR}))?"
    rf"|(?P<only>{_YEAR})(?![\d-])",
    re.IGNORECASE,
)
_SPAN = _DAY.pattern
NUMBERS: Mapping[str, int] = {**ENGLISH_NUMBERS, **GERMAN_NUMBERS}
_NUMBER = "|".join(NUMBERS)
_AMOUNT = (
    r"(?:[-\u2212]?[$\u20ac\u00a3\u00a5]?\d[\d,.]*+(?: ?(?:thousand|million|billion|%|percent\b"
    rf"|per cent\b))?(?: (?:euros?|dollars?|pounds?|eur|usd|gbp|chf)\b)?|(?:{_NUMBER})\b)"
)
_ABOVE = (
    r"(?:more|greater|larger|higher|bigger|longer|heavier) than|over|above|exceed(?:s|ed|ing)?"
    r"|(?:mehr|gr\u00f6\u00dfer|h\u00f6her) als|\u00fcber|>"
)
_BELOW = (
    r"(?:less|fewer|lower|smaller|shorter|lighter|cheaper) than|under|below"
    r"|(?:weniger|kleiner|niedriger) als|unter|<"
)
_AT_LEAST = r"at least|no (?:less|fewer) than|not (?:less|fewer) than|mindestens|>=|\u2265"
_AT_MOST = r"at most|no more than|not more than|up to|h\u00f6chstens|<=|\u2264"
_AMOUNTS: tuple[tuple[Bound, str], ...] = (
    ("at least", _AT_LEAST),
    ("at most", _AT_MOST),
    ("above", _ABOVE),
    ("below", _BELOW),
)
_TIMES: tuple[tuple[Bound, str], ...] = (
    ("at least", r"since|on or after|seit(?: dem)?|ab(?: dem)?"),
    ("at most", r"until|till|on or before|no later than|by|bis(?: zum)?"),
    ("below", r"before|earlier than|prior to|vor(?: dem)?"),
    ("above", r"after|later than|nach(?: dem)?"),
)
_WITHIN = r"in|during|on|im|am"
_BARE = re.sub(r"\(\?P<\w+>", "(?:", _SPAN)  # a moment without the names of its parts
_COMPARED = re.compile(
    r"(?<![\w.,])(?:"
    rf"(?:between|from|zwischen) (?P<low>{_BARE}|{_AMOUNT}) (?:and|to|und|bis)"
    rf" (?P<high>{_BARE}|{_AMOUNT})"
    + "".join(rf"|(?:{name}) (?P<t{n}>{_BARE})(?!\w)" for n, (_, name) in enumerate(_TIMES))
    + "".join(rf"|(?:{name}) ?(?P<a{n}>{_AMOUNT})" for n, (_, name) in enumerate(_AMOUNTS))
    + rf"|(?P<more>{_AMOUNT}) (?:or|oder) (?:more|above|higher|mehr)\b"
    rf"|(?P<less>{_AMOUNT}) (?:or|oder) (?:less|fewer|below|lower|weniger)\b"
    rf"|(?:{_WITHIN}) (?P<within>{_BARE})(?!\w)"
    r"|(?P<negative>negative|below zero)\b|(?P<positive>positive|above zero)\b"
    r")",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:other than|except(?: for| from)?|excluding|apart from|outside(?: of)?|without"
    r"|not|no(?=t\b)|nicht|au\u00dfer|ohne"
    r"|(?:no|none of|zero|keine[nr]?|kein)(?= (?!of\b|less\b|more\b|fewer\b)[^\W\d]))\b"
    r"|(?<=\w)n['\u2019]t\b",
    re.IGNORECASE,
)


class Comparison(NamedTuple):
    """A comparison: its limits, all of which must hold, and the stems on both sides of it.

    `own` are its stems. `is_period`: it says only in which time something is, as a title may, too.
    """

    limits: tuple[Limit, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]
    own: tuple[str, ...] = ()
    is_period: bool = False


class Compared(NamedTuple):
    """A question without its comparisons, and these. `excluded`: the stems after each "not".

    Periods stay in the text: a column or a title may have them as well.
    """

    text: str
    comparisons: tuple[Comparison, ...]
    excluded: tuple[tuple[str, ...], ...]

    @property
    def is_any(self) -> bool:
        """Whether the question compares with a value, or leaves one out."""
        return bool(self.excluded) or any(not each.is_period for each in self.comparisons)


def read_comparisons(question: str) -> Compared:
    """Returns the comparisons of a question; none of one that is very long."""
    plain = " ".join(question.split())
    if len(plain) > LONGEST:
        return Compared(plain, (), ())
    comparisons = tuple(
        Comparison(
            limits,
            _stems(plain[: match.start()])[-SIDE:],
            _stems(plain[match.end() :])[:SIDE],
            _stems(match[0]),
            bool(match["within"]),
        )
        for match in _COMPARED.finditer(plain)
        if (limits := _limits(match))
    )
    rest = _COMPARED.sub(_left, plain)
    excluded = tuple(_stems(rest[match.end() :])[:SIDE] for match in _NOT.finditer(rest))
    return Compared(_NOT.sub(" ", rest), comparisons, excluded)


def _left(match: re.Match[str]) -> str:
    return match[0] if match["within"] or not _limits(match) else " "


def _limits(match: re.Match[str]) -> tuple[Limit, ...]:
    found = match.groupdict()
    if found["low"]:
        return ("at least", found["low"]), ("at most", found["high"])
    if found["within"]:
        return ("at least", found["within"]), ("at most", found["within"])
    if found["negative"] or found["positive"]:
        return (("below" if found["negative"] else "above", "0"),)
    if found["more"] or found["less"]:
        return (("at least", found["more"]) if found["more"] else ("at most", found["less"]),)
    for letter, rules in (("t", _TIMES), ("a", _AMOUNTS)):
        for n, (bound, _) in enumerate(rules):
            if value := found[f"{letter}{n}"]:
                return ((bound, value.rstrip(".,")),)
    return ()


def days_of(text: str, year: int = 0) -> tuple[date, date] | None:
    """Returns the first and the last day of a day, a month, a quarter or a year, or None.

    A month without a year is of `year`.
    """
    match = _DAY.fullmatch(text.strip())
    try:
        return _span(match, year) if match else None
    except ValueError:  # there is no such day, or nobody says of which year
        return None


def _span(match: re.Match[str], year: int) -> tuple[date, date]:
    if match["only"]:
        return _months(int(match["only"]), 1, 12)
    if match["q"] or match["nth"]:
        quarter = int(match["q"] or _QUARTERS[match["nth"].casefold()])
        return _months(int(match["qy"] or match["ny"]), 3 * quarter - 2, 3 * quarter)
    if match["month"]:
        month, own = _MONTHS[match["month"].casefold()], int(match["year"] or year)
        number = match["before"] or match["after"]
        return (date(own, month, int(number)),) * 2 if number else _months(own, month, month)
    if match["iso"]:
        return (date.fromisoformat(match["iso"]),) * 2
    return (date(int(match["y"]), int(match["m"]), int(match["d"])),) * 2


def _months(year: int, first: int, last: int) -> tuple[date, date]:
    start = date(year, first, 1)
    return start, date(year, last, calendar.monthrange(year, last)[1])


def _stems(text: str) -> tuple[str, ...]:
    return tuple(map(stem, words(text)))
