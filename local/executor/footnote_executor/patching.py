"""Hands out what LocalStack has at a place, once it is what our plugins were written to change.

Each plugin replaces functions inside LocalStack. It names the fingerprint of the source that it was
written for, so that with another LocalStack the start fails and says where to look.
"""

import hashlib
import inspect
import sys
from importlib.metadata import version
from typing import Any

from footnote_executor import LOCALSTACK

DIGITS = 12


class PatchError(Exception):
    """Raised when LocalStack is not the one a plugin changes; says what, which and what next."""


def original_of(owner: Any, name: str, wanted: str) -> Any:
    """Returns the owner's attribute `name` if its source has this fingerprint.

    `owner` is a module or a class. Raises PatchError when the attribute is gone or another one.
    """
    found = vars(owner).get(name)
    if found is None:
        raise PatchError(_message(owner, name, "is gone"))
    plain = found.__func__ if isinstance(found, classmethod | staticmethod) else found
    if (seen := fingerprint(plain)) != wanted:
        raise PatchError(_message(owner, name, f"has fingerprint {seen}, not {wanted}"))
    return getattr(owner, name)


def fingerprint(function: Any) -> str:
    """Hashes the source of a function or class, through its decorators."""
    try:
        source = inspect.getsource(inspect.unwrap(function))
    except (OSError, TypeError):  # made at run time, or not Python
        return "none"
    return hashlib.sha256(source.encode()).hexdigest()[:DIGITS]


def replace_everywhere(original: object, new: object) -> None:
    """Puts `new` in the place of `original` in every loaded module, under whatever name."""
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is original:
                setattr(module, name, new)


def _message(owner: Any, name: str, what: str) -> str:
    place = getattr(owner, "__qualname__", None)
    path = ".".join(filter(None, [owner.__module__ if place else owner.__name__, place, name]))
    return (
        f"localstack-core {version('localstack-core')}: {path} {what}. footnote-executor is "
        f"written for localstack-core {LOCALSTACK}: install that. To go on with this one, read the "
        "function again, mend the plugin in footnote_executor that names it, and write its new "
        "fingerprint there."
    )
