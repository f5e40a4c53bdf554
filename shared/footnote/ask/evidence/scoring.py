"""Scores the sentences of passages: how near each is to the question, in meaning and in words.

Those that score best are read together with the question, where there is a model for that.

A row of a table is read together with what it stands under: the header in the passage or above it,
and the line that heads its part of the table.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.accounting.glossary import told_names
from footnote.ask.evidence.line_judge import JudgeLines
from footnote.ask.query.reading import QueryReading
from footnote.model import CELL, Hit, Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.text.sentences import sentences
from footnote.text.source_code import is_source_code
from footnote.text.table_lines import read_lines
from footnote.text.terms import terms

# Of a sub-question, and what each takes; the rest are as if they were not near and not read. How
# much more tells is in docs/experiments-answers.md, "Fewer lines read".
MAX_SENTENCES = 10  # embedded, 2 ms each
MAX_READ = 4  # with the question, 5 ms each
PLACE = 80  # characters that are read of where a line stands
# How much the meaning, the words, the chunk and being a program's line count in choosing them, and
# in choosing what is quoted: such a line has many of a question's words and says little of them.
BY_MEANING, BY_WORDS, BY_CHUNK, BY_CODE = 0.35, 0.35, 0.3, -0.15

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

    `around`: the terms of what its passage stands under. `found`: see `ScoredSentence`. `own`: its
    words alone, "" for a header. `header`: that of its table.
    """

    passage: int
    start: int
    end: int
    text: str
    around: frozenset[str]
    found: float | None
    own: str = ""
    header: str = ""


def score_sentences(
    reading: QueryReading,
    passages: Sequence[Passage],
    near: Near | None,
    hits: Sequence[Hit] = (),
    judge: JudgeLines | None = None,
) -> list[Passage]:
    """Returns the passages with scored sentences; `hits` are those that they were made of, if any.

    `near` is asked once, about the sentences that words and chunk speak for. Without it, each
    sentence is as near as its passage. `judge` is asked once after that, about those that
    score best.
    """
    chunks = _by_document(hits)
    told = [one for n, passage in enumerate(passages) for one in _candidates(n, passage, chunks)]
    overlaps = _overlaps(reading, told)
    promise = _promise(told, overlaps, passages)
    if near is None:
        similarity = {i: passages[one.passage].near for i, one in enumerate(told)}
    else:
        chosen = _most(promise, MAX_SENTENCES)
        found = near([told[i].text for i in chosen]) if chosen else []
        similarity = dict(zip(chosen, found, strict=True))
    states = dict[int, float]()
    if judge:
        scores = [one + BY_MEANING * similarity.get(i, 0.0) for i, one in enumerate(promise)]
        states = _read(reading, told, scores, passages, judge)
    made: list[list[ScoredSentence]] = [[] for _ in passages]
    for i, one in enumerate(told):
        offset = passages[one.passage].start
        made[one.passage].append(
            ScoredSentence(
                start=offset + one.start,
                end=offset + one.end,
                similarity=round(similarity.get(i, 0.0), 4),
                overlap=round(overlaps[i], 4),
                found=one.found,
                states=states.get(i),
            )
        )
    return [
        passage.model_copy(update={"sentences": tuple(mine)})
        for passage, mine in zip(passages, made, strict=True)
    ]


def _promise(
    told: Sequence[Candidate], overlaps: Sequence[float], passages: Sequence[Passage]
) -> list[float]:
    """Returns each candidate's score without its similarity."""

    def promise(one: Candidate, overlap: float) -> float:
        found = passages[one.passage].score if one.found is None else one.found
        is_code = CELL not in one.text and is_source_code(one.text)
        return BY_WORDS * overlap + BY_CHUNK * found + BY_CODE * is_code

    return list(map(promise, told, overlaps))


def _most(scores: Sequence[float], count: int) -> list[int]:
    return sorted(range(len(scores)), key=lambda i: -scores[i])[:count]


def _read(
    reading: QueryReading,
    told: Sequence[Candidate],
    scores: Sequence[float],
    passages: Sequence[Passage],
    judge: JudgeLines,
) -> dict[int, float]:
    """Returns the log-odds of the candidates that score best and add something to the question."""
    adding = (i for i in _most(scores, len(scores)) if _adds(told[i].own, reading.terms))
    chosen = list(islice(adding, MAX_READ))
    parts = [parts_to_read(told[i].own, told[i].header, passages[told[i].passage]) for i in chosen]
    found = judge(["\n".join(filter(None, one)) for one in parts]) if parts else []
    return {i: round(odds, 3) for i, odds in zip(chosen, found, strict=True)}


def _adds(own: str, asked: frozenset[str]) -> bool:
    """Tells whether a line may answer: it says something, and more than the question does."""
    said = terms(own)
    return len(said) > 1 and not own.rstrip().endswith("?") and not asked.issuperset(said)


def parts_to_read(line: str, header: str, passage: Passage) -> tuple[str, str, str]:
    """Returns what is read of a line: its words, its table's header or "", and where it stands."""
    return bare(line), bare(header), place_of(passage.document, passage.title, passage.section)


def place_of(document: str, title: str, section: Sequence[str]) -> str:
    """Returns where a text stands, as it is read: the file's name, its title, the last heading.

    What is longer than PLACE is cut at its end.
    """
    name = _spaced(document.rpartition(".")[0] or document)
    return " > ".join(dict.fromkeys(filter(None, (name, title, *section[-1:]))))[:PLACE]


def bare(row: str) -> str:
    """Returns a text on one line, without the signs around a row in Markdown."""
    return " ".join(row.strip("| ").split())


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
        words = "" if line.is_header else own
        made.append(
            Candidate(number, line.start, line.end, read, around, found, words, line.header)
        )
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


def _found(reading: QueryReading, told: set[str]) -> set[str]:
    """Returns the terms asked for that a text has, or says in the words of reports."""
    return (told | told_names(reading.text, told)) & reading.terms


def _overlaps(reading: QueryReading, read: Sequence[Candidate]) -> list[float]:
    """Returns the share of the question's terms that each has or stands under.

    A term that few of them have themselves weighs more. One that names the document says nothing
    for a sentence of it against the others, so all of them have it.
    """
    asked = reading.terms
    found = [_found(reading, set(terms(one.text))) for one in read]
    frequency = Counter(term for one in found for term in one)
    weight = {term: math.log(1 + len(read) / (1 + frequency[term])) for term in asked}
    total = sum(weight.values())
    told = (own | (one.around & asked) for own, one in zip(found, read, strict=True))
    return [sum(weight[term] for term in one) / total if total else 0.0 for one in told]
