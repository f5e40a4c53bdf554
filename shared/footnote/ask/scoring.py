"""Scores the sentences of passages: how near is each to the question, in meaning and in words."""

import math
from collections import Counter
from collections.abc import Sequence

from footnote.language import sentences
from footnote.model import Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.terms import terms

MAX_SENTENCES = 64  # embedded for one sub-question; the rest get the similarity 0


def scored(question: str, passages: Sequence[Passage], embedder: Embedder | None) -> list[Passage]:
    """The passages with their sentences scored; without an embedder by words alone."""
    rarity = _rarity(question, passages)
    spans = [(n, *span) for n, p in enumerate(passages) for span in sentences(p.text)]
    overlaps = [_overlap(passages[n].text[start:end], rarity) for n, start, end in spans]
    # every passage's words count, its place breaks ties: the embedder reads only so many
    chosen = sorted(range(len(spans)), key=lambda i: (-overlaps[i], spans[i][0]))[:MAX_SENTENCES]
    near = _similarities(
        question, [passages[spans[i][0]].text[spans[i][1] : spans[i][2]] for i in chosen], embedder
    )
    similarity = dict(zip(chosen, near, strict=True))
    made: list[list[ScoredSentence]] = [[] for _ in passages]
    for i, (n, start, end) in enumerate(spans):
        offset = passages[n].start
        made[n].append(
            ScoredSentence(
                start=offset + start,
                end=offset + end,
                similarity=round(similarity.get(i, 0.0), 4),
                overlap=round(overlaps[i], 4),
            )
        )
    return [
        passage.model_copy(update={"sentences": tuple(mine)})
        for passage, mine in zip(passages, made, strict=True)
    ]


def _rarity(question: str, passages: Sequence[Passage]) -> dict[str, float]:
    """The question's terms, each with its weight: rare among the passages is informative."""
    asked = set(terms(question))
    frequency = Counter(term for p in passages for term in set(terms(p.text)) & asked)
    return {term: math.log(1 + (len(passages) + 1) / (1 + frequency[term])) for term in asked}


def _overlap(sentence: str, rarity: dict[str, float]) -> float:
    total = sum(rarity.values())
    found = set(terms(sentence)) & rarity.keys()
    return sum(rarity[term] for term in found) / total if total else 0.0


def _similarities(
    question: str, candidates: Sequence[str], embedder: Embedder | None
) -> list[float]:
    if embedder is None or not candidates:
        return [0.0] * len(candidates)
    asked = embedder.embed([question], "query")[0]
    return [_dot(asked, vector) for vector in embedder.embed(candidates, "document")]


def _dot(one: Vector, other: Vector) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
