"""Cuts an answer into claims while it is being written: sentences and the numbers they cite."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from footnote.text.bullets import BULLETS
from footnote.text.sentences import sentences

_NUMBERS = re.compile(r"\d+")
_MARKERS = re.compile(r"(?:(?<!\s)\s*+\[\s*+\d[\d\s,;]*+\])+(?P<stop>[.!?]*)")
BULLET = re.compile(rf"\A[-*{BULLETS}] ")
_HALF_A_MARKER = re.compile(r"\s*(?:\[[\d\s,;]*)?\Z")


class Claim(NamedTuple):
    """One sentence of an answer. `new_line`: whether it begins a paragraph or a list item."""

    text: str
    markers: tuple[int, ...]
    new_line: bool = False


class Claims:
    """A reader that takes pieces of an answer and gives back the claims that are complete."""

    def __init__(self) -> None:
        self._rest = ""

    def feed(self, piece: str) -> Iterator[Claim]:
        self._rest += piece
        # another marker or the full stop may follow, so a claim ends when something else begins
        while (found := _MARKERS.search(self._rest)) and not _HALF_A_MARKER.match(
            self._rest, found.end()
        ):
            yield from self._until(found)

    def close(self) -> Iterator[Claim]:
        """Yields what is left when the answer has ended."""
        while found := _MARKERS.search(self._rest):
            yield from self._until(found)
        rest, self._rest = self._rest, ""
        yield from _uncited(rest)

    def _until(self, found: re.Match[str]) -> Iterator[Claim]:
        """Yields the claim that the markers end.

        The sentences of earlier paragraphs, which cite nothing, come before it.
        """
        text = self._rest[: found.start()].rstrip() + found["stop"]
        self._rest = self._rest[found.end() :]
        markers = tuple(dict.fromkeys(int(n) for n in _NUMBERS.findall(found[0])))
        before, blank, cited = text.rpartition("\n\n")
        yield from _uncited(before)
        if clean := _clean(cited):
            yield Claim(clean, markers, new_line=bool(blank) or cited.startswith("\n"))


def claims(text: str) -> list[Claim]:
    """Returns all claims of a whole answer."""
    reader = Claims()
    return [*reader.feed(text), *reader.close()]


def _uncited(text: str) -> Iterator[Claim]:
    for start, end in sentences(text):
        if clean := _clean(text[start:end]):
            yield Claim(clean, (), new_line="\n" in text[:start][-2:])


def _clean(text: str) -> str:
    return BULLET.sub("", " ".join(text.split()))
