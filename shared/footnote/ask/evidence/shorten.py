"""Shortens passages for a model that reads little at a time: to the sentences that score best."""

from collections.abc import Mapping

from footnote.ask.evidence.merge import describe
from footnote.ask.evidence.scoring import BY_CHUNK, BY_MEANING, BY_WORDS
from footnote.model import Passage, ScoredSentence
from footnote.text.tokens import estimate_tokens

FENCES = 20  # tokens around each passage, besides what is said of its place


def shorten(passages: Mapping[int, Passage], tokens: int) -> dict[int, Passage]:
    """Returns passages of at most that many tokens, by their numbers; 0 leaves them as they are.

    Sentences that score best come first, whatever passage they stand in, and keep their order in
    it. A passage of which none is kept is left out.
    """
    if not tokens:
        return dict(passages)
    scored = [(number, one) for number, made in passages.items() for one in made.sentences]
    scored.sort(key=lambda found: -_score(found[1]))
    kept: dict[int, list[ScoredSentence]] = {}
    left = tokens
    for number, sentence in scored:
        size = estimate_tokens(_words(passages[number], sentence))
        if number not in kept:
            size += FENCES + estimate_tokens(describe(passages[number]))
        if size <= left:
            left -= size
            kept.setdefault(number, []).append(sentence)
    return {number: _cut(passages[number], kept[number]) for number in passages if number in kept}


def _score(sentence: ScoredSentence) -> float:
    by_chunk = BY_CHUNK * (sentence.found or 0.0)
    return BY_MEANING * sentence.similarity + BY_WORDS * sentence.overlap + by_chunk


def _words(passage: Passage, sentence: ScoredSentence) -> str:
    return passage.text[sentence.start - passage.start : sentence.end - passage.start]


def _cut(passage: Passage, sentences: list[ScoredSentence]) -> Passage:
    in_order = sorted(sentences, key=lambda sentence: sentence.start)
    text = "\n".join(_words(passage, sentence) for sentence in in_order)
    return passage.model_copy(update={"text": text, "sentences": tuple(in_order)})
