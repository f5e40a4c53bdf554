"""Translates the Anthropic SDK's errors to ours: one table, one context manager."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import anthropic
import httpx2
from anthropic.types import Message

from footnote.adapters.calls.door import REFUSED
from footnote.adapters.calls.http_json import ELSEWHERE, OWN, RefusalError, is_redirect, reason_in
from footnote.adapters.calls.lateness import LATE
from footnote.adapters.llm.replies import MALFORMED
from footnote.errors import (
    ConfigurationError,
    FootnoteError,
    ModelReplyError,
    UnavailableError,
)

FAILED = "the call of the Anthropic API failed"
NO_MESSAGE = "the Anthropic API did not answer with a message"
KEY = "Check the API key, its credit and the model names, then run `footnote doctor`."

ERRORS: Mapping[type[Exception], type[FootnoteError]] = {
    # busy or down: the same call may succeed later
    anthropic.APIConnectionError: UnavailableError,
    anthropic.RateLimitError: UnavailableError,
    anthropic.InternalServerError: UnavailableError,
    anthropic.RequestTimeoutError: UnavailableError,
    anthropic.ConflictError: UnavailableError,
    anthropic.ClientClosedRequestError: UnavailableError,
    anthropic.RetryableError: UnavailableError,
    httpx2.HTTPError: UnavailableError,  # a stream that is cut while it is read
    httpx2.StreamError: UnavailableError,
    # a person must act
    anthropic.AuthenticationError: ConfigurationError,
    anthropic.PermissionDeniedError: ConfigurationError,
    anthropic.PaymentRequiredError: ConfigurationError,
    anthropic.NotFoundError: ConfigurationError,
    anthropic.CredentialsError: ConfigurationError,
    anthropic.BadRequestError: ConfigurationError,
    anthropic.UnprocessableEntityError: ConfigurationError,
    anthropic.PreconditionFailedError: ConfigurationError,
    anthropic.ContentTooLargeError: ConfigurationError,
    anthropic.RequestHeaderFieldsTooLargeError: ConfigurationError,
    # the reply is of no use
    anthropic.APIResponseValidationError: ModelReplyError,
    anthropic.APIWebhookValidationError: ModelReplyError,
    json.JSONDecodeError: ModelReplyError,
}

# An error event inside a stream has status 200: the SDK has no narrower class for it.
UNNAMED: Mapping[type[Exception], type[FootnoteError]] = {
    anthropic.APIStatusError: UnavailableError,
    anthropic.APIError: UnavailableError,
    anthropic.AnthropicError: ConfigurationError,
}


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raises the SDK's errors as ours.

    The SDK checks no reply, so one of another form fails wherever it is read.
    """
    try:
        yield
    except (*ERRORS, *UNNAMED) as error:
        raise to_footnote(error) from _cause(error)
    except MALFORMED as error:
        raise UnavailableError(NO_MESSAGE) from error


def to_footnote(error: Exception) -> FootnoteError:
    """Maps an error by its nearest class in the tables.

    The message names the status, never the request. The exception's name is for the log.
    """
    table = {**UNNAMED, **ERRORS}
    kind = next(table[parent] for parent in type(error).__mro__ if parent in table)
    action = KEY if kind is ConfigurationError else ""
    if isinstance(error, anthropic.APIStatusError) and is_redirect(error.status_code):
        kind, action = ConfigurationError, ELSEWHERE
    if isinstance(error, anthropic.APIStatusError):
        reason = error.api_message or "no reason given"
        message = f"the Anthropic API answered {error.status_code}: {reason}"
        code = REFUSED if error.status_code in OWN else ""
    else:
        code = LATE if _is_late(error) else ""
        message = "the Anthropic API gave no answer in time" if code else FAILED
    return kind(message, code=code, action=action, detail=f"{message} ({type(error).__name__})")


def _is_late(error: Exception) -> bool:
    """Tells a reply that is waited for too long from a service that takes no connection."""
    cause = error.__cause__ if isinstance(error, anthropic.APITimeoutError) else error
    return isinstance(cause, httpx2.ReadTimeout)


def _cause(error: Exception) -> Exception:
    """Returns a refusal with its headers, as the chain reads them, or the error itself."""
    if not isinstance(error, anthropic.APIStatusError):
        return error
    refusal = RefusalError(error.status_code, error.response.headers)
    refusal.__cause__ = error
    return refusal


def must_be_message(reply: object) -> Message:
    """Returns a reply that is a message.

    Raises UnavailableError for a proxy's page, which the SDK hands on as text, and for an error
    that comes as if all was well.
    """
    if not isinstance(reply, Message):
        raise UnavailableError(NO_MESSAGE)
    if (reply.model_extra or {}).get("error"):
        why = reason_in(reply.model_extra)
        raise UnavailableError(f"the Anthropic API answered with an error: {why}")
    return reply


def must_end_well(message: Message | None) -> Message:
    """Returns the message of a stream.

    Raises UnavailableError where there is none, as in a proxy's page, and where the stream stopped
    without a reason, so was cut.
    """
    if message is None:
        raise UnavailableError(NO_MESSAGE)
    if message.stop_reason is None:
        raise UnavailableError("the Anthropic API cut its answer short")
    return message
