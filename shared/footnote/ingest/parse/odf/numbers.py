"""Counts list items and headings as ODF's list styles tell: 1.2, (a), Article IV."""

import re
from typing import NamedTuple

from footnote.ingest.parse.numerals import numeral
from footnote.ingest.parse.odf.xml import (
    attribute,
    attributes,
    children,
    number,
    own_attribute,
    to_number,
)
from footnote.ingest.parse.safe_xml import Element, local_name

_MOST_LEVELS = 10
_PLACE = re.compile(r"%(\d{1,2})%")


class Level(NamedTuple):
    """How a level of a list is numbered. Without a `kind` it has no number."""

    kind: str
    prefix: str
    suffix: str
    start: int
    shown: int  # how many levels the number shows, its own the last
    pattern: str  # LibreOffice's "%1%.%2%)", which replaces the three above


class Levels:
    """The levels of a list style. Each is read when a list first needs it."""

    def __init__(self, style: Element | None = None) -> None:
        self._style = style
        self._elements: dict[int, Element] | None = None
        self._levels: dict[int, Level] = {}

    def __bool__(self) -> bool:
        return self._style is not None and len(self._style) > 0

    def get(self, depth: int) -> Level | None:
        if self._elements is None:
            levels = () if self._style is None else self._style
            self._elements = {number(each, "level"): each for each in levels}
        if depth not in self._levels and depth in self._elements:
            self._levels[depth] = _read_level(self._elements[depth])
        return self._levels.get(depth)


NO_LEVELS = Levels()


def _read_level(level: Element) -> Level:
    is_numbered = local_name(level.tag) in {"list-level-style-number", "outline-level-style"}
    given = attributes(level)
    return Level(
        given.get("num-format", "") if is_numbered else "",
        given.get("num-prefix", ""),
        given.get("num-suffix", ""),
        to_number(given.get("start-value", "")),
        to_number(given.get("display-levels", "")),
        given.get("num-list-format", ""),
    )


class Counter:
    """The numbers of one list, or of all headings."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}

    def next(self, depth: int, levels: Levels, start: str = "") -> str:
        """Counts an item of a level. Returns its number as it is shown, or ""."""
        level = levels.get(depth)
        first = level.start if level else 1
        if start.isdecimal() and len(start) < _MOST_LEVELS:
            self._counts[depth] = int(start)
        else:
            self._counts[depth] = self._counts.get(depth, first - 1) + 1
        self._counts = {each: count for each, count in self._counts.items() if each <= depth}
        return self._written(depth, level, levels) if level and level.kind else ""

    def _written(self, depth: int, level: Level, levels: Levels) -> str:
        if level.pattern:
            return _PLACE.sub(lambda place: self._numeral(int(place[1]), levels), level.pattern)
        above = range(max(1, depth - level.shown + 1), depth + 1)
        parts = filter(None, (self._numeral(each, levels) for each in above))
        return f"{level.prefix}{'.'.join(parts)}{level.suffix}".strip()

    def _numeral(self, depth: int, levels: Levels) -> str:
        level = levels.get(depth)
        if not level or not level.kind:
            return ""
        return numeral(self._counts.get(depth, level.start), level.kind)


class ListCounters:
    """The counters of all lists of a document, for those that continue another."""

    def __init__(self) -> None:
        self._by_id: dict[str, Counter] = {}
        self._by_style: dict[str, Counter] = {}
        self._last = Counter()

    def of(self, bullets: Element, style: str) -> Counter:
        """Returns the counter of a list: a new one, or that of the list which it continues."""
        previous = own_attribute(bullets, "continue-list")
        continued = self._by_id.get(previous) if previous else None
        if continued is None and own_attribute(bullets, "continue-numbering") == "true":
            continued = self._by_style.get(style, self._last)
        counter = continued or Counter()
        if name := attribute(bullets, "id"):
            self._by_id[name] = counter
        self._by_style[style] = self._last = counter
        return counter

    def named(self, name: str) -> Counter:
        """Returns the counter of numbered paragraphs that share a list."""
        return self._by_id.setdefault(name, Counter())


def begins_with_list(item: Element) -> bool:
    """Tells whether an item only holds lists; then it has no number of its own."""
    first = next(children(item, "p", "h", "list", "table", "section"), None)
    return first is None or local_name(first.tag) == "list"
