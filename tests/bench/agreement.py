"""Measures how far two texts agree, word by word.

F1 = 2 · common / (words of one + words of the other), both as multisets: the token F1 of SQuAD
(Rajpurkar et al., "SQuAD: 100,000+ Questions for Machine Comprehension of Text", 2016, 6.1).
A word is a run of letters, digits and underscores after NFKC and case folding. Word order does not
count: PyMuPDF's text has the order of the file, which need not be the page's reading order.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

import pymupdf

type Words = Counter[str]
_BROKEN = re.compile(r"(\w+)[-\u00ad\u2010]\n\s*(\w+)")
_MARGIN = 0.1  # of the page's height, at top and bottom
_OFTEN = 3  # pages with a line that make it a running one


def words(text: str) -> Words:
    return Counter(re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()))


def f1(one: Words, other: Words) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def join_broken(reference: Words, broken: Sequence[tuple[str, str]], text: Words) -> Words:
    """Returns the reference with broken words made whole where `text` has them whole.

    So a word that a line's end broke counts as the same word in both.
    """
    mended = Counter(reference)
    for first, second in broken:
        whole = first + second
        if mended[whole] < text[whole] and mended[first] and mended[second]:
            mended += Counter([whole])
            mended.subtract([first, second])
    return +mended


def drop_running(reference: Words, text: Words, running: Words) -> Words:
    """Returns the reference without the words of running heads and feet that `text` lacks."""
    return reference - ((reference - text) & running)


def broken_words(text: str) -> list[tuple[str, str]]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return [(first, second) for first, second in _BROKEN.findall(folded)]


def running_words(file: pymupdf.Document) -> Words:
    """Counts the words of margin lines that stand on at least three pages, numbers aside."""
    lines = [line for page in file for line in _margin(page)]
    often = Counter(re.sub(r"\d+", "#", line) for line in lines)
    return sum(
        (words(line) for line in lines if often[re.sub(r"\d+", "#", line)] >= _OFTEN), Counter()
    )


def _margin(page: pymupdf.Page) -> Iterable[str]:
    top, height = page.rect.y0, page.rect.height
    for _, above, _, below, text, *_ in page.get_text("blocks"):
        if below < top + _MARGIN * height or above > top + (1 - _MARGIN) * height:
            yield from (line.strip() for line in text.splitlines())
