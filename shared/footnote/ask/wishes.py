"""Checks what a caller wants of an answer besides the words of the question."""

from footnote.errors import BadRequestError
from footnote.model import Persona, Wishes
from footnote.prompts.personas import PERSONAS


def make_wishes(persona: str = "") -> Wishes:
    """Returns the wishes to store with a question. Raises BadRequestError naming a bad one."""
    return Wishes(persona=_persona(persona) if persona else None)


def _persona(name: str) -> Persona:
    for known in PERSONAS:
        if known == name:
            return known
    raise BadRequestError(
        f"there is no persona {name[:100]!r}",
        code="bad_persona",
        action=f"Known: {', '.join(PERSONAS)}.",
    )
