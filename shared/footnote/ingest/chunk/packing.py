"""Packs units into pieces: tiny sections join related ones, then even pieces fill the budget."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.ingest.chunk.units import Leaf, Unit

TINY = 40  # tokens: a smaller section joins its parent's or neighbour's text
_BARE = 15  # tokens: a smaller one is hardly more than a heading, and joins the text after it
_MOST_REPEATED = 8  # sentences at most in an overlap
_HEADER = 30  # tokens kept free for the header row that later parts of a table carry


class Piece(NamedTuple):
    """A future chunk. `continued`: it begins inside a table, after the table's header row."""

    units: Sequence[Unit]
    continued: bool


def pieces(
    every: Sequence[Unit], leaves: Sequence[Leaf], budget: int, overlap: int
) -> Iterator[Piece]:
    """Cuts units into pieces of up to `budget` tokens, which overlap by up to `overlap` tokens."""
    for group in _groups(every, leaves, budget):
        yield from _cut(group, budget, overlap)


def tokens(group: Sequence[Unit]) -> int:
    return sum(unit.tokens for unit in group)


def _groups(every: Sequence[Unit], leaves: Sequence[Leaf], budget: int) -> list[list[Unit]]:
    """Groups units by section. A tiny section joins the next related one, else the one before."""
    groups: list[list[Unit]] = []
    for section in _by_leaf(every):
        last = groups[-1] if groups else []
        size = tokens(last)
        kin = bool(last) and _are_kin(leaves[last[-1].leaf], leaves[section[0].leaf])
        if last and (size < _BARE or (size < TINY and kin)):
            groups[-1] = last + section
            continue
        if last and size < TINY and _joins_before(groups, leaves, budget):
            groups[-2:] = [groups[-2] + last]
        groups.append(section)
    if (
        len(groups) > 1
        and tokens(groups[-1]) < TINY
        and (tokens(groups[-1]) < _BARE or _joins_before(groups, leaves, budget))
    ):
        groups[-2:] = [groups[-2] + groups[-1]]
    return groups


def _joins_before(groups: Sequence[Sequence[Unit]], leaves: Sequence[Leaf], budget: int) -> bool:
    """Tells whether the last group may join the one before it."""
    if len(groups) < 2 or tokens(groups[-2]) + tokens(groups[-1]) > budget:
        return False
    return _are_kin(leaves[groups[-2][-1].leaf], leaves[groups[-1][0].leaf])


def _by_leaf(every: Sequence[Unit]) -> Iterator[list[Unit]]:
    section: list[Unit] = []
    for unit in every:
        if section and unit.leaf != section[-1].leaf:
            yield section
            section = []
        section.append(unit)
    if section:
        yield section


def _are_kin(before: Leaf, after: Leaf) -> bool:
    """Tells whether two leaves are a section and a part of it, or two parts of one section."""
    return after.path[: len(before.path)] == before.path or before.path[:-1] == after.path[:-1]


def _cut(group: Sequence[Unit], budget: int, overlap: int) -> Iterator[Piece]:
    """Yields pieces of about one size. Each but the first repeats the end of the one before."""
    first = 0
    remaining = tokens(group)
    while first < len(group):
        repeated = _overlap_before(group, first, overlap)
        continued = (
            first > 0 and group[first].table >= 0 and group[first].table == group[first - 1].table
        )
        limit = budget - (_HEADER if continued and budget > 2 * _HEADER else 0)
        if tokens(repeated) + group[first].tokens > limit:
            repeated = []
        end = _end(group, first, limit - tokens(repeated), remaining)
        yield Piece([*repeated, *group[first:end]], continued)
        remaining -= tokens(group[first:end])
        first = end


def _overlap_before(group: Sequence[Unit], first: int, overlap: int) -> list[Unit]:
    """Returns the sentences before `first` that fit in the overlap.

    An overlap neither crosses sections nor holds rows of tables.
    """
    repeated: list[Unit] = []
    for unit in reversed(group[max(first - _MOST_REPEATED, 0) : first]):
        if unit.leaf != group[first].leaf or unit.table >= 0 or group[first].table >= 0:
            break
        overlap -= unit.tokens
        if overlap < 0:
            break
        repeated.insert(0, unit)
    return repeated


def _end(group: Sequence[Unit], first: int, limit: int, remaining: int) -> int:
    """Returns the index after the last unit of the piece that begins at `first`.

    The piece ends where the `remaining` tokens divide evenly, or nearby where a
    table or a section begins.
    """
    even = remaining / max(1, -(-remaining // max(limit, 1)))
    best, lowest, size = first + 1, float("inf"), 0
    for end in range(first + 1, len(group) + 1):
        size += group[end - 1].tokens
        if size > limit and end > first + 1:
            break
        cost = abs(size - even) / max(even, 1) + (_cut_cost(group, end) if end < len(group) else 0)
        if cost <= lowest:
            best, lowest = end, cost
    return best


def _cut_cost(group: Sequence[Unit], end: int) -> float:
    """Returns the cost of a cut before `end`: low between sections, high inside a table."""
    before, after = group[end - 1], group[end]
    if before.table >= 0 and before.table == after.table:
        return 0.5
    return 0.0 if before.leaf != after.leaf or before.table != after.table else 0.2
