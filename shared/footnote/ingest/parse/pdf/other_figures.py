"""Compares OCR's figures on a page with those of its rejected text layer.

Words are matched by their place: both have boxes on the same page.
"""

from collections.abc import Sequence

from footnote.ingest.parse.pdf import orientation
from footnote.ingest.parse.pdf.doubts import find_figure
from footnote.ingest.parse.pdf.page import Layer
from footnote.ingest.parse.pdf.page_items import Fragment, Sheet, Word

_SHARED = 0.5  # of the height of the lower word, and of the width of the narrower one
_SAME = 0.7  # of the length of the layer's words: a shorter word is a part of them
_FEW = 3  # so many figures may all differ and still count: those of a stamp


def mark(fragments: Sequence[Fragment], layer: Layer, frame: Sheet) -> list[Fragment]:
    """Gives each word whose figure differs from the layer's the layer's figure.

    `frame` is the frame in which the layer was read. If more figures differ than agree, the layer's
    codes are wrong, and it is ignored. A garbled layer without an agreeing figure is ignored, too.
    """
    words = [word for fragment in layer.fragments for word in fragment.words]
    there = _Layer(orientation.to_shown(frame, words))
    figures = [
        (word, there.figure_at(word))
        for fragment in fragments
        for word in fragment.words
        if find_figure(word.text)
    ]
    other = {word: figure for word, figure in figures if figure and figure != _figure(word.text)}
    agree = sum(figure == _figure(word.text) for word, figure in figures)
    most = agree if layer.is_garbled or len(other) + agree > _FEW else _FEW
    if not other or len(other) > most:
        return list(fragments)
    return [
        original._replace(
            words=tuple(word._replace(other=other.get(word, word.other)) for word in original.words)
        )
        for original in fragments
    ]


class _Layer:
    """The words of a layer by place: those of a line are looked up by its height."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._bands: dict[int, list[Word]] = {}
        for word in words:
            for band in range(_band(word.y0), _band(word.y1) + 1):
                self._bands.setdefault(band, []).append(word)

    def figure_at(self, word_at: Word) -> str:
        """Returns the figure at a word's place, "" where there is none.

        A word that is a part of the layer's word cannot be compared with the whole.
        """
        bands = range(_band(word_at.y0), _band(word_at.y1) + 1)
        near = {word for band in bands for word in self._bands.get(band, ())}
        words = sorted((word for word in near if _is_at(word, word_at)), key=lambda word: word.x0)
        if not words:
            return ""
        left, right = min(word.x0 for word in words), max(word.x1 for word in words)
        top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
        if right - left < bottom - top:  # turned type
            shared, length = _share(word_at.y0, word_at.y1, top, bottom), bottom - top
        else:
            shared, length = _share(word_at.x0, word_at.x1, left, right), right - left
        if shared < _SAME * length:
            return ""
        return _figure("".join(word.text for word in words))


_BAND = 20.0  # points: about two lines of text


def _band(y: float) -> int:
    return int(y // _BAND)


def _is_at(word: Word, word_at: Word) -> bool:
    across = _share(word.x0, word.x1, word_at.x0, word_at.x1)
    down = _share(word.y0, word.y1, word_at.y0, word_at.y1)
    return across > _SHARED * min(
        word.x1 - word.x0, word_at.x1 - word_at.x0
    ) and down > _SHARED * min(word.y1 - word.y0, word_at.y1 - word_at.y0)


def _share(a0: float, a1: float, b0: float, b1: float) -> float:
    return min(a1, b1) - max(a0, b0)


def _figure(text: str) -> str:
    span = find_figure(text)
    return text[slice(*span)] if span else ""
