"""Finds a text's subject words, codes and numbers, in forms in which two texts can be compared."""

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from footnote.text.language import stop_words, words

ENGLISH_NUMBERS: Mapping[str, int] = {
    name: n
    for n, name in {
        0: "zero", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight",
        9: "nine", 10: "ten", 11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen",
        15: "fifteen", 16: "sixteen", 17: "seventeen", 18: "eighteen", 19: "nineteen",
        20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty", 70: "seventy",
        80: "eighty", 90: "ninety", 100: "hundred",
    }.items()
}  # fmt: skip
"""A word → its number. "One" is left out: it mostly means something else."""
GERMAN_NUMBERS: Mapping[str, int] = {
    name: n
    for n, name in enumerate(
        ["zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"], start=2
    )
}
_PERIOD = re.compile(r"(?:fy|cy|q|h|f)?((?:19|20)\d\d)(?:[a-z]|'s)?")
_ENDINGS = (("ies", "y", 5), ("sses", "ss", 6), ("ing", "", 6), ("ed", "", 5), ("es", "e", 5))
# A reference ("OC-26-0015") is one term, although its parts are words, too. It has a letter and a
# digit.
_REFERENCE = re.compile(r"(?<![\w-])\w++(?:[-./]\w++)+(?![\w-])")
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d]")
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_ROOT = 6  # first letters that two terms of one root share
_SIGN = r"[-_.\N{HYPHEN}\N{NON-BREAKING HYPHEN}]"
_SIGNS = re.compile(_SIGN)
# The pattern never begins within a word that it has tried: a long row would take quadratic time.
_JOINED = re.compile(rf"(?<![\w./@:])(?<!\w{_SIGN})[^\W_]++(?:{_SIGN}[^\W_]++)++(?![\w-])")
_OPTION = re.compile(r"(?<![\w-])--([^\W_][\w-]*)")
# "E26" or "E-31" of an error, "HS31" of a form: capitals and a number of two digits or
# more. "FY2023", "H1", "IAS16" and "EUR100" are periods, rules and amounts, which texts
# also write in other ways.
_OTHERWISE = (
    r"(?!(?:Q|H|US|IAS|EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY|CNY|INR|AUD|CAD|NZD|HKD|SGD)-?\d"
    r"|[A-Z]?Y[A-Z]?-?\d\d|[A-Z]+-?(?:19|20)\d\d)"
)
_LABEL = re.compile(rf"(?<![\w.-]){_OTHERWISE}([A-Z]{{1,3}})-?(\d{{2,5}})(?![\w-]|\.\d)")
_LETTERS = 3  # of one part at least: fewer are "e.g" and "U.S"


@lru_cache(maxsize=4096)  # one question compares the same sentences several times
def terms(text: str) -> tuple[str, ...]:
    """Returns the stems of all but stop words, numbers without separators, and references."""
    stop = stop_words(text)
    stems = [stem(word) for word in words(text) if word not in stop]
    references = (
        word for word in _REFERENCE.findall(text) if _DIGIT.search(word) and _LETTER.search(word)
    )
    return (*stems, *(reference.casefold() for reference in references))


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


def joined_words(text: str) -> list[str]:
    """Returns each word of two or more parts once: "soft-reboot", "cpu.max", "SHA-256".

    A word that begins with a digit is a figure or a measure ("64-bit"), and is left out.
    """
    return [word for word in dict.fromkeys(_JOINED.findall(text)) if _is_named(word)]


def code_words(text: str) -> list[str]:
    """Returns each word that is written as code once: "dry-run" of "--dry-run", "low_mark".

    These are: options, without their dashes; joined words with an underscore, with a dot and no
    capital in front ("cpu.max"), or in capitals ("SHA-256"); capitals with a number ("E26",
    "E-31"). Such a word has no other form and no synonym: a text about it contains it.
    """
    joined = (word for word in joined_words(text) if _is_code(word))
    labels = (match[0] for match in _LABEL.finditer(text))
    return list(dict.fromkeys((*_OPTION.findall(text), *joined, *labels)))


def spellings(word: str) -> tuple[str, ...]:
    """Returns the spellings of a joined word: as it is, with blanks, and as one word.

    "E26" has parts, too: capitals and a number.
    """
    parts = _SIGNS.split(word)
    if label := _LABEL.fullmatch(word):
        return tuple(dict.fromkeys((word, *(sign.join(label.groups()) for sign in (" ", "-", "")))))
    return word, " ".join(parts), "".join(parts)


def _is_named(word: str) -> bool:
    has_letters = (len(part) >= _LETTERS and part.isalpha() for part in _SIGNS.split(word))
    return word[0].isalpha() and any(has_letters)


def _is_code(word: str) -> bool:
    return "_" in word or word.isupper() or ("." in word and word[0].islower())
