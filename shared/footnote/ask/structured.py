"""Asks a model for a reply of a given shape: once, then once more with what was wrong."""

from collections.abc import Mapping

from pydantic import BaseModel, ValidationError

from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM

ATTEMPTS = 2


class Shape(BaseModel):
    """A reply's shape. Models add fields of their own now and then: those are passed over."""


def tool(name: str, shape: type[Shape]) -> Mapping[str, object]:
    return {"name": name, "schema": shape.model_json_schema()}


def ask_for[T: Shape](
    shape: type[T], request: ModelRequest, llm: LLM
) -> tuple[T | None, list[ModelReply]]:
    """The reply, None when it was of no use twice, and what the model said either time."""
    replies: list[ModelReply] = []
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            reply = llm.complete(_once_more(request, failure) if failure else request)
            replies.append(reply)
            return shape.model_validate_json(reply.text), replies
        except ModelReplyError as error:
            failure = error.message
        except ValidationError as error:
            failure = _told(error)
    return None, replies


def _once_more(request: ModelRequest, failure: str) -> ModelRequest:
    prompt = f"{request.prompt}\n\nYour last reply was of no use: {failure}\nReply again."
    return request.model_copy(update={"prompt": prompt})


def _told(error: ValidationError) -> str:
    """What is wrong and where, without the reply's own words: those may come from a document."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, p['loc'])) or 'reply'}: {p['msg']}" for p in problems[:5])
