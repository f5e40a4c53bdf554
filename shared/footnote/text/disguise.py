"""Undoes disguises of words, so that patterns find them.

Disguises are full-width and look-alike letters, invisible characters, accents, digits for letters,
and blanks between letters.
"""

import re
import unicodedata
from string import ascii_lowercase

INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
_LOOK_ALIKES = (  # Cyrillic, Greek, Armenian and phonetic letters, and their Latin look-alikes
    ("\u0430\u0432\u0435\u04bb\u0456\u0458\u043a\u043c\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u0501",
     "abehijkmopctyxsd"),
    ("\u03b1\u03b2\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0585\u0578\u057d\u0131\u0261",
     "abeikvoptuxonuig"),
    (("\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18"
     "\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22"),
     "abcdefghijklmnoprstuvwyz"),
)  # fmt: skip
_BOXED = (0x1F150, 0x1F170, 0x1F1E6)  # A in a black circle, in a black square, as part of a flag
_LETTERS = {
    ord(odd): plain
    for odds, plains in _LOOK_ALIKES
    for odd, plain in zip(odds, plains, strict=True)
} | {first + n: letter for first in _BOXED for n, letter in enumerate(ascii_lowercase)}
_MARKS = str.maketrans("\u2044\u2215\u29f8\u2236\ua789\u02d0\u2024\u3002", "///:::..")
_DIGITS = str.maketrans("013457@$", "oieastas")
_TOKEN = re.compile(r"\S+")
_NO_WORD = re.compile(r"[\W_]+")


def normalise(text: str) -> str:
    """Returns the text in its common form (NFKC), without invisible characters."""
    return INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def skeleton(text: str) -> str:
    """Returns the text as it looks: small Latin letters for look-alikes, plain marks for odd ones.

    The result is as long as the text, so offsets are the same in both.
    """
    small = (low if len(low := character.casefold()) == 1 else character for character in text)
    return "".join(small).translate(_LETTERS).translate(_MARKS)


def fold_words(text: str) -> str:
    """Returns the text's words in small letters without accents, with one blank between them."""
    return _NO_WORD.sub(" ", _strip_accents(normalise(text).casefold())).strip()


def unmask(text: str) -> str:
    """Returns `fold_words` of the text as it looks. Digits in words become the letters they mimic.

    Digits without a letter beside them stay.
    """
    lettered = _TOKEN.sub(_digits_to_letters, skeleton(normalise(text)))
    return _NO_WORD.sub(" ", _strip_accents(lettered)).strip()


def _digits_to_letters(token: re.Match[str]) -> str:
    return token[0] if not any(map(str.isalpha, token[0])) else token[0].translate(_DIGITS)


def _strip_accents(text: str) -> str:
    parts = unicodedata.normalize("NFD", text)
    bare = "".join(character for character in parts if not unicodedata.combining(character))
    return unicodedata.normalize("NFC", bare)
