"""Compares texts by their words and figures, with no rule of the check that answers pass."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

LONG = 12  # words: of a longer right answer half is asked for, of a shorter one every figure
HALF = 0.5
STEM = 6  # letters: "delivered" and "deliver" are taken for one word
_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_WORD = re.compile(r"[^\W\d_]{3,}")
_TOKEN = re.compile(r"\w+")
_STOP_WORDS = """and are but for from had has have her his its not that the their they this was
were which who will with you your"""
_STOP = frozenset(_STOP_WORDS.split())
_ASKING = {"what", "when", "where", "why", "how", "does", "did", "much", "many", "whose", "whom"}


def says(gold: str, said: str) -> bool:
    """Tells whether a text says the right answer, as far as figures and words tell.

    Of a short answer with figures all figures must occur; of one without, half of its words; of a
    long answer half of its figures and words together.
    """
    there = figures(said) | words(said)
    numbers, terms = figures(gold), words(gold)
    if numbers and len(gold.split()) <= LONG:
        return numbers <= there
    wanted = numbers | terms
    if not wanted:  # "-", or a letter
        return gold.casefold().strip() in said.casefold()
    return len(wanted & there) >= HALF * len(wanted)


def figures(text: str) -> set[str]:
    """Returns the numbers of a text, without separators of thousands and zeros behind a point."""
    found = (re.sub(r",(?=\d{3})", "", one).strip(",.") for one in _NUMBER.findall(text))
    return {(one.rstrip("0").rstrip(".") if "." in one else one) for one in found}


def words(text: str) -> set[str]:
    """Returns the words of three letters and more that carry meaning."""
    return {word for word in _WORD.findall(text.casefold()) if word not in _STOP}


def rests_on(sentence: str, quotes: Sequence[str]) -> bool:
    """Tells whether quotes have all figures of a sentence and at least half of its words."""
    there = " ".join(quotes)
    if not figures(sentence) <= figures(there):
        return False
    wanted = _stems(words(sentence))
    return len(wanted & _stems(words(there))) >= HALF * len(wanted)


def relevance(question: str, text: str) -> float:
    """Returns the share of the question's words and figures that a text has."""
    wanted = _stems(words(question) - _ASKING) | figures(question)
    there = _stems(words(text)) | figures(text)
    return len(wanted & there) / len(wanted) if wanted else 0.0


def _stems(found: set[str]) -> set[str]:
    return {word[:STEM] for word in found}


def holds(text: str, sentence: str) -> bool:
    """Tells whether a text has the words of a sentence, in order, whatever stands between words.

    `…` in the sentence stands for any words.
    """
    tokens, start = _tokens(text), 0
    for part in filter(None, map(_tokens, sentence.split("…"))):
        at = next(_places(tokens, part, start), -1)
        if at < 0:
            return False
        start = at + len(part)
    return True


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _places(tokens: list[str], part: list[str], start: int) -> Iterator[int]:
    for at in range(start, len(tokens) - len(part) + 1):
        if tokens[at : at + len(part)] == part:
            yield at
