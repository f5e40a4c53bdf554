"""What the check says: a verdict on a claim, and in what a claim differs from a passage."""

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
    """`refutes`: the claim is wrong, whatever a reader may think; else it is only not shown.

    `part` is the claim's own words, `instead` those of the sentence; either may be empty.
    """

    about: About
    part: str
    instead: str = ""
    refutes: bool = True


class Verdict(NamedTuple):
    """What a passage has to do with a claim.

    `exact`: it stands there; `supported`: its parts do, together; `open`: rules cannot tell;
    `refuted`: a part is contradicted or stands nowhere. `places`: the sentences or rows, as spans
    of the document's text. `differences` say why not; `computed` names the figures that were worked
    out, and how.
    """

    outcome: Outcome
    places: tuple[tuple[int, int], ...] = ()
    differences: tuple[Difference, ...] = ()
    computed: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return self.outcome in {"exact", "supported"}


def together(found: Sequence[Verdict]) -> Verdict:
    """The verdict on a claim whose statements all hold."""
    outcome: Outcome = "exact" if all(one.outcome == "exact" for one in found) else "supported"
    places = tuple(dict.fromkeys(place for one in found for place in one.places))
    return Verdict(outcome, places, computed=tuple(name for one in found for name in one.computed))
