"""Reads the events of an invitation (iCalendar, RFC 5545): what, when, where, who."""

import re
from collections.abc import Iterator
from datetime import datetime

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze

_LINE = re.compile(r"([A-Za-z-]{1,60})((?:;[^:\"]*(?:\"[^\"]*\"[^:\"]*)*)?):(.*)", re.DOTALL)
_NAME = re.compile(r";CN=(?:\"([^\"]*)\"|([^;:\"]*))", re.IGNORECASE)
_ZONE = re.compile(r";TZID=\"?([^;:\"]*)", re.IGNORECASE)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_EVENTS = frozenset({"VEVENT", "VTODO", "VJOURNAL"})
_KNOWN = _EVENTS | {"VCALENDAR", "VALARM", "VTIMEZONE", "STANDARD", "DAYLIGHT", "VFREEBUSY"}
_FORMATS = ("%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S", "%Y%m%d")
_LABELS = {
    "SUMMARY": "What",
    "DTSTART": "Start",
    "DTEND": "End",
    "DUE": "Due",
    "DURATION": "Duration",
    "RRULE": "Repeats",
    "LOCATION": "Where",
    "ORGANIZER": "Organizer",
    "ATTENDEE": "Attendee",
    "STATUS": "Status",
    "DESCRIPTION": "",
    "COMMENT": "",
}
"""Properties that a reader is shown → how they are labelled."""
_MOMENTS = frozenset({"DTSTART", "DTEND", "DUE"})
_PEOPLE = frozenset({"ORGANIZER", "ATTENDEE"})


def write(builder: DocumentBuilder, text: str) -> None:
    """Writes each event as lines: one for each property that is shown."""
    open_parts: list[str] = []
    lines: list[str] = []
    for name, parameters, value in _properties(text):
        if name == "BEGIN":
            open_parts.append(value.upper())
            builder.ledger.count("unknown_element", value, int(value.upper() not in _KNOWN))
        elif name == "END":
            if open_parts and open_parts.pop() in _EVENTS:
                builder.paragraph("\n".join(lines))
                lines = []
        elif open_parts and open_parts[-1] in _EVENTS and name in _LABELS:
            shown = _show(name, parameters, value)
            lines += [f"{_LABELS[name]}: {shown}" if _LABELS[name] else shown] * bool(shown)
    builder.paragraph("\n".join(lines))


def _properties(text: str) -> Iterator[tuple[str, str, str]]:
    """Yields the name, the parameters and the value of each property. Long lines are folded."""
    unfolded = re.sub(r"\r?\n[ \t]", "", text)
    for line in unfolded.splitlines():
        if match := _LINE.fullmatch(line.strip()):
            yield match[1].upper(), match[2], match[3]


def _show(name: str, parameters: str, value: str) -> str:
    if name in _MOMENTS:
        zone = _ZONE.search(parameters)
        return _moment(value) + (f" {zone[1]}" if zone else "")
    if name in _PEOPLE:
        known = _NAME.search(parameters)
        address = re.sub(r"(?i)^mailto:", "", value.strip())
        person = squeeze((known[1] or known[2] or "") if known else "")
        return f"{person} <{address}>" if person and person != address else address
    text = _ESCAPED.sub(lambda m: "\n" if m[1] in "nN" else m[1], value)
    return "\n".join(filter(None, map(squeeze, text.split("\n"))))


def _moment(value: str) -> str:
    for pattern in _FORMATS:
        try:
            moment = datetime.strptime(value.strip(), pattern)  # noqa: DTZ007 its zone is shown
        except ValueError:
            continue
        if pattern == _FORMATS[-1]:
            return moment.date().isoformat()
        return f"{moment:%Y-%m-%d %H:%M}{' UTC' if pattern.endswith('Z') else ''}"
    return value.strip()
