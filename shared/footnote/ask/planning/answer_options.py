"""Checks what a caller wants of an answer besides the words of the question."""

import json

from footnote.ask.data.schema import parse_schema
from footnote.ask.planning.context import check_context
from footnote.errors import BadRequestError
from footnote.model import AnswerOptions, Persona, QuestionKind
from footnote.prompts.personas import PERSONAS


def make_options(
    persona: str = "",
    data_schema: object = None,
    context: object = None,
    min_confidence: float = 0.0,
    *,
    strict: bool | None = None,
    chart: bool = False,
    kind: QuestionKind | None = None,
) -> AnswerOptions:
    """Returns the options to store with a question. Raises BadRequestError naming a bad one."""
    if data_schema is not None:
        parse_schema(data_schema)
        _check_ungraded(min_confidence)
    if context is not None:
        check_context(context)
    return AnswerOptions(
        persona=_persona(persona) if persona else None,
        data_schema="" if data_schema is None else json.dumps(data_schema, ensure_ascii=False),
        context="" if context is None else json.dumps(context, ensure_ascii=False),
        min_confidence=min_confidence,
        strict=strict,
        chart=chart,
        kind=kind,
    )


def _check_ungraded(min_confidence: float) -> None:
    if min_confidence:
        raise BadRequestError(
            "the fields of a schema are not graded, so no min_confidence can hold for them",
            action="Leave out min_confidence, or ask without the schema.",
        )


def _persona(name: str) -> Persona:
    for known in PERSONAS:
        if known == name:
            return known
    raise BadRequestError(
        f"there is no persona {name[:100]!r}",
        code="bad_persona",
        action=f"Known: {', '.join(PERSONAS)}.",
    )
