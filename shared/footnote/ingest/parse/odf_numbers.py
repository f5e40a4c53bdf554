"""Counts list items and headings as ODF's list styles tell: 1.2, (a), Article IV."""

import re
from typing import NamedTuple

from footnote.ingest.parse.numerals import numeral
from footnote.ingest.parse.odf_xml import attribute, children, local, number
from footnote.ingest.parse.safe_xml import Element

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


type Levels = dict[int, Level]


def read_levels(style: Element) -> Levels:
    levels: Levels = {}
    for level in style:
        is_numbered = local(level.tag) in {"list-level-style-number", "outline-level-style"}
        levels[number(level, "level")] = Level(
            attribute(level, "num-format") if is_numbered else "",
            attribute(level, "num-prefix"),
            attribute(level, "num-suffix"),
            number(level, "start-value"),
            number(level, "display-levels"),
            attribute(level, "num-list-format"),
        )
    return levels


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
        return self._written(depth, levels) if level and level.kind else ""

    def _written(self, depth: int, levels: Levels) -> str:
        level = levels[depth]
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
        previous = attribute(bullets, "continue-list")
        continued = self._by_id.get(previous) if previous else None
        if continued is None and attribute(bullets, "continue-numbering") == "true":
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
    return first is None or local(first.tag) == "list"
