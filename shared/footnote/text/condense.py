"""Condenses warnings: one of each kind, with the number of others like it.

A mailbox of 5,000 messages can make 5,000 warnings that differ in a name. A reader needs one of
them and the number, and a table's item holds 400 KB.
"""

import re
from collections.abc import Iterable

MAX_KINDS = 50  # lines that a person reads through
LONGEST = 500  # characters of a line; a longer one is cut in the middle, as its ends tell most
_SAME_WORDS = 5  # words at the end that make a kind: names stand before them
_COUNTED = re.compile(r" \(and ([\d,]+) more like it\)$")
_LEFT = re.compile(r"([\d,]+) more warnings? of other kinds (?:is|are) left out\.")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`")
_OF_A_NAME = re.compile(r"[\d/@_]|[.-]\w")  # in a word: a file's name, an address, a number


def condense(warnings: Iterable[str]) -> tuple[str, ...]:
    """Returns the warnings unchanged, or the first of each kind where there are over MAX_KINDS.

    Each line then tells how many more are like it, and a last line how many of other kinds are left
    out. Condensing again changes nothing, and the counts add up.
    """
    warnings = list(warnings)
    if len(warnings) <= MAX_KINDS:
        return tuple(shorten_text(warning, LONGEST) for warning in warnings)
    first: dict[str, str] = {}
    counts: dict[str, int] = {}
    omitted = 0
    for warning in warnings:
        if summary := _LEFT.fullmatch(warning):
            omitted += _number(summary[1])
            continue
        counted = _COUNTED.search(warning)
        plain = warning[: counted.start()] if counted else warning
        kind, count = kind_of(plain), 1 + (_number(counted[1]) if counted else 0)
        if kind in first or len(first) < MAX_KINDS:
            first.setdefault(kind, plain)
            counts[kind] = counts.get(kind, 0) + count
        else:
            omitted += count
    lines = [_line(text, counts[kind]) for kind, text in first.items()]
    if omitted:
        noun = "warning of other kinds is" if omitted == 1 else "warnings of other kinds are"
        lines.append(f"{omitted:,} more {noun} left out.")
    return tuple(lines)


def kind_of(warning: str) -> str:
    """Returns the common part of a kind of warning: its last words, without names and numbers."""
    words = _QUOTED.sub("…", warning[-LONGEST:]).split()[-_SAME_WORDS:]
    return " ".join("…" if _OF_A_NAME.search(word) else word for word in words)


def shorten_text(text: str, longest: int) -> str:
    """Cuts a long text in the middle and leaves its ends."""
    if len(text) <= longest:
        return text
    half = (longest - 3) // 2
    return f"{text[:half]} … {text[-half:]}"


def _line(warning: str, count: int) -> str:
    text = shorten_text(warning, LONGEST - 40)  # with its number it stays below LONGEST
    return text if count == 1 else f"{text} (and {count - 1:,} more like it)"


def _number(text: str) -> int:
    return int(text.replace(",", ""))
