"""Finds what one document has of a list or a count: rows, items of lists, sentences, by rule.

A row or an item of a list belongs to the topic by what it stands under: the label of its first
column, its heading, the line that leads in its list. The topic's other words may stand in itself.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from footnote.ask.check.table_labels import is_sum
from footnote.ask.whole.duties import DUTIES, frees
from footnote.ask.whole.lines import WholeLine, lines_of, passage_of
from footnote.ask.whole.rows import ChosenRows
from footnote.ask.whole.topic import Topic
from footnote.model import CELL, Document, Entry, Note, Passage
from footnote.text.instructions import is_instruction
from footnote.text.terms import has_root, numbers, terms

MOST_SAID = 200  # sentences of one document that may be items
MOST_SAID_IN_ALL = 20_000  # of all documents: one step merges them
MOST_OTHERS = 1  # words of a heading that the topic does not have
LEAST_SAID = 0.5  # of the topic's words that such a sentence has
_ENDING = re.compile(r"\.[A-Za-z]{2,5}$")
_ARTICLE = re.compile(r"\b(?:de[rnms]|die|das|eine[nrms]?) ", re.IGNORECASE)
_FIRST = 4  # letters of a word that a line must have before it is read closely


class Names(NamedTuple):
    """The terms of a document's title and path."""

    terms: frozenset[str]

    @classmethod
    def of(cls, entry: Entry | Passage) -> "Names":
        words = _terms(f"{entry.title} {spaced(entry.document)}")
        return cls(words | name_terms(entry.document.rpartition("/")[2]))


def name_terms(called: str) -> frozenset[str]:
    """Returns the terms of what a document is called, by its file's name or in words."""
    plain, is_file = _ENDING.subn("", called.strip())
    spaced_out = _ARTICLE.sub("", plain.translate(str.maketrans("/_-", "   ")))
    bare = spaced_out.casefold().split() if is_file else ()  # "a.md" has no other word
    return frozenset(terms(spaced_out) or bare)


def spaced(path: str) -> str:
    """Returns the words of a path without the ending of its name."""
    return path.rpartition(".")[0].translate(str.maketrans("/_-.", "    ")) or path


def items_in(topic: Topic, entry: Entry, document: Document, documents: int = 1) -> list[Note]:
    """Returns the document's items of a list about the topic, and sentences that may be items.

    Of `documents` in all, each has its share of such sentences.
    """
    names = Names.of(entry).terms
    reader = _Reader(topic, names, document)
    rows = ChosenRows(topic, entry, document)
    certain: list[WholeLine] = []
    below: list[WholeLine] = []
    likely: list[tuple[float, WholeLine]] = []
    for line in lines_of(document):
        if reader.is_below_heading(line):
            below.append(line)
        if not reader.may_count(line):
            continue
        if (is_meant := rows.holds(line.start)) is not None:
            certain += [line] if is_meant else []
        elif reader.is_item(line):
            certain.append(line)
        elif (share := reader.share(line)) >= LEAST_SAID:
            likely.append((share, line))
    headings = [line for line in below if reader.is_heading(line)]
    likely = sorted(likely, key=lambda one: -one[0])
    likely = likely[: max(1, min(MOST_SAID, MOST_SAID_IN_ALL // max(1, documents)))]
    chosen = [
        *((line, "set", 1.0) for line in certain or headings),
        *((line, "below", 1.0) for line in (() if certain or headings else below)),
        *((line, "said", share) for share, line in likely),
    ]
    return [
        Note.model_validate(
            {"passage": passage_of(entry, document, line.start, line.end), "why": why, "share": s}
        )
        for line, why, s in sorted(chosen, key=lambda one: one[0].start)
        if not is_instruction(line.text)
    ]


def mention_in(
    topic: Topic, entry: Entry, document: Document, *, lacks: bool = False
) -> list[Note]:
    """Returns the first line of a document that has all words and figures of the topic.

    With `lacks` it is the first line of all, of a document that has no such line.
    """
    reader = _Reader(topic, frozenset(), document)
    lines = list(lines_of(document))
    said = (
        line for line in lines if reader.may_count(line, headings=True) and reader.says_all(line)
    )
    shown = next(said, None)
    if lacks:
        shown = None if shown else next(iter(lines), None)
    if shown is None:
        return []
    passage = passage_of(entry, document, shown.start, shown.end)
    return [Note(passage=passage, why="lacks" if lacks else "set")]


class _Reader:
    """Compares the lines of one document with a topic."""

    def __init__(self, topic: Topic, names: frozenset[str], document: Document) -> None:
        self._topic = topic
        self._names = names
        self._titles = {_flat(document.title), *(_flat(s.title) for s in document.sections)}
        self._roots = [word[:_FIRST] for word in topic.words]

    def may_count(self, line: WholeLine, *, headings: bool = False) -> bool:
        """Tells whether a line may be an item: it is no heading, no question and no sum."""
        if line.text.endswith((":", "?")) and not line.is_row:
            return False
        if not headings and _flat(line.text) in self._titles:
            return False
        return not (line.is_row and is_sum(line.text.partition(CELL)[0]))

    def is_item(self, line: WholeLine) -> bool:
        """Tells whether a line is certainly an item, by its place and its words."""
        topic = self._topic
        if topic.duties and (self._is_below_duties(line) or self._says_duty(line.text)):
            return True
        if not (line.is_row or line.is_item):
            return False
        heading = line.section[-1] if line.section else ""
        if topic.duties and line.is_item and self._others(_terms(heading)):
            return False  # "Rights of the tenant"
        column = line.header.partition(CELL)[0]
        identity = _terms(f"{heading} {column} {line.group} {line.lead}")
        if line.is_row and not line.section:
            identity |= self._names
        missing = topic.missing(identity)
        if any(self._is_topic(label) for label in line.header.split(CELL)):
            missing = frozenset()
        elif len(missing) == len(topic.words):
            return False
        # a title names a document, so its words count as they are
        missing = (missing & topic.missing(_terms(line.header))) - self._names
        return (not missing or missing <= _covered(topic, line.text)) and self._has_figures(line)

    def _says_duty(self, text: str) -> bool:
        return self._has_root(text) and self._topic.says_duty(text)

    def _is_below_duties(self, line: WholeLine) -> bool:
        """Tells whether a line stands below "The tenant's duties" or "The tenant shall:"."""
        heading = line.lead or (line.section[-1] if line.section else "")
        is_called = DUTIES.search(heading) and not self._topic.missing(_terms(heading))
        is_led = line.lead and self._says_duty(line.lead)
        return bool(is_called or is_led) and not frees(line.text)

    def _is_topic(self, label: str) -> bool:
        """Tells whether the label of a column says all of the topic: "2028 target"."""
        return not self._topic.missing(_terms(label)) and self._topic.figures <= numbers(label)

    def is_heading(self, line: WholeLine) -> bool:
        return bool(line.section) and _flat(line.text) == _flat(line.section[-1])

    def is_below_heading(self, line: WholeLine) -> bool:
        """Tells whether a line begins a section or paragraph below a heading about the topic."""
        above = line.section[:-1] if self.is_heading(line) else line.section
        if not line.opens or not above or line.text.endswith((":", "?")):
            return False
        heading = _terms(above[-1])
        missing = self._topic.missing(heading)
        others = self._others(heading)
        is_told = len(missing) < len(self._topic.words) and missing.isdisjoint(
            self._topic.missing(self._names)
        )
        return is_told and len(others) <= MOST_OTHERS and self._has_figures(line)

    def _others(self, heading: frozenset[str]) -> list[str]:
        """Returns the words of a heading that the topic does not have."""
        return [one for one in heading if not has_root(one, self._topic.words)]

    def share(self, line: WholeLine) -> float:
        """Returns the share of the topic's words that a line has; 0 without all its figures."""
        words = self._topic.words
        if not words or not self._has_root(line.text) or not self._has_figures(line):
            return 0.0
        return len(_covered(self._topic, line.text)) / len(words)

    def says_all(self, line: WholeLine) -> bool:
        if not self._has_root(line.text) or not self._topic.figures <= numbers(line.text):
            return False
        return not self._topic.missing(_terms(line.text))

    def _has_root(self, text: str) -> bool:
        """Tells whether a text may have a word of the topic: most lines have none."""
        folded = text.casefold()
        return any(root in folded for root in self._roots) or not self._roots

    def _has_figures(self, line: WholeLine) -> bool:
        if not (figures := self._topic.figures):
            return True
        own = numbers(" ".join((line.text, line.header, line.group, *line.section)))
        return figures <= own | numbers(" ".join(self._names))


def _covered(topic: Topic, text: str) -> frozenset[str]:
    return topic.words - topic.missing(_terms(text))


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms(text))


def _flat(text: str) -> str:
    """Returns a heading as it is compared: without the marks of Markdown and its last dot."""
    return " ".join(text.casefold().replace("`", "").lstrip("# ").split()).rstrip(".:")
