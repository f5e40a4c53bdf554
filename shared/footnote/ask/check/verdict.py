"""The results of the check: a verdict on a claim, and how a claim differs from a passage."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.ask.check.parts import PartKind

type About = Literal[
    "figure",
    "period",
    "name",
    "direction",
    "negation",
    "comparison",
    "certainty",
    "scope",
    "wording",
]
type Outcome = Literal["exact", "supported", "open", "refuted"]


ABOUT_KIND: Mapping[PartKind, About] = {
    "figure": "figure",
    "period": "period",
    "name": "name",
    "direction": "direction",
    "not": "negation",
    "limit": "comparison",
    "word": "wording",
}


class Difference(NamedTuple):
    """One difference between a claim and a sentence.

    `part` holds the claim's words as they are written, `instead` those of the sentence; either may
    be empty.
    `refutes`: the claim is wrong, whatever a reader may think. Otherwise it is only not proved.
    """

    about: About
    part: str
    instead: str = ""
    refutes: bool = True


class Verdict(NamedTuple):
    """What a passage says about a claim.

    `exact`: the claim stands there. `supported`: its parts do, together. `open`: rules cannot tell.
    `refuted`: a part is contradicted or stands nowhere.

    `places`: the sentences or rows, as spans of the document's text. `differences`: why the claim
    does not hold. `computed`: the figures that were worked out, and how.
    """

    outcome: Outcome
    places: tuple[tuple[int, int], ...] = ()
    differences: tuple[Difference, ...] = ()
    computed: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.outcome in {"exact", "supported"}


def combine(verdicts: Sequence[Verdict]) -> Verdict:
    """Joins the verdicts on the statements of a claim, which must all hold."""
    outcome: Outcome = "exact" if all(one.outcome == "exact" for one in verdicts) else "supported"
    places = tuple(dict.fromkeys(place for one in verdicts for place in one.places))
    computed = tuple(name for one in verdicts for name in one.computed)
    return Verdict(outcome, places, computed=computed)
