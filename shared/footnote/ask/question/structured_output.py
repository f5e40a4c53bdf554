"""Asks a model for a reply of a given shape: once, once more with the error, then by rule."""

import time
from collections.abc import Callable

from pydantic import ValidationError

from footnote.ask.question.stand_in import NO_REPLY, reply_by_rule
from footnote.errors import FootnoteError, ModelReplyError
from footnote.model import ModelReply, ModelRequest, say_more
from footnote.ports import LLM
from footnote.prompts.shapes import Shape

ATTEMPTS = 2


def ask_for[T: Shape](
    shape: type[T], request: ModelRequest, llm: LLM | None, by_rule: Callable[[], T]
) -> tuple[T, list[ModelReply]]:
    """Returns the reply, and all replies that count: the last one says who made it.

    `by_rule` makes it where there is no model, where none answers, and after two of no use.
    """
    replies: list[ModelReply] = []
    failure: FootnoteError | None = None
    started = time.perf_counter()
    for model in [llm] * ATTEMPTS if llm else []:
        started = time.perf_counter()
        try:
            reply = model.complete(ask_again(request, failure.message) if failure else request)
            replies.append(reply)
            return shape.model_validate_json(reply.text), replies
        except ModelReplyError as error:
            replies += [error.spent] if error.spent else []
            failure = ModelReplyError(error.message)  # its cost is counted
        except ValidationError as error:
            failure = ModelReplyError(_describe(error))
        except NO_REPLY as error:
            failure = error
            break
    made, reply = reply_by_rule(by_rule, request.task, failure, started)
    return made, [*replies, reply]


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
