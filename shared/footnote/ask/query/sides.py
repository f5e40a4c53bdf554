"""The sides that a question compares: years, or two names."""

import re

from footnote.text.names import names

_COMPARES = re.compile(
    r"\b(?:compar\w+|versus|vs|differ\w*|between|than|both|respectively|vergl\w+|unterschied\w*"
    r"|zwischen|diff[ée]ren\w+|entre|tra|fra)\b",
    re.IGNORECASE,
)
_WORD = r"[^\W\d_a-z][\w&'-]*+"
_TWO = re.compile(
    rf"(?<![\w&'-])(?P<a>{_WORD}(?: {_WORD}){{0,3}}) (?:and|with|or|than|vs\.?|versus|against"
    r"|und|mit|oder|als|et|ou|avec|y) (?:(?:the|that of|der|die|das) )?"
    rf"(?P<b>{_WORD}(?: {_WORD}){{0,3}})"
)
_YEAR = re.compile(r"y\d{4}")

type Side = frozenset[str]
"""The names (`text/names.py`) that a text has if it is about one side."""


def compared_sides(question: str, asked_names: tuple[str, ...]) -> tuple[Side, ...]:
    """Returns two or more years, or two names, that a question compares; mostly nothing.

    `asked_names` are those of the question.
    """
    years = [name for name in asked_names if _YEAR.fullmatch(name)]
    if len(years) > 1:
        return tuple(frozenset({year}) for year in years)
    if not _COMPARES.search(question):
        return ()
    for match in _TWO.finditer(question):
        pair = _side(match["a"]), _side(match["b"])
        if all(pair) and pair[0] != pair[1]:
            return pair
    return ()


def _side(text: str) -> Side:
    """Returns a name as a document has it: its words joined, as file names do, or one by one."""
    return frozenset(names(text.partition(" ")[2] if _COMPARES.match(text) else text))
