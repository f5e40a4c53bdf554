"""Ruled tables of a PDF page: the text between two rules is one row, however many its lines.

Without its rules a cell of three lines looks like three rows. So the drawn rules are read, and the
lines between two of them are joined, each cell's one below the other. All else stays as it is.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise
from typing import Any, NamedTuple

from footnote.ingest.parse.pdf.page_items import Cells, Fragment, Word
from footnote.ingest.parse.pdf.prose import middle

_THIN = 3.0  # points: a thinner filled box is a rule
_NEAR = 3.0  # points by which rules that meet may miss each other
_SHORTEST = 6.0  # points of a rule
# The most drawings and straight lines of a page that is read; a cell may be drawn by four. A map
# has more. Each takes 1.7 KB while the page is read.
_PIECES = 20_000
_MOST = 500  # the most rules that they make
_WHOLE = 0.95  # of a table's width: such a rule separates rows of all columns
_ACROSS = 0.5  # of the height between two rules: an upright rule of that length separates columns
_FEWEST = 2  # the least columns, and rows, of a table
_LONGEST = 1_000  # characters of a row: a longer one is text in a frame


class Rule(NamedTuple):
    """A rule: its position on one axis, and its start and end on the other."""

    at: float
    start: float
    end: float


class Band(NamedTuple):
    """A row of a ruled table: its box, and the positions of the columns' inner rules."""

    x0: float
    y0: float
    x1: float
    y1: float
    parts: tuple[float, ...]


def drawings(page: Any) -> list[Mapping[str, Any]]:
    """Returns a page's drawings, as PyMuPDF's `get_cdrawings` does; none if there are too many.

    They come one by one, so that a page of a million takes no more memory than one of `_PIECES`.
    """
    collected: list[Mapping[str, Any]] = []

    def keep(drawing: Mapping[str, Any]) -> bool:
        if len(collected) <= _PIECES:
            collected.append(drawing)
        return True  # otherwise PyMuPDF prints a message, and an exception ends the process

    page.get_cdrawings(callback=keep)
    return collected if len(collected) <= _PIECES else []


def bands(drawn: Iterable[Mapping[str, Any]]) -> list[Band]:
    """Returns the rows of a page's ruled tables. `drawn` is the result of `drawings`."""
    pieces = list(islice(chain.from_iterable(map(_lines, drawn)), _PIECES + 1))
    level = [Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in pieces if _is_rule(y1 - y0, x1 - x0)]
    upright = [
        Rule((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in pieces if _is_rule(x1 - x0, y1 - y0)
    ]
    level, upright = _joined(level), _joined(upright)
    if len(pieces) > _PIECES or len(level) + len(upright) > _MOST:
        return []
    return [band for table in _tables(level, upright) for band in _rows(*table)]


def mirror(rows: Iterable[Band], width: float) -> list[Band]:
    """Returns the rows of a mirrored page, whose words run from right to left."""
    return [
        Band(
            width - band.x1,
            band.y0,
            width - band.x0,
            band.y1,
            tuple(width - at for at in band.parts),
        )
        for band in rows
    ]


def _is_rule(width: float, length: float) -> bool:
    return width <= _THIN and length >= _SHORTEST


def _joined(pieces: Iterable[Rule]) -> list[Rule]:
    """Joins touching pieces of one line: a rule is often drawn cell by cell, and twice."""
    rules: list[Rule] = []
    lines: list[list[Rule]] = []
    for piece in sorted(pieces):
        if lines and piece.at - lines[-1][0].at <= _NEAR:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    for line in lines:
        rules.append(min(line, key=lambda rule: rule.start))
        for piece in sorted(line, key=lambda rule: rule.start):
            if piece.start > rules[-1].end + _NEAR:
                rules.append(piece)
            rules[-1] = rules[-1]._replace(end=max(rules[-1].end, piece.end))
    return rules


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
    """Yields the level and the upright rules of each table: those that meet, directly or not."""
    waiting = list(upright)
    free = list(level)
    while waiting:
        down, across = [waiting.pop()], list[Rule]()
        looked = 0
        while looked < len(down):
            upright_rule = down[looked]
            looked += 1
            met = [rule for rule in free if _meet(rule, upright_rule)]
            free = [rule for rule in free if not _meet(rule, upright_rule)]
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
    """Yields the rows between rules over the whole width, without shorter level rules inside."""
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
    """Tells whether a rule separates columns in a row: in a header two may have one label."""
    shared = min(upright.end, bottom) - max(upright.start, top)
    return shared > _ACROSS * (bottom - top)


# -- the rows' text ------------------------------------------------------------------------------


def join_rows(
    fragments: Sequence[Fragment], rows_between: Iterable[Band]
) -> tuple[list[Fragment], dict[Fragment, Cells]]:
    """Joins the fragments of each ruled row.

    Returns the page's fragments, with one in place of each such row, and the row's cells by it.
    """
    ordered = sorted(fragments, key=middle)
    heights = list(map(middle, ordered))
    joined: set[int] = set()
    rows: dict[Fragment, Cells] = {}
    for band in rows_between:
        level = ordered[bisect_left(heights, band.y0) : bisect_right(heights, band.y1)]
        inside = [
            fragment
            for fragment in level
            if _is_inside(fragment, band) and id(fragment) not in joined
        ]
        cells = _cells(inside, band)
        if len(cells) >= _FEWEST and not _is_crossed(inside, band) and _is_one_row(cells):
            rows[_place(inside)] = cells
            joined.update(map(id, inside))
    return [*(fragment for fragment in fragments if id(fragment) not in joined), *rows], rows


def _is_crossed(inside: Iterable[Fragment], band: Band) -> bool:
    """Tells whether a word stands across a rule, so that the rule separates nothing."""
    return any(
        fragment.x0 < at - _NEAR and fragment.x1 > at + _NEAR
        for fragment in inside
        for at in band.parts
    )


def _is_inside(fragment: Fragment, band: Band) -> bool:
    return fragment.upright and band.x0 - _NEAR <= fragment.x0 and fragment.x1 <= band.x1 + _NEAR


def _place(inside: Sequence[Fragment]) -> Fragment:
    """Returns a fragment at a row's place on the page. Its own word is never read."""
    x0, x1 = min(fragment.x0 for fragment in inside), max(fragment.x1 for fragment in inside)
    y0, y1 = min(fragment.y0 for fragment in inside), max(fragment.y1 for fragment in inside)
    first = inside[0]
    mark = Word(x0, y0, x1, y1, "|")
    return Fragment(x0, y0, x1, y1, (mark,), first.size, first.bold, upright=True)


def _cells(inside: Iterable[Fragment], band: Band) -> Cells:
    columns: list[list[Fragment]] = [[] for _ in range(len(band.parts) + 1)]
    for fragment in inside:
        columns[sum((fragment.x0 + fragment.x1) / 2 > at for at in band.parts)].append(fragment)
    ordered = (
        sorted(column, key=lambda fragment: (fragment.y0, fragment.x0))
        for column in columns
        if column
    )
    return tuple(tuple(chain.from_iterable(_in_lines(column))) for column in ordered)


def _in_lines(column: Sequence[Fragment]) -> list[list[Fragment]]:
    """Returns the fragments of a cell by its lines, each from left to right."""
    lines: list[list[Fragment]] = []
    for fragment in column:
        if lines and middle(fragment) < lines[-1][0].y1:
            lines[-1].append(fragment)
        else:
            lines.append([fragment])
    return [sorted(line, key=lambda fragment: fragment.x0) for line in lines]


def _is_one_row(cells: Sequence[Sequence[Fragment]]) -> bool:
    """Tells whether the text between two rules is one row, whose cells the rules separate.

    Some tables have rules only below their header and at their end. There the cells have equally
    many lines, or several lines have figures. Others have rules between some columns only: there a
    line of a cell has gaps. Long texts are no cells but text in a frame.
    """
    lines = [_in_lines(cell) for cell in cells]
    counts = list(map(len, lines))
    figures = [sum(_is_figure(fragment) for fragment in cell) for cell in cells[1:]]
    length = sum(len(fragment.text) for cell in cells for fragment in cell)
    is_parted = not any(_has_gap(line) for cell in lines for line in cell)
    is_whole = max(counts) == 1 or (min(counts) < max(counts) and max(figures) <= 1)
    return is_parted and is_whole and length <= _LONGEST


def _has_gap(line: Sequence[Fragment]) -> bool:
    return any(after.x0 - before.x1 > before.size for before, after in pairwise(line))


def _is_figure(fragment: Fragment) -> bool:
    text = fragment.text
    return any(map(str.isdigit, text)) and sum(map(str.isalpha, text)) <= 2
