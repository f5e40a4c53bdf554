"""Compares the figures that OCR read on a page with those of the text layer that was rejected.

Words are matched by their place: both have boxes on the same page.
"""

from collections.abc import Sequence

from footnote.ingest.parse.pdf import orientation
from footnote.ingest.parse.pdf.doubts import find_figure
from footnote.ingest.parse.pdf.page import Layer
from footnote.ingest.parse.pdf.page_items import Fragment, Sheet, Word

_SHARED = 0.5  # of the height of the lower word, and of the width of the narrower one
_SAME = 0.7  # of the length of the layer's words: less is a part of them
_FEW = 3  # figures that may all differ and yet say something: those of a stamp


def mark(seen: Sequence[Fragment], layer: Layer, frame: Sheet) -> list[Fragment]:
    """Gives each word whose figure differs from the layer's the figure that is there.

    `frame` is the one that the layer was read in. Where more figures differ than agree, its codes
    stand for something else than they show, and it says nothing. That is also so of a garbled
    layer none of whose figures agree.
    """
    words = [word for fragment in layer.fragments for word in fragment.words]
    there = _Layer(orientation.to_shown(frame, words))
    figures = [
        (word, there.figure_at(word))
        for fragment in seen
        for word in fragment.words
        if find_figure(word.text)
    ]
    other = {word: figure for word, figure in figures if figure and figure != _figure(word.text)}
    agree = sum(figure == _figure(word.text) for word, figure in figures)
    most = agree if layer.is_garbled or len(other) + agree > _FEW else _FEW
    if not other or len(other) > most:
        return list(seen)
    return [
        one._replace(
            words=tuple(word._replace(other=other.get(word, word.other)) for word in one.words)
        )
        for one in seen
    ]


class _Layer:
    """The words of a layer, found by place: those of a line are looked up by its height."""

    def __init__(self, words: Sequence[Word]) -> None:
        self._bands: dict[int, list[Word]] = {}
        for word in words:
            for band in range(_band(word.y0), _band(word.y1) + 1):
                self._bands.setdefault(band, []).append(word)

    def figure_at(self, seen: Word) -> str:
        """Returns the figure at a word's place, "" where there is none.

        A word that is a part of the layer's cannot be compared with the whole.
        """
        bands = range(_band(seen.y0), _band(seen.y1) + 1)
        near = {word for band in bands for word in self._bands.get(band, ())}
        found = sorted((word for word in near if _is_at(word, seen)), key=lambda word: word.x0)
        if not found:
            return ""
        left, right = min(word.x0 for word in found), max(word.x1 for word in found)
        top, bottom = min(word.y0 for word in found), max(word.y1 for word in found)
        if right - left < bottom - top:  # turned type
            shared, length = _share(seen.y0, seen.y1, top, bottom), bottom - top
        else:
            shared, length = _share(seen.x0, seen.x1, left, right), right - left
        if shared < _SAME * length:
            return ""
        return _figure("".join(word.text for word in found))


_BAND = 20.0  # points: about two lines of text


def _band(y: float) -> int:
    return int(y // _BAND)


def _is_at(word: Word, seen: Word) -> bool:
    across = _share(word.x0, word.x1, seen.x0, seen.x1)
    down = _share(word.y0, word.y1, seen.y0, seen.y1)
    return across > _SHARED * min(word.x1 - word.x0, seen.x1 - seen.x0) and down > _SHARED * min(
        word.y1 - word.y0, seen.y1 - seen.y0
    )


def _share(a0: float, a1: float, b0: float, b1: float) -> float:
    return min(a1, b1) - max(a0, b0)


def _figure(text: str) -> str:
    span = find_figure(text)
    return text[slice(*span)] if span else ""
