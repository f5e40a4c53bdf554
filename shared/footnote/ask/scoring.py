"""Scores the sentences of passages: how near each is to the question, in meaning and in words.

A row of a table is read together with the table's first row if the passage has that, or with the
header above the passage.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from footnote.model import CELL, Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.text.language import sentences
from footnote.text.terms import terms

MAX_SENTENCES = 12  # embedded for one sub-question: each takes 3 ms; the rest get similarity 0
# How much the words and the passage count in choosing them, as in the score of an extract.
_BY_WORDS, _BY_PASSAGE = 0.35, 0.3

type Near = Callable[[Sequence[str]], list[float]]
"""Texts → how near each is to the question in meaning."""
# The cosine of texts that have nothing in common, by model, if it is far from 0. What it leaves is
# stretched to 1, so that similarities of all models can be weighed alike. Measured on questions and
# paragraphs in seven languages: the right one .82 to .92 (median .88), others .72 to .83 (.76).
FLOORS = {"multilingual-e5-small-s8": 0.7}


class Candidate(NamedTuple):
    """A sentence: the number of its passage, its span there, and the text that is scored for it."""

    passage: int
    start: int
    end: int
    text: str


def score_sentences(question: str, passages: Sequence[Passage], near: Near | None) -> list[Passage]:
    """Returns the passages with scored sentences.

    `near` is asked once, about the sentences that words and passage speak for. Without it, each
    sentence is as near as its passage.
    """
    read = [one for n, passage in enumerate(passages) for one in _candidates(n, passage)]
    overlaps = _overlaps(question, [one.text for one in read])
    if near is None:
        similarity = {i: passages[one.passage].near for i, one in enumerate(read)}
    else:
        chosen = _choose(read, overlaps, passages)
        found = near([read[i].text for i in chosen]) if chosen else []
        similarity = dict(zip(chosen, found, strict=True))
    made: list[list[ScoredSentence]] = [[] for _ in passages]
    for i, one in enumerate(read):
        offset = passages[one.passage].start
        made[one.passage].append(
            ScoredSentence(
                start=offset + one.start,
                end=offset + one.end,
                similarity=round(similarity.get(i, 0.0), 4),
                overlap=round(overlaps[i], 4),
            )
        )
    return [
        passage.model_copy(update={"sentences": tuple(mine)})
        for passage, mine in zip(passages, made, strict=True)
    ]


def _choose(
    read: Sequence[Candidate], overlaps: Sequence[float], passages: Sequence[Passage]
) -> list[int]:
    """Returns the candidates that may score best once their similarity is known."""

    def promise(i: int) -> float:
        return _BY_WORDS * overlaps[i] + _BY_PASSAGE * passages[read[i].passage].score

    return sorted(range(len(read)), key=lambda i: -promise(i))[:MAX_SENTENCES]


def stretch(cosine: float, model: str) -> float:
    """Returns a cosine of the model with what it gives any two texts left out."""
    floor = FLOORS.get(model, 0.0)
    return (cosine - floor) / (1 - floor)


def nearness(embedder: Embedder, question: Vector) -> Near:
    """Returns what tells how near texts are to the question, whose vector is given."""

    def near(texts: Sequence[str]) -> list[float]:
        vectors = embedder.embed(texts, "document")
        return [stretch(math.sumprod(question, vector), embedder.model) for vector in vectors]

    return near


def _candidates(number: int, passage: Passage) -> list[Candidate]:
    made, header = [], passage.above.header if passage.above else ""
    for start, end in sentences(passage.text):
        text = passage.text[start:end]
        if CELL not in text:
            header = ""
        made.append(Candidate(number, start, end, f"{header}\n{text}" if header else text))
        if CELL in text and not header:
            header = text
    return made


def _overlaps(question: str, texts: Sequence[str]) -> list[float]:
    """Returns each text's share of the question's terms; a term that few texts have weighs more."""
    asked = set(terms(question))
    found = [set(terms(text)) & asked for text in texts]
    frequency = Counter(term for one in found for term in one)
    weight = {term: math.log(1 + len(texts) / (1 + frequency[term])) for term in asked}
    total = sum(weight.values())
    return [sum(weight[term] for term in one) / total if total else 0.0 for one in found]
