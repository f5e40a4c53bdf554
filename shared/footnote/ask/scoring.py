"""Scores the sentences of passages: how near each is to the question, in meaning and in words.

A row of a table is read together with what it stands under: the header in the passage or above it,
and the line that heads its part of the table.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.model import CELL, Hit, Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.text.glossary import told_names
from footnote.text.sentences import sentences
from footnote.text.source_code import is_source_code
from footnote.text.table_lines import read_lines
from footnote.text.terms import terms

MAX_SENTENCES = 12  # embedded for one sub-question: each takes 3 ms; the rest get similarity 0
# How much the words, the chunk and being a program's line count in choosing them, as in the score
# of an extract.
_BY_WORDS, _BY_CHUNK, _BY_CODE = 0.35, 0.3, -0.15

_JOINS = re.compile(r"[\W_]+")

type Chunks = Mapping[tuple[str, str], Sequence[tuple[int, int, float]]]
"""Document id and version → the span and score of each chunk that was found there."""
type Near = Callable[[Sequence[str]], list[float]]
"""Texts → how near each is to the question in meaning."""
# The cosine of texts that have nothing in common, by model, if it is far from 0. What it leaves is
# stretched to 1, so that similarities of all models can be weighed alike. Measured on questions and
# paragraphs in seven languages: the right one .82 to .92 (median .88), others .72 to .83 (.76).
FLOORS = {"multilingual-e5-small-s8": 0.7}


class Candidate(NamedTuple):
    """A sentence: the number of its passage, its span there, and the text that is scored for it.

    `around`: the terms of what its passage stands under. `found`: see `ScoredSentence`.
    """

    passage: int
    start: int
    end: int
    text: str
    around: frozenset[str]
    found: float | None


def score_sentences(
    question: str, passages: Sequence[Passage], near: Near | None, hits: Sequence[Hit] = ()
) -> list[Passage]:
    """Returns the passages with scored sentences; `hits` are those that they were made of, if any.

    `near` is asked once, about the sentences that words and chunk speak for. Without it, each
    sentence is as near as its passage.
    """
    chunks = _by_document(hits)
    read = [one for n, passage in enumerate(passages) for one in _candidates(n, passage, chunks)]
    overlaps = _overlaps(question, read)
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
                found=one.found,
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
        one = read[i]
        found = passages[one.passage].score if one.found is None else one.found
        is_code = CELL not in one.text and is_source_code(one.text)
        return _BY_WORDS * overlaps[i] + _BY_CHUNK * found + _BY_CODE * is_code

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


def _candidates(number: int, passage: Passage, chunks: Chunks) -> list[Candidate]:
    header = passage.above.header if passage.above else ""
    around = frozenset(
        terms(" ".join((_spaced(passage.document), passage.title, *passage.section)))
    )
    here = chunks.get((passage.document_id, passage.version), ())
    made = []
    for line in read_lines(passage.text, sentences(passage.text), CELL, header):
        own = passage.text[line.start : line.end]
        read = "\n".join(filter(None, (line.header, line.group, own)))
        at = passage.start + line.start
        held = [score for start, end, score in here if start <= at < end]
        found = max(held, default=0.0) if chunks else None
        made.append(Candidate(number, line.start, line.end, read, around, found))
    return made


def _by_document(hits: Sequence[Hit]) -> Chunks:
    found = defaultdict[tuple[str, str], list[tuple[int, int, float]]](list)
    for hit in hits:
        spot = hit.chunk.start, hit.chunk.end, hit.score
        found[hit.document_id, hit.version].append(spot)
    return found


def _spaced(name: str) -> str:
    """Returns a file's name with blanks between its words: "Roost_2023.pdf" names Roost."""
    return _JOINS.sub(" ", name)


def _found(question: str, asked: set[str], told: set[str]) -> set[str]:
    """Returns the terms asked for that a text has, or says in the words of reports."""
    return (told | told_names(question, told)) & asked


def _overlaps(question: str, read: Sequence[Candidate]) -> list[float]:
    """Returns the share of the question's terms that each has or stands under.

    A term that few of them have themselves weighs more. One that names the document says nothing
    for a sentence of it against the others, so all of them have it.
    """
    asked = set(terms(question))
    found = [_found(question, asked, set(terms(one.text))) for one in read]
    frequency = Counter(term for one in found for term in one)
    weight = {term: math.log(1 + len(read) / (1 + frequency[term])) for term in asked}
    total = sum(weight.values())
    told = (own | (one.around & asked) for own, one in zip(found, read, strict=True))
    return [sum(weight[term] for term in one) / total if total else 0.0 for one in told]
