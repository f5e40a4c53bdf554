"""Finds a text's subject words, in a form in which two texts can be compared."""

import re
from collections.abc import Collection
from functools import lru_cache

from footnote.text.language import STOPWORDS, detect_language, words

_PERIOD = re.compile(r"(?:fy|cy|q|h|f)?((?:19|20)\d\d)(?:[a-z]|'s)?")
_ENDINGS = (("ies", "y", 5), ("sses", "ss", 6), ("ing", "", 6), ("ed", "", 5), ("es", "e", 5))
# A code ("OC-26-0015") is one term, although its parts are words. It has a letter and a digit.
_JOINED = re.compile(r"(?<![\w-])\w++(?:[-./]\w++)+(?![\w-])")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d]")
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_ROOT = 6  # first letters that two terms of one root share


@lru_cache(maxsize=4096)  # one question compares the same sentences several times
def terms(text: str) -> tuple[str, ...]:
    """Returns stems of all but the stop words, numbers without their separators, then codes."""
    stop = STOPWORDS["en"] | STOPWORDS.get(detect_language(text), frozenset())
    stems = [stem(word) for word in words(text) if word not in stop]
    codes = (word for word in _JOINED.findall(text) if _DIGIT.search(word) and _LETTER.search(word))
    return (*stems, *(code.casefold() for code in codes))


@lru_cache(maxsize=16_384)  # few words make up most of a text
def stem(word: str) -> str:
    """Cuts common English endings off a word. The stem is for comparing, not for showing."""
    if period := _PERIOD.fullmatch(word):
        return period[1]
    if word[0].isdigit():
        return number(word)
    word = word.removesuffix("'s")
    for ending, instead, shortest in _ENDINGS:
        if word.endswith(ending) and len(word) >= shortest:
            word = word.removesuffix(ending) + instead
            break
    else:
        if word.endswith("s") and len(word) > 3 and word[-2] not in "sui":
            word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


def has_root(term: str, others: Collection[str]) -> bool:
    """Tells whether one of the terms has the same root, as "employ" and "employee" have."""
    root = term[:_ROOT]
    return term in others or (
        len(root) == _ROOT and any(other.startswith(root) for other in others)
    )


def numbers(text: str) -> set[str]:
    """Returns the numbers in a text, each in the form that `number` gives it."""
    return {number(digits) for digits in _NUMBER.findall(text)}


def number(text: str) -> str:
    """Returns the form in which two numbers are compared: "5466" for "5,466.0" and for "5466"."""
    bare = re.sub(r",(?=\d{3}(?:\D|$))", "", text).strip(",.")
    if bare.count(".") == 1:
        bare = bare.rstrip("0").rstrip(".")
    return bare.lstrip("0") or "0"
