"""Judges whether the words of a page are words.

Text layers may say something else than the page shows, and OCR makes noise of pictures.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot
from operator import mul

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
# Each letter's share of English, in thousandths: P. Norvig, "English Letter Frequency", 2013
_LETTERS: Mapping[str, float] = {
    "e": 125, "t": 93, "a": 80, "o": 76, "i": 76, "n": 72, "s": 65, "r": 63, "h": 51, "l": 41,
    "d": 38, "c": 33, "u": 27, "m": 25, "f": 24, "p": 21, "g": 19, "w": 17, "y": 17, "b": 15,
    "v": 11, "k": 5, "x": 2, "j": 2, "q": 1, "z": 1,
}  # fmt: skip
# Cosine with these shares. 264 pages of reports have .90 and more, German and Spanish paragraphs
# .85; with the letters exchanged at random 99 % of the pages have less than .78, none has .85.
_LIKE_LETTERS = 0.85
_LEAST_LENGTH = 3.0  # letters a word; "T h e" and "comp any" have fewer
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
    if len(latin) < _ENOUGH_WORDS:
        return False
    frequent = sum(word in _FREQUENT for word in latin)
    return frequent < _FEWEST_STOPWORDS * len(latin) and not _are_names(latin)


def _are_names(latin: Sequence[str]) -> bool:
    """Tells whether words, none of them frequent, are whole and have the letters of a language."""
    if sum(map(len, latin)) < _LEAST_LENGTH * len(latin):
        return False
    letters = Counter(unicodedata.normalize("NFKD", "".join(latin)))
    counted = [letters[letter] for letter in _LETTERS]
    product: float = sum(map(mul, counted, _LETTERS.values()))
    return product >= _LIKE_LETTERS * hypot(*counted) * hypot(*_LETTERS.values())


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
