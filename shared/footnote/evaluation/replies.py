"""Asks a model for a reply of a shape, once: what is of no use is left to who asked."""

from pydantic import ValidationError

from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM
from footnote.prompts.shapes import Shape


def ask_model[T: Shape](
    llm: LLM, request: ModelRequest, shape: type[T]
) -> tuple[ModelReply, T] | None:
    """Returns a model's reply and what it says, None where none came that is of use.

    Raises ConfigurationError, as for a wrong key: every other request would meet it, too.
    """
    try:
        reply = llm.complete(request)
        return reply, shape.model_validate_json(reply.text)
    except (ModelReplyError, UnavailableError, ValidationError):
        return None
