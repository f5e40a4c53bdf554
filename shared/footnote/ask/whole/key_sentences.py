"""Chooses a document's own key sentences: those that share most with the rest of it, by section.

A sentence's weight is how much of its wording other sentences of the document have, too: its degree
in the graph of LexRank (Erkan and Radev, Journal of Artificial Intelligence Research 22, 2004),
worked out from how often each word occurs. The first sentence of a section weighs more, as it
mostly says what the section is about.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from footnote.ask.quote.lines import is_redundant
from footnote.ask.whole.lines import WholeLine, lines_of, passage_of
from footnote.model import Document, Entry, Note
from footnote.text.instructions import is_instruction
from footnote.text.terms import terms

OPENS_SECTION = 1.4  # times the weight of another sentence
FEWEST_WORDS = 6
MOST_WORDS = 60
KEY_SENTENCES = 10  # of a summary of one document
MOST_KEY_SENTENCES = 30  # of a summary of several


class _Weighed(NamedTuple):
    weight: float
    line: WholeLine


def key_sentences_of(documents: int) -> int:
    """Returns how many key sentences each of so many documents has in one summary."""
    return max(1, min(KEY_SENTENCES, MOST_KEY_SENTENCES // max(1, documents)))


def key_sentences(entry: Entry, document: Document, most: int) -> list[Note]:
    """Returns the key sentences of a document in its order, `most` at most.

    Each section has one before a section has a second. A document without sentences has its rows.
    """
    lines = list(lines_of(document))
    sentences = [line for line in lines if _is_sentence(line)]
    weighed = _weigh(sentences or [line for line in lines if line.is_row])
    chosen = _by_turns(weighed, most)
    return [
        Note(
            passage=passage_of(entry, document, one.line.start, one.line.end),
            why="key",
            share=round(one.weight, 4),
        )
        for one in sorted(chosen, key=lambda one: one.line.start)
    ]


def _is_sentence(line: WholeLine) -> bool:
    words = len(line.text.split())
    is_whole = line.text.endswith((".", "!", "\u201d", '"')) or line.is_item
    fits = FEWEST_WORDS <= words <= MOST_WORDS and is_whole and not line.is_row
    return fits and not is_instruction(line.text)


def _weigh(lines: Sequence[WholeLine]) -> list[_Weighed]:
    """Returns the lines with their weights."""
    bags = [frozenset(terms(line.text)) for line in lines]
    frequency = Counter(word for bag in bags for word in bag)
    weighed: list[_Weighed] = []
    opened: set[tuple[str, ...]] = set()
    for line, bag in zip(lines, bags, strict=True):
        shared = sum(frequency[word] - 1 for word in bag)
        weight = shared / math.sqrt(len(bag) + 1) / max(1, len(lines))
        if line.section not in opened:
            opened.add(line.section)
            weight *= OPENS_SECTION
        weighed.append(_Weighed(weight, line))
    return weighed


def _by_turns(weighed: Sequence[_Weighed], most: int) -> list[_Weighed]:
    """Chooses the best of each top section, then the second best, and so on."""
    by_section = defaultdict[str, list[_Weighed]](list)
    for one in weighed:
        by_section[one.line.section[0] if one.line.section else ""].append(one)
    for own in by_section.values():
        own.sort(key=lambda one: -one.weight)
    chosen: list[_Weighed] = []
    while len(chosen) < most and any(by_section.values()):
        turn = [own.pop(0) for own in by_section.values() if own]
        for one in sorted(turn, key=lambda one: -one.weight):
            texts = [each.line.text for each in chosen]
            if len(chosen) < most and not is_redundant(one.line.text, texts):
                chosen.append(one)
    return chosen
