"""Removes OCR's readings of leaders: the dots or the rule between an entry and its figure.

OCR reads them as letters ("cesssessecs", "eee", "____"). Their shape, the engine's confidence and
their place show them; no list of strings would be complete.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from footnote.model import OcrLine, OcrWord

# Shares of the type's size. Nine of ten words from 280 dotted lines have ink of 0.4 at most, and no
# label has less than 0.5.
_FLAT = 0.4
_LOW = 0.45  # above the base line: a footnote's mark is small, but raised
_WIDE = 3.0  # a dash is 1 wide
_UNSURE = 0.7  # confidence; leaders' words have less than 0.6
_GUESSED = 0.55  # confidence below which letters of one or two kinds are no word
_KINDS = 2  # and each of them twice: "see" has one "s"
_POINTS = re.compile(r"[.\u00b7\u2026_]{4,}")  # dots that are read with a word: "Revenue....-2"
_TAIL = re.compile(r"(?<![-$\u20ac\u00a3(])[-$\u20ac\u00a3(]*+\d[\d.,]*\d[)%]*")


def is_leader(text: str, confidence: float, rise: float, height: float, width: float) -> bool:
    """Tells whether a word is made of dots or a rule.

    `height` and `width` are those of its ink. `rise` is the ink's height above the base line. All
    are shares of the type's size.
    """
    if rise > _LOW or height > _FLAT:
        return False
    has_letters = any(map(str.isalnum, text))
    return confidence < _UNSURE if has_letters else width > _WIDE


def remove_leaders(lines: Sequence[OcrLine]) -> tuple[OcrLine, ...]:
    """Removes leaders before figures from lines. Lines of leaders only are removed."""
    cleaned = []
    for i, line in enumerate(lines):
        leads_on = i + 1 < len(lines) and _is_beside(line, lines[i + 1])
        words = tuple(_without(line.words, leads_on=leads_on))
        if words:
            cleaned.append(
                line if words == line.words else line.model_copy(update={"words": words})
            )
    return tuple(cleaned)


def _without(words: Sequence[OcrWord], *, leads_on: bool) -> Iterator[OcrWord]:
    """Yields the words that are no leaders. `leads_on`: the line goes on in another cell."""
    followed = [_is_figure(after.text) for _, after in pairwise(words)]
    for i, word in enumerate(words):
        if _is_guessed(word) and (any(followed[i:]) or leads_on):
            continue
        points = _POINTS.search(word.text)
        if points is None or len(points[0]) == len(word.text):  # dots alone: page.py handles them
            yield word
            continue
        tail = _TAIL.search(word.text, points.end())
        is_last = not (any(followed[i:]) or leads_on)
        if head := word.text[: points.start()]:
            yield word.model_copy(update={"text": head})
        if tail and is_last and tail.end() == len(word.text):
            yield word.model_copy(update={"text": tail[0]})


def _is_guessed(word: OcrWord) -> bool:
    """Tells whether a word is letters of one or two kinds with low confidence."""
    if word.confidence is None or word.confidence >= _GUESSED or _is_figure(word.text):
        return False
    kinds = len(set(word.text.casefold()))
    return kinds <= _KINDS and len(word.text) >= 2 * kinds


def _is_figure(text: str) -> bool:
    return any(map(str.isdigit, text))


def _is_beside(line: OcrLine, after: OcrLine) -> bool:
    """Tells whether `after` is a cell of figures to the right of a line."""
    last, first = line.words[-1], after.words[0]
    shared = min(last.y1, first.y1) - max(last.y0, first.y0)
    is_level = shared > (last.y1 - last.y0) / 2
    return is_level and first.x0 >= last.x1 and any(_is_figure(w.text) for w in after.words)
