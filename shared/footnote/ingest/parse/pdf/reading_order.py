"""Reading order of a PDF page: columns of prose are read one after the other.

Any other parts side by side are a row of cells ("Total current liabilities | 5,466 | 4,587"),
however far apart they are set.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median

from footnote.ingest.parse.pdf.asides import part_asides
from footnote.ingest.parse.pdf.drop_caps import join_initials
from footnote.ingest.parse.pdf.page_items import Cells, Fragment, Row
from footnote.ingest.parse.pdf.prose import is_prose, middle
from footnote.ingest.parse.pdf.superscripts import raise_marks
from footnote.ingest.parse.pdf.vertical import split_before
from footnote.text.sentences import BULLETS, TICKS

type Gutter = tuple[
    float, float
]  # between two columns: the end of the left one and the start of the right one

_LINES = 4  # the least lines of prose in a column
_NARROWEST = 60  # points: the least width of a column
_FULL = 0.4  # of a column's height: the least that lines fill
_SAME_ROW = 0.5  # of the lower height: the least that two fragments of a row share
# of the lower height, between their middles: a large heading is not beside all that it spans
_APART = 0.7
_OPENING = re.compile(r"(?:[$€£¥₹]|US\$|C\$|A\$|CHF|\(|[-\u2013\u2014+]?[$€£¥]\(?|\(\$)\Z")
_SIGNS = "$€£¥₹F"
_CURRENCY = re.compile(r"(?:[$€£¥₹]|US\$|C\$|A\$|CHF)\Z")
_CLOSING = re.compile(r"(?:\)|%|\)%|%\)|\*+|\([a-z0-9]{1,2}\)|[\u2020\u2021*]+|[,;.])\Z")
_BULLET = re.compile(rf"[{BULLETS}]\Z")
_MARKER = re.compile(
    rf"(?:[{BULLETS}{TICKS}o*\u2013-]"
    r"|\(?[A-Za-z0-9]{1,3}[.)]|\(?[ivxIVX]{1,5}[.)]|\d+(?:\.\d+)*\.?|\([a-z0-9]{1,3}\)"
    r"|(?i:item|note|part|article|section|exhibit)\s+\w+\.?)\Z"
)


def rows(
    fragments: Sequence[Fragment], ruled: Mapping[Fragment, Cells], *, is_vertical: bool = False
) -> list[Row]:
    """Returns the rows of a page in reading order. Turned text comes last.

    On a page of vertical writing, turned text lies across: a heading above comes first. `ruled`
    maps fragments that replace ruled rows to the rows' cells.
    """
    upright = join_initials([fragment for fragment in fragments if fragment.upright])
    turned = [fragment for fragment in fragments if not fragment.upright]
    above, rest = split_before(upright, turned) if is_vertical else ([], turned)
    ordered = [_row(((fragment,),), i) for i, fragment in enumerate(above)]
    areas = (area for band in _bands(upright) for area in part_asides(band))
    for column, band in enumerate(areas, start=len(above)):
        ordered += _band_rows(band, column, ruled)
    last = ordered[-1].column + 1 if ordered else 0
    ordered += [_row(((fragment,),), last + i) for i, fragment in enumerate(rest)]
    return ordered


def _bands(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Yields the areas of a page in reading order."""
    gutters = _gutters(fragments)
    if not gutters:
        yield list(fragments)
        return
    wide = sorted((f for f in fragments if _crosses(f, gutters)), key=middle)
    narrow = sorted((f for f in fragments if not _crosses(f, gutters)), key=middle)
    while wide or narrow:
        limit = wide[0].y0 if wide else float("inf")
        above = [f for f in narrow if middle(f) < limit]
        yield from _columns(above, gutters)
        narrow = narrow[len(above) :]
        until = narrow[0].y0 if narrow else float("inf")
        across = [f for f in wide if middle(f) <= until] or wide[:1]
        wide = wide[len(across) :]
        # a fragment beside a wide line belongs to its row
        beside = [f for f in narrow if middle(f) < max((w.y1 for w in across), default=0)]
        narrow = narrow[len(beside) :]
        if across:
            yield across + beside


def _columns(fragments: Sequence[Fragment], gutters: Sequence[Gutter]) -> Iterator[list[Fragment]]:
    """Yields one area per column. Without any prose the page is a table, and one area."""
    if not any(is_prose(f) for f in fragments):
        if fragments:
            yield list(fragments)
        return
    columns: list[list[Fragment]] = [[] for _ in range(len(gutters) + 1)]
    for fragment in fragments:
        middle = fragment.x0 + fragment.x1
        columns[sum(middle > left + right for left, right in gutters)].append(fragment)
    yield from filter(None, columns)


def _gutters(fragments: Sequence[Fragment]) -> list[Gutter]:
    """Finds the gutters between columns.

    At a gutter many lines start, as many lines of prose end before it, and few cross it.
    """
    prose = [fragment for fragment in fragments if is_prose(fragment)]
    gutters: list[Gutter] = []
    if len(prose) < _LINES:
        return gutters
    for edge in sorted(_margins(fragments)):
        beyond = max((right for _, right in gutters), default=0.0)
        left = [f for f in prose if beyond - 2 < f.x0 and f.x1 < edge]
        if edge - beyond < _NARROWEST or len(left) < _LINES or not _is_filled(left):
            continue
        if _faces_prose(prose, left, edge) or _faces_table(fragments, left, edge):
            gutters.append((max(f.x1 for f in left), edge))
    return gutters or _fold_gutter(fragments)


def _fold_gutter(fragments: Sequence[Fragment]) -> list[Gutter]:
    """Returns the middle of a sheet that shows two pages side by side, as its only gutter."""
    left, right = min(f.x0 for f in fragments), max(f.x1 for f in fragments)
    height = max(f.y1 for f in fragments) - min(f.y0 for f in fragments)
    middle = (left + right) / 2
    before = [f for f in fragments if f.x1 <= middle]
    if right - left < 1.2 * height or len(before) < 2 * _LINES:
        return []
    return [(middle, middle)] if _faces_table(fragments, before, middle) else []


def _faces_prose(prose: Sequence[Fragment], left: Sequence[Fragment], edge: float) -> bool:
    right = [f for f in prose if abs(f.x0 - edge) < 12]
    fewer = min(len(left), len(right))
    crossing = sum(f.x0 < edge - 2 and f.x1 > edge + 2 for f in prose)
    if fewer < _LINES or crossing > 2 * fewer:
        return False
    return _is_filled(right) and _are_side_by_side(left, right)


def _faces_table(every: Sequence[Fragment], left: Sequence[Fragment], edge: float) -> bool:
    """Tells whether a part other than prose stands beside the prose.

    Then nothing crosses the gutter, and its rows are not level with the lines.
    """
    right = [f for f in every if f.x0 >= edge - 2]
    if len(right) < 2 * _LINES or not _are_side_by_side(left, right):
        return False
    if any(f.x0 < edge - 2 and f.x1 > edge + 2 for f in every):
        return False
    lines = [middle(f) for f in left]
    aligned = sum(any(abs(middle(f) - line) < 1 for line in lines) for f in right)
    return aligned < 0.4 * len(right)


def _margins(fragments: Sequence[Fragment]) -> list[float]:
    """Returns the left edges that several lines share."""
    edges: dict[int, list[float]] = {}
    for fragment in fragments:
        edges.setdefault(round(fragment.x0 / 6), []).append(fragment.x0)
    return [min(starts) for starts in edges.values() if len(starts) >= _LINES]


def _is_filled(column: Sequence[Fragment]) -> bool:
    """Tells whether lines follow each other as in prose.

    Cells of a table leave room where others are longer.
    """
    ordered = sorted(column, key=middle)
    steps = [b.y0 - a.y0 for a, b in pairwise(ordered) if b.y0 - a.y0 > 1]
    if not steps:
        return False
    height = median(f.y1 - f.y0 for f in column)
    return median(steps) < 1.9 * height and height * len(column) > _FULL * (
        max(f.y1 for f in column) - min(f.y0 for f in column)
    ) * (0.5 if len(column) > 20 else 1)


def _are_side_by_side(left: Sequence[Fragment], right: Sequence[Fragment]) -> bool:
    top = max(min(f.y0 for f in left), min(f.y0 for f in right))
    bottom = min(max(f.y1 for f in left), max(f.y1 for f in right))
    lines = sum(top <= middle(f) <= bottom for f in right)
    return lines >= 3 and bottom > top


def _crosses(fragment: Fragment, gutters: Iterable[Gutter]) -> bool:
    return any(fragment.x0 < left - 2 and fragment.x1 > right + 2 for left, right in gutters)


def _band_rows(
    band: Iterable[Fragment], column: int, ruled: Mapping[Fragment, Cells]
) -> Iterator[Row]:
    row: list[Fragment] = []
    for fragment in sorted(band, key=middle):
        whole = ruled.get(fragment)
        if row and (whole or not _is_same_row(row, fragment)):
            yield _row(_cells(row), column)
            row = []
        if whole:
            yield _row(whole, column)
        else:
            row.append(fragment)
    if row:
        yield _row(_cells(row), column)


def _is_same_row(row: Sequence[Fragment], fragment: Fragment) -> bool:
    tallest = max(row, key=lambda other: other.y1 - other.y0)
    shared = min(tallest.y1, fragment.y1) - max(tallest.y0, fragment.y0)
    lower = min(tallest.y1 - tallest.y0, fragment.y1 - fragment.y0)
    apart = abs((tallest.y0 + tallest.y1) / 2 - middle(fragment))
    if shared < _SAME_ROW * lower or apart > _APART * lower:
        return False
    # tight lines that overlap are still two: parts of a row stand side by side
    return all(
        fragment.x0 >= other.x1 - 1 or fragment.x1 <= other.x0 + 1 or shared > 0.8 * lower
        for other in row
    )


def _cells(row: Iterable[Fragment]) -> Cells:
    """Groups fragments into cells, from left to right.

    "$", "%", list markers and footnote marks join their cell.
    """
    cells: list[list[Fragment]] = []
    ordered = sorted(row, key=lambda other: other.x0)
    for fragment in raise_marks(_split_currency(ordered)):
        if cells and _joins_cell(cells[-1], fragment, first=len(cells) == 1):
            cells[-1].append(fragment)
        else:
            cells.append([fragment])
    return tuple(map(tuple, cells))


def _split_currency(row: Sequence[Fragment]) -> list[Fragment]:
    """Splits "44 $" into two: the sign belongs to the figure in the next column."""
    split: list[Fragment] = []
    for i, part in enumerate(row):
        *words, last = part.words
        if words and last.text[-1] in _SIGNS and i + 1 < len(row) and _CURRENCY.match(last.text):
            own_words = tuple(words)
            split.append(part._replace(words=own_words, x1=max(word.x1 for word in own_words)))
            split.append(part._replace(words=(last,), x0=last.x0, x1=last.x1))
        else:
            split.append(part)
    return split


def _joins_cell(cell: Sequence[Fragment], fragment: Fragment, *, first: bool) -> bool:
    gap = fragment.x0 - cell[-1].x1
    if gap < 0.8 * min(fragment.size, cell[-1].size):
        return True
    if _OPENING.match(cell[-1].text) or (_CLOSING.match(fragment.text) and gap < 2 * fragment.size):
        return True
    if (
        first
        and is_prose(fragment)
        and gap < 1.5 * fragment.size
        and not cell[0].text[-1:].isdigit()
    ):
        return True  # a heading that runs into its paragraph
    if _BULLET.match(cell[-1].text) and gap < 3 * fragment.size:
        return True
    starts = first and len(cell) == 1 and _MARKER.match(cell[0].text)
    return bool(starts) and gap < 6 * fragment.size and any(map(str.isalpha, fragment.text))


def _row(cells: Cells, column: int) -> Row:
    every = [fragment for cell in cells for fragment in cell]
    longest = max(every, key=lambda fragment: sum(len(word.text) for word in fragment.words))
    return Row(
        cells,
        column,
        min(fragment.x0 for fragment in every),
        min(fragment.y0 for fragment in every),
        max(fragment.x1 for fragment in every),
        max(fragment.y1 for fragment in every),
        longest.size,
        all(fragment.bold for fragment in every if any(map(str.isalpha, fragment.text))),
    )
