"""Scores the sentences of passages: how near each is to the question, in meaning and in words.

A row of a table is read together with the table's first row if the passage has that.
"""

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from footnote.model import CELL, Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.text.language import sentences
from footnote.text.terms import terms

MAX_SENTENCES = 48  # embedded for one sub-question; the rest get the similarity 0
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


def score_sentences(
    question: str, passages: Sequence[Passage], embedder: Embedder | None
) -> list[Passage]:
    """Returns the passages with scored sentences; without an embedder by words alone."""
    read = [one for n, passage in enumerate(passages) for one in _candidates(n, passage)]
    overlaps = _overlaps(question, [one.text for one in read])
    # first those with most of the question's words, then those of the best passages
    chosen = sorted(range(len(read)), key=lambda i: (-overlaps[i], read[i].passage))[:MAX_SENTENCES]
    near = _similarities(question, [read[i].text for i in chosen], embedder)
    similarity = dict(zip(chosen, near, strict=True))
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


def _candidates(number: int, passage: Passage) -> list[Candidate]:
    made, header = [], ""
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


def _similarities(
    question: str, candidates: Sequence[str], embedder: Embedder | None
) -> list[float]:
    if embedder is None or not candidates:
        return [0.0] * len(candidates)
    asked = embedder.embed([question], "query")[0]
    floor = FLOORS.get(embedder.model, 0.0)
    near = (_dot(asked, vector) for vector in embedder.embed(candidates, "document"))
    return [(one - floor) / (1 - floor) for one in near]


def _dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
