"""Finds the items of a list in the documents' own lists, rows and sentences: one item a line.

A question for "all suppliers" wants a list. Its items may stand in many documents, in the same
words but for a name. Elsewhere such sentences are repetitions; here each is an item.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from footnote.ask.quote.lines import RankedLine, rank_lines, sentence_text
from footnote.ask.quote.neighbours import items_after
from footnote.model import CELL, Evidence, Passage
from footnote.text.duty_questions import duty_topic
from footnote.text.instructions import is_instruction
from footnote.text.terms import has_root, numbers, terms

MOST_LISTED = 12  # items of one list
LIKE_BEST = 0.6  # of the topic's words in its kind's best sentence: so much another one must have
SEVERAL = 0.4  # of the topic's words in the best sentence: several of one kind go first from there
LED_IN = 0.5  # of the topic's terms: so much a line before a list must have
_FORM = re.compile(
    r"(?:please )?(?:can you |could you )?"
    r"(?:(?:list|enumerate|name|give|show)(?: me| us)?(?: (?:all|every|each|any))?(?: of)?"
    r"|what are all(?: of)?|which are all(?: of)?|how many(?: of)?(?: different)?"
    r"|which)"
    r"(?: (?:the|these|those))?\b\s*",
    re.IGNORECASE,
)
_THERE = re.compile(r" (?:(?:are|were|is|exist)(?: there)?$|(?:are|were) there\b)", re.IGNORECASE)
DOCUMENT_NOUNS = (
    "documents|files|reports|contracts|agreements|letters|invoices|policies|memos|minutes"
)
_OF_DOCUMENTS = re.compile(
    rf"(?:{DOCUMENT_NOUNS})\b\s*"
    r"(?:that |which )?(?:mention|contain|say|speak of|refer to|state|name|are about|have)\b\s*",
    re.IGNORECASE,
)


def topic_of(question: str) -> str:
    """Returns what a list or a count is about, without the words that ask for it.

    No document says "list all", and a search would look for these words.
    """
    if duties := duty_topic(question):
        return duties
    bare = _FORM.sub("", " ".join(question.split()).strip(" ?!."), count=1)
    bare = _THERE.sub("", _OF_DOCUMENTS.sub("", bare, count=1))
    return bare if terms(bare) else question


def counts_documents(question: str) -> bool:
    """Returns whether the question counts the documents that mention its topic."""
    return bool(_OF_DOCUMENTS.search(question))


def items_of(topic: str, evidence: Evidence, *, documents: bool = False) -> list[RankedLine]:
    """Returns the items of a list about the topic, in the order of documents.

    With `documents`, an item is a sentence of each document that has all of the topic's words.

    Else the items are those of a list or table about the topic. Without one, they are the sentences
    that have most of the topic's words and all of its figures: a list of "agreements that end in
    2027" has none of 2026.
    """
    items = [] if documents else set_down(topic, evidence)
    items = items or (_mentions if documents else _sentences)(topic, evidence)
    return sorted(items, key=lambda item: (item.passage.document, item.sentence.start))


def set_down(topic: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the items of a list or table that is about the topic by what stands above it."""
    return _led_in(topic, evidence) or _rows(topic, evidence)


def _led_in(topic: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the items of the list whose line before it has most of the topic's terms."""
    best_share, best = 0.0, list[RankedLine]()
    for passage in evidence.passages:
        for n, sentence in enumerate(passage.sentences):
            lead = sentence_text(passage, sentence)
            share = _share(topic, lead)
            if lead.endswith(":") and share >= LED_IN and share > best_share:
                best_share, best = share, _items(passage, n)
    return best if len(best) > 1 else []


def _items(passage: Passage, n: int) -> list[RankedLine]:
    """Returns the items of the list that sentence `n` leads in."""
    items: list[RankedLine] = []
    for sentence in items_after(passage, n)[:MOST_LISTED]:
        text = sentence_text(passage, sentence)
        if is_instruction(text):
            break
        items.append(RankedLine(text, passage, sentence, fits=True))
    return items


def _rows(topic: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the rows of the table whose header has most of the topic's terms."""
    tables: dict[tuple[str, str], list[RankedLine]] = {}
    for line in rank_lines(topic, evidence):
        if line.header and CELL in line.text:
            tables.setdefault((line.passage.document_id, line.header), []).append(line)
    best_share, best = LED_IN, list[RankedLine]()
    for (_, header), rows in tables.items():
        share = _share(topic, header)
        if share > best_share and len(rows) > 1:
            best_share, best = share, rows
    figures = set(numbers(topic))
    return [row for row in best if figures <= _figures(row)][:MOST_LISTED]


def _share(topic: str, text: str) -> float:
    """Returns the share of the topic's terms that a text has."""
    topic_terms = set(terms(topic))
    return len(set(terms(text)) & topic_terms) / max(1, len(topic_terms))


def _sentences(topic: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the sentences of the kind that says most of the topic, usually one a document.

    Sentences are of one kind if they differ only in names and figures.
    """
    figures = set(numbers(topic))
    ranked = [line for line in rank_lines(topic, evidence) if figures <= _figures(line)]
    if not ranked:
        return []
    shares = weighed_shares(set(terms(topic)), [line.text for line in ranked])
    kinds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for n, line in enumerate(ranked):
        kinds[frame_of(line.text)].append(n)
    least = SEVERAL * max(shares)

    def worth(frame: tuple[str, ...]) -> tuple[float, float]:
        share = max(shares[n] for n in kinds[frame])
        is_several = len(kinds[frame]) > 1 and share >= least
        return share + is_several, max(ranked[n].score for n in kinds[frame])

    frame = max(kinds, key=worth)
    best = max(shares[n] for n in kinds[frame])
    chosen: list[RankedLine] = []
    for n in sorted(range(len(ranked)), key=lambda n: ranked[n].score, reverse=True):
        line, is_kind = ranked[n], n in kinds[frame]
        says_it = shares[n] >= (LIKE_BEST if is_kind else 1.0) * best
        if says_it and (is_kind or len(kinds[frame]) == 1):
            chosen += [] if any(_is_same(line, other) for other in chosen) else [line]
    return chosen[:MOST_LISTED]


def _mentions(topic: str, evidence: Evidence) -> list[RankedLine]:
    """Returns the best sentence of each document that has all of the topic's words."""
    topic_terms = set(terms(topic))
    by_document: dict[str, RankedLine] = {}
    for line in rank_lines(topic, evidence):
        if all(has_root(term, set(terms(line.text))) for term in topic_terms):
            by_document.setdefault(line.passage.document_id, line)
    return list(by_document.values())[:MOST_LISTED]


def weighed_shares(topic_terms: Collection[str], texts: Sequence[str]) -> list[float]:
    """Returns each text's share of the topic's terms; a term that few texts have weighs more.

    Words of one root count as one: who lists suppliers asks who supplies.
    """
    shared = [{term for term in topic_terms if has_root(term, set(terms(t)))} for t in texts]
    frequency = Counter(term for text_terms in shared for term in text_terms)
    weight = {
        term: math.log(1 + len(texts) / (1 + frequency[term]))
        for term in topic_terms
        if frequency[term]
    }
    total = sum(weight.values()) or 1.0
    return [sum(weight[term] for term in text_terms) / total for text_terms in shared]


def frame_of(text: str) -> tuple[str, ...]:
    """Returns a sentence without its names and figures: what sentences of one kind share."""
    words = re.findall(r"\b[a-z][a-z'-]*", re.sub(r"\b[A-Z][\w'-]*|\d[\w.,]*", " ", text))
    return tuple(words)


def _figures(line: RankedLine) -> set[str]:
    """Returns the numbers of a line and of what it stands under."""
    around = " ".join((line.passage.title, *line.passage.section, line.header, line.text))
    return set(numbers(around))


def _is_same(line: RankedLine, other: RankedLine) -> bool:
    is_one_document = line.passage.document_id == other.passage.document_id
    return is_one_document and set(terms(line.text)) == set(terms(other.text))
