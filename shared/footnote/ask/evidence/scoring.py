"""Scores the sentences of passages: how near each is to the question, in meaning and in words.

The judge of lines, if there is one, reads the best of them with the question. A row of a table is
scored with its table's header, in the passage or above it, and the line that heads its part of the
table.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.accounting.glossary import find_synonyms
from footnote.ask.evidence.line_judge import JudgeLines, parts_to_read, space_name
from footnote.ask.query.reading import QueryReading
from footnote.model import CELL, Hit, Passage, ScoredSentence, Vector
from footnote.ports import Embedder
from footnote.text.sentences import sentences
from footnote.text.source_code import is_source_code
from footnote.text.table_lines import read_lines
from footnote.text.terms import terms

# How many sentences of a sub-question are embedded and read, with the time that each takes. All
# others count as not near. docs/experiments-answers.md, "Fewer lines read", tells what more change.
MAX_SENTENCES = 10  # embedded, 2 ms each
MAX_READ = 4  # read by the judge, 5 ms each
# The weights of meaning, words, chunk and being a program's line, in choosing these sentences and
# in choosing what is quoted. A program's line has many words of a question and says little.
BY_MEANING, BY_WORDS, BY_CHUNK, BY_CODE = 0.35, 0.35, 0.3, -0.15

type Chunks = Mapping[tuple[str, str], Sequence[tuple[int, int, float]]]
"""Document id and version → the span and score of each chunk found there."""
type Near = Callable[[Sequence[str]], list[float]]
"""Texts → how near each is to the question in meaning."""
# The cosine of unrelated texts, for models where it is far from 0. Cosines above it are stretched
# to 0 … 1, so that similarities of all models weigh alike. Measured on questions and paragraphs in
# seven languages: right paragraphs .82 to .92 (median .88), others .72 to .83 (.76).
FLOORS = {"multilingual-e5-small-s8": 0.7}


class UnscoredLine(NamedTuple):
    """A sentence or row before it is scored: the number of its passage, and its span there.

    `text` is what is scored: its own words, below those it stands under. `own` is its words alone,
    "" for a header. `header` is its table's. `heading_terms` are of the passage's headings, and
    `chunk_score` is `ScoredSentence.found`.
    """

    passage: int
    start: int
    end: int
    text: str
    heading_terms: frozenset[str]
    chunk_score: float | None
    own: str = ""
    header: str = ""


def score_sentences(
    reading: QueryReading,
    passages: Sequence[Passage],
    near: Near | None,
    hits: Sequence[Hit] = (),
    judge: JudgeLines | None = None,
) -> list[Passage]:
    """Returns the passages with scored sentences. `hits` are those that they were made of, if any.

    `near` is called once, with the best sentences by words and chunk. Without it, each sentence is
    as near as its passage. `judge` is called once after that, with the best ones so far.
    """
    chunks = _chunks_of(hits)
    lines = [line for n, passage in enumerate(passages) for line in _lines_of(n, passage, chunks)]
    overlaps = _overlaps(reading, lines)
    scores = _scores_without_meaning(lines, overlaps, passages)
    if near is None:
        similarity = {n: passages[line.passage].near for n, line in enumerate(lines)}
    else:
        chosen = _best(scores, MAX_SENTENCES)
        cosines = near([lines[n].text for n in chosen]) if chosen else []
        similarity = dict(zip(chosen, cosines, strict=True))
    states = dict[int, float]()
    if judge:
        scores = [score + BY_MEANING * similarity.get(n, 0.0) for n, score in enumerate(scores)]
        states = _judge_best(reading, lines, scores, passages, judge)
    scored: list[list[ScoredSentence]] = [[] for _ in passages]
    for n, line in enumerate(lines):
        offset = passages[line.passage].start
        scored[line.passage].append(
            ScoredSentence(
                start=offset + line.start,
                end=offset + line.end,
                similarity=round(similarity.get(n, 0.0), 4),
                overlap=round(overlaps[n], 4),
                found=line.chunk_score,
                states=states.get(n),
            )
        )
    return [
        passage.model_copy(update={"sentences": tuple(scored_sentences)})
        for passage, scored_sentences in zip(passages, scored, strict=True)
    ]


def _scores_without_meaning(
    lines: Sequence[UnscoredLine], overlaps: Sequence[float], passages: Sequence[Passage]
) -> list[float]:
    def score(line: UnscoredLine, overlap: float) -> float:
        chunk = passages[line.passage].score if line.chunk_score is None else line.chunk_score
        is_code = CELL not in line.text and is_source_code(line.text)
        return BY_WORDS * overlap + BY_CHUNK * chunk + BY_CODE * is_code

    return list(map(score, lines, overlaps))


def _best(scores: Sequence[float], count: int) -> list[int]:
    return sorted(range(len(scores)), key=lambda n: -scores[n])[:count]


def _judge_best(
    reading: QueryReading,
    lines: Sequence[UnscoredLine],
    scores: Sequence[float],
    passages: Sequence[Passage],
    judge: JudgeLines,
) -> dict[int, float]:
    """Returns the judge's log-odds of the best lines that add something to the question."""
    adding = (n for n in _best(scores, len(scores)) if _adds(lines[n].own, reading.terms))
    chosen = [(n, lines[n]) for n in islice(adding, MAX_READ)]
    texts = [parts_to_read(line.own, line.header, passages[line.passage]) for _, line in chosen]
    log_odds = judge(["\n".join(filter(None, parts)) for parts in texts]) if texts else []
    return {n: round(odds, 3) for (n, _), odds in zip(chosen, log_odds, strict=True)}


def _adds(text: str, asked_terms: frozenset[str]) -> bool:
    """Tells whether a line may answer: it is no question, and says more than the question does."""
    own = terms(text)
    return len(own) > 1 and not text.rstrip().endswith("?") and not asked_terms.issuperset(own)


def stretch(cosine: float, model: str) -> float:
    """Returns a cosine on a scale where unrelated texts have 0 (see FLOORS)."""
    floor = FLOORS.get(model, 0.0)
    return (cosine - floor) / (1 - floor)


def nearness(embedder: Embedder, question: Vector) -> Near:
    """Returns a function that says how near texts are to the question with this vector."""

    def near(texts: Sequence[str]) -> list[float]:
        vectors = embedder.embed(texts, "document")
        return [stretch(math.sumprod(question, vector), embedder.model) for vector in vectors]

    return near


def _lines_of(number: int, passage: Passage, chunks: Chunks) -> Iterator[UnscoredLine]:
    table_header = passage.above.header if passage.above else ""
    headings = (space_name(passage.document), passage.title, *passage.section)
    heading_terms = frozenset(terms(" ".join(headings)))
    chunks_here = chunks.get((passage.document_id, passage.version), ())
    for line in read_lines(passage.text, sentences(passage.text), CELL, table_header):
        own = passage.text[line.start : line.end]
        text = "\n".join(filter(None, (line.header, line.group, own)))
        at = passage.start + line.start
        scores = [score for start, end, score in chunks_here if start <= at < end]
        chunk_score = max(scores, default=0.0) if chunks else None
        own = "" if line.is_header else own
        yield UnscoredLine(
            number, line.start, line.end, text, heading_terms, chunk_score, own, line.header
        )


def _chunks_of(hits: Sequence[Hit]) -> Chunks:
    chunks = defaultdict[tuple[str, str], list[tuple[int, int, float]]](list)
    for hit in hits:
        scored_span = hit.chunk.start, hit.chunk.end, hit.score
        chunks[hit.document_id, hit.version].append(scored_span)
    return chunks


def _overlaps(reading: QueryReading, lines: Sequence[UnscoredLine]) -> list[float]:
    """Returns the share of the question's terms that each line has or stands under.

    A term weighs more if few lines have it themselves. All lines have the terms of their headings:
    a term that names the document speaks for no sentence of it before the others.
    """
    asked_terms = reading.terms
    text_terms = [set(terms(line.text)) for line in lines]
    own = [(each | find_synonyms(reading.text, each)) & asked_terms for each in text_terms]
    frequency = Counter(term for line_terms in own for term in line_terms)
    weight = {term: math.log(1 + len(lines) / (1 + frequency[term])) for term in asked_terms}
    total = sum(weight.values())
    shared = [
        line_terms | (line.heading_terms & asked_terms)
        for line_terms, line in zip(own, lines, strict=True)
    ]
    return [sum(weight[term] for term in each) / total if total else 0.0 for each in shared]
