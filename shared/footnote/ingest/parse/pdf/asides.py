"""Prose beside a table or a chart: the prose is read first, then the part beside it.

A page of full lines may have a box at its right, around which the prose flows. Read across, each
line of prose would end in a row of the table.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.ingest.parse.pdf.prose import is_prose, middle

# the least lines of prose, and _BESIDE the least fragments beside: fewer may label a row
_FEWEST = 6
_BESIDE = 4
_MOST = 1_000  # fragments of an area that is searched: a map or a plan has thousands
_RUNS_ON = 0.65  # the least share of lines that go on in the next one, in lower case
_PROSE_BESIDE = 0.5  # the most prose beside it: with more, it is a table of texts
_STEP = 3.2  # heights of a line: the largest step to the next; paragraphs stand apart
_SAME, _INDENT = 3.0, 24.0  # points that a line may begin before and after the first one
_APART = 8.0  # the least points between a line and the part beside it
_NOTHING = float("inf")  # where the part beside begins, if there is none
_OPEN, _LOWER = re.compile(r"[a-z,\u2014-]\Z"), re.compile(r"[a-z]")


class _Line(NamedTuple):
    fragment: Fragment
    edge: float  # where the next fragment to its right begins


class _Aside(NamedTuple):
    """The top and bottom of lines of prose, and the left edge of the part beside them."""

    top: float
    bottom: float
    edge: float


def part_asides(area: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Yields the parts of an area of a page in reading order: mostly the area itself.

    Where prose has another part beside it, there are four: the part above both, the prose, the part
    beside it, and the part below, which may be split again.
    """
    rest = list(area)
    while aside := _find_aside(rest):
        yield from filter(None, _parts(rest, aside))
        rest = [each for each in rest if middle(each) > aside.bottom]
    if rest:
        yield rest


def _parts(area: Sequence[Fragment], aside: _Aside) -> tuple[list[Fragment], ...]:
    """Returns the part above, the prose, and the part beside it."""
    above = [each for each in area if middle(each) < aside.top]
    level = [each for each in area if aside.top <= middle(each) <= aside.bottom]
    prose = [each for each in level if each.x0 < aside.edge]
    return above, prose, [each for each in level if each.x0 >= aside.edge]


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
        if aside := _aside_of([lines[n] for n in run], area):
            return aside
    return None


def _lines(area: Sequence[Fragment]) -> list[_Line]:
    """Returns the fragments from the top down, each with the edge of its right neighbour."""
    ordered = sorted(area, key=middle)
    heights = [middle(fragment) for fragment in ordered]
    lines = []
    for fragment, height in zip(ordered, heights, strict=True):
        half = (fragment.y1 - fragment.y0) / 2
        level = ordered[bisect_right(heights, height - half) : bisect_left(heights, height + half)]
        edge = min((other.x0 for other in level if other.x0 > fragment.x1), default=_NOTHING)
        lines.append(_Line(fragment, edge))
    return lines


def _run_from(lines: Sequence[_Line], first: int) -> list[int]:
    """Returns the numbers of lines below each other that end before the part beside begins."""
    run, top = [first], lines[first].fragment
    edge, widest, above = lines[first].edge, top.x1, top
    for n in range(first + 1, len(lines)):
        below = lines[n].fragment
        if below.y0 - above.y0 > _STEP * (above.y1 - above.y0):
            break
        if not -_SAME <= below.x0 - top.x0 <= _INDENT:
            continue  # it belongs to the part beside
        edge, widest = min(edge, lines[n].edge), max(widest, below.x1)
        if widest > edge - _APART:
            break  # it is as wide as the page again
        run.append(n)
        above = below
    return run


def _aside_of(run: Sequence[_Line], area: Sequence[Fragment]) -> _Aside | None:
    if len(run) < _FEWEST or not _runs_on([line.fragment.text for line in run]):
        return None
    aside = _Aside(run[0].fragment.y0, run[-1].fragment.y1, min(line.edge for line in run))
    _, _, beside = _parts(area, aside)
    texts = sum(map(is_prose, beside)) >= _PROSE_BESIDE * len(beside)
    return None if len(beside) < _BESIDE or texts else aside


def _runs_on(lines: Sequence[str]) -> bool:
    on = sum(bool(_OPEN.search(line) and _LOWER.match(below)) for line, below in pairwise(lines))
    return on >= _RUNS_ON * (len(lines) - 1)
