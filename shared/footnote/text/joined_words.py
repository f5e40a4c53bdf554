"""Words that signs join, such as "trim-paths": only the whole word names its thing."""

import re

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
