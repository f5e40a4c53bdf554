"""Scripts whose words PyMuPDF gets wrong: those from right to left, and those without blanks."""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from footnote.ingest.parse.pdf.page_items import Word

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LTR = re.compile(r"[^\W\d_\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# MuPDF treats these figures as letters that run to the left, and so reads numbers backwards
_ARABIC_NUMBER = re.compile("[\u0660-\u0669](?:[\u0660-\u0669\u066a-\u066c.,/:-]*[\u0660-\u0669])?")
_TOUCHING = 0.12  # of the line's height: a blank is at least twice as wide
_UNSPACED = re.compile("[\u2e80-\u312f\u31a0-\ua4cf\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_HAN_GAP = 0.5  # of the line's height


def is_rtl(text: str) -> bool:
    return not text.isascii() and bool(_RTL.search(text))


def logical_order(words: Iterable[Word]) -> list[Word]:
    """Returns the words of a mirrored line in reading order.

    Numbers and Latin words among them run the other way.
    """
    ordered = sorted(words, key=lambda word: word.x0)
    in_order: list[Word] = []
    for is_latin, run in groupby(ordered, lambda word: _runs_right(word.text)):
        in_order += list(run)[:: -1 if is_latin else 1]
    return in_order


def _runs_right(text: str) -> bool:
    return not is_rtl(text) and any(map(str.isalnum, text))


def is_ltr(text: str) -> bool:
    """Tells whether text has letters that run to the right. Figures follow their neighbours."""
    return bool(_LTR.search(text)) and not is_rtl(text)


def mend_words(words: Sequence[Word]) -> list[Word]:
    """Repairs the words of a line, some of which run from right to left.

    PyMuPDF cuts Arabic words where the shape of letters changes, and reverses their figures.
    """
    mended: list[Word] = []
    for word in words:
        text = _ARABIC_NUMBER.sub(lambda number: number[0][::-1], word.text)
        last = mended[-1] if mended else None
        if last is not None and _is_cut(last, word):
            mended[-1] = Word(
                min(last.x0, word.x0), last.y0, max(last.x1, word.x1), last.y1, last.text + text
            )
        else:
            mended.append(word._replace(text=text))
    return mended


def _is_cut(last: Word, word: Word) -> bool:
    gap = max(last.x0 - word.x1, word.x0 - last.x1)
    both = is_rtl(last.text) and is_rtl(word.text)
    numbers = _ARABIC_NUMBER.search(last.text) or _ARABIC_NUMBER.search(word.text)
    return both and not numbers and gap < _TOUCHING * (word.y1 - word.y0)


def split_cells(words: Sequence[Word]) -> list[list[Word]]:
    """Splits the words of a line into cells.

    PyMuPDF joins figures left of a Hebrew word to the word, however far away they are.
    """
    cells: list[list[Word]] = []
    for word in words:
        before = cells[-1][-1] if cells else word
        gap = max(before.x0 - word.x1, word.x0 - before.x1)
        if not cells or gap > word.y1 - word.y0:
            cells.append([])
        cells[-1].append(word)
    return cells


def is_joined(left: Word, right: Word) -> bool:
    """Tells whether two neighbours on a line are one word in a script without blanks."""
    if left.text.isascii() or not are_unspaced(left.text, right.text):
        return False
    return right.x0 - left.x1 < _HAN_GAP * (right.y1 - right.y0)


def are_unspaced(left: str, right: str) -> bool:
    """Tells whether no blank stands between two words. The first may end a line."""
    return bool(_UNSPACED.match(left[-1:]) and _UNSPACED.match(right[:1]))


def count_unspaced(text: str) -> int:
    """Returns the number of characters of scripts without blanks between words."""
    return len(_UNSPACED.findall(text))
