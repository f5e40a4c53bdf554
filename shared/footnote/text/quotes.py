"""Finds a quote in a text although blanks, ligatures, hyphenation or quotation marks differ."""

import re
import unicodedata
from typing import NamedTuple

_SAME = str.maketrans(
    {
        "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'",
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u00ab": '"', "\u00bb": '"',
        "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-",
        "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None,
        "\ufeff": None,
        # a document's own [3] is shown as (3): only ours are citations
        "[": "(", "]": ")", "\u3010": "(", "\u3011": ")",
    }
)  # fmt: skip
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\s+(?=[^\W\d_])")
# raised marks of footnotes: a quote of "revenue \u00b9 grew" reads "revenue grew"
_RAISED = frozenset("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207d\u207e")
_MARKER = re.compile(  # [3], [3.2-3.4], [Source 3]
    r"[\[\u3010](\s*(?:[^\W\d_]{2,12}[\s:.#]+)?\^?\d[\d\s.,;\u2013-]*)[\]\u3011]"
)


class NormalText(NamedTuple):
    """A text in comparable form. `at` has the offset of each of its characters in the original."""

    text: str
    at: tuple[int, ...]


def normalise(text: str) -> NormalText:
    """Collapses blanks, splits ligatures, joins words over line ends and folds case."""
    skipped = {i for m in _BROKEN_WORD.finditer(text) for i in range(*m.span())}
    skipped |= {i for i, character in enumerate(text) if character in _RAISED}
    characters: list[str] = []
    at: list[int] = []
    for i, character in enumerate(text):
        if i in skipped:
            continue
        for plain in unicodedata.normalize("NFKC", character).translate(_SAME).casefold():
            comparable = " " if plain.isspace() else plain
            if comparable != " " or (characters and characters[-1] != " "):
                characters.append(comparable)
                at.append(i)
    if characters and characters[-1] == " ":
        characters.pop()
        at.pop()
    return NormalText("".join(characters), tuple(at))


def locate(quote: str, text: str, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    """Returns the span of the quote within `text[start:end]`, as offsets into `text`, or None."""
    needle = normalise(quote).text
    page = normalise(text[start:end])
    place = page.text.find(needle) if needle else -1
    while place >= 0 and not _is_whole(page, place, place + len(needle)):
        place = page.text.find(needle, place + 1)
    if place < 0:
        return None
    return start + page.at[place], start + page.at[place + len(needle) - 1] + 1


def unmark(text: str) -> str:
    """Returns text for readers or a model: on one line, with its own [3] as (3)."""
    return _MARKER.sub(r"(\1)", " ".join(text.split()))


def _is_whole(page: NormalText, start: int, end: int) -> bool:
    """Tells whether the span begins and ends between words: "12" is not found in "3,125"."""
    return not _inside_word(page, start) and not _inside_word(page, end)


def _inside_word(page: NormalText, i: int) -> bool:
    """Tells whether one word stands on both sides of `i`, and no line end split it there."""
    if not 0 < i < len(page.text):
        return False
    joined = page.at[i] - page.at[i - 1] > 1
    return page.text[i - 1].isalnum() and page.text[i].isalnum() and not joined
