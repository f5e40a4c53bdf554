"""Cuts an answer into claims while it is being written: sentences and the numbers they cite.

Markers end a claim, as in "A is 1. [1]". Where they begin a line they lead ("[1] A is 1."), and so
they do in "According to [1], A is 1."
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from footnote.ask.write.markers import Pointer
from footnote.model import CELL
from footnote.text.sentences import BULLETS, sentences

type Markers = tuple[Pointer, ...]

_NUMBERS = re.compile(r"\d+(?:\.\d+)?")
_MARKERS = re.compile(r"(?:(?<!\s)\s*+\[\s*+\d[\d\s,;.]*+\])+(?P<stop>[.!?]*)")
_HALF_A_MARKER = re.compile(r"\s*(?:\[[\d\s,;.]*)?\Z")
BULLET = re.compile(rf"\A[-*{BULLETS}] ")
_PARAGRAPH = re.compile(r"\S[^\S\n]*+\n[^\S\n]*+\n\s*+(?=[^\s\[])")
_GOES_ON = re.compile(r"[ \t]*[,;:\u2013-]|[ \t]*[a-z]")
_MAY_JOIN = re.compile(r"[ \t]*+(?:[,;][ \t]*+)?[a-z]{0,8}+[ \t]*+")
_JOINS = re.compile(r"[ \t]*+(?:[,;][ \t]*+)?(?:and|but|while|whereas|und|aber)[ \t]++(?=\S)")
_LEADS_IN = re.compile(
    r"(?:(?<=[.!?\n])[ \t]*|\A\s*)(?:according to|as (?:stated|noted|reported|described) in|as per"
    r"|based on|per|in|from)(?: (?:the )?(?:passages?|sources?|documents?))?\s*\Z",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|will|would"
    r"|shall|should|\w{2,}ed|(?!according)\w{3,}ing)\b",
    re.IGNORECASE,
)
_STOPPED = re.compile(r"[.!?\u2026\u3002][\"\u201d\u2019')\]]*\Z")


class Claim(NamedTuple):
    """One sentence of an answer. `new_line`: whether it begins a paragraph or a list item.

    `markers` are the numbers of the passages that it cites, `named` the sentences and rows of them
    that it names.
    """

    text: str
    markers: tuple[int, ...]
    new_line: bool = False
    named: tuple[Pointer, ...] = ()


class Claims:
    """A reader that takes pieces of an answer and gives back the claims that are complete."""

    def __init__(self) -> None:
        self._rest = ""
        self._held: Markers = ()  # of markers inside the sentence that has begun
        self._first: Markers = ()  # of markers that lead the next sentence alone
        self._line: Markers = ()  # of markers before the text that follows on their line
        self._capital = False  # whether a piece of a sentence follows as a sentence of its own

    def feed(self, piece: str) -> Iterator[Claim]:
        self._rest += piece
        while True:
            yield from self._paragraphs()
            found = _MARKERS.search(self._rest)
            # another marker or the full stop may follow, so a claim ends when something else begins
            if not found or _HALF_A_MARKER.match(self._rest, found.end()):
                return
            if not found["stop"] and _MAY_JOIN.fullmatch(self._rest, found.end()):
                return
            yield from self._until(found)

    def close(self) -> Iterator[Claim]:
        """Yields what is left when the answer has ended."""
        while True:
            yield from self._paragraphs()
            if not (found := _MARKERS.search(self._rest)):
                break
            yield from self._until(found)
        rest, self._rest = self._rest, ""
        yield from self._end(rest, ())

    def _paragraphs(self) -> Iterator[Claim]:
        """Yields the sentences of paragraphs that have ended without a marker."""
        while blank := _PARAGRAPH.search(self._rest):
            if _MARKERS.search(self._rest, 0, blank.end()):
                return
            text, self._rest = self._rest[: blank.end()], self._rest[blank.end() :]
            yield from self._end(text.rstrip(), ())
            self._rest = f"\n\n{self._rest}"

    def _until(self, found: re.Match[str]) -> Iterator[Claim]:
        """Yields the claim that the markers end, if they end one."""
        text, after = self._rest[: found.start()], self._rest[found.end() :]
        markers = tuple(dict.fromkeys(map(Pointer.of, _NUMBERS.findall(found[0]))))
        self._rest = after
        blanks = found[0][: found[0].index("[")]
        ends_line = not after.strip() or bool(re.match(r"[ \t]*\n", after))
        begins_line = "\n" in blanks or not text.strip()
        if ends_line or found["stop"]:
            yield from self._end(text.rstrip() + found["stop"], markers)
        elif begins_line or (self._line and _ends(text)):
            yield from self._end(text, ())
            self._line = markers
            self._rest = blanks + after.lstrip(" \t")
        elif lead := _LEADS_IN.search(text):
            yield from self._end(text[: lead.start()], ())
            self._first = markers
            self._rest = ("\n\n" if "\n" in lead[0] else "") + after.lstrip(" \t,:")
        elif joint := None if _ends(text) else _JOINS.match(after):
            yield from self._end(f"{text.rstrip()}.", markers)
            self._rest, self._capital = after[joint.end() :], True
        elif not _ends(text) and _GOES_ON.match(after):
            self._held += markers
            self._rest = text.rstrip(" \t") + after
        else:
            yield from self._end(text.rstrip(), markers)

    def _end(self, text: str, markers: Markers) -> Iterator[Claim]:
        """Yields the claim that a text ends with; sentences of earlier paragraphs cite nothing."""
        markers = tuple(dict.fromkeys((*self._line, *self._held, *markers)))
        self._held = ()
        if "\n" in text.strip() or not text.strip():
            self._line = ()
        before, blank, cited = text.rpartition("\n\n")
        yield from _uncited(before)
        begins_line = bool(blank) or cited.startswith("\n")
        for n, piece in enumerate(_lines(cited)):
            new_line = begins_line if not n else "\n" in piece
            yield from self._cite(_clean(piece), markers, new_line=new_line)

    def _cite(self, text: str, markers: Markers, *, new_line: bool) -> Iterator[Claim]:
        """Yields a text as a claim. Its first sentence may have markers of its own before it."""
        if self._capital:
            text, self._capital = text[:1].upper() + text[1:], False
        if self._first and text:
            end = sentences(text)[0][1]
            own = (*self._first, *(() if text[end:].strip() else markers))
            yield _claim(text[:end], tuple(dict.fromkeys(own)), new_line=new_line)
            self._first, new_line, text = (), False, text[end:].strip()
        if text and markers:
            yield _claim(text, markers, new_line=new_line)
        elif text:
            first, *others = _uncited(text)
            yield first._replace(new_line=new_line)
            yield from others


def claims(text: str) -> list[Claim]:
    """Returns all claims of a whole answer."""
    reader = Claims()
    return [*reader.feed(text), *reader.close()]


def _claim(text: str, markers: Markers, *, new_line: bool) -> Claim:
    passages = tuple(dict.fromkeys(one.passage for one in markers))
    return Claim(text, passages, new_line, tuple(one for one in markers if one.piece))


def is_sentence(text: str) -> bool:
    """Returns whether a text has a verb or a figure: a heading or a half marker has none."""
    if CELL in text or any(character.isdigit() for character in text):
        return True
    words = re.findall(r"[^\W\d_]+", text)
    if text.endswith(":") or len(words) < 2:
        return False
    return bool(_STOPPED.search(text) or _VERB.search(text))


def _ends(text: str) -> bool:
    """Returns whether a text ends as a sentence does."""
    return text.rstrip()[-1:] in set('.!?\u201d"\u2026')


def _lines(text: str) -> Iterator[str]:
    """Yields the lines of a text; those that an editor broke are one."""
    start = 0
    for first, second in pairwise([*sentences(text), (len(text), len(text))]):
        if "\n" in text[first[1] : second[0]] or second[0] == len(text):
            yield text[start : first[1]]
            start = first[1]


def _uncited(text: str) -> Iterator[Claim]:
    for start, end in sentences(text):
        if clean := _clean(text[start:end]):
            yield Claim(clean, (), new_line="\n" in text[:start][-2:])


def _clean(text: str) -> str:
    return BULLET.sub("", " ".join(text.split()))
