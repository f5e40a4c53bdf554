"""Works out whether "doubled", "tripled" or "halved" is true of the two figures of a claim."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.arithmetic import ends_of
from footnote.ask.check.lexicon import ABOUT, AT_LEAST, DOWN, MULTIPLES, OVER, UP
from footnote.ask.check.parts import Part

NEARLY = frozenset({"almost", "nearly", "about"})
SURE, DOUBTFUL = Decimal("0.05"), Decimal("0.2")  # distance from a multiple, as a share of it


class Multiple(NamedTuple):
    """What a claim says of its two figures. `is_true`: None where rules cannot tell.

    `rest`: the claim with a rise or a fall in place of the multiple. `name`: how it follows.
    """

    written: str
    is_true: bool | None
    rest: tuple[Part, ...]

    @property
    def name(self) -> str:
        return f"{self.written}: ratio"


def multiple_in(claim: Sequence[Part], is_given: Callable[[Part], bool]) -> Multiple | None:
    """Compares a multiple that the claim names with its two figures, if the passage has them."""
    at = next((n for n, part in enumerate(claim) if part.key in MULTIPLES), None)
    given = [
        part
        for part in claim
        if part.figure
        and part.figure.unit != "%"
        and at is not None
        and part.clause == claim[at].clause
    ]
    if at is None or len(given) != 2 or not all(map(is_given, given)):
        return None
    first, last = ends_of(claim, given)
    if not first:
        return None
    factor = MULTIPLES[claim[at].key]
    bound = claim[at - 1] if at and claim[at - 1].key in {OVER, AT_LEAST, ABOUT} else None
    nearly = claim[at - 1] if at and claim[at - 1].word in NEARLY else None
    is_true = _is_true(last / first, factor, bound, nearly)
    moves = any(part.kind == "direction" for part in claim)
    turn = claim[at]._replace(kind="direction", key=UP if factor > 1 else DOWN)
    rest = [turn if part is claim[at] else part for part in claim if part not in (bound, nearly)]
    if moves:
        rest.remove(turn)
    return Multiple(claim[at].written, is_true, tuple(rest))


def _is_true(
    ratio: Decimal, factor: Decimal, bound: Part | None, nearly: Part | None
) -> bool | None:
    if bound and bound.key != ABOUT:
        return ratio > factor if factor > 1 else ratio < factor
    away = abs(ratio / factor - 1)
    if away <= (DOUBTFUL if nearly or bound else SURE):
        return True
    return False if away > 2 * DOUBTFUL else None
