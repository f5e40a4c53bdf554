"""The table of personas: how an answer is written. A persona never skips a check.

A new persona is a row here and a name in `model/asking.py`.
"""

from collections.abc import Mapping
from typing import NamedTuple

from footnote.model import Persona


class PersonaRow(NamedTuple):
    """A persona.

    `when` tells a planner when to choose it, `tells` the writer how to write. The other fields are
    for answers without a model. `most` is the number of sentences for a sub-question. With
    `figures_first`, rows and sentences with figures come before others.
    """

    when: str
    tells: str
    most: int = 3
    figures_first: bool = False


PERSONAS: Mapping[Persona, PersonaRow] = {
    "default": PersonaRow(
        when="the question asks for nothing special",
        tells="Write plain sentences: the answer first, then what is needed to understand it, one"
        " to five sentences in all.",
    ),
    "analyst": PersonaRow(
        when="the question wants figures, comparisons or developments for somebody who works with"
        " them",
        tells="Write for an analyst: the figures first, each with its unit, its period and the name"
        " of its row, oldest period first; then what changed, and by how much; then what explains"
        " it. One sentence for each figure or pair of figures, up to eight sentences.",
        figures_first=True,
    ),
    "terse": PersonaRow(
        when="the question wants a short answer: in brief, in one sentence, yes or no",
        tells="Write the fewest sentences that answer, at most one for each thing to be answered,"
        " without explanation.",
        most=1,
    ),
}


def describe_personas() -> str:
    """Returns a line for each persona: its name and when to choose it."""
    return "\n".join(f"- `{name}`: {row.when}." for name, row in PERSONAS.items())
