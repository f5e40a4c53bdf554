"""Leaders: the dots between an entry and its page or amount. They are no text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from footnote.ingest.parse.pdf.page_items import Word

_DOT = frozenset(".\u00b7\u2024\u2026\u22c5")
# Underlines within a word are a blank to fill in, unless a figure follows: "US$[____]".
_LEADER = re.compile(
    r"[.\u00b7\u2024\u2026\u22c5]{4,}|\u2026{2,}|\A__+\Z|(?<!_)_{4,}+(?=\Z|[$\u20ac\u00a3(-]*+\d)"
)
_APART = 5  # dots with blanks between: fewer are an omission, or "x1, · · · , xn"
_APART_BEFORE_FIGURE = 3
_FIGURE = re.compile(r"[$\u20ac\u00a3\u00a5(+\u2212-]*\d|[\u2014\u2013$\u20ac\u00a3-]$|[ivxlc]+$")
_HINT = re.compile(r"([.\u00b7\u2024\u22c5_]) ?\1|\u2026")  # without it a line has no leader
_WIDER = 2  # a letter is on average as many times as wide as a dot


def split(words: Sequence[Word]) -> list[list[Word]]:
    """Returns a line's words without leaders, in cells: a figure after a leader is a cell."""
    if not _HINT.search(" ".join([word.text for word in words])):
        return [list(words)] if words else []
    cells: list[list[Word]] = []
    led = True
    for is_leader, run in groupby(_parts(words), key=lambda part: part is None):
        if is_leader:
            led = True
            continue
        cell = [word for word in run if word]
        if cells and not (led and _FIGURE.match(cell[0].text)):
            cells[-1] += cell
        else:
            cells.append(cell)
    return cells


def _parts(words: Sequence[Word]) -> Iterator[Word | None]:
    """Yields the words, and None for each leader. A leader's first dot may touch the word."""
    runs = [list(run) for _, run in groupby(words, key=lambda word: word.text in _DOT)]
    for run, after, behind in zip(runs, [*runs[1:], []], [*runs[2:], [], []], strict=False):
        if _is_leader(run, after):
            yield None
            continue
        *before, last = run
        touches = _is_leader(after, behind) and last.text[-1] == after[0].text
        for word in (*before, *_part(last, 0, len(last.text) - touches)):
            yield from _cut(word) if _LEADER.search(word.text) else (word,)


def _is_leader(run: Sequence[Word], after: Sequence[Word]) -> bool:
    is_led = bool(after) and bool(_FIGURE.match(after[0].text))
    least = _APART_BEFORE_FIGURE if is_led else _APART
    return len(run) >= least and run[0].text in _DOT


def _cut(word: Word) -> Iterator[Word | None]:
    """Yields the parts around leaders that touch a word, and None for each leader.

    Widths of letters are not known here: those of dots and of the others are estimated.
    """
    end = 0
    for leader in _LEADER.finditer(word.text):
        yield from _part(word, end, leader.start())
        yield None
        end = leader.end()
    yield from _part(word, end, len(word.text))


def _part(word: Word, start: int, end: int) -> Iterable[Word]:
    if start == end:
        return
    point = (word.x1 - word.x0) / _width(word.text)
    x0 = word.x0 + point * _width(word.text[:start])
    x1 = word.x1 - point * _width(word.text[end:])
    yield word._replace(x0=x0, x1=x1, text=word.text[start:end])


def _width(text: str) -> int:
    return sum(1 if char in _DOT else _WIDER for char in text)
