"""Reading order: columns of prose are read one after the other, what else stands side by side is
a row of cells ("Total current liabilities | 5,466 | 4,587"), however far apart it is set.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from footnote.ingest.parse.pdf.marks import Fragment, Row

type Gutter = float  # the x at which one column of prose ends and another begins

_PROSE = 20  # letters that make a fragment a line of prose
_LINES = 4  # of prose that make a column
_FULL = 0.4  # of a column's height is filled with lines
_SAME_ROW = 0.5  # of the lower height is shared
_OPENING = re.compile(r"(?:[$€£¥₹]|US\$|C\$|A\$|CHF|\(|[-\u2013\u2014+]?[$€£¥]\(?|\(\$)\Z")
_CLOSING = re.compile(r"(?:\)|%|\)%|%\)|\*+|\([a-z0-9]{1,2}\)|[\u2020\u2021*]+|[,;.])\Z")
_MARKER = re.compile(
    r"(?:[\u2022\u2023\u25a0-\u25ff\u2610-\u2612\uf0a7\uf0b7\u27a2\u2713o*\u2013-]"
    r"|\(?[A-Za-z0-9]{1,3}[.)]|\(?[ivxIVX]{1,5}[.)]|\d+(?:\.\d+)*\.?|\([a-z0-9]{1,3}\)"
    r"|(?i:item|note|part|article|section|exhibit)\s+\w+\.?)\Z"
)


def rows(fragments: Sequence[Fragment]) -> list[Row]:
    """The rows of a page in reading order; turned text comes last."""
    upright = [fragment for fragment in fragments if fragment.upright]
    turned = [fragment for fragment in fragments if not fragment.upright]
    found: list[Row] = []
    for column, band in enumerate(_bands(upright)):
        found += _band_rows(band, column)
    last = found[-1].column + 1 if found else 0
    found += [_row(((fragment,),), last + i) for i, fragment in enumerate(turned)]
    return found


def _bands(fragments: Sequence[Fragment]) -> Iterator[list[Fragment]]:
    """Areas of a page that are read one after the other."""
    gutters = _gutters(fragments)
    if not gutters:
        yield list(fragments)
        return
    wide = sorted((f for f in fragments if _crosses(f, gutters)), key=_middle)
    narrow = sorted((f for f in fragments if not _crosses(f, gutters)), key=_middle)
    while wide or narrow:
        limit = wide[0].y0 if wide else float("inf")
        above = [f for f in narrow if _middle(f) < limit]
        yield from _columns(above, gutters)
        narrow = narrow[len(above) :]
        until = narrow[0].y0 if narrow else float("inf")
        across = [f for f in wide if _middle(f) <= until] or wide[:1]
        wide = wide[len(across) :]
        # what stands beside a wide line belongs to its row
        beside = [f for f in narrow if _middle(f) < max((w.y1 for w in across), default=0)]
        narrow = narrow[len(beside) :]
        if across:
            yield across + beside


def _columns(fragments: Sequence[Fragment], gutters: Sequence[Gutter]) -> Iterator[list[Fragment]]:
    """One area a column, unless there is no prose in it: then it is a table, and one area."""
    if not any(_is_prose(f) for f in fragments):
        if fragments:
            yield list(fragments)
        return
    columns: list[list[Fragment]] = [[] for _ in range(len(gutters) + 1)]
    for fragment in fragments:
        middle = (fragment.x0 + fragment.x1) / 2
        columns[sum(middle > gutter for gutter in gutters)].append(fragment)
    yield from filter(None, columns)


def _gutters(fragments: Sequence[Fragment]) -> list[Gutter]:
    """Where columns of prose begin: many lines start there, as many end before, few cross."""
    prose = [fragment for fragment in fragments if _is_prose(fragment)]
    found: list[Gutter] = []
    for edge in sorted(_margins(prose)):
        right = [f for f in prose if abs(f.x0 - edge) < 12]
        left = [f for f in prose if f.x1 < edge and f.x1 > max(found, default=0)]
        crossing = sum(f.x0 < edge - 2 and f.x1 > edge + 2 for f in prose)
        if min(len(left), len(right)) < _LINES or crossing > 2 * min(len(left), len(right)):
            continue
        is_new = all(edge - gutter > 60 for gutter in found)
        if is_new and _is_filled(left) and _is_filled(right) and _side_by_side(left, right):
            found.append(edge - 2)
    return found


def _margins(prose: Sequence[Fragment]) -> list[float]:
    """Left edges that several lines of prose share."""
    edges: dict[int, list[float]] = {}
    for fragment in prose:
        edges.setdefault(round(fragment.x0 / 6), []).append(fragment.x0)
    return [min(starts) for starts in edges.values() if len(starts) >= _LINES]


def _is_prose(fragment: Fragment) -> bool:
    text = fragment.text
    letters = sum(map(str.isalpha, text))
    return letters >= _PROSE and letters > 0.6 * len(text) and len(fragment.words) > 2


def _is_filled(column: Sequence[Fragment]) -> bool:
    """Lines follow each other as in prose; cells of a table leave room where others are longer."""
    ordered = sorted(column, key=_middle)
    steps = [b.y0 - a.y0 for a, b in zip(ordered, ordered[1:], strict=False) if b.y0 - a.y0 > 1]
    if not steps:
        return False
    height = median(f.y1 - f.y0 for f in column)
    return median(steps) < 1.9 * height and height * len(column) > _FULL * (
        max(f.y1 for f in column) - min(f.y0 for f in column)
    ) * (0.5 if len(column) > 20 else 1)


def _side_by_side(left: Sequence[Fragment], right: Sequence[Fragment]) -> bool:
    top = max(min(f.y0 for f in left), min(f.y0 for f in right))
    bottom = min(max(f.y1 for f in left), max(f.y1 for f in right))
    lines = sum(top <= _middle(f) <= bottom for f in right)
    return lines >= 3 and bottom > top


def _crosses(fragment: Fragment, gutters: Iterable[Gutter]) -> bool:
    return any(fragment.x0 < gutter - 2 and fragment.x1 > gutter + 4 for gutter in gutters)


def _middle(fragment: Fragment) -> float:
    return (fragment.y0 + fragment.y1) / 2


def _band_rows(band: Iterable[Fragment], column: int) -> Iterator[Row]:
    row: list[Fragment] = []
    for fragment in sorted(band, key=_middle):
        if row and not _same_row(row, fragment):
            yield _row(_cells(row), column)
            row = []
        row.append(fragment)
    if row:
        yield _row(_cells(row), column)


def _same_row(row: Sequence[Fragment], fragment: Fragment) -> bool:
    tallest = max(row, key=lambda other: other.y1 - other.y0)
    shared = min(tallest.y1, fragment.y1) - max(tallest.y0, fragment.y0)
    lower = min(tallest.y1 - tallest.y0, fragment.y1 - fragment.y0)
    if shared < _SAME_ROW * lower:
        return False
    # lines set so tight that they overlap are still lines: a row does not stand on itself
    return all(
        fragment.x0 >= other.x1 - 1 or fragment.x1 <= other.x0 + 1 or shared > 0.8 * lower
        for other in row
    )


def _cells(row: Iterable[Fragment]) -> tuple[tuple[Fragment, ...], ...]:
    """Fragments from left to right; "$", "%", list markers and footnote marks join their cell."""
    cells: list[list[Fragment]] = []
    for fragment in sorted(row, key=lambda other: other.x0):
        if cells and _joins(cells[-1], fragment, first=len(cells) == 1):
            cells[-1].append(fragment)
        else:
            cells.append([fragment])
    return tuple(map(tuple, cells))


def _joins(cell: Sequence[Fragment], fragment: Fragment, *, first: bool) -> bool:
    gap = fragment.x0 - cell[-1].x1
    if gap < 0.8 * min(fragment.size, cell[-1].size):
        return True
    if _OPENING.match(cell[-1].text) or (_CLOSING.match(fragment.text) and gap < 2 * fragment.size):
        return True
    starts = first and len(cell) == 1 and _MARKER.match(cell[0].text)
    return bool(starts) and gap < 6 * fragment.size and any(map(str.isalpha, fragment.text))


def _row(cells: tuple[tuple[Fragment, ...], ...], column: int) -> Row:
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
