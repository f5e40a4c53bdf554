"""Moves a question to another time, by the words of a follow-up: "a year earlier", "im Vorjahr"."""

import re

YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FEW = {"a": 1, "one": 1, "two": 2, "three": 3, "ein": 1, "zwei": 2, "drei": 3}
_COUNT = rf"(?:(?P<few>{'|'.join(_FEW)}) )?"
_UNIT = r"(?:(?P<year>years?|jahre?)|quarters?|quartale?)"
_BACK = "earlier|before|ago|prior|zuvor|davor|vorher|früher"
_ON = "later|after|on|danach|später"
_LAST = "previous|prior|preceding|last|vorige[ns]?|letzte[ns]?"
_NEXT = "next|following|folgende[ns]?|nächste[ns]?"
_ASIDE = re.compile(  # "in the same quarter of the year before"
    r"(?:(?:for|in|of) )?(?:the |das |im )?(?:same (?:quarter|period|time) (?:in |of )?(?:the )?)?",
    re.IGNORECASE,
)
_STEPS = (
    re.compile(rf"{_COUNT}{_UNIT} (?:(?P<back>{_BACK})|{_ON})(?: that)?", re.IGNORECASE),
    re.compile(
        rf"(?:(?P<back>{_LAST})|{_NEXT})(?: fiscal)?[ -]{_UNIT}(?:[ -](?:quarter|period))?",
        re.IGNORECASE,
    ),
    re.compile(r"(?:(?P<back>vor)|folge)(?:(?P<year>jahr)|quartal)", re.IGNORECASE),
)
_ORDINALS = (
    ("first", "second", "third", "fourth"),
    ("1st", "2nd", "3rd", "4th"),
    ("ersten", "zweiten", "dritten", "vierten"),
    ("1.", "2.", "3.", "4."),
)
_QUARTER = re.compile(
    rf"\bq(?P<n>[1-4])\b"
    rf"|(?P<ordinal>{'|'.join(re.escape(one) for row in _ORDINALS for one in row)})"
    r"(?= (?:fiscal )?(?:quarter|quartal))",
    re.IGNORECASE,
)


def move_in_time(rest: str, last: str) -> str:
    """Returns the last question about the time that `rest` names relative to its own.

    Returns "" where `rest` is no such time, or the last question names no year, or no quarter
    where quarters are counted. Every year of it moves alike.
    """
    words = _ASIDE.sub("", rest, count=1)
    found = next((step for form in _STEPS if (step := form.fullmatch(words))), None)
    if found is None or not YEAR.search(last):
        return ""
    groups = found.groupdict()
    count = _FEW[(groups.get("few") or "one").casefold()] * (-1 if groups["back"] else 1)
    return _by_years(last, count) if groups["year"] else _by_quarters(last, count)


def _by_years(text: str, count: int) -> str:
    return YEAR.sub(lambda year: str(int(year[0]) + count), text)


def _by_quarters(text: str, count: int) -> str:
    quarter = _QUARTER.search(text)
    if not quarter:
        return ""
    row = next((row for row in _ORDINALS if (quarter["ordinal"] or "").casefold() in row), ())
    before = row.index(quarter["ordinal"].casefold()) if row else int(quarter["n"]) - 1
    years, after = divmod(before + count, 4)
    written = row[after] if row else f"{quarter[0][0]}{after + 1}"
    moved = f"{text[: quarter.start()]}{written}{text[quarter.end() :]}"
    return _by_years(moved, years)
