"""Every error footnote raises. Step Functions and the REST API match on these class names.

FootnoteError                   code, message, action: what happened, to which, what to do next
├── BadDocumentError            the file cannot be read: FAILED with a reason; never retried
│   └── UnsupportedError        a kind of file we do not read: UNSUPPORTED; never retried
├── BadRequestError             the caller asked for something that cannot be done: HTTP 400
├── NotFoundError               no such document, question or generation for this tenant: HTTP 404
├── ConflictError               the thing is not in a state that allows this: HTTP 409
├── ForbiddenError              no tenant, no result: HTTP 403
├── ConfigurationError          footnote itself is set up wrongly: an operator must act; HTTP 500
├── SupersededError             a newer event for the same document won; this work is dropped
├── DeadlineError               a question's time is over: it ends FAILED, nobody retries
├── ModelReplyError             a model's reply has the wrong shape; asked once more, then dropped
└── UnavailableError            a service is throttling or down; may succeed later: HTTP 503
"""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line shows its help without pydantic
    from footnote.model import ModelReply


class FootnoteError(Exception):
    """Base class: catch this to catch anything footnote raises on purpose.

    `code` is stable and machine-readable, `action` tells a person what to do next.
    """

    default_code = "error"
    default_action = "Look at the log of the step that failed."

    def __init__(self, message: str, *, code: str = "", action: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.default_code
        self.action = action or self.default_action


class BadDocumentError(FootnoteError):
    """The file is corrupt, encrypted, empty or otherwise unreadable."""

    default_code = "bad_document"
    default_action = "Open the file in its own application, save it again and upload the copy."


class UnsupportedError(BadDocumentError):
    """The file is of a kind footnote does not read."""

    default_code = "unsupported"
    default_action = "Convert the file to a supported format, for example PDF, and upload that."


class BadRequestError(FootnoteError):
    """The request is malformed or out of bounds."""

    default_code = "bad_request"
    default_action = "Correct the request and send it again."


class NotFoundError(FootnoteError):
    """There is no such thing for this tenant."""

    default_code = "not_found"
    default_action = "List what there is and check the name."


class ConflictError(FootnoteError):
    """The thing exists but its state does not allow what was asked."""

    default_code = "conflict"
    default_action = "Look at its status and try again when it has changed."


class ForbiddenError(FootnoteError):
    """The caller belongs to no tenant."""

    default_code = "forbidden"
    default_action = "Use an API key that carries a `tenant` tag."


class ConfigurationError(FootnoteError):
    """footnote is deployed or set up wrongly."""

    default_code = "configuration"
    default_action = "Run `footnote doctor`."


class SupersededError(FootnoteError):
    """A newer event for the same document was stored first, so this work is of no use."""

    default_code = "superseded"
    default_action = "Nothing: the newer upload or removal goes on."


class DeadlineError(FootnoteError):
    """A question's time is over."""

    default_code = "timeout"
    default_action = "Ask again; if it persists, look at the log of the step that was slow."


class ModelReplyError(FootnoteError):
    """A model's reply was refused, cut short or has not the shape that was asked for. `spent`: what
    came, for its cost; None: what came was no message at all.
    """

    default_code = "model_reply"
    default_action = "Ask again; if it persists, choose another model."

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        action: str = "",
        spent: "ModelReply | None" = None,
    ) -> None:
        super().__init__(message, code=code, action=action)
        self.spent = spent

    @property
    def usd(self) -> float:
        return self.spent.usd if self.spent else 0.0


class UnavailableError(FootnoteError):
    """A dependency refused or timed out. `spent`: what of a model's answer had come by then."""

    default_code = "unavailable"
    default_action = "Try again in a moment."
    spent: "ModelReply | None" = None


KILLED = frozenset({"States.Timeout", "Sandbox.Timedout"})
"""Step Functions' and Lambda's names for a step whose time was up."""


def problem_of(error: str, cause: str) -> tuple[str, str, str]:
    """Code, message and action for what Step Functions caught: `error` is a class name, `cause`
    Lambda's JSON. Only our own errors' messages are shown; others may carry anything.
    """
    for kind in _all_kinds(FootnoteError):
        if kind.__name__ == error:
            return kind.default_code, _message(cause), kind.default_action
    if error in KILLED:
        late = DeadlineError("a step took too long and was stopped")
        return late.code, late.message, late.action
    return "internal", f"a step failed: {error[:100]}", "Ask again; if it persists, see its log."


def _all_kinds(kind: type[FootnoteError]) -> list[type[FootnoteError]]:
    return [kind, *(found for child in kind.__subclasses__() for found in _all_kinds(child))]


def _message(cause: str) -> str:
    try:
        return str(json.loads(cause)["errorMessage"])[:500]
    except (ValueError, KeyError, TypeError):
        return "a step failed"
