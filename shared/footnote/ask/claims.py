"""Cuts an answer, while it is being written, into claims: sentences and the numbers they cite."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from footnote.language import sentences

NOT_SAID = "The documents do not say"
_NUMBERS = re.compile(r"\d+")
_CLAIM = re.compile(
    r"(?P<text>[^\[\]]*(?:\[(?!\s*\d[\d\s,;]*\])[^\[\]]*)*?)"
    r"(?P<markers>(?:\s*\[\s*\d[\d\s,;]*\])+)(?P<stop>[.!?]*)"
)


class Claim(NamedTuple):
    """One sentence of an answer. `new_line`: it begins a paragraph or a list item."""

    text: str
    markers: tuple[int, ...]
    new_line: bool = False


class Claims:
    """Fed with pieces of an answer, gives back the claims that are complete."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> Iterator[Claim]:
        self._rest += piece
        # another marker or the full stop may follow: complete only when something else has begun
        while (match := _CLAIM.match(self._rest)) and self._rest[match.end() :].strip():
            self._rest = self._rest[match.end() :]
            yield from _claims(match)

    def close(self) -> Iterator[Claim]:
        """What is left when the answer has ended."""
        rest, self._rest = self._rest, ""
        while match := _CLAIM.match(rest):
            rest = rest[match.end() :]
            yield from _claims(match)
        yield from _uncited(rest)


def claims(text: str) -> list[Claim]:
    """All claims of a whole answer."""
    reader = Claims()
    return [*reader.feed(text), *reader.close()]


def _claims(match: re.Match[str]) -> Iterator[Claim]:
    """The cited sentence, after those before it that cite nothing."""
    text = match["text"] + match["stop"]
    markers = tuple(dict.fromkeys(int(n) for n in _NUMBERS.findall(match["markers"])))
    line = text.rfind("\n\n")
    before, cited = (text[:line], text[line:]) if line > 0 and text[:line].strip() else ("", text)
    yield from _uncited(before)
    yield Claim(_clean(cited), markers, new_line=cited.startswith("\n"))


def _uncited(text: str) -> Iterator[Claim]:
    for start, end in sentences(text):
        if clean := _clean(text[start:end]):
            yield Claim(clean, (), new_line="\n" in text[:start][-2:])


def _clean(text: str) -> str:
    return " ".join(text.split()).removeprefix("- ").removeprefix("* ")
