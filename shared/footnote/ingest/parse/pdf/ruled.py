"""Ruled tables of a PDF page: what stands between two rules is one row, however many its lines.

Without its rules a cell of three lines looks like three rows. So the drawn rules are read, and the
lines between two of them are joined, each cell's one below the other. All else stays as it is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

from footnote.ingest.parse.pdf.page_items import Cells, Fragment, Word
from footnote.ingest.parse.pdf.prose import middle

_THIN = 3.0  # points: a filled box of less is a rule
_NEAR = 3.0  # points that rules which meet may miss each other by
_SHORTEST = 6.0  # points of a rule
# Drawings and straight lines of a page that is looked at; a cell may be drawn by four. A map has
# more. Each takes 1.7 KB while the page is read.
_PIECES = 20_000
_MOST = 500  # rules that they make
_WHOLE = 0.95  # of a table's width: a rule that parts all of its columns
_ACROSS = 0.5  # of the height between two rules that a rule across must have to part columns
_FEWEST = 2  # columns, and rows, of a table
_LONGEST = 1_000  # characters of a row: what is longer is text in a frame


class Rule(NamedTuple):
    """A rule: where it stands on one axis, and from where to where it runs on the other."""

    at: float
    start: float
    end: float


class Band(NamedTuple):
    """A row of a ruled table: its box, and where the columns' inner rules stand."""

    x0: float
    y0: float
    x1: float
    y1: float
    parts: tuple[float, ...]


def drawings(page: Any) -> list[Mapping[str, Any]]:
    """Returns what is drawn on a page, as PyMuPDF's `get_cdrawings` does; nothing if that is much.

    They come one by one, so that a page of a million takes no more memory than one of `_PIECES`.
    """
    kept: list[Mapping[str, Any]] = []

    def keep(drawing: Mapping[str, Any]) -> bool:
        if len(kept) <= _PIECES:
            kept.append(drawing)
        return True  # PyMuPDF prints a message otherwise, and ends the process on an exception

    page.get_cdrawings(callback=keep)
    return kept if len(kept) <= _PIECES else []


def bands(drawn: Iterable[Mapping[str, Any]]) -> list[Band]:
    """Returns the rows of a page's ruled tables; `drawn` is what `drawings` returns."""
    pieces = list(islice(chain.from_iterable(map(_lines, drawn)), _PIECES + 1))
    level = [Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in pieces if _is_rule(y1 - y0, x1 - x0)]
    upright = [
        Rule((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in pieces if _is_rule(x1 - x0, y1 - y0)
    ]
    level, upright = _joined(level), _joined(upright)
    if len(pieces) > _PIECES or len(level) + len(upright) > _MOST:
        return []
    return [band for table in _tables(level, upright) for band in _rows(*table)]


def mirror(found: Iterable[Band], width: float) -> list[Band]:
    """Returns the rows of a page that is read mirrored, as words from right to left are."""
    return [
        Band(width - one.x1, one.y0, width - one.x0, one.y1, tuple(width - at for at in one.parts))
        for one in found
    ]


def _is_rule(width: float, length: float) -> bool:
    return width <= _THIN and length >= _SHORTEST


def _joined(pieces: Iterable[Rule]) -> list[Rule]:
    """Joins pieces of one line that meet: a rule is often drawn cell by cell, and twice."""
    made: list[Rule] = []
    lines: list[list[Rule]] = []
    for piece in sorted(pieces):
        if lines and piece.at - lines[-1][0].at <= _NEAR:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    for line in lines:
        made.append(min(line, key=lambda one: one.start))
        for piece in sorted(line, key=lambda one: one.start):
            if piece.start > made[-1].end + _NEAR:
                made.append(piece)
            made[-1] = made[-1]._replace(end=max(made[-1].end, piece.end))
    return made


def _lines(drawing: Mapping[str, Any]) -> Iterator[tuple[float, float, float, float]]:
    """Yields the boxes of straight lines: of lines, thin boxes, and the edges of drawn boxes."""
    is_drawn = drawing["type"] != "f"
    for kind, *points in drawing["items"]:
        if kind == "l":
            (ax, ay), (bx, by) = points
            yield min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)
        elif kind == "re":
            x0, y0, x1, y1 = points[0]
            if min(x1 - x0, y1 - y0) <= _THIN:
                yield x0, y0, x1, y1
            elif is_drawn:
                yield from ((x0, y, x1, y) for y in (y0, y1))
                yield from ((x, y0, x, y1) for x in (x0, x1))


def _tables(
    level: Sequence[Rule], upright: Sequence[Rule]
) -> Iterator[tuple[list[Rule], list[Rule]]]:
    """Yields the level and the upright rules of each table: those that meet, by way of others."""
    waiting = list(upright)
    free = list(level)
    while waiting:
        down, across = [waiting.pop()], list[Rule]()
        looked = 0
        while looked < len(down):
            one = down[looked]
            looked += 1
            met = [rule for rule in free if _meet(rule, one)]
            free = [rule for rule in free if not _meet(rule, one)]
            across += met
            joined = [rule for rule in waiting if any(_meet(other, rule) for other in met)]
            waiting = [rule for rule in waiting if rule not in joined]
            down += joined
        yield across, down


def _meet(level: Rule, upright: Rule) -> bool:
    return (
        level.start - _NEAR <= upright.at <= level.end + _NEAR
        and upright.start - _NEAR <= level.at <= upright.end + _NEAR
    )


def _rows(level: Sequence[Rule], upright: Sequence[Rule]) -> Iterator[Band]:
    """Yields the rows between rules over the whole width, where no rule parts some columns only."""
    if not level:
        return
    left, right = min(rule.start for rule in level), max(rule.end for rule in level)
    whole = [rule.at for rule in level if rule.end - rule.start >= _WHOLE * (right - left)]
    parting = {rule.at for rule in level} - set(whole)
    if len(whole) <= _FEWEST:
        return
    for top, bottom in pairwise(sorted(whole)):
        parts = sorted(rule.at for rule in upright if _parts(rule, top, bottom))
        if parts and not any(top < at < bottom for at in parting):
            yield Band(left, top, right, bottom, tuple(parts))


def _parts(upright: Rule, top: float, bottom: float) -> bool:
    """Tells whether a rule parts columns in a row: in a header two may have one label."""
    shared = min(upright.end, bottom) - max(upright.start, top)
    return shared > _ACROSS * (bottom - top)


# -- the rows' text ------------------------------------------------------------------------------


def join_rows(
    fragments: Sequence[Fragment], found: Iterable[Band]
) -> tuple[list[Fragment], dict[Fragment, Cells]]:
    """Joins what rules make one row.

    Returns the page's fragments, with one in the place of each such row, and the row's cells by it.
    """
    ordered = sorted(fragments, key=middle)
    heights = list(map(middle, ordered))
    joined: set[int] = set()
    rows: dict[Fragment, Cells] = {}
    for band in found:
        level = ordered[bisect_left(heights, band.y0) : bisect_right(heights, band.y1)]
        inside = [one for one in level if _is_inside(one, band) and id(one) not in joined]
        cells = _cells(inside, band)
        if len(cells) >= _FEWEST and not _is_crossed(inside, band) and _is_one_row(cells):
            rows[_place(inside)] = cells
            joined.update(map(id, inside))
    return [*(one for one in fragments if id(one) not in joined), *rows], rows


def _is_crossed(inside: Iterable[Fragment], band: Band) -> bool:
    """Tells whether a word stands across a rule, which so parts nothing."""
    return any(one.x0 < at - _NEAR and one.x1 > at + _NEAR for one in inside for at in band.parts)


def _is_inside(one: Fragment, band: Band) -> bool:
    return one.upright and band.x0 - _NEAR <= one.x0 and one.x1 <= band.x1 + _NEAR


def _place(inside: Sequence[Fragment]) -> Fragment:
    """Returns a fragment at a row's place on the page. Its own word is never read."""
    x0, x1 = min(one.x0 for one in inside), max(one.x1 for one in inside)
    y0, y1 = min(one.y0 for one in inside), max(one.y1 for one in inside)
    first = inside[0]
    mark = Word(x0, y0, x1, y1, "|")
    return Fragment(x0, y0, x1, y1, (mark,), first.size, first.bold, upright=True)


def _cells(inside: Iterable[Fragment], band: Band) -> Cells:
    columns: list[list[Fragment]] = [[] for _ in range(len(band.parts) + 1)]
    for one in inside:
        columns[sum((one.x0 + one.x1) / 2 > at for at in band.parts)].append(one)
    ordered = (sorted(column, key=lambda one: (one.y0, one.x0)) for column in columns if column)
    return tuple(tuple(chain.from_iterable(_in_lines(column))) for column in ordered)


def _in_lines(column: Sequence[Fragment]) -> list[list[Fragment]]:
    """Returns the fragments of a cell by its lines, each from left to right."""
    lines: list[list[Fragment]] = []
    for one in column:
        if lines and middle(one) < lines[-1][0].y1:
            lines[-1].append(one)
        else:
            lines.append([one])
    return [sorted(line, key=lambda one: one.x0) for line in lines]


def _is_one_row(cells: Sequence[Sequence[Fragment]]) -> bool:
    """Tells whether what stands between two rules is one row, whose cells the rules part.

    Some tables have a rule below their header and at their end alone. There each cell has as many
    lines as the others, or figures stand in more than one of them. Others have rules between some
    columns only: there a line of a cell has gaps. Long ones are no cells but text in a frame.
    """
    lines = [_in_lines(cell) for cell in cells]
    counts = list(map(len, lines))
    figures = [sum(_is_figure(one) for one in cell) for cell in cells[1:]]
    length = sum(len(one.text) for cell in cells for one in cell)
    is_parted = not any(_has_gap(line) for cell in lines for line in cell)
    is_whole = max(counts) == 1 or (min(counts) < max(counts) and max(figures) <= 1)
    return is_parted and is_whole and length <= _LONGEST


def _has_gap(line: Sequence[Fragment]) -> bool:
    return any(after.x0 - before.x1 > before.size for before, after in pairwise(line))


def _is_figure(one: Fragment) -> bool:
    text = one.text
    return any(map(str.isdigit, text)) and sum(map(str.isalpha, text)) <= 2
