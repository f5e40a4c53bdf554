"""Superscripts of a PDF: footnote marks and exponents that are raised above the line.

"revenue" with a small "1" is not the word "revenue1", nor "5,466" with a
small "2" the number 54,662.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from footnote.ingest.parse.pdf.page_items import Fragment, Word
from footnote.ingest.parse.superscripts import to_superscript

type Letter = tuple[str, Mapping[str, Any] | None]  # a letter, and its raised span, if any

MAX_SIZE = 0.85  # of the line's size: the largest raised text
MIN_RISE = 0.12  # of the line's size: the least height of raised text above the baseline
_POINTS = re.compile(r"[^\w\s]+")


def raise_marks(row: Sequence[Fragment]) -> list[Fragment]:
    """Raises those fragments of a row (from left to right) that are a mark by themselves."""
    if len({fragment.size for fragment in row}) < 2:
        return list(row)
    raised: list[Fragment] = []
    for i, fragment in enumerate(row):
        beside = [other for other in row[max(i - 1, 0) : i + 2] if other.size > fragment.size]
        if any(_is_above(fragment, other) for other in beside) and len(fragment.words) == 1:
            word = fragment.words[0]
            mark = word._replace(text=to_superscript(word.text) or word.text)
            raised.append(fragment._replace(words=(mark,)))
        else:
            raised.append(fragment)
    return raised


def _is_above(mark: Fragment, line: Fragment) -> bool:
    """Tells whether a mark is smaller and higher than its neighbour, and next to it."""
    gap = max(mark.x0 - line.x1, line.x0 - mark.x1)
    is_high = mark.y1 < line.y1 - MIN_RISE * line.size and mark.y0 < line.y1 - line.size / 2
    return mark.size <= MAX_SIZE * line.size and is_high and gap < line.size


def split_marks(words: Sequence[Word], line: Mapping[str, Any], size: float) -> list[Word]:
    """Makes raised text in a line ("revenue" and a small "1") a word of its own.

    `line` comes from PyMuPDF's `extractDICT`; `size` is that of most of its letters.
    """
    spans = line["spans"]
    base = max(span["origin"][1] for span in spans if span["size"] > MAX_SIZE * size)
    marks = [_is_mark(span, size, base) for span in spans]
    if not any(marks):
        return list(words)
    letters = [
        (letter, span if is_mark else None)
        for span, is_mark in zip(spans, marks, strict=True)
        for letter in span["text"]
        if not letter.isspace()
    ]
    if "".join(letter for letter, _ in letters) != "".join(word.text for word in words):
        return list(words)  # a letter was left out or turned around
    return list(_split(words, letters))


def _is_mark(span: Mapping[str, Any], size: float, base: float) -> bool:
    is_high = span["origin"][1] < base - MIN_RISE * size and span["size"] <= MAX_SIZE * size
    return is_high and to_superscript(span["text"].strip()) is not None


def _split(words: Sequence[Word], letters: Sequence[Letter]) -> Iterator[Word]:
    at = 0
    for word in words:
        own = letters[at : at + len(word.text)]
        at += len(word.text)
        yield from _parts(word, own)


def _parts(word: Word, letters: Sequence[Letter]) -> list[Word]:
    """Cuts a word before and after raised text. A full stop after a mark stays with it."""
    parts: list[Word] = []
    x = word.x0
    for mark, run in groupby(letters, lambda letter: letter[1]):
        text = "".join(letter for letter, _ in run)
        if mark is not None:
            x0, _, x1, _ = mark["bbox"]
            if parts:
                parts[-1] = parts[-1]._replace(x1=max(x0, parts[-1].x0))
            parts.append(Word(max(x0, word.x0), word.y0, x1, word.y1, to_superscript(text) or text))
            x = x1
        elif parts and _POINTS.fullmatch(text):
            parts[-1] = parts[-1]._replace(x1=word.x1, text=parts[-1].text + text)
        else:
            parts.append(Word(x, word.y0, max(word.x1, x), word.y1, text))
    return parts
