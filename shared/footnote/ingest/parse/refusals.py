"""The errors for files that are not read, in words for the uploader."""

from collections.abc import Iterator
from contextlib import contextmanager

from footnote.errors import BadDocumentError, UnsupportedError
from footnote.ingest.parse.formats import NAMES

ODD_VALUES: tuple[type[Exception], ...] = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""Exceptions that libraries raise at unforeseen content: a number that is too large, a missing
part, a part of another kind.
"""


def corrupt(name: str, why: str, *, detail: str = "") -> BadDocumentError:
    return BadDocumentError(
        f"{name} is damaged: {why}.",
        code="corrupt",
        action="Open it in its own application, save it again and upload the copy.",
        detail=detail,
    )


def encrypted(name: str, action: str = "") -> BadDocumentError:
    return BadDocumentError(
        f"{name} is protected by a password.",
        code="encrypted",
        action=action or "Save a copy without the password and upload that.",
    )


def locked_office_file(name: str) -> BadDocumentError:
    """Returns the error for a file that Excel may open by its own password, without asking."""
    return encrypted(
        name,
        "Save a copy without the password and upload that. If it opens without asking for one,"
        " its contents are locked against changes: take that protection off first.",
    )


def too_large(name: str, why: str) -> BadDocumentError:
    return BadDocumentError(
        f"{name} is too large to read: {why}.",
        code="too_large",
        action="Split it into smaller files and upload those.",
    )


def no_text(name: str, what: str, action: str) -> BadDocumentError:
    return BadDocumentError(f"{name}: {what}", code="no_text", action=action)


def unsupported(name: str, what: str, action: str = "") -> UnsupportedError:
    return UnsupportedError(
        f"{name} is {what}; footnote reads {NAMES}.",
        action=action or "Convert it to one of these, for example PDF, and upload that.",
    )


@contextmanager
def translate_errors(name: str, errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """Turns a library's `errors` into "corrupt". Only the log gets the error's name."""
    try:
        yield
    except errors as error:
        raise corrupt(name, "it could not be read", detail=type(error).__name__) from error
