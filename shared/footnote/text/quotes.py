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
        "[": "(", "]": ")",  # a document's own [3] is shown as (3): only ours are citations
    }
)  # fmt: skip
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010\u00ad]\s+(?=[^\W\d_])")
# raised marks of footnotes: who quotes "revenue \u00b9 grew" writes "revenue grew"
_RAISED = frozenset("\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207d\u207e")
_MARKER = re.compile(r"\[(\s*\d[\d\s,;\u2013-]*)\]")


class NormalText(NamedTuple):
    """A text in comparable form; `at`: the offset of each of its characters in the original."""

    text: str
    at: tuple[int, ...]


def normalise(text: str) -> NormalText:
    """Collapses blanks, takes ligatures apart, joins words over line ends and folds case."""
    skipped = {i for m in _BROKEN_WORD.finditer(text) for i in range(*m.span())}
    skipped |= {i for i, character in enumerate(text) if character in _RAISED}
    made: list[str] = []
    at: list[int] = []
    for i, character in enumerate(text):
        if i in skipped:
            continue
        for plain in unicodedata.normalize("NFKC", character).translate(_SAME).casefold():
            one = " " if plain.isspace() else plain
            if one != " " or (made and made[-1] != " "):
                made.append(one)
                at.append(i)
    if made and made[-1] == " ":
        made.pop()
        at.pop()
    return NormalText("".join(made), tuple(at))


def locate(quote: str, text: str, start: int = 0, end: int | None = None) -> tuple[int, int] | None:
    """Returns where in `text[start:end]` the quote stands, as a span of `text`, or None."""
    wanted = normalise(quote).text
    page = normalise(text[start:end])
    found = page.text.find(wanted) if wanted else -1
    while found >= 0 and not _is_whole(page, found, found + len(wanted)):
        found = page.text.find(wanted, found + 1)
    if found < 0:
        return None
    return start + page.at[found], start + page.at[found + len(wanted) - 1] + 1


def unmark(text: str) -> str:
    """Returns text to show or to send to a model: on one line, its own [3] as (3)."""
    return _MARKER.sub(r"(\1)", " ".join(text.split()))


def _is_whole(page: NormalText, start: int, end: int) -> bool:
    """Returns whether the span begins and ends between words: "12" is not found in "3,125"."""
    return not _inside_word(page, start) and not _inside_word(page, end)


def _inside_word(page: NormalText, i: int) -> bool:
    """Returns whether one word stands on both sides of `i`, not joined there over a line end."""
    if not 0 < i < len(page.text):
        return False
    joined = page.at[i] - page.at[i - 1] > 1
    return page.text[i - 1].isalnum() and page.text[i].isalnum() and not joined
