"""Words that signs join, such as "trim-paths": only the whole of one names what it names."""

import re

_SIGNS = re.compile(r"[-_.\N{HYPHEN}\N{NON-BREAKING HYPHEN}]")
_EDGES = "()[]{}<>\"'`,;:!?.$€£%*|-_\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
_LETTERS = 3  # of one part at least: fewer are "e.g" and "U.S"


def joined_words(text: str) -> list[str]:
    """Returns each word of two or more parts once: "soft-reboot", "cpu.max", "SHA-256".

    One that begins with a digit is a figure or a measure ("64-bit"), and is left out.
    """
    found = (word.strip(_EDGES) for word in text.split())
    return [word for word in dict.fromkeys(found) if _is_joined(word)]


def spellings(word: str) -> tuple[str, ...]:
    """Returns how else a joined word is written: as it is, with blanks, and as one word."""
    parts = _SIGNS.split(word)
    return word, " ".join(parts), "".join(parts)


def _is_joined(word: str) -> bool:
    parts = _SIGNS.split(word)
    if len(parts) == 1 or not word[0].isalpha():
        return False
    named = any(len(part) >= _LETTERS and part.isalpha() for part in parts)
    return named and all(part.isalnum() for part in parts)
