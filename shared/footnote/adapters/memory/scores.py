"""Scores the chunks and nodes of the memory index for a query: BM25 by field, cosine."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from footnote.adapters.memory.scope import place_of
from footnote.adapters.rules.search import exact_terms
from footnote.model import RELATED, Indexed, IndexedChunk, IndexedNode, LegsQuery, Vector

_BOOSTS = {"title": 2.0, "context": 2.0, "body": 1.0, "exact": 1.0}
NODE_BOOSTS = {"context": 2.0, "body": 1.0}
_WORDED = ("context", "body")  # fields of chunks and of nodes
_K1, _B = 1.2, 0.75
_NO_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_TOKEN = re.compile(rf"\d+(?:[.,]\d+)+|[{_NO_BLANKS}]+|[^\W{_NO_BLANKS}]+")
_RUN = re.compile(f"[{_NO_BLANKS}]{{2}}")
_PLURAL = re.compile(r"(?<=\w{2}[^s])s$")


def words(text: str) -> list[str]:
    """Returns the words of a text in lower case, without a plural's s.

    They imitate no analyzer of the real index, which knows how words are inflected. In scripts
    without blanks each pair of characters counts as a word.
    """
    cut: list[str] = []
    for token in _TOKEN.findall(text.casefold()):
        if _RUN.match(token):
            cut += map("".join, pairwise(token))
        else:
            cut.append(_PLURAL.sub("", token))
    return cut


class Bag(Counter[str]):
    """The terms of a field and how often each stands there. Nobody changes it."""

    @cached_property
    def length(self) -> int:
        return self.total()


type Terms = Mapping[str, Bag]  # by field
type Scores = dict[str, float]  # by chunk id


class Entry[T: Indexed](NamedTuple):
    indexed: T
    terms: Terms


type Nodes = dict[str, Entry[IndexedNode]]  # by node id


def terms_of(indexed: IndexedChunk) -> Terms:
    chunk = indexed.chunk
    return {
        "title": Bag(words(chunk.title)),
        "context": Bag(words(chunk.context)),
        "body": Bag(words(chunk.text)),
        "exact": Bag(exact_terms(chunk.text)),
    }


def stands_in(spellings: Iterable[str], indexed: IndexedChunk) -> bool:
    """Tells whether a chunk has the words of one of the spellings next to each other."""
    chunk = indexed.chunk
    sequences = [words(spelling) for spelling in spellings]
    return any(
        there[n : n + len(each)] == each
        for there in map(words, (chunk.title, chunk.context, chunk.text))
        for each in sequences
        for n in range(len(there))
    )


def node_terms_of(indexed: IndexedNode) -> Terms:
    node = indexed.node
    return {
        "context": Bag(words(node.context)),
        "body": Bag(words(node.text)),
        "names": Bag(set(node.names)),
        "mentions": Bag(set(node.mentions)),
    }


def worded_scores[T: Indexed](
    query: LegsQuery,
    entries: Sequence[Entry[T]],
    seen: Sequence[Entry[T]],
    boosts: Mapping[str, float] = _BOOSTS,
) -> Scores:
    """Returns the scores of a query's text, and a share of those of its related phrases.

    A phrase counts where all of its words stand, in whichever of the two fields of texts.
    """
    scores = _lexical_scores(query.text, entries, seen, boosts)
    texts = {field: boosts[field] for field in _WORDED}
    for phrase in query.related:
        phrase_words = set(words(phrase))
        whole = [
            entry
            for entry in seen
            if phrase_words <= set().union(*(entry.terms[each] for each in _WORDED))
        ]
        for name, score in _lexical_scores(phrase, entries, whole, texts).items():
            scores[name] = scores.get(name, 0.0) + RELATED * score
    return scores


def _lexical_scores[T: Indexed](
    text: str,
    entries: Sequence[Entry[T]],
    seen: Sequence[Entry[T]],
    boosts: Mapping[str, float] = _BOOSTS,
) -> Scores:
    """Sums each field's boosted BM25 score; the statistics come from all entries, not `seen`."""
    scores: Scores = {}
    for field, boost in boosts.items():
        query_terms = set(exact_terms(text) if field == "exact" else words(text))
        matches = [
            (entry, shared) for entry in seen if (shared := query_terms & entry.terms[field].keys())
        ]
        if not matches:
            continue
        held = [entry.terms[field] for entry in entries if entry.terms[field]]
        length = sum(terms.length for terms in held) / len(held)
        matched = set().union(*(shared for _, shared in matches))
        rarity = {
            term: _rarity(sum(term in terms for terms in held), len(held)) for term in matched
        }
        for entry, shared in matches:
            terms = entry.terms[field]
            norm = _K1 * (1 - _B + _B * terms.length / length)
            score = sum(rarity[term] * terms[term] / (terms[term] + norm) for term in shared)
            name = place_of(entry.indexed).id
            scores[name] = scores.get(name, 0.0) + boost * score
    return scores


def name_scores(
    called: Sequence[str],
    entries: Sequence[Entry[IndexedNode]],
    seen: Sequence[Entry[IndexedNode]],
) -> Scores:
    """Sums how rare the names are that a question and a document share, as OpenSearch does.

    A name is as frequent as in the field, names or mentions, in which more documents have it.
    """
    asked_names = frozenset(called)
    holders = Counter[str]()
    for field in ("names", "mentions"):
        held = [entry.terms[field].keys() & asked_names for entry in entries]
        holders |= Counter(name for names in held for name in names)
    rarity = {name: _rarity(count, len(entries)) for name, count in holders.items()}
    scores = {
        entry.indexed.node.id: sum(
            rarity[name] for name in entry.terms["names"].keys() & asked_names
        )
        for entry in seen
    }
    return {name: score / (1 + _K1) for name, score in scores.items() if score}


def _rarity(holders: int, entries: int) -> float:
    return math.log(1 + (entries - holders + 0.5) / (holders + 0.5))


def semantic_scores(vector: Vector, seen: Iterable[Entry[IndexedChunk]]) -> Scores:
    return {
        entry.indexed.chunk.id: (1 + _cosine(vector, entry.indexed.vector)) / 2
        for entry in seen
        if any(entry.indexed.vector)
    }


def _cosine(vector: Vector, other: Vector) -> float:
    return math.sumprod(vector, other) / (math.hypot(*vector) * math.hypot(*other))
