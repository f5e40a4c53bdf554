"""The replies of routes, as the OpenAPI document describes them."""

from collections.abc import Mapping
from types import UnionType

from aws_lambda_powertools.event_handler.openapi.types import (
    OpenAPIResponse,
    OpenAPIResponseContentSchema,
)

from footnote.api.replies import ChatError, ErrorReply

ERRORS: Mapping[int, str] = {
    400: "The request cannot be understood, or asks for what is out of bounds.",
    401: "No credential, more than one, or one that does not count any more.",
    403: "No valid key, or one that may not do this.",
    404: "There is no such thing for this caller.",
    409: "The state of the thing does not allow this now.",
    429: "Too many requests for this key: wait as long as `Retry-After` says, or a second.",
    500: "footnote failed, or is set up wrongly.",
    503: "A service that footnote needs did not answer: try again in a moment.",
}
"""Every route may reply with these: API Gateway or footnote gives them."""

EVENTS = "text/event-stream"

_TEXT: OpenAPIResponseContentSchema = {"schema": {"type": "string"}}

_KNOWN: OpenAPIResponse = {"description": "`If-None-Match` names what would be said."}

BY_GATEWAY = (400, 401, 403, 429, 503)
"""API Gateway may give these itself, in our form of errors, on every route."""


def answers(kind: type | UnionType, *others: int, first: int = 200) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route: `kind` with status `first` or one of `others`, and errors."""
    replies = {status: _json(kind, "What was asked for.") for status in (first, *others)}
    return replies | {status: _json(ErrorReply, text) for status, text in ERRORS.items()}


def answers_unless_known(kind: type | UnionType) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route that says nothing anew to a client that has its reply."""
    return answers(kind) | {304: _KNOWN}


def answers_or_link(kind: type | UnionType, *texts: str) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route that redirects to a file, or describes it in JSON.

    `texts`: media types of the files that it gives itself, without a redirect.
    """
    told = _json(kind, "What was asked for.")
    for text in texts:
        told["content"][text] = _TEXT
    link: OpenAPIResponse = {
        "description": "`Location` leads to it, without any key.",
        "content": {"text/plain": _TEXT},
    }
    return answers(kind) | {200: told, 302: link}


def answers_or_events(kind: type) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route that tells events in JSON, or as a stream."""
    told = _json(kind, "What was asked for.")
    told["content"][EVENTS] = {"schema": {}}  # events are no JSON to describe
    ended: OpenAPIResponse = {"description": "The stream has ended: no more events will come."}
    return answers(kind) | {200: told, 204: ended}


def answers_of_chat(kind: type, *, is_streamed: bool = False) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route in OpenAI's form, with errors in OpenAI's form.

    `is_streamed`: the caller may ask for events instead.
    """
    errors = {
        status: _json(ChatError | ErrorReply if status in BY_GATEWAY else ChatError, text)
        for status, text in ERRORS.items()
    }
    answer = _json(kind, "What was asked for.")
    if is_streamed:
        answer["content"][EVENTS] = {"schema": {}}  # events are no JSON to describe
    return {200: answer} | errors


def page_of(media_type: str) -> dict[int, OpenAPIResponse]:
    """Returns the replies of a route that gives a text of this type."""
    page: OpenAPIResponse = {"description": "The page.", "content": {media_type: _TEXT}}
    errors = {status: _json(ErrorReply, text) for status, text in ERRORS.items()}
    return {200: page, 304: _KNOWN} | errors


def _json(kind: type | UnionType, text: str) -> OpenAPIResponse:
    return {"description": text, "content": {"application/json": {"model": kind}}}
