"""Asks a model for a reply of a given shape: once, once more with the error, then by rule."""

from pydantic import ValidationError

from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest, say_more
from footnote.ports import LLM
from footnote.prompts.shapes import Shape

ATTEMPTS = 2


def ask_for[T: Shape](
    shape: type[T], request: ModelRequest, llm: LLM
) -> tuple[T | None, list[ModelReply]]:
    """Returns the reply, or None, and all replies that were paid for.

    After two replies of no use an LLM that has rules answers by them. None: there are no rules, or
    their reply is of no use either.
    """
    replies: list[ModelReply] = []
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            reply = llm.complete(ask_again(request, failure) if failure else request)
            replies.append(reply)
            return shape.model_validate_json(reply.text), replies
        except ModelReplyError as error:
            failure = error.message
            replies += [error.spent] if error.spent else []
        except ValidationError as error:
            failure = _describe(error)
    return _by_rule(shape, request.model_copy(update={"given_up": failure}), llm, replies)


def _by_rule[T: Shape](
    shape: type[T], request: ModelRequest, llm: LLM, replies: list[ModelReply]
) -> tuple[T | None, list[ModelReply]]:
    try:
        reply = llm.complete(request)
        return shape.model_validate_json(reply.text), [*replies, reply]
    except (ModelReplyError, ValidationError):
        return None, replies


def ask_again(request: ModelRequest, failure: str) -> ModelRequest:
    """Returns the request, which says at its end why the last reply to it was of no use.

    It is added to the last turn. A turn of its own would need the reply, which may be a document's.
    """
    said = f"Your last reply was of no use: {failure}\nReply again."
    return request.model_copy(update={"messages": say_more(request.messages, said)})


def _describe(error: ValidationError) -> str:
    """Says what is wrong and where, without the reply's words: those may come from a document."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    return "; ".join(f"{'.'.join(map(str, p['loc'])) or 'reply'}: {p['msg']}" for p in problems[:5])
