"""Shortens passages for a model that reads little at a time: to the sentences that score best."""

from collections import Counter
from collections.abc import Mapping

from footnote.ask.evidence.merge import describe
from footnote.ask.evidence.pieces import Piece, all_of, pieces_of
from footnote.ask.evidence.scoring import BY_CHUNK, BY_MEANING, BY_WORDS
from footnote.model import Passage, ScoredSentence
from footnote.text.tokens import estimate_tokens

FENCES = 20  # tokens around each passage, besides what is said of its place
MARKER = 6  # tokens of a piece's number and of the end of its line


def shorten(passages: Mapping[int, Passage], tokens: int) -> dict[int, list[Piece]]:
    """Returns what is shown of passages, by their numbers: at most that many tokens; 0 is all.

    Pieces that score best come first, whatever passage they stand in, and keep their order in it
    and their numbers. A passage of which none is kept is left out.
    """
    pieces = all_of(passages)
    if not tokens:
        return pieces
    scored = [
        (_score(sentence), number, piece)
        for number, passage in passages.items()
        for sentence in passage.sentences
        for piece in pieces[number]
        if piece.start < sentence.end and sentence.start < piece.end
    ]
    kept: dict[int, set[Piece]] = {}
    left = tokens
    for _, number, piece in sorted(scored, key=lambda found: -found[0]):
        size = MARKER + estimate_tokens(piece.text)
        if number not in kept:
            size += FENCES + estimate_tokens(describe(passages[number]))
        if size <= left and piece not in kept.get(number, ()):
            left -= size
            kept.setdefault(number, set()).add(piece)
    return {
        number: [piece for piece in pieces[number] if piece in kept[number]]
        for number in passages
        if number in kept
    }


def first_of_each(passages: Mapping[int, Passage], tokens: int) -> dict[int, list[Piece]]:
    """Returns passages whole, at most that many tokens: the first of each document, then the next.

    It is for lines that were noted in reading documents whole: no search has scored them.
    """
    turns = Counter[str]()
    ordered: list[tuple[int, int]] = []
    for number, passage in passages.items():
        ordered.append((turns[passage.document_id], number))
        turns[passage.document_id] += 1
    kept: dict[int, list[Piece]] = {}
    left = tokens
    for _, number in sorted(ordered):
        passage = passages[number]
        left -= FENCES + estimate_tokens(describe(passage)) + estimate_tokens(passage.text)
        if left < 0:
            break
        kept[number] = pieces_of(passage)
    return dict(sorted(kept.items()))


def _score(sentence: ScoredSentence) -> float:
    by_chunk = BY_CHUNK * (sentence.found or 0.0)
    return BY_MEANING * sentence.similarity + BY_WORDS * sentence.overlap + by_chunk
