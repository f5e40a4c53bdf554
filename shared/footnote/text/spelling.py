"""How a question's words are spelled in texts: slips of typing, and codes with other signs.

A word that stands nowhere may be typed wrongly ("internt"), and a code may be written with other
signs ("zx4471 b03" for "ZX-4471/B-03"). Figures have one spelling: another is another figure.
"""

import re
from collections.abc import Collection, Iterable
from itertools import product

from footnote.text.language import STOPWORDS, words

SHORTEST = 4  # letters of a word in which a letter may be missing, added or swapped
SHORTEST_WRONG = 7  # letters of a word in which one may be wrong: "horse" is no slip of "house"
LONGEST = 40  # letters and digits of a code
MOST_BORDERS = 4  # between a code's letters and digits that a text may divide: 16 spellings
MOST_ALIKE = 5  # texts that are looked through for a word's spelling
_WORDS = frozenset({"form", "three"})  # that only look like slips of "from" and "there"
_FREQUENT = frozenset().union(*STOPWORDS.values())  # a rarer word is no slip of these
_GROUP = 4  # characters of a printed account number's groups (ISO 13616)
_WORD = re.compile(r"[^\W_]+(?:[-_./][^\W_]+)*")
_SIGNS = re.compile(r"[\W_]+")
_BORDER = re.compile(r"(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")
_BETWEEN = r"[\s/._:\N{NON-BREAKING HYPHEN}\N{EN DASH}-]{0,2}"  # in a code, as texts write it


def is_slip(typed: str, word: str) -> bool:
    """Tells whether one slip of typing inside a word explains the difference.

    A letter is missing, added, swapped with its neighbour, or wrong. The first and the last letter
    have to be right: another ending makes another word ("insurer", "insured").
    """
    if min(len(typed), len(word)) < SHORTEST - 1 or not (typed + word).isalpha():
        return False
    start = _count_alike(typed, word)
    end = _count_alike(typed[start:][::-1], word[start:][::-1])
    if not start or not end:
        return False
    was, right = typed[start : len(typed) - end], word[start : len(word) - end]
    if len(was) == len(right) == 1:
        return len(word) >= SHORTEST_WRONG
    swapped = len(was) == len(right) > 1 and was == right[::-1] and len(was) == len("ab")
    return swapped or {len(was), len(right)} == {0, 1}


def frequent_word(typed: str, language: str) -> str:
    """Returns the frequent word of a language of which this is a slip ("teh"), or ""."""
    if typed in _WORDS:
        return ""
    pairs = range(1, len(typed) - 1)  # the first letter is right
    swapped = (f"{typed[:n]}{typed[n + 1]}{typed[n]}{typed[n + 2 :]}" for n in pairs)
    frequent = STOPWORDS.get(language, frozenset())
    return next((word for word in swapped if word != typed and word in frequent), "")


def intended_word(typed: str, texts: Iterable[str]) -> str:
    """Returns the word of the texts that was meant, the first in order, or ""."""
    there = dict.fromkeys(word for text in texts for word in words(text))
    return next((word for word in there if is_slip(typed, word) and word not in _FREQUENT), "")


def codes(text: str, absent: Collection[str]) -> list[str]:
    """Returns runs of neighbouring words, as typed, that may be one code which no text has so.

    Each word has a digit or is short and in capitals. The run has letters and digits, and one of
    its words is `absent`. A word of letters that texts have neither begins nor ends it ("IBAN").
    """
    runs: list[list[re.Match[str]]] = [[]]
    for word in _WORD.finditer(text):
        touches = bool(runs[-1]) and not text[runs[-1][-1].end() : word.start()].strip()
        if not _may_be_coded(word[0]):
            runs.append([])
        elif touches:
            runs[-1].append(word)
        else:
            runs.append([word])
    ends = [_trimmed(run, absent) for run in runs]
    spans = [text[run[0].start() : run[-1].end()] for run in ends if run]
    return [
        span
        for span in dict.fromkeys(spans)
        if _is_mixed(compact(span)) and not set(words(span)).isdisjoint(absent)
    ]


def spellings_of(code: str) -> tuple[str, ...]:
    """Returns how texts may divide a code: at borders of letters and digits, or in fours."""
    whole = compact(code)
    pieces = _BORDER.split(whole)
    borders = len(pieces) - 1
    choices = product(("", " "), repeat=borders) if borders <= MOST_BORDERS else [("",) * borders]
    divided = (
        "".join(piece + sign for piece, sign in zip(pieces, (*signs, ""), strict=True))
        for signs in choices
    )
    fours = " ".join(whole[n : n + _GROUP] for n in range(0, len(whole), _GROUP))
    return tuple(dict.fromkeys((*divided, fours)))


def written_code(code: str, texts: Iterable[str]) -> str:
    """Returns a code as the first of the texts that has it writes it, or ""."""
    signs = map(re.escape, compact(code))
    pattern = re.compile(rf"(?<![^\W_]){_BETWEEN.join(signs)}(?![^\W_])", re.IGNORECASE)
    matches = (pattern.search(text) for text in texts)
    return next((match[0] for match in matches if match), "")


def has_spelling(word: str, text: str) -> bool:
    """Tells whether a text has what a word may stand for."""
    in_digits = any(map(str.isdigit, word))
    return bool(written_code(word, [text]) if in_digits else intended_word(word, [text]))


def compact(code: str) -> str:
    """Returns the letters and digits of a code alone, in lower case."""
    return _SIGNS.sub("", code).casefold()[:LONGEST]


def _may_be_coded(word: str) -> bool:
    return any(map(str.isdigit, word)) or (word.isupper() and len(word) <= _GROUP)


def _trimmed(run: list[re.Match[str]], absent: Collection[str]) -> list[re.Match[str]]:
    """Returns the run without words of letters at its ends that texts have."""
    kept = [
        n for n, word in enumerate(run) if not word[0].isalpha() or word[0].casefold() in absent
    ]
    return run[kept[0] : kept[-1] + 1] if kept else []


def _count_alike(one: str, other: str) -> int:
    """Counts the characters that two words begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _is_mixed(code: str) -> bool:
    return any(map(str.isdigit, code)) and any(map(str.isalpha, code))
