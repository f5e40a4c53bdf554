"""The sentences and rows of passages, numbered for a writer: `[3.2]` is the second of passage 3.

A number is a piece's own in its passage, whether or not others are shown with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from footnote.ask.evidence.merge import describe
from footnote.model import CELL, Citable, Passage
from footnote.prompts import fence_texts
from footnote.text.quotes import unmark
from footnote.text.sentences import Span, sentences


class Piece(NamedTuple):
    """A sentence or a row: its number in its passage, its span in the document, its words."""

    number: int
    start: int
    end: int
    text: str

    @property
    def is_row(self) -> bool:
        return CELL in self.text


def pieces_of(passage: Passage) -> list[Piece]:
    """Returns all pieces of a passage in order."""
    return [
        Piece(number, passage.start + start, passage.start + end, passage.text[start:end])
        for number, (start, end) in enumerate(_spans(passage.text), 1)
    ]


@lru_cache(maxsize=64)
def _spans(text: str) -> tuple[Span, ...]:
    return tuple(sentences(text))


def places_of(passage: Passage, numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Returns where pieces stand. Sentences that follow each other are one place, rows are not."""
    wanted = set(numbers)
    places: list[tuple[int, int]] = []
    before: Piece | None = None
    for piece in (piece for piece in pieces_of(passage) if piece.number in wanted):
        goes_on = before and before.number + 1 == piece.number
        if goes_on and not (piece.is_row or (before and before.is_row)):
            places[-1] = (places[-1][0], piece.end)
        else:
            places.append((piece.start, piece.end))
        before = piece
    return places


def show_pieces(
    passages: Mapping[int, Passage], shown: Mapping[int, Sequence[Piece]] | None = None
) -> str:
    """Returns passages as a writer reads them, fenced: where each stands, then its pieces.

    Each piece has a line with its marker. Without `shown` all are there. No text of a document has
    a marker of this form: see `unmark`.
    """
    given = all_of(passages) if shown is None else shown
    return fence_texts(
        {
            str(n): f"{describe(passages[n])}\n\n{'\n'.join(_line(n, one) for one in pieces)}"
            for n, pieces in given.items()
        }
    )


def citable(
    passages: Mapping[int, Passage], shown: Mapping[int, Sequence[Piece]]
) -> tuple[Citable, ...]:
    """Returns the same for a provider that numbers and cites pieces itself."""
    return tuple(
        Citable(
            number=n,
            about=describe(passages[n]),
            pieces=tuple((one.number, unmark(one.text)) for one in pieces),
        )
        for n, pieces in shown.items()
        if pieces  # an empty document is refused
    )


def all_of(passages: Mapping[int, Passage]) -> dict[int, list[Piece]]:
    """Returns all pieces of passages."""
    return {n: pieces_of(passage) for n, passage in passages.items()}


def _line(passage: int, piece: Piece) -> str:
    return f"[{passage}.{piece.number}] {unmark(piece.text)}"
