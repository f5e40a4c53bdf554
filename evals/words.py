"""What is a word when two readings of a file are compared: the same for every reader.

A difference that no person sees is none. Each rule says which one it takes away:

- Letters of another shape are the plain ones: ligatures, full-width forms, capitals.
- A raised or lowered figure is a word of its own: some readers glue the mark of a note to a word.
- A date in figures is the same with leading zeros and without, in ISO's order and in that of the
  system, in which some readers write the dates of cells.
- Signs without a shape of their own (soft hyphens, joiners, marks of direction) are left out.
- A sign of a script that sets no spaces between words is a word: lines break there anywhere.
"""

import re
import unicodedata
from collections.abc import Container

_WORD = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]|[^\\W_\u0e00-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff]+"
)
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070-\u209c]+")
_SHAPELESS = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_SOFT_BREAK = re.compile(r"\u00ad[ \t]*\n\s*")
_DATE = re.compile(r"\b(?:(\d{4})-(\d\d?)-(\d\d?)|(\d\d?)/(\d\d?)/(\d{4}))\b")
_PIECES = re.compile(r"([^\W_]+)(?:([-\u2010])[ \t]*\n\s*|\s+)(?=([^\W_]+))")


def words(text: str) -> list[str]:
    """Returns the words of a text in their order."""
    apart = _RAISED.sub(r" \g<0> ", _SHAPELESS.sub("", _SOFT_BREAK.sub("", text)))
    apart = _DATE.sub(
        lambda date: " ".join(str(int(part)) for part in date.groups() if part), apart
    )
    return _WORD.findall(unicodedata.normalize("NFKC", apart).casefold())


def whole_words(text: str) -> set[str]:
    """Returns the words of a text but those that a hyphen at a line's end may have cut."""
    return set(words(_PIECES.sub(lambda cut: " " if cut[2] else cut[0], text)))


def mend_breaks(text: str, whole: Container[str]) -> str:
    """Joins words that a printer broke: two pieces that the file itself has as one word.

    A printer breaks at the edge of a column, at a hyphen, and where letters stand wide. Pieces that
    are words of the file, too, stay apart: a heading and the text below it are no word.
    """

    def join(match: re.Match[str]) -> str:
        first, hyphen, second = match.groups()
        have = [piece.casefold() in whole for piece in (first, second)]
        is_whole = (first + second).casefold() in whole and (hyphen or not all(have))
        return first if is_whole or (hyphen and not any(have)) else match[0]

    return _PIECES.sub(join, _SHAPELESS.sub("", _SOFT_BREAK.sub("", text)))
