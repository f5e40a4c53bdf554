"""Units, the smallest pieces of chunks: sentences and rows of tables.

Each unit is in one section and within the budget.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from footnote.model import Document, Section
from footnote.text.sentences import sentences

type Count = Callable[[Sequence[str]], list[int]]
type Span = tuple[int, int]

# a cut between two of these splits no word, number or character of a script without blanks
_WORD = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]\s*|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]+\s*|\s+"
)
LONGEST_WORD = 200  # characters
_DENSEST = 20  # characters a token at most: some tokenizers count an overlong word as one token
_BATCH = 5_000  # texts that are counted in one call


class Unit(NamedTuple):
    """A span of text that is not cut further.

    `leaf` is the index of its leaf, `table` the index of its table, or -1.
    """

    start: int
    end: int
    tokens: int
    leaf: int
    table: int


class Leaf(NamedTuple):
    """The text between two headings. `path`: indexes of its sections, outermost first."""

    start: int
    end: int
    path: tuple[int, ...]


def leaves(document: Document) -> list[Leaf]:
    """Cuts the document at every start and end of a section, without blank parts."""
    length = len(document.text)
    cuts = {0, length} | {s.start for s in document.sections} | {s.end for s in document.sections}
    bounds = sorted(cut for cut in cuts if 0 <= cut <= length)
    paths = _paths(document.sections, bounds)
    return [
        Leaf(start, end, path)
        for start, end, path in zip(bounds, bounds[1:], paths, strict=False)
        if document.text[start:end].strip()
    ]


def _paths(sections: Sequence[Section], bounds: Sequence[int]) -> list[tuple[int, ...]]:
    """Returns, for each bound, the sections that are open just after it, outermost first."""
    paths: list[tuple[int, ...]] = []
    is_open: list[int] = []
    upcoming = 0
    for bound in bounds:
        is_open = [i for i in is_open if sections[i].end > bound]
        while upcoming < len(sections) and sections[upcoming].start <= bound:
            if sections[upcoming].end > bound:
                is_open.append(upcoming)
            upcoming += 1
        paths.append(tuple(is_open))
    return paths


def units(document: Document, parts: Sequence[Leaf], count: Count, budget: int) -> list[Unit]:
    """Cuts leaves into sentences, in order. Those over the budget are cut at words."""
    text = document.text
    spans = list(_spans(text, parts))
    starts = [table.start for table in document.tables]
    tokens = _count_tokens(count, [text[start:end] for start, end, _ in spans])
    cut: list[Unit] = []
    for (start, end, leaf), n in zip(spans, tokens, strict=True):
        i = bisect_right(starts, start) - 1
        table = i if i >= 0 and end <= document.tables[i].end else -1
        if n <= budget:
            cut.append(Unit(start, end, n, leaf, table))
        else:
            pieces = _pieces(text, start, end, count, budget)
            cut += [Unit(first, last, size, leaf, table) for first, last, size in pieces]
    return cut


def _spans(text: str, parts: Sequence[Leaf]) -> Iterator[tuple[int, int, int]]:
    for leaf, (start, end, _) in enumerate(parts):
        for first, last in sentences(text[start:end]):
            yield start + first, start + last, leaf


def _pieces(
    text: str, start: int, end: int, count: Count, budget: int
) -> Iterator[tuple[int, int, int]]:
    """Yields runs of words within the budget. A word over the budget is a piece of its own."""
    words = list(_words(text, start, end))
    sizes = _count_tokens(count, [text[first:last] for first, last in words])
    even = sum(sizes) / -(-sum(sizes) // budget)
    first, total = start, 0
    for (begin, _), size in zip(words, sizes, strict=True):
        if total and (total + size > budget or total >= even):
            yield first, _without_blank(text, first, begin), total
            first, total = begin, 0
        total += size
    yield first, end, total


def _without_blank(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())


def _words(text: str, start: int, end: int) -> Iterator[Span]:
    for word in _WORD.finditer(text, start, end):
        for first in range(word.start(), word.end(), LONGEST_WORD):
            yield first, min(first + LONGEST_WORD, word.end())


def _count_tokens(count: Count, texts: Sequence[str]) -> list[int]:
    batches = (texts[i : i + _BATCH] for i in range(0, len(texts), _BATCH))
    return [
        max(n, len(text) // _DENSEST)
        for batch in batches
        for text, n in zip(batch, count(batch), strict=True)
    ]
