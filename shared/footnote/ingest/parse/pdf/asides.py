"""Prose that runs beside a table or a chart: it is read first, then what stands beside it.

A page of full lines may have a box at its right for a while, around which the prose flows. Read
across, each line of prose would have a row of the table behind it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.ingest.parse.pdf.prose import is_prose, middle

_FEWEST = 6  # lines of prose at least, and _BESIDE fragments beside: less may label a row
_BESIDE = 4
_MOST = 1_000  # fragments of an area that is looked at: a map or a plan has thousands
_RUNS_ON = 0.65  # share of the lines at least that go on in the next one, in lower case
_PROSE_BESIDE = 0.5  # share of what stands beside, at most: else it is a table of texts
_STEP = 3.2  # heights of a line from one to the next, at most: paragraphs stand apart
_SAME, _INDENT = 3.0, 24.0  # points that a line may begin before the first one, and behind it
_APART = 8.0  # points at least between a line and what stands beside it
_NOTHING = float("inf")  # where what stands beside begins, if nothing does
_OPEN, _LOWER = re.compile(r"[a-z,\u2014-]\Z"), re.compile(r"[a-z]")


class _Line(NamedTuple):
    one: Fragment
    edge: float  # where the next fragment to its right begins


class _Aside(NamedTuple):
    """Where lines of prose begin and end, and where what stands beside them begins."""

    top: float
    bottom: float
    edge: float


def part_asides(area: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Yields the parts of an area of a page in reading order: mostly the area itself.

    Where prose has something else beside it there are four parts: what is above both, the prose,
    what stands beside it, and what is below, which may have the like.
    """
    rest = list(area)
    while found := _find_aside(rest):
        yield from filter(None, _parts(rest, found))
        rest = [one for one in rest if middle(one) > found.bottom]
    if rest:
        yield rest


def _parts(area: Sequence[Fragment], found: _Aside) -> tuple[list[Fragment], ...]:
    """Returns what is above, the prose, and what stands beside it."""
    above = [one for one in area if middle(one) < found.top]
    level = [one for one in area if found.top <= middle(one) <= found.bottom]
    prose = [one for one in level if one.x0 < found.edge]
    return above, prose, [one for one in level if one.x0 >= found.edge]


def _find_aside(area: Sequence[Fragment]) -> _Aside | None:
    if not _FEWEST + _BESIDE <= len(area) <= _MOST:
        return None
    lines = _lines(area)
    tried: set[int] = set()
    for first, line in enumerate(lines):
        if first in tried or line.edge == _NOTHING:
            continue
        run = _run_from(lines, first)
        tried.update(run)
        if found := _aside_of([lines[n] for n in run], area):
            return found
    return None


def _lines(area: Sequence[Fragment]) -> list[_Line]:
    """Returns the fragments from the top down, each with where its neighbour begins."""
    ordered = sorted(area, key=middle)
    heights = [middle(one) for one in ordered]
    made = []
    for one, height in zip(ordered, heights, strict=True):
        half = (one.y1 - one.y0) / 2
        level = ordered[bisect_right(heights, height - half) : bisect_left(heights, height + half)]
        edge = min((other.x0 for other in level if other.x0 > one.x1), default=_NOTHING)
        made.append(_Line(one, edge))
    return made


def _run_from(lines: Sequence[_Line], first: int) -> list[int]:
    """Returns the numbers of lines below each other that end before what stands beside begins."""
    run, top = [first], lines[first].one
    edge, widest, above = lines[first].edge, top.x1, top
    for n in range(first + 1, len(lines)):
        one = lines[n].one
        if one.y0 - above.y0 > _STEP * (above.y1 - above.y0):
            break
        if not -_SAME <= one.x0 - top.x0 <= _INDENT:
            continue  # it stands beside
        edge, widest = min(edge, lines[n].edge), max(widest, one.x1)
        if widest > edge - _APART:
            break  # it is as wide as the page again
        run.append(n)
        above = one
    return run


def _aside_of(run: Sequence[_Line], area: Sequence[Fragment]) -> _Aside | None:
    if len(run) < _FEWEST or not _runs_on([line.one.text for line in run]):
        return None
    found = _Aside(run[0].one.y0, run[-1].one.y1, min(line.edge for line in run))
    _, _, beside = _parts(area, found)
    texts = sum(map(is_prose, beside)) >= _PROSE_BESIDE * len(beside)
    return None if len(beside) < _BESIDE or texts else found


def _runs_on(lines: Sequence[str]) -> bool:
    on = sum(bool(_OPEN.search(one) and _LOWER.match(below)) for one, below in pairwise(lines))
    return on >= _RUNS_ON * (len(lines) - 1)
