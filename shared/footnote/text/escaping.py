"""Text as Markdown that shows it as it is: no link, image, HTML or formatting comes of it.

Some programs look for addresses in the text that Markdown shows, where no backslash helps. So
addresses stand in code spans, which they all leave alone.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from footnote.text.controls import strip_controls

# `_` within a word is no emphasis, and names of files are full of it
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
    """Returns Markdown that shows this text; `first` where it begins a line."""
    made = "".join(_pieces(strip_controls(text)))
    if first and (begin := _FIRST.match(made)):
        at = begin.end() if begin[0].isdecimal() else 0
        made = f"{made[:at]}\\{made[at:]}"
    return made


def escape_around(marks: Collection[int], text: str) -> str:
    """Returns Markdown that shows this text, in which markers of these numbers stay: `[1]`."""
    made: list[str] = []
    at = 0
    for mark in _MARK.finditer(text):
        if int(mark[1]) in marks:
            made += [_after(made, escape(text[at : mark.start()])), mark[0]]
            at = mark.end()
    return "".join([*made, _after(made, escape(text[at:]))])


def as_code(text: str) -> str:
    """Returns a code block of the text. Its fence is longer than any row of backticks in it."""
    rows = map(len, re.findall("`{3,}", text))
    fence = "`" * (max(rows, default=2) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _after(made: Sequence[str], text: str) -> str:
    """Keeps a bracket or colon behind a marker from making a link of it."""
    return f"\\{text}" if made and _AFTER_MARK.match(text) else text


def _pieces(text: str) -> Iterator[str]:
    at = 0
    for address in _ADDRESS.finditer(text):
        yield _ACTIVE.sub(r"\\\g<0>", text[at : address.start()])
        yield f"`{address[0]}`"
        at = address.end()
    yield _ACTIVE.sub(r"\\\g<0>", text[at:])
