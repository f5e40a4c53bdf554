"""Pairs a figure that the claim rounds, or bounds by a limit, with the one that it stands for."""

from collections.abc import Mapping
from decimal import Decimal

from footnote.ask.check.align import Alignment
from footnote.ask.check.figures import Figure
from footnote.ask.check.lexicon import ABOUT, AT_LEAST, AT_MOST, LIMITS, OVER, UNDER
from footnote.ask.check.parts import Part

LEAST_FIGURES = 10  # steps of a rounded figure: "about 30" is no rounding of 26.6


def implied_pairs(laid: Alignment) -> Mapping[int, int]:
    """Maps "about 27" and "more than 400" of the claim to 26.6 and 412 in the same place."""
    implied: dict[int, int] = {}
    for i in laid.unpaired_claim:
        beside = [j for j in laid.beside(i) if laid.said[j].figure and not _is_bounded(laid, j)]
        if (
            i
            and len(beside) == 1
            and _follows(laid.claim[i - 1], laid.claim[i], laid.said[beside[0]])
        ):
            implied[i] = beside[0]
    return implied


def _is_bounded(laid: Alignment, j: int) -> bool:
    return bool(j) and laid.said[j - 1].key in LIMITS | {ABOUT}


def _follows(limit: Part, part: Part, other: Part) -> bool:
    mine, theirs = part.figure, other.figure
    if not mine or not theirs or mine.unit != theirs.unit:
        return False
    return {
        ABOUT: is_rounded(mine, theirs),
        OVER: theirs.value > mine.value,
        AT_LEAST: theirs.value >= mine.value,
        UNDER: theirs.value < mine.value,
        AT_MOST: theirs.value <= mine.value,
    }.get(limit.key, False)


def is_rounded(figure: Figure, other: Figure) -> bool:
    """Returns whether a figure is the other one, rounded to the digits that it has."""
    step = Decimal(1).scaleb(int(figure.value.normalize().as_tuple().exponent))
    return (
        figure.unit in {"", other.unit}
        and abs(figure.value - other.value) <= step / 2
        and step * LEAST_FIGURES <= abs(figure.value)
    )
