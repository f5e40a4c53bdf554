"""Personal data in a text: addresses, numbers whose check digits hold, and names that are given.

Figures are what questions are about, so a number counts only by its form and its rule: what merely
has many digits is left alone. Every pattern is bounded, and begins where no letter stands before.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from ipaddress import ip_address
from typing import Literal, NamedTuple, get_args

from footnote.text.check_digits import (
    is_american_id,
    is_belgian_id,
    is_card,
    is_finnish_id,
    is_french_id,
    is_german_tax_id,
    is_iban,
    is_italian_id,
    is_polish_id,
    is_spanish_id,
    is_swedish_id,
)

type Rule = Callable[[str], int]
"""Returns how much of what a pattern has found counts, from its beginning; 0: nothing."""
type PersonalKind = Literal["email", "phone", "iban", "card", "id", "ip"]
PERSONAL_KINDS: tuple[PersonalKind, ...] = get_args(PersonalKind.__value__)
NAME = "name"
"""The kind of the names that an operator gives."""
_SEPARATORS = re.compile(r"[^0-9A-Za-z]")


class Found(NamedTuple):
    start: int
    end: int
    kind: str


def find_personal(
    text: str, kinds: Sequence[PersonalKind], names: "re.Pattern[str] | None" = None
) -> list[Found]:
    """Returns what a text has of these kinds, and of these names, in order and without overlaps.

    Where two overlap, a name goes before a number, and a number with a rule before one without.
    """
    found: list[Found] = []
    taken = bytearray(len(text))
    if names:
        _take(found, taken, (Found(*one.span(), NAME) for one in names.finditer(text)))
    for kind, pattern, rule in RULES:
        if kind in kinds:
            spans = (one.span(pattern.groupindex.get("it", 0)) for one in pattern.finditer(text))
            sized = ((start, start + rule(text[start:end])) for start, end in spans)
            _take(found, taken, (Found(*span, kind) for span in sized if span[0] < span[1]))
    return sorted(found)


def names_pattern(names: Sequence[str]) -> "re.Pattern[str] | None":
    """Returns what finds these names: whole words, in any case, over the end of a line too."""
    given = [name for name in sorted(names, key=len, reverse=True) if name.strip()]
    if not given:
        return None
    one_of = "|".join(r"\s{1,4}".join(map(re.escape, name.split())) for name in given)
    # behind an escaped end of a line, too, as in JSON
    return re.compile(rf"(?:(?<!\w)|(?<=\\[nrt]))(?:{one_of})(?!\w)", re.IGNORECASE)


def _take(found: list[Found], taken: bytearray, more: Iterable[Found]) -> None:
    for one in more:
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            found.append(one)


def _bare(rule: Callable[[str], bool]) -> Rule:
    """Returns a rule that reads a number without its separators, in capitals."""
    return lambda said: len(said) if rule(_SEPARATORS.sub("", said).upper()) else 0


def _iban_length(said: str) -> int:
    """Returns the length of the longest IBAN at the beginning: words may follow it in capitals."""
    ends = (end for end in range(len(said), 14, -1) if not said[end : end + 1].isalnum())
    return next((end for end in ends if _bare(is_iban)(said[:end])), 0)


def _phone_length(said: str) -> int:
    digits = sum(sign.isdigit() for sign in said)
    return len(said) if 9 <= digits <= 12 and not said.isdigit() else 0


def _ip_length(said: str) -> int:
    """Four single digits are a section's number far more often than an address."""
    if len(said) < 4 or re.fullmatch(r"\d\.\d\.\d\.\d", said):
        return 0
    try:
        ip_address(said)
    except ValueError:
        return 0
    return len(said)


def _number(pattern: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<![\w.,+-])(?:{pattern})(?![\w-]|[.,]\d)")


RULES: Sequence[tuple[PersonalKind, "re.Pattern[str]", Rule]] = (
    (
        "email",
        re.compile(r"(?<![\w.%+-])[\w.%+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])"),
        len,
    ),
    ("iban", re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}"), _iban_length),
    ("card", _number(r"\d{4}([ -])\d{4}(?:\1\d{4}){2}(?:\1\d{3})?"), _bare(is_card)),
    ("card", _number(r"3\d{3}([ -])\d{6}\1\d{4,5}"), _bare(is_card)),
    ("card", _number(r"\d{13,19}"), _bare(is_card)),
    ("id", _number(r"\d{2} ?\d{3} ?\d{3} ?\d{3}"), _bare(is_german_tax_id)),
    (
        "id",
        _number(r"(?:\d{8}|[XYZ]\d{7})-?[A-Z]|\d{1,2}\.\d{3}\.\d{3}-[A-Z]"),
        _bare(is_spanish_id),
    ),
    ("id", _number(r"[12] ?\d{2} ?\d{2} ?\d[\dAB] ?\d{3} ?\d{3} ?\d{2}"), _bare(is_french_id)),
    (
        "id",
        _number(r"[A-Z]{6}[0-9LMNP-V]{2}[A-EHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]"),
        _bare(is_italian_id),
    ),
    ("id", _number(r"\d{11}"), _bare(is_polish_id)),
    ("id", _number(r"\d{2}\.?\d{2}\.?\d{2}-?\d{3}[.-]?\d{2}"), _bare(is_belgian_id)),
    ("id", _number(r"\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]"), _bare(is_finnish_id)),
    ("id", _number(r"(?:19|20)?\d{6}[-+]\d{4}"), _bare(is_swedish_id)),
    ("id", _number(r"\d{3}-\d{2}-\d{4}"), _bare(is_american_id)),
    (  # with a country's number
        "phone",
        re.compile(
            r"(?<![\w.,+-])(?<!\d[ -])(?:\+|00)[1-9](?:[ ./()-]{0,3}\d){6,14}(?![\w-]|[.,]\d)"
        ),
        len,
    ),
    (  # behind a word that says so
        "phone",
        re.compile(
            r"(?i:\b(?:tel|telephone|telefon|phone|fax|mobile?|handy)"
            r"(?: (?:no|nr|number))?[.:]{1,2} ?)"
            r"(?P<it>\(?\d(?:[ ./()-]{0,3}\d){4,14})(?![\w-]|[.,]\d)"
        ),
        len,
    ),
    ("phone", _number(r"\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}([.-])\d{3}\1\d{4}"), len),
    ("phone", _number(r"0[1-9]([ .-])\d{2}(?:\1\d{2}){3}"), len),
    ("phone", _number(r"(?<!\d[ -])\(?0[1-9]\d{1,4}\)?(?:[ /-]{0,3}\d){5,9}"), _phone_length),
    ("ip", re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)"), _ip_length),
    (
        "ip",
        re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])"),
        _ip_length,
    ),
)
"""Kind, where one may stand, and the rule that tells. The first that takes a place keeps it."""
