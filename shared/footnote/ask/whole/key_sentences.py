"""Chooses a document's own key sentences: what it opens with, then what stands for the rest.

A document's own words are those that stand in many places of it. A sentence weighs by them, so
what speaks of something else (a notice, a disclaimer, how a survey was made) weighs little wherever
it stands. The first half of the key sentences are chosen with a lead for those near the beginning,
where documents say what they are about (Edmundson, Journal of the ACM 16, 1969); the others for
what of the document's words was not said by then (Lin and Bilmes, ACL 2011).
"""

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from footnote.ask.quote.lines import is_redundant
from footnote.ask.whole.lines import WholeLine, lines_of, passage_of
from footnote.ask.whole.prose import is_sentence, is_statement
from footnote.model import Document, Entry, Note
from footnote.text.terms import terms

# Measured on 13 documents for which the facts of a good summary had been written down; the sum is
# flat around these values.
PLACES = 20  # equal parts of a document: a word weighs by in how many of them it stands
LEAD = 3  # times the weight that the first sentence gains
LEAD_HALVES = 8  # sentences after which that gain has halved
OPENS_SECTION = 1.5  # times the weight of another sentence
TITLE = 1.5  # times the weight of a word of the title
SAID = 0.5  # of its weight that a word keeps each time it is said
LONG = 0.6  # power of a sentence's number of words by which its weight is divided
FURNITURE = 3  # times a text stands in a document that is no part of what the document says
KEY_SENTENCES = 10  # of a summary of one document
MOST_KEY_SENTENCES = 30  # of a summary of several


class _Weighed(NamedTuple):
    """A line with its terms, its place among the lines, and how much sooner it is chosen."""

    line: WholeLine
    bag: frozenset[str]
    lead: float
    opens: float

    def of(self, weights: dict[str, float], said: Counter[str]) -> float:
        shared = sum(weights[word] * SAID ** said[word] for word in self.bag)
        return shared / math.pow(max(1, len(self.bag)), LONG)


def key_sentences_of(documents: int) -> int:
    """Returns how many key sentences each of so many documents has in one summary."""
    return max(1, min(KEY_SENTENCES, MOST_KEY_SENTENCES // max(1, documents)))


def key_sentences(entry: Entry, document: Document, most: int) -> list[Note]:
    """Returns the key sentences of a document in its order, `most` at most.

    A document with fewer sentences than other lines (slides) has its lines as well, one without
    either its rows.
    """
    lines = list(_own_lines(document))
    weighed, weights = _weigh(_said_in(lines, document.language), frozenset(terms(document.title)))
    chosen = _choose(weighed, weights, most)
    best = max((one.of(weights, Counter()) for one in chosen), default=1.0) or 1.0
    return [
        Note(
            passage=passage_of(entry, document, one.line.start, one.line.end),
            why="key",
            share=round(one.of(weights, Counter()) / best, 4),
        )
        for one in sorted(chosen, key=lambda one: one.line.start)
    ]


def _said_in(lines: Sequence[WholeLine], language: str) -> list[WholeLine]:
    sentences = [line for line in lines if is_sentence(line, language)]
    statements = [line for line in lines if is_statement(line)]
    if _words(sentences) < _words(statements) / 2:
        either = {line.start: line for line in (*statements, *sentences)}
        return [either[start] for start in sorted(either)]
    return sentences or [line for line in lines if line.is_row]


def _words(lines: Sequence[WholeLine]) -> int:
    return sum(len(line.text.split()) for line in lines)


def _own_lines(document: Document) -> Iterator[WholeLine]:
    """Yields a document's lines without its furniture: what stands in it again and again.

    A label that stands on most pages ("Notes:") leads in what is said beside its page.
    """
    lines = list(lines_of(document))
    times = Counter(_bare(line.text) for line in lines)
    labels = Counter(line.text for line in lines if line.text.endswith(":"))
    starts = [page.start for page in document.pages]
    beside = -1
    for line in lines:
        page = bisect_right(starts, line.start)
        if times[_bare(line.text)] >= FURNITURE and not line.is_row:
            beside = page if 2 * labels[line.text] > len(starts) > 0 else beside
        elif page != beside:
            yield line


def _bare(text: str) -> str:
    """Returns a text without its figures and signs: "Page 3 of 9" stands on all pages."""
    return re.sub(r"[\W\d_]+", " ", text.casefold()).strip() or text


def _weigh(
    lines: Sequence[WholeLine], title: frozenset[str]
) -> tuple[list[_Weighed], dict[str, float]]:
    """Returns the lines to choose from, and the weights of their words."""
    bags = [frozenset(terms(line.text)) for line in lines]
    places = defaultdict[str, set[int]](set)
    for n, bag in enumerate(bags):
        for word in bag:
            places[word].add(n * PLACES // len(lines))
    of = min(PLACES, max(1, len(lines)))
    weights = {
        word: ((len(own) - 1) / of) ** 0.5 * (TITLE if word in title else 1.0)
        for word, own in places.items()
    }
    weighed: list[_Weighed] = []
    opened: set[tuple[str, ...]] = set()
    for n, (line, bag) in enumerate(zip(lines, bags, strict=True)):
        opens = 1.0 if line.section in opened else OPENS_SECTION
        opened.add(line.section)
        weighed.append(_Weighed(line, bag, 1 + LEAD * 2 ** (-n / LEAD_HALVES), opens))
    return weighed, weights


def _choose(weighed: Sequence[_Weighed], weights: dict[str, float], most: int) -> list[_Weighed]:
    """Chooses half of the lines by their lead, then those that say what was not said by then."""
    chosen: list[_Weighed] = []
    left = dict(enumerate(weighed))
    leads = {n: one.of(weights, Counter()) * one.lead for n, one in left.items()}
    said = Counter[str]()

    def gains(n: int) -> float:
        return left[n].of(weights, said) * left[n].opens

    while left and len(chosen) < most:
        one = left.pop(max(left, key=leads.__getitem__ if 2 * len(chosen) < most else gains))
        if not is_redundant(one.line.text, [each.line.text for each in chosen]):
            chosen.append(one)
            said.update(one.bag)
    return chosen
