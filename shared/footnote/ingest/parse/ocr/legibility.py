"""Judges whether the words of a page are words.

A text layer may differ from the page's picture, and OCR makes noise of pictures. Leaders, rules,
bullets and the signs of tables prove nothing: a table of contents may have more dots than letters.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from math import hypot
from operator import mul

from footnote.text.language import STOPWORDS

_UNMAPPED = frozenset({"Co", "Cc", "Cn", "Cs"})  # private use, control, unassigned, surrogate
_MOST_UNMAPPED = 0.1  # share of the characters that count
# The signs of leaders, rules, bullets and tables: dashes, underlines, brackets, currencies,
# mathematical signs, boxes.
_SILENT = frozenset({"Pd", "Pc", "Ps", "Pe", "Sc", "Sm", "So"})
# they prove nothing either, but have mixed categories
_DOTS = frozenset(".*%\u00b7\u2022\u2024\u2025\u2026\u2027\u203b")
_BULLET = re.compile("[\uf020-\uf0ff]")  # codes of bullets and boxes in symbol fonts
_LEADER = re.compile(r"([^\w\s]|_)(?: ?\1){2,}|\u2026")  # between an entry and its page or amount
_ENOUGH_CHARACTERS = 50  # that count: with fewer their kinds prove nothing
_FEWEST_LETTERS = 0.4  # share of letters and figures among them
_ENOUGH_WORDS = 50  # Latin words: prose of this length has words like "the"; a table may have none
_FEWEST_STOPWORDS = 0.02
_FEWEST_LEGIBLE = 0.5  # share of OCR's characters in words or numbers
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
# .85. With the letters exchanged at random, 99 % of the pages have less than .78, and none has .85.
_LIKE_LETTERS = 0.85
_LEAST_LENGTH = 3.0  # letters a word; "T h e" and "comp any" have fewer
_FREQUENT = frozenset(word for frequent in STOPWORDS.values() for word in frequent if len(word) > 1)


def is_garbled(words: Sequence[str]) -> bool:
    """Tells whether characters mean nothing, or other letters than they show ("Wkh frpsdqb")."""
    counts = Counter("".join(word for word in words if not _BULLET.fullmatch(word)))
    telling = {char: times for char, times in counts.items() if not _is_silent(char)}
    size = sum(telling.values())
    if sum(telling[char] for char in filter(_is_unmapped, telling)) > _MOST_UNMAPPED * size:
        return True
    letters = sum(telling[char] for char in filter(_is_letter, telling))
    if size > _ENOUGH_CHARACTERS and letters < _FEWEST_LETTERS * size:
        return True
    latin = [word.casefold() for word in _parts(words) if _LATIN.fullmatch(word)]
    if len(latin) < _ENOUGH_WORDS:
        return False
    frequent = sum(word in _FREQUENT for word in latin)
    return frequent < _FEWEST_STOPWORDS * len(latin) and not _are_names(latin)


def count_letters(words: Sequence[str]) -> int:
    """Returns the number of letters and figures in words, without leaders."""
    counts = Counter("".join(words))
    return sum(counts[char] for char in filter(_is_letter, counts))


def _parts(words: Sequence[str]) -> list[str]:
    """Returns the texts between leaders, without the marks around them."""
    return [word.strip(_EDGES) for word in _LEADER.sub(" ", " ".join(words)).split()]


def _are_names(latin: Sequence[str]) -> bool:
    """Tells whether words without frequent ones are long enough and have
    English letter frequencies.
    """
    if sum(map(len, latin)) < _LEAST_LENGTH * len(latin):
        return False
    letters = Counter(unicodedata.normalize("NFKD", "".join(latin)))
    counted = [letters[letter] for letter in _LETTERS]
    product: float = sum(map(mul, counted, _LETTERS.values()))
    return product >= _LIKE_LETTERS * hypot(*counted) * hypot(*_LETTERS.values())


def _is_unmapped(char: str) -> bool:
    return char == "\ufffd" or unicodedata.category(char) in _UNMAPPED


def _is_silent(char: str) -> bool:
    return (unicodedata.category(char) in _SILENT or char in _DOTS) and char != "\ufffd"


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"  # a letter, a mark on one, a figure


def is_noise(words: Sequence[str]) -> bool:
    """Tells whether OCR saw a picture without writing.

    OCR then reads single letters, signs and mIXed caSe.
    """
    tokens = _LEADER.sub(" ", " ".join(words)).split()
    legible = sum(len(word) for word in tokens if _is_word(word.strip(_EDGES)))
    return bool(words) and (not legible or legible < _FEWEST_LEGIBLE * sum(map(len, tokens)))


def _is_word(word: str) -> bool:
    if not _WORD.fullmatch(word):
        return not word.isascii() and word.isalpha()  # Chinese words are short
    return word[1:].islower() or word.isupper() or not word.isascii() or not word.isalpha()
