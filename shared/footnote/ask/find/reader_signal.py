"""Puts the first hits in the order of a small model that reads a part of each with the question.

The model comes with the embedding layer and says how likely it is that a text states the answer. A
whole passage takes it 17 ms, and a search may take 50. So it reads an excerpt of the first few: the
line that has most of the question's words, as much around it as is short, and where it stands. What
it finds likely rises; it finds nothing that the search has not found, and hides nothing.

Measured in docs/experiments-search.md, "A model that reads the first hits".
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

from footnote.ask.evidence.line_judge import JudgeLines
from footnote.ask.evidence.scoring import bare, place_of
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
"""What a hit gains that is certain to answer, as a share of the way from the worst to the best
score of a search. From .1 to .5 the figures differ little."""
LENGTH = 30
"""Words and signs of an excerpt at most, unless its line alone has more. With 44 no more first
pages are right."""
LONGEST = 180
"""Characters that are read of a line. The model takes as long as a text has pieces of words."""
_FIGURES = 0.05  # a line with figures goes before one that says as much of the question without
_WORD = re.compile(r"\w+|[^\w\s]")


def read_hits(
    reading: QueryReading, hits: Sequence[Hit], most: int, judge: JudgeLines
) -> list[Hit]:
    """Returns the hits, best first, with what the judge adds to the scores of the first ones.

    `hits` are best first. Ranks are those of the new order. How far apart scores are is told by the
    first `most`, however many are wanted: the order must not depend on that.
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
    told = (*why.signals, SignalScore(signal="read", added=more))
    explained = why.model_copy(update={"signals": told})
    return hit.model_copy(update={"score": hit.score + more, "explanation": explained})


def excerpts(reading: QueryReading, hits: Sequence[Hit]) -> list[str]:
    """Returns what is read of each hit: its lines, the header of their table, and its place.

    Words count more that few lines of these hits have.
    """
    asked = reading.terms
    lines = [_lines(hit) for hit in hits]
    found = [[asked.intersection(terms(line.text)) for line in mine] for mine in lines]
    frequency = Counter(term for mine in found for term in set().union(*mine))
    weight = {term: math.log(1 + len(hits) / (1 + frequency[term])) for term in asked}
    total = sum(weight.values()) or 1.0
    made = []
    for hit, mine, words in zip(hits, lines, found, strict=True):
        shares = [
            sum(weight[term] for term in said) / total + _FIGURES * has_figures(line.text)
            for line, said in zip(mine, words, strict=True)
        ]
        place = place_of(hit.document, hit.chunk.title, hit.chunk.section)
        made.append("\n".join(filter(None, (*_around(mine, shares), place))))
    return made


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
