"""Tells whether a figure of a claim may follow from figures that a sentence or a row has.

Such a figure need not be true, but the passage cannot contradict it.
"""

from collections.abc import Iterable, Sequence

from footnote.ask.check.arithmetic import SHARES, is_computation, is_worked_out
from footnote.ask.check.bounds import is_rounded
from footnote.ask.check.figures import Figure
from footnote.ask.check.parts import Part
from footnote.ask.check.rows import cell_figures
from footnote.ask.check.segments import Unit


def may_follow(part: Part, claim: Sequence[Part], units: Iterable[Unit]) -> bool:
    """Returns whether a claim's figure may be one of these units rounded, or worked out of them.

    One that the claim does not say to be worked out may follow only from its own other figures.
    """
    wanted = part.figure
    if wanted is None:
        return False
    own = [p.figure for p in claim if p.figure and p is not part]
    if is_worked_out(wanted, own, claim):
        return True
    # "one in five" is worked out, whatever the claim says of it
    works_out = is_computation(claim) or not any(character.isdigit() for character in part.written)
    for unit in units:
        given = figures_of(unit)
        if any(one.key == wanted.key or is_rounded(wanted, one) for one in given):
            return True
        if works_out and is_worked_out(wanted, given + own, claim):
            return True
    return False


def figures_of(unit: Unit) -> list[Figure]:
    """Returns the figures of a unit in full. "Half" counts as 50 percent."""
    if unit.row:
        return [cell.full for cell in cell_figures(unit.row)]
    shares = [SHARES[part.word] for part in unit.parts if part.word in SHARES]
    figures = [Figure(share * 100, "%") for share in shares if share < 1]
    return figures + [part.figure for part in unit.parts if part.figure]
