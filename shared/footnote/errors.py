"""Every error footnote raises. Step Functions and the REST API match on these class names.

FootnoteError                   code, message, action: what happened, to which, what to do next
├── BadDocumentError            the file cannot be read: FAILED with a reason; never retried
│   └── UnsupportedError        a kind of file we do not read: UNSUPPORTED; never retried
├── BadRequestError             the caller asked for something that cannot be done: HTTP 400
├── NotFoundError               no such document, question or generation for this tenant: HTTP 404
├── ConflictError               the thing is not in a state that allows this: HTTP 409
│   └── ReindexRefusedError     the new index must not serve: the re-index fails, the old one stays
├── UnauthorizedError           no valid key or token: HTTP 401
├── ForbiddenError              no tenant, no result: HTTP 403
├── LimitedError                a limit of the tenant or person is used up: HTTP 429
├── ConfigurationError          footnote itself is set up wrongly: an operator must act; HTTP 500
├── UnreadableError             a newer release has stored it, or it is damaged; HTTP 500
├── SupersededError             a newer event for the same document won; this work is dropped
├── DeadlineError               a question's time is over: it ends FAILED, nobody retries
├── ModelReplyError             a model's reply cannot be used; asked once more, then dropped
└── UnavailableError            a service is throttling or down; may succeed later: HTTP 503
"""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line shows its help without pydantic
    from footnote.model import ModelReply, Problem


MAX_MESSAGE = 2000
"""Characters. Step Functions bounds what a state hands on, and messages are a part of that."""


class FootnoteError(Exception):
    """The base of all errors: whoever catches it catches whatever footnote raises on purpose.

    `code` is stable and machine-readable. `action` tells a person what to do next. `http_status` is
    what the REST API replies with, and what the client makes the same error of again.

    Callers read `message` and `action`, so these are our own words. What a library or service said,
    and how the resource is called, is `detail`: only the log gets it, by `reason`.
    """

    http_status = 500
    default_code = "error"
    default_action = "Look at the log of the step that failed."

    def __init__(self, message: str, *, code: str = "", action: str = "", detail: str = "") -> None:
        self.message = message[:MAX_MESSAGE]
        super().__init__(self.message)
        self.code = code or self.default_code
        self.action = action or self.default_action
        self.detail = detail[:MAX_MESSAGE]

    @property
    def reason(self) -> str:
        """What the log gets."""
        return self.detail or self.message

    @property
    def problem(self) -> "Problem":
        """The error as records and replies keep it."""
        from footnote.model import Problem

        return Problem(code=self.code, message=self.message, action=self.action)


class BadDocumentError(FootnoteError):
    """The file is corrupt, encrypted, empty or otherwise unreadable."""

    default_code = "bad_document"
    default_action = "Open the file in its own application, save it again and upload the copy."


class UnsupportedError(BadDocumentError):
    """The file is of a kind that footnote does not read."""

    default_code = "unsupported"
    default_action = "Convert the file to a supported format, for example PDF, and upload that."


class BadRequestError(FootnoteError):
    """The request is malformed or out of bounds."""

    http_status = 400
    default_code = "bad_request"
    default_action = "Correct the request and send it again."


class NotFoundError(FootnoteError):
    """There is no such thing for this tenant."""

    http_status = 404
    default_code = "not_found"
    default_action = "List what there is and check the name."


class ConflictError(FootnoteError):
    """The thing exists, but its state does not allow what was asked."""

    http_status = 409
    default_code = "conflict"
    default_action = "Look at its status and try again when it has changed."


class ReindexRefusedError(ConflictError):
    """A re-index must not go on; queries stay with the index that they have."""

    default_code = "reindex_refused"
    default_action = "Queries go on with the old index. Mend the cause and start it again."


class UnauthorizedError(FootnoteError):
    """The request carries no key or token that counts."""

    http_status = 401
    default_code = "unauthorized"
    default_action = "Sign in again, or send a valid key in `x-api-key`."


class ForbiddenError(FootnoteError):
    """The caller belongs to no tenant."""

    http_status = 403
    default_code = "forbidden"
    default_action = "Use an API key that carries a `tenant` tag."


class LimitedError(FootnoteError):
    """The caller has used up what it may use in a time. `seconds` is how long that goes on."""

    http_status = 429
    default_code = "limited"
    default_action = "Wait until then, or have the limit raised."
    seconds = 1


class ConfigurationError(FootnoteError):
    """footnote is deployed or set up wrongly."""

    default_code = "configuration"
    default_action = "Run `footnote doctor`."


class UnreadableError(FootnoteError):
    """A record that is stored cannot be read by this release."""

    default_code = "unreadable"
    default_action = "Deploy the release that has stored it, or a newer one."


class SupersededError(FootnoteError):
    """A newer event for the same document was stored first, so this work is dropped."""

    default_code = "superseded"
    default_action = "Nothing: the newer upload or removal goes on."


class DeadlineError(FootnoteError):
    """A question's deadline has passed."""

    default_code = "timeout"
    default_action = "Ask again; if it persists, look at the log of the step that was slow."


class ModelReplyError(FootnoteError):
    """A model's reply was refused, was cut short or does not have the shape that was asked for.

    `spent` is the reply that came, so that its cost is counted. It is None when no message came.
    """

    default_code = "model_reply"
    default_action = "Ask again; if it persists, choose another model."

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        action: str = "",
        detail: str = "",
        spent: "ModelReply | None" = None,
    ) -> None:
        super().__init__(message, code=code, action=action, detail=detail)
        self.spent = spent

    @property
    def usd(self) -> float:
        return self.spent.usd if self.spent else 0.0


class UnavailableError(FootnoteError):
    """A dependency refused or timed out. `spent` is the part of a model's answer that had come."""

    http_status = 503
    default_code = "unavailable"
    default_action = "Try again in a moment."
    spent: "ModelReply | None" = None


class SpentError(UnavailableError):
    """A question's budget leaves nothing for its model. Rules stand in, so no caller is told."""


TIMEOUTS = frozenset({"States.Timeout", "Sandbox.Timedout"})
"""The names that Step Functions and Lambda give to a step that ran out of time."""
THROTTLE = "Lambda.TooManyRequestsException"
"""The name of what Step Functions meets where a step finds no place to run."""


def problem_of(error: str, cause: str) -> "Problem":
    """Returns the problem for what Step Functions caught.

    `error` is the name of the exception's class, `cause` is Lambda's JSON. Only messages of our own
    errors are shown, because those of others may carry anything.
    """
    return problem_named(error, _message(cause))


def problem_named(error: str, message: str) -> "Problem":
    """Returns the problem for an error of this name; `message` is shown if the error is ours.

    Of another error callers read neither: its name is for the log, which the failed step wrote.
    """
    from footnote.model import Problem

    for kind in _all_kinds(FootnoteError):
        if kind.__name__ == error:
            return kind(message).problem
    if error in TIMEOUTS:
        return DeadlineError("a step took too long and was stopped").problem
    if error == THROTTLE:
        return UnavailableError("too much was asked at once: a step found no place to run").problem
    return Problem(
        code="internal",
        message="a step failed",
        action="Ask again; if it persists, have an operator look at the step's log.",
    )


def _all_kinds(kind: type[FootnoteError]) -> list[type[FootnoteError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in _all_kinds(child))]


def _message(cause: str) -> str:
    try:
        return str(json.loads(cause)["errorMessage"])[:500]
    except (ValueError, KeyError, TypeError):
        return "a step failed"
