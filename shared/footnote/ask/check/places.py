"""Finds figures, dates and names of a claim that stand where the sentence has others."""

from collections.abc import Iterator, Sequence

from footnote.ask.check.align import Alignment, fit
from footnote.ask.check.parts import Part, PartKind
from footnote.ask.check.verdict import ABOUT_KIND, Difference

TELLING = frozenset({"word", "name", "direction"})
_STARTS, _ENDS = frozenset({"from", "since"}), frozenset({"to", "by", "until"})
MARGIN = {"figure": 0.25, "period": 0.25, "name": 0.5, "direction": 0.5}
"""Kind → by how much a rival must fit a part's place better before it is said to belong there."""


def place_differences(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, rule by rule."""
    for rule in (_changed_places, _wrong_leads, _mixed_dates, _swapped_years):
        yield from rule(laid)


def _changed_places(laid: Alignment) -> Iterator[Difference]:
    """Finds parts that fit better where the sentence has a rival: they have changed places."""
    for i in laid.pairs:
        part = laid.claim[i]
        if part.kind not in MARGIN:
            continue
        rivals = [k for k, p in enumerate(laid.said) if is_rival(part, p)]
        if not rivals:
            continue
        equal = [k for k, p in enumerate(laid.said) if p.key == part.key]
        own = max(fit(laid.claim, i, laid.said, k) for k in equal)
        best = max(rivals, key=lambda k: fit(laid.claim, i, laid.said, k))
        fits = fit(laid.claim, i, laid.said, best) > own + MARGIN[part.kind]
        if fits and not _is_bound(laid, i, best):
            # where it goes with the same part in both, the order may differ: rules cannot tell
            led = {laid.said[best].lead, laid.said[laid.pairs[i]].lead}
            turned = (part.figure and len(led) > 1) or _goes_with(laid, i)
            turned = is_passive(laid) if part.kind == "name" else turned
            about = ABOUT_KIND[part.kind]
            yield Difference(about, part.text, laid.said[best].text, refutes=not turned)


def _is_bound(laid: Alignment, i: int, rival: int) -> bool:
    """Returns whether a part surely belongs where it stands.

    It does if the claim has all of its clause. It also does if both have the same "from" or "to"
    before it and the rival has another.
    """
    mine, theirs, other = laid.claim[i], laid.said[laid.pairs[i]], laid.said[rival]
    if (
        mine.figure
        and mine.lead == theirs.lead != other.lead
        and (mine.lead == "from" or (mine.lead and other.lead))
    ):
        return True
    if other.lead and any(p.key == other.key and p.lead == other.lead for p in laid.claim):
        return mine.lead != other.lead  # "up from 33": the claim has its "from 33" too
    claimed = {part.key for part in laid.claim}
    clause = {p.key for p in laid.said if p.clause == theirs.clause}
    there = {p.key for p in laid.said if p.clause == other.clause and p.kind not in TELLING}
    apart = other.clause != theirs.clause and not (there | {other.key}) & claimed - clause
    return apart and clause <= claimed


def _goes_with(laid: Alignment, i: int) -> bool:
    """Returns whether a part goes with the same part in both.

    A figure goes with the nearest period or the word before it, a period with the nearest figure.
    """
    kind: PartKind = "period" if laid.claim[i].figure else "figure"
    mine, theirs = _nearest(laid.claim, i, kind), _nearest(laid.said, laid.pairs[i], kind)
    if mine and theirs and mine.key == theirs.key:
        return True
    before = (parts[n - 1].key for parts, n in ((laid.claim, i), (laid.said, laid.pairs[i])) if n)
    return kind == "period" and len(keys := [*before]) == 2 and keys[0] == keys[1]


def _nearest(parts: Sequence[Part], at: int, kind: PartKind) -> Part | None:
    n = nearest_at(parts, at, kind)
    return None if n is None else parts[n]


def _wrong_leads(laid: Alignment) -> Iterator[Difference]:
    """Compares what leads to a figure or a date: "to" is not "by", "until" is not "from"."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        moved = all(
            n and parts[n - 1].kind == "direction" for parts, n in ((laid.claim, i), (laid.said, j))
        )
        leads = {mine.lead or "by", theirs.lead or "by"} if moved else {mine.lead, theirs.lead}
        if mine.kind == "period" and ((leads & _STARTS) and (leads & _ENDS)):
            yield Difference("period", f"{mine.lead} {mine.text}", f"{theirs.lead} {theirs.text}")
        if mine.figure and len(leads - {""}) > 1:
            yield Difference("figure", f"{mine.lead} {mine.text}", f"{theirs.lead} {theirs.text}")


def _mixed_dates(laid: Alignment) -> Iterator[Difference]:
    """Finds dates whose parts stand in the sentence, but not as one date: "1 August 1834"."""
    dates = {part.date for part in laid.said if part.date}
    for part in dict.fromkeys(p for p in laid.claim if len(p.date) > 1):
        alike = [date for date in dates if date <= part.date or part.date <= date]
        others = [date for date in dates if len(date) > 1 and date & part.date]
        if others and not any(len(date) > 1 for date in alike):
            yield Difference(
                "period", part.text, next(p.text for p in laid.said if p.date in others)
            )


def _swapped_years(laid: Alignment) -> Iterator[Difference]:
    """Finds a figure and a year in each other's place: "in 10" on "in 2006 … from 10 to 100"."""
    bare = [i for i in laid.pairs if _is_bare(laid.claim[i])]
    for i in (i for i in bare if laid.claim[i].figure):
        for k in (k for k in bare if not laid.claim[k].figure):
            here = _fits(laid, i, laid.pairs[i]) + _fits(laid, k, laid.pairs[k])
            turned = _fits(laid, i, laid.pairs[k]) + _fits(laid, k, laid.pairs[i])
            if turned > here + MARGIN["figure"]:
                yield Difference("figure", laid.claim[i].text, laid.claim[k].text)


def _fits(laid: Alignment, i: int, j: int) -> float:
    return fit(laid.claim, i, laid.said, j)


def _is_bare(part: Part) -> bool:
    """Returns whether a figure has no unit, or a period is a year alone."""
    if part.figure:
        return not (part.figure.unit or part.figure.scaled)
    return part.kind == "period" and len(part.date) == 1 and level(part) == "year"


def is_passive(laid: Alignment) -> bool:
    """Returns whether only one of both has a "by".

    "Acquired by B" names the two in the other order.
    """
    one, other = (any(p.lead == "by" for p in parts) for parts in (laid.claim, laid.said))
    return one != other


def nearest_at(parts: Sequence[Part], at: int, kind: PartKind) -> int | None:
    """Returns the index of the part of a kind that is nearest to a place; of two the earlier."""
    places = (n for n, part in enumerate(parts) if part.kind == kind)
    return min(places, key=lambda n: abs(n - at), default=None)


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
