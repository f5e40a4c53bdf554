"""The forms in which models cite: what does "(Source: 1)", "[3.2-3.4]" or "[a.pdf, p. 2]" mean?

A marker names passages, or sentences and rows of them: `3.2` is the second of passage 3.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from footnote.model import Passage


class Pointer(NamedTuple):
    """A passage, or one of its sentences and rows: that of the number `piece`, if it is not 0."""

    passage: int
    piece: int = 0

    def __str__(self) -> str:
        return f"{self.passage}.{self.piece}" if self.piece else f"{self.passage}"

    @classmethod
    def of(cls, text: str) -> "Pointer":
        """Reads "3" or "3.2"."""
        passage, _, piece = text.partition(".")
        return cls(int(passage), int(piece or 0))


_SOURCE = (
    r"(?:sources?|passages?|docs?|documents?|refs?|references?|citations?|cites?|evidence"
    r"|excerpts?|quellen?|notes?|footnotes?)"
)
_NAMED = rf"(?:(?:see|cf|siehe)(?:\.?\s+{_SOURCE})?|{_SOURCE})"
_ONE = r"(?<![\d.])\d{1,3}(?:\.\d{1,3})?(?![\d.]*\d)"
_JOINT = rf"\s*(?:[,;&+/\u2013-]|and|und|to)\s*(?:{_NAMED}[\s:.#]*)?"
NUMBERS = rf"{_ONE}(?:{_JOINT}{_ONE})*"
_INNER = re.compile(
    rf"\s*(?P<named>{_NAMED}[\s:.#]*)?[\^#@]?\s*(?P<numbers>{NUMBERS})\s*"
    r"(?P<more>(?:[:\u2020]|,?\s*(?:pp?|pages?|S)\.?\s*\d).*)?",
    re.IGNORECASE,
)
_RANGE = re.compile(rf"({_ONE})\s*(?:[\u2013-]|to)\s*(?:{_NAMED}\s*)?({_ONE})", re.IGNORECASE)
_NUMBER = re.compile(_ONE)
_IN_WORDS = re.compile(
    r"(?<![\d.])(\d{1,3}),?\s*(?:sentences?|rows?|lines?|no\.)\s*(\d{1,3})\b", re.IGNORECASE
)
_LEADS_TO_A_FIGURE = re.compile(
    r"(?:\b(?:about|and|are|at|by|for|from|in|is|of|or|than|to|was|were|with)|\d\.\d+)\s*\Z",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"[.!?\u201d\"]\s*\Z")
_PAGE = re.compile(r"\b(?:pp?|pages?|seiten?|s)\b\.?\s*(\d+)", re.IGNORECASE)
MOST_IN_A_RANGE = 10
MOST_OF_A_FILE = 5  # passages that a file's name stands for


def read_marker(inner: str, passages: Mapping[int, Passage]) -> tuple[Pointer, ...]:
    """Returns what stands between the brackets of a marker, or () if it is none.

    The name of a file stands for its passages, on the page that is named with it.
    """
    inner = _IN_WORDS.sub(r"\1.\2", inner)
    if found := _INNER.fullmatch(inner):
        return read_numbers(found["numbers"], passages)
    return _of_file(inner, passages)


def names_sources(written: str, passages: Mapping[int, Passage]) -> bool | None:
    """Returns whether round brackets name what they cite: "(Source: 1)", "(passage 2)", a file.

    False: it is the document's own, as "(see 3.2)". None: there are numbers alone.
    """
    if "." in written and any(written in passage.text for passage in passages.values()):
        return False
    found = _INNER.fullmatch(written[1:-1])
    return True if found is None or found["named"] or found["more"] else None


def ends_sentence(written: str, before: str, after: str) -> bool:
    """Returns whether numbers in round brackets end a sentence: "(3.2)" may be a figure in it."""
    if "." in written and _LEADS_TO_A_FIGURE.search(before):
        return False
    return bool(_STOPPED.search(before)) or not after.strip() or after[0] in ".!?\n"


def read_numbers(text: str, known: Mapping[int, Passage]) -> tuple[Pointer, ...]:
    """Returns what a list names; what is inside a range only if there are such passages."""
    pointers = [Pointer.of(one) for one in _NUMBER.findall(text)]
    ranges = [(Pointer.of(first), Pointer.of(last)) for first, last in _RANGE.findall(text)]
    for first, last in ranges:
        end = last
        if first.piece and not last.piece and last.passage > first.piece:  # 3.2-4 is 3.2 to 3.4
            end = Pointer(first.passage, last.passage)
        pointers = [end if one == last else one for one in pointers]
        between = list(_between(first, end))
        if len(between) <= MOST_IN_A_RANGE:
            pointers += [one for one in between if one.passage in known]
    if ranges:
        pointers = [one for one in pointers if one.passage in known] or pointers
    return tuple(dict.fromkeys(pointers))


def _between(first: Pointer, last: Pointer) -> Iterator[Pointer]:
    """Yields what a range leaves out: passages, or pieces of one passage."""
    if first.passage == last.passage:
        yield from (Pointer(first.passage, n) for n in range(first.piece + 1, last.piece))
    else:
        yield from map(Pointer, range(first.passage + 1, last.passage))


def show_markers(pointers: Sequence[Pointer]) -> str:
    """Returns the one form in which markers are read on."""
    return "".join(f"[{one}]" for one in pointers)


def _of_file(text: str, passages: Mapping[int, Passage]) -> tuple[Pointer, ...]:
    said = text.casefold()
    of_file = {
        n: one for n, one in passages.items() if one.document.rpartition("/")[2].casefold() in said
    }
    pages = {int(page) for page in _PAGE.findall(text)}
    on_page = [n for n, one in of_file.items() if pages & set(one.pages)]
    return tuple(map(Pointer, (on_page or list(of_file))[:MOST_OF_A_FILE]))
