"""The items of a list, from the documents' own lists, rows and sentences: one item is one line.

A list is what a question for "all suppliers" wants. Its items stand in many documents, in the same
words but for a name: what would be a repetition in another answer is another item here.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from footnote.ask.quote.features import Candidate, candidates, sentence_text
from footnote.ask.quote.items import items_after
from footnote.model import CELL, Evidence, Passage
from footnote.text.instructions import is_instruction
from footnote.text.terms import has_root, numbers, terms

MOST_LISTED = 12  # items of one list
LIKE_BEST = 0.6  # share of what the best sentence of a kind says of the topic that others must say
SEVERAL = 0.4  # share of what any sentence says of the topic from which several of a kind go first
LED_IN = 0.5  # share of the topic's terms that a line before a list must have
_FORM = re.compile(
    r"(?:please )?(?:can you |could you )?"
    r"(?:(?:list|enumerate|name|give|show)(?: me| us)?(?: (?:all|every|each|any))?(?: of)?"
    r"|what are all(?: of)?|which are all(?: of)?|how many(?: of)?(?: different)?"
    r"|which)"
    r"(?: (?:the|these|those))?\b\s*",
    re.IGNORECASE,
)
_THERE = re.compile(r" (?:are|were|is|exist)(?: there)?$", re.IGNORECASE)
_OF_DOCUMENTS = re.compile(
    r"(?:documents|files|reports|contracts|agreements)\b\s*"
    r"(?:that |which )?(?:mention|contain|say|speak of|refer to|state|name|are about|have)\b\s*",
    re.IGNORECASE,
)


def topic_of(question: str) -> str:
    """Returns what a list or a count is of, without the words that ask for it.

    No document says "list all", and a search would look for these words.
    """
    bare = _FORM.sub("", " ".join(question.split()).strip(" ?!."), count=1)
    bare = _THERE.sub("", _OF_DOCUMENTS.sub("", bare, count=1))
    return bare if terms(bare) else question


def counts_documents(question: str) -> bool:
    """Returns whether it is documents that are counted: each that has the topic is one."""
    return bool(_OF_DOCUMENTS.search(question))


def items_of(topic: str, evidence: Evidence, *, documents: bool = False) -> list[Candidate]:
    """Returns what may stand in the list, in the order of documents; nothing where nothing fits.

    Where `documents` are wanted, an item is a sentence of each that has all of the topic's words.

    A list or a table of the documents goes first, whole. Else they are the sentences that have
    most of the topic's words and all of its figures, so that "agreements that end in 2027" has none
    of 2026.
    """
    fitting = [] if documents else set_down(topic, evidence)
    fitting = fitting or (_mentions if documents else _sentences)(topic, evidence)
    return sorted(fitting, key=lambda one: (one.passage.document, one.sentence.start))


def set_down(topic: str, evidence: Evidence) -> list[Candidate]:
    """Returns the items of a list or a table that is about the topic by what stands above it."""
    return _led_in(topic, evidence) or _rows(topic, evidence)


def _led_in(topic: str, evidence: Evidence) -> list[Candidate]:
    """Returns the items of the list whose line before it has most of the topic's terms."""
    asked, best = set(terms(topic)), (0.0, list[Candidate]())
    for passage in evidence.passages:
        spans = passage.sentences
        for n, one in enumerate(spans):
            lead = sentence_text(passage, one)
            share = len(set(terms(lead)) & asked) / max(1, len(asked))
            if lead.endswith(":") and share >= LED_IN and share > best[0]:
                best = share, _items(passage, n)
    return best[1] if len(best[1]) > 1 else []


def _items(passage: Passage, n: int) -> list[Candidate]:
    """Returns the items of the list that sentence `n` leads in."""
    found: list[Candidate] = []
    for one in items_after(passage, n)[:MOST_LISTED]:
        text = sentence_text(passage, one)
        if is_instruction(text):
            break
        found.append(Candidate(text, passage, one, fits=True))
    return found


def _rows(topic: str, evidence: Evidence) -> list[Candidate]:
    """Returns the rows of the table whose header has most of the topic's terms."""
    asked = set(terms(topic))
    tables: dict[tuple[str, str], list[Candidate]] = {}
    for one in candidates(topic, evidence):
        if one.header and CELL in one.text:
            tables.setdefault((one.passage.document_id, one.header), []).append(one)
    share, rows = 0.0, list[Candidate]()
    for (_, header), found in tables.items():
        told = len(set(terms(header)) & asked) / max(1, len(asked))
        if told > max(share, LED_IN) and len(found) > 1:
            share, rows = told, found
    wanted = set(numbers(topic))
    return [one for one in rows if wanted <= _figures(one)][:MOST_LISTED]


def _sentences(topic: str, evidence: Evidence) -> list[Candidate]:
    """Returns the sentences of the kind that says most of the topic, mostly one of a document.

    Sentences are of one kind where they differ in names and figures alone.
    """
    wanted = set(numbers(topic))
    ranked = [one for one in candidates(topic, evidence) if wanted <= _figures(one)]
    if not ranked:
        return []
    shares = _shares(topic, [one.text for one in ranked])
    kinds: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for n, one in enumerate(ranked):
        kinds[_frame(one)].append(n)

    least = SEVERAL * max(shares)

    def worth(frame: tuple[str, ...]) -> tuple[float, float]:
        found = kinds[frame]
        share = max(shares[n] for n in found)
        several = len(found) > 1 and share >= least
        return share + several, max(ranked[n].score for n in found)

    frame = max(kinds, key=worth)
    best = max(shares[n] for n in kinds[frame])
    chosen: list[Candidate] = []
    for n in sorted(range(len(ranked)), key=lambda n: ranked[n].score, reverse=True):
        one, is_kind = ranked[n], n in kinds[frame]
        says = shares[n] >= (LIKE_BEST if is_kind else 1.0) * best
        if says and (is_kind or len(kinds[frame]) == 1):
            chosen += [] if any(_is_same(one, other) for other in chosen) else [one]
    return chosen[:MOST_LISTED]


def _mentions(topic: str, evidence: Evidence) -> list[Candidate]:
    asked = set(terms(topic))
    found: dict[str, Candidate] = {}
    for one in candidates(topic, evidence):
        if all(has_root(term, set(terms(one.text))) for term in asked):
            found.setdefault(one.passage.document_id, one)
    return list(found.values())[:MOST_LISTED]


def _shares(topic: str, texts: Sequence[str]) -> list[float]:
    """Returns each text's share of the topic's terms; a term that few texts have weighs more.

    "Supplies" and "suppliers" are of one term here: who lists suppliers asks who supplies.
    """
    asked = set(terms(topic))
    found = [{one for one in asked if has_root(one, set(terms(text)))} for text in texts]
    often = Counter(term for one in found for term in one)
    weight = {term: math.log(1 + len(texts) / (1 + often[term])) for term in asked if often[term]}
    total = sum(weight.values()) or 1.0
    return [sum(weight[term] for term in one) / total for one in found]


def _frame(one: Candidate) -> tuple[str, ...]:
    """Returns a sentence without its names and figures: what sentences of one kind share."""
    words = re.findall(r"\b[a-z][a-z'-]*", re.sub(r"\b[A-Z][\w'-]*|\d[\w.,]*", " ", one.text))
    return tuple(words)


def _figures(one: Candidate) -> set[str]:
    around = " ".join((one.passage.title, *one.passage.section, one.header, one.text))
    return set(numbers(around))


def _is_same(one: Candidate, other: Candidate) -> bool:
    same = one.passage.document_id == other.passage.document_id
    return same and set(terms(one.text)) == set(terms(other.text))
