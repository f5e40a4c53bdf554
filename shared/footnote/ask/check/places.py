"""Finds figures, dates and names of a claim that stand where the sentence has others."""

from collections.abc import Iterator
from itertools import pairwise

from footnote.ask.check.align import Alignment
from footnote.ask.check.lexicon import BECAUSE
from footnote.ask.check.parts import Part
from footnote.ask.check.verdict import ABOUT_KIND, Difference

_WORDS = frozenset({"word", "name"})
_ORDERED = frozenset({BECAUSE, "<before>", "<after>"})
_STARTS, _ENDS = frozenset({"from", "since"}), frozenset({"to", "by", "until"})


def place_differences(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, rule by rule."""
    for rule in (_exchanged_places, _exchanged_causes, _wrong_leads, _mixed_dates):
        yield from rule(laid)


def _exchanged_places(laid: Alignment) -> Iterator[Difference]:
    """Finds two parts in each other's place, in a claim that has the sentence's order otherwise."""
    turns = laid.turns
    if len(turns) not in {1, 2}:
        return
    order = sorted(laid.pairs)
    places = [laid.pairs[i] for i in order]
    m, n = turns[0] - 1, turns[-1]
    mine, other = laid.claim[order[m]], laid.claim[order[n]]
    between = {part.kind for part in laid.said[places[n] + 1 : places[m]]}
    kinds = {mine.kind, other.kind}
    is_list = kinds <= _WORDS and between <= (kinds if len(kinds) == 1 else {"name"})  # "A and B"
    places[m], places[n] = places[n], places[m]
    alike = all(laid.claim[order[k]].links == laid.said[places[k]].links for k in (m, n))
    in_order = all(a < b for a, b in pairwise(places))
    if _may_stand_for(mine, other) and alike and in_order and not is_list:
        yield Difference(ABOUT_KIND[mine.kind], mine.written, other.written)


def _exchanged_causes(laid: Alignment) -> Iterator[Difference]:
    """Finds cause and effect that changed places, and "A before B" on "B before A"."""
    for i, j in laid.pairs.items():
        late = any(k < i and m > j for k, m in laid.pairs.items())
        early = any(k > i and m < j for k, m in laid.pairs.items())
        if laid.claim[i].key in _ORDERED and late and early:
            yield Difference("wording", laid.claim[i].written)


def _may_stand_for(one: Part, other: Part) -> bool:
    """Returns whether two parts are words or rivals, or a figure without a unit and a year."""
    is_number = _is_bare(one) and _is_bare(other) and one.kind != other.kind
    return {one.kind, other.kind} <= _WORDS or is_rival(one, other) or is_number


def _is_bare(part: Part) -> bool:
    """Returns whether a figure has no unit, or a period is a year alone."""
    if part.figure:
        return not (part.figure.unit or part.figure.scaled)
    return part.kind == "period" and len(part.date) == 1 and level(part) == "year"


def _wrong_leads(laid: Alignment) -> Iterator[Difference]:
    """Compares what leads to a figure or a date: "to" is not "by", "until" is not "from"."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        moved = all(
            n and parts[n - 1].kind == "direction" for parts, n in ((laid.claim, i), (laid.said, j))
        )
        leads = {mine.lead or "by", theirs.lead or "by"} if moved else {mine.lead, theirs.lead}
        if mine.kind == "period" and ((leads & _STARTS) and (leads & _ENDS)):
            yield Difference(
                "period", f"{mine.lead} {mine.written}", f"{theirs.lead} {theirs.written}"
            )
        if mine.figure and len(leads - {""}) > 1:
            yield Difference(
                "figure", f"{mine.lead} {mine.written}", f"{theirs.lead} {theirs.written}"
            )


def _mixed_dates(laid: Alignment) -> Iterator[Difference]:
    """Finds dates whose parts stand in the sentence, but not as one date: "1 August 1834"."""
    dates = {part.date for part in laid.said if part.date}
    for part in dict.fromkeys(p for p in laid.claim if len(p.date) > 1):
        alike = [date for date in dates if date <= part.date or part.date <= date]
        others = [date for date in dates if len(date) > 1 and date & part.date]
        if others and not any(len(date) > 1 for date in alike):
            yield Difference(
                "period", part.written, next(p.written for p in laid.said if p.date in others)
            )


def is_rival(part: Part, other: Part) -> bool:
    """Returns whether the other could stand in the part's place, with another value."""
    if part.kind != other.kind or part.key == other.key:
        return False
    if part.figure and other.figure:
        return part.figure.unit == other.figure.unit
    if part.kind in {"name", "direction"}:
        return True
    return level(part) == level(other)


def level(period: Part) -> str:
    """Returns the level of a period: two different ones of one level exclude each other."""
    name = period.key.split()[0]
    return "stretch" if name in {"quarter", "half", "span"} else name
