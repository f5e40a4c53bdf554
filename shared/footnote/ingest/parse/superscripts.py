"""Raised and lowered characters: an exponent or a footnote mark is never read into its number."""

import re

_MARK = re.compile(
    r"[(\[]?(?:[-+\u2212]?\d{1,3}|[a-z])(?:[,;\u2013-](?:\d{1,3}|[a-z]))*[)\]]?[,.;:]?"
)
_RAISED = str.maketrans(
    "0123456789+-\u2212=()abcdefghijklmnoprstuvwxyz",
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207a\u207b\u207b\u207c\u207d\u207e"
    "\u1d43\u1d47\u1d9c\u1d48\u1d49\u1da0\u1d4d\u02b0\u2071\u02b2\u1d4f\u02e1\u1d50\u207f\u1d52\u1d56"
    "\u02b3\u02e2\u1d57\u1d58\u1d5b\u02b7\u02e3\u02b8\u1dbb",
)
_LOWERED = str.maketrans(
    "0123456789+-\u2212=()",
    "\u2080\u2081\u2082\u2083\u2084\u2085\u2086\u2087\u2088\u2089\u208a\u208b\u208b\u208c\u208d\u208e",
)
SIGNS = frozenset(map(chr, (*_RAISED.values(), *_LOWERED.values())))
"""All raised and lowered characters."""
_INDEX = re.compile(r"[-+\u2212]?\d{1,3}")


def to_superscript(text: str) -> str | None:
    """Returns a footnote mark or an exponent in raised characters; None for other text."""
    return text.translate(_RAISED) if _MARK.fullmatch(text) else None


def to_subscript(text: str) -> str | None:
    """Returns a numeric index in lowered characters; None for other text."""
    return text.translate(_LOWERED) if _INDEX.fullmatch(text) else None
