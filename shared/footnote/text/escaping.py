"""Escapes text for Markdown: no link, image, HTML or formatting comes of it.

Some programs look for addresses in the text that Markdown shows, where no backslash helps. So
addresses stand in code spans, which they all leave alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from footnote.text.characters import strip_controls

# `_` within a word is no emphasis, and file names are full of it
_ACTIVE = re.compile(r"[\\`*{}\[\]<#|~$^]|&(?=[#\w])|!(?=\[)|(?<![^\W_])_|_(?![^\W_])")
_ADDRESS = re.compile(
    r"(?:(?<![\w.+-])[\w.+-]*+(?:://|@(?=[\w-])|(?:(?<=mailto)|(?<=xmpp)):)|www\.)"
    r"[!-_a-~\w]*(?<![.,;:!?'\")\]])",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[-+:=>]|\d+(?=[.)])")
_MARK = re.compile(r"\[(\d+)\]")
_AFTER_MARK = re.compile(r"[(:]")


def escape(text: str, *, first: bool = False) -> str:
    """Returns Markdown that shows this text. `first` tells that it begins a line."""
    escaped = "".join(_pieces(strip_controls(text)))
    if first and (begin := _FIRST.match(escaped)):
        at = begin.end() if begin[0].isdecimal() else 0
        escaped = f"{escaped[:at]}\\{escaped[at:]}"
    return escaped


def escape_around(marks: Collection[int], text: str) -> str:
    """Returns Markdown that shows this text. Markers of these numbers stay: `[1]`."""
    pieces: list[str] = []
    at = 0
    for mark in _MARK.finditer(text):
        if int(mark[1]) in marks:
            pieces += [_after(pieces, escape(text[at : mark.start()])), mark[0]]
            at = mark.end()
    return "".join([*pieces, _after(pieces, escape(text[at:]))])


def as_code(text: str) -> str:
    """Returns a code block of the text. Its fence is longer than any row of backticks in it."""
    rows = map(len, re.findall("`{3,}", text))
    fence = "`" * (max(rows, default=2) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _after(pieces: Sequence[str], text: str) -> str:
    """Escapes a bracket or colon behind a marker, which would make a link of it."""
    return f"\\{text}" if pieces and _AFTER_MARK.match(text) else text


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for address in _ADDRESS.finditer(text):
        yield _ACTIVE.sub(r"\\\g<0>", text[at : address.start()])
        yield f"`{address[0]}`"
        at = address.end()
    yield _ACTIVE.sub(r"\\\g<0>", text[at:])
