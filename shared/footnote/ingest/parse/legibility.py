"""Judges whether the words of a page are words.

Text layers may say something else than the page shows, and OCR makes noise of pictures.
"""

import re
import unicodedata
from collections.abc import Sequence

from footnote.text.language import STOPWORDS

_UNMAPPED = frozenset({"Co", "Cc", "Cn", "Cs"})  # private use, control, unassigned, surrogate
_MOST_UNMAPPED = 0.1  # share of the characters
_ENOUGH_CHARACTERS = 100  # characters above which their kinds can be judged
_FEWEST_LETTERS = 0.4  # share of letters and figures among the characters
_ENOUGH_WORDS = 50  # Latin words: prose of this length has words like "the"; a table may not
_FEWEST_STOPWORDS = 0.02
_FEWEST_LEGIBLE = 0.5  # share of the characters from OCR that lie in words or numbers
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]+(?:['\u2019][A-Za-z]+)?")
_EDGES = "\"'()[]{}.,;:!?*\u2018\u2019\u201c\u201d\u00ab\u00bb$\u20ac\u00a3%"
_WORD = re.compile(r"[^\W\d_]{3,}(?:[-/'\u2019][^\W\d_]+)*|\d[\d.,:/-]*\d\W*|\d{2,}\w{0,3}")
_FREQUENT = frozenset(word for known in STOPWORDS.values() for word in known if len(word) > 1)


def is_garbled(words: Sequence[str]) -> bool:
    """Tells whether characters mean nothing, or not what they show ("Wkh frpsdqb")."""
    text = "".join(words)
    if sum(map(text.count, filter(_is_unmapped, set(text)))) > _MOST_UNMAPPED * len(text):
        return True
    if len(text) > _ENOUGH_CHARACTERS and sum(map(str.isalnum, text)) < _FEWEST_LETTERS * len(text):
        return True
    stripped = [word.strip(_EDGES) for word in words]
    latin = [word.casefold() for word in stripped if _LATIN.fullmatch(word)]
    frequent = sum(word in _FREQUENT for word in latin)
    return len(latin) >= _ENOUGH_WORDS and frequent < _FEWEST_STOPWORDS * len(latin)


def _is_unmapped(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in _UNMAPPED


def is_noise(words: Sequence[str]) -> bool:
    """Tells whether OCR saw a picture without writing.

    It then finds single letters, signs and mIXed caSe.
    """
    legible = [word for word in words if _is_word(word.strip(_EDGES))]
    return sum(map(len, legible)) < _FEWEST_LEGIBLE * sum(map(len, words))


def _is_word(word: str) -> bool:
    if not _WORD.fullmatch(word):
        return not word.isascii() and word.isalpha()  # Chinese words are short
    return word[1:].islower() or word.isupper() or not word.isascii() or not word.isalpha()
