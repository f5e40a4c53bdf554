"""Values of a format beside days: times, moments, addresses of mail, URIs and UUIDs.

Each is found in a text as it may be written there, and given in the one form that JSON Schema
names. A time has an offset only where the text says one.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

type ValueFormat = Literal["", "date", "date-time", "time", "email", "uri", "uuid"]

_TIME = re.compile(
    r"(?<![\d:.])(?P<h>[01]?\d|2[0-3])"
    r"(?::(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:[.,]\d{1,9})?)?(?!\d))?"
    r"(?: ?(?P<half>[ap])\.?m\b\.?)?(?P<offset>Z\b|[+-]\d\d:\d\d(?!\d))?",
    re.IGNORECASE,
)
_MAIL = re.compile(
    r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}\b", re.IGNORECASE
)
_URI = re.compile(
    r"(?<![\w.+-])[a-z][a-z\d+.-]{1,20}:(?://|(?<=mailto:))[^\s<>\"'|]+", re.IGNORECASE
)
_UUID = re.compile(
    r"(?<![\w-])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\w-])", re.IGNORECASE
)
_DATE = re.compile(r"(?:19|20)\d\d-\d\d-\d\d(?!\d)")
_BEHIND = ".,;:!?)]}"


def find_values(name: ValueFormat, text: str, days: Iterator[str]) -> list[str]:
    """Returns the values of a format that a text states, each once; `days` are its whole days."""
    match name:
        case "date-time":
            return _moments(text, list(dict.fromkeys(days)))
        case "" | "date":
            return list(dict.fromkeys(days))
        case _:
            return list(dict.fromkeys(_FOUND[name](text)))


def read_format(name: ValueFormat, raw: str) -> str | None:
    """Returns a text that is one value of a format in its one form, or None."""
    bare = raw.strip()
    date = _DATE.match(bare)
    values = find_values(name, bare, iter([date[0]] if date else []))
    if name == "date-time":
        return values[0] if len(values) == 1 and date else None
    whole = len(values) == 1 and (_FOUND[name](bare) or [""])[0]
    return values[0] if whole and _covers(name, bare) else None


def _covers(name: ValueFormat, text: str) -> bool:
    """Tells whether a text is a value and nothing more."""
    pattern = {"time": _TIME, "email": _MAIL, "uri": _URI, "uuid": _UUID}.get(name)
    return pattern is not None and pattern.fullmatch(text) is not None


def _times(text: str) -> list[str]:
    return [time for match in _TIME.finditer(text) if (time := _time(match))]


def _time(match: re.Match[str]) -> str:
    """Returns a time as 14:05:00; "" for a number that is none."""
    if not (match["m"] or match["half"]):
        return ""
    hour = int(match["h"])
    if match["half"]:
        if not 1 <= hour <= 12:
            return ""
        hour = hour % 12 + 12 * (match["half"].casefold() == "p")
    offset = (match["offset"] or "").upper()
    return f"{hour:02}:{match['m'] or '00'}:{match['s'] or '00'}{offset}"


def _moments(text: str, days: list[str]) -> list[str]:
    """Returns the one day with each time behind it; none where it is not clear which belong."""
    times = list(dict.fromkeys(_times(_DATE.sub(lambda match: f"{match[0][:10]} ", text))))
    times = times or list(dict.fromkeys(_times(text.replace("T", " "))))
    return [f"{days[0]}T{times[0]}"] if len(days) == len(times) == 1 else []


def _mails(text: str) -> list[str]:
    return [match[0] for match in _MAIL.finditer(text)]


def _uris(text: str) -> list[str]:
    return [match[0].rstrip(_BEHIND) for match in _URI.finditer(text)]


def _uuids(text: str) -> list[str]:
    return [match[0].lower() for match in _UUID.finditer(text)]


_FOUND: Mapping[str, Callable[[str], list[str]]] = {
    "time": _times,
    "email": _mails,
    "uri": _uris,
    "uuid": _uuids,
}
FORMATS: tuple[ValueFormat, ...] = ("date", "date-time", *("time", "email", "uri", "uuid"))
