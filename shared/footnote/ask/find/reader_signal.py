"""Lifts first hits that a small model finds likely to answer.

The model comes with the embedding layer and says how likely it is that a text states the answer. It
needs 17 ms for a whole passage, and a search may take 50. So it reads an excerpt of each of the
first few: the line that has most of the question's words, a little text around it, and where it
stands. It adds no hit and hides none.

Measured in docs/experiments-search.md, "A model that reads the first hits".
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from footnote.ask.evidence.line_judge import JudgeLines, bare, place_of
from footnote.ask.find.rank import spread
from footnote.ask.query.reading import QueryReading
from footnote.model import CELL, Explanation, Hit, SignalScore
from footnote.text.sentences import sentences
from footnote.text.table_lines import Line, has_figures, read_lines
from footnote.text.terms import terms

READ = 3
"""Hits that are read, each in 7 ms. Six bring four more of 390 right pages to the first place, and
take more than 50 ms where words are long."""
WEIGHT = 0.2
"""What a hit gains if it is certain to answer, as a share of the way from the worst to the best
score of a search. From .1 to .5 the figures differ little."""
LENGTH = 30
"""The most words and signs of an excerpt, unless its line alone has more. With 44 no more first
pages are right."""
LONGEST = 180
"""Characters that are read of a line. The model's time grows with the pieces of words in a text."""
_FIGURES = 0.05  # a line with figures goes before one without that says as much of the question
_WORD = re.compile(r"\w+|[^\w\s]")


def read_hits(
    reading: QueryReading, hits: Sequence[Hit], most: int, judge: JudgeLines
) -> list[Hit]:
    """Adds to the scores of the first hits what the judge says of them, and ranks all anew.

    `hits` are best first. The first `most` tell how far apart scores are, however many are wanted:
    the order must not depend on that.
    """
    read, rest = hits[:READ], hits[READ:]
    apart = spread([hit.score for hit in hits[:most]])
    odds = judge(excerpts(reading, read))
    lifted = [
        _lift(hit, round(WEIGHT * apart / (1 + math.exp(-one)), 6))
        for hit, one in zip(read, odds, strict=True)
    ]
    ordered = sorted(lifted, key=lambda hit: -hit.score)
    ranked = enumerate([*ordered, *rest], start=1)
    return [hit.model_copy(update={"rank": n}) for n, hit in ranked]


def _lift(hit: Hit, more: float) -> Hit:
    why = hit.explanation or Explanation(legs=())
    signals = (*why.signals, SignalScore(signal="read", added=more))
    explained = why.model_copy(update={"signals": signals})
    return hit.model_copy(update={"score": hit.score + more, "explanation": explained})


def excerpts(reading: QueryReading, hits: Sequence[Hit]) -> list[str]:
    """Returns what is read of each hit: its lines, the header of their table, and its place.

    A word counts more if few lines of these hits have it.
    """
    wanted = reading.terms
    lines_by_hit = [_lines(hit) for hit in hits]
    words_by_hit = [
        [wanted.intersection(terms(line.text)) for line in lines] for lines in lines_by_hit
    ]
    frequency = Counter(term for by_line in words_by_hit for term in set().union(*by_line))
    weight = {term: math.log(1 + len(hits) / (1 + frequency[term])) for term in wanted}
    total = sum(weight.values()) or 1.0
    texts = []
    for hit, lines, by_line in zip(hits, lines_by_hit, words_by_hit, strict=True):
        shares = [
            sum(weight[term] for term in words) / total + _FIGURES * has_figures(line.text)
            for line, words in zip(lines, by_line, strict=True)
        ]
        place = place_of(hit.document, hit.chunk.title, hit.chunk.section)
        texts.append("\n".join(filter(None, (*_around(lines, shares), place))))
    return texts


def _lines(hit: Hit) -> list[Line]:
    text, above = hit.chunk.text, hit.chunk.above
    return read_lines(text, sentences(text), CELL, above.header if above else "")


def _around(lines: Sequence[Line], shares: Sequence[float]) -> tuple[str, str]:
    """Returns the best line with those around it, in their order, and its table's header.

    Lines after it and before it are added in turns, as long as it stays short.
    """
    if not lines:
        return "", ""
    best = max(range(len(lines)), key=shares.__getitem__)
    first, last = best, best + 1
    left = LENGTH - _length(lines[best])
    while first > 0 or last < len(lines):
        is_after = last < len(lines) and (first == 0 or last - best - 1 <= best - first)
        left -= _length(lines[last if is_after else first - 1])
        if left < 0:
            break
        first, last = (first, last + 1) if is_after else (first - 1, last)
    text = " ".join(bare(line.text)[:LONGEST] for line in lines[first:last])
    header = bare(lines[best].header)
    return text, "" if header in text else header


def _length(line: Line) -> int:
    return len(_WORD.findall(line.text))
