"""The SearchIndex port in memory, for tests and trials: BM25 and exact cosine."""

import math
import operator
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, assert_never

from footnote.adapters.exact_terms import exact_terms
from footnote.adapters.memory_words import beginnings, words
from footnote.adapters.search_rules import (
    KINDS,
    check_size,
    refuse_search,
    refuse_write,
    size_of,
    vector_of,
)
from footnote.errors import ConflictError, ForbiddenError, NotFoundError
from footnote.metadata.attributes import to_scalar
from footnote.metadata.filters import (
    FIELDS,
    NUMBER_FIELDS,
    attribute_terms,
    field_spans,
    spans,
    typed_values,
)
from footnote.model import (
    RELATED,
    Annotation,
    Candidate,
    Chunk,
    Condition,
    Exists,
    Filter,
    Generation,
    Hit,
    Indexed,
    IndexedChunk,
    IndexedNode,
    Leg,
    Legs,
    LegsQuery,
    Node,
    Range,
    Revision,
    Scope,
    Vector,
    may_read,
    pad_sequencer,
)
from footnote.text.names import asked_names

_BOOSTS = {"title": 2.0, "context": 2.0, "body": 1.0, "beginnings": 0.5, "exact": 1.0}
_NODE_BOOSTS = {"context": 2.0, "body": 1.0}
_WORDED = ("context", "body")  # fields of chunks and of nodes
_K1, _B = 1.2, 0.75


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


class MemorySearchIndex:
    """Holds each generation as a dict of chunks and one of nodes.

    Reads go to `_read`, writes to all generations.
    """

    def __init__(
        self,
        model: str = "memory",
        dimensions: int = 384,
        marks: Mapping[str, str] | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._stem = f"footnote-{model}"
        self._dimensions = dimensions
        self._clock = clock
        self.marks = {"model": model, "mapping": "memory"} | dict(marks or {})
        self._generations: dict[str, dict[str, Entry[IndexedChunk]]] = {}
        self._nodes: dict[str, Nodes] = {}  # by generation, as the chunks are
        self._known: dict[str, Generation] = {}
        self._read = ""
        self._made = 0

    # -- writing ---------------------------------------------------------------------------------

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        self.ensure()
        targets = [generation] if generation else list(self._generations)
        for target in targets:
            self._get(target)
        if not any(map(self._fits, targets)):
            raise refuse_write([self._known[name] for name in targets], self.marks)
        for indexed in entries:
            for target in targets:
                if isinstance(indexed, IndexedNode):
                    self._nodes[target][indexed.node.id] = Entry(indexed, _node_terms(indexed))
                else:
                    self._generations[target][indexed.chunk.id] = Entry(indexed, _terms(indexed))

    def annotate(self, revision: Revision, annotation: Annotation) -> None:
        for held in self._everything():
            for name, entry in held.items():
                stored = entry.indexed
                if (
                    stored.revision.key == revision.key
                    and _event_key(stored.revision) == _event_key(revision)
                    and stored.annotation.number < annotation.number
                ):
                    noted = stored.model_copy(update={"annotation": annotation})
                    held[name] = Entry(noted, entry.terms)

    def _everything(self) -> list[dict[str, Any]]:
        """Returns chunks and nodes of all generations, to change what an event wrote."""
        return [*self._generations.values(), *self._nodes.values()]

    def remove(self, revision: Revision) -> None:
        self._drop(revision.key, lambda stored: _event_key(stored) == _event_key(revision))

    def remove_older(self, revision: Revision) -> None:
        newest = pad_sequencer(revision.sequencer)
        self._drop(revision.key, lambda stored: pad_sequencer(stored.sequencer) < newest)

    def _drop(self, key: str, which: Callable[[Revision], bool]) -> None:
        for held in self._everything():
            for name, entry in list(held.items()):
                revision = entry.indexed.revision
                if revision.key == key and which(revision):
                    del held[name]

    # -- searching -------------------------------------------------------------------------------

    def search(self, query: LegsQuery) -> Legs:
        if not query.scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        check_size(query.size)
        self.ensure()
        if "meaning" in query.legs and not self._fits(self._read):
            raise refuse_search([self._known[self._read]], self.marks)
        return {leg: self._leg(leg, query) for leg in query.legs}

    def read(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Hit]:
        if not scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        self.ensure()
        entries = self._get(self._read)
        wanted = [entries[one].indexed for one in chunk_ids if one in entries]
        return {one.chunk.id: _hit(one) for one in wanted if _is_in_scope(one, scope)}

    def _leg(self, leg: Leg, query: LegsQuery) -> list[Candidate]:
        """Returns the candidates of a leg, best first."""
        chunks, nodes = self._get(self._read), self._nodes[self._read]
        match leg:
            case "words":
                entries = list(chunks.values())
                scores = _worded_scores(query, entries, _seen(entries, query.scope))
            case "meaning":
                vector = vector_of(query, self._dimensions)
                scores = _semantic_scores(vector, _seen(chunks.values(), query.scope))
            case "page" | "table":
                alike = [entry for entry in nodes.values() if entry.indexed.node.kind == leg]
                scores = _worded_scores(query, alike, _seen(alike, query.scope), _NODE_BOOSTS)
            case "document":
                named = [entry for entry in nodes.values() if entry.indexed.node.kind == leg]
                scores = _name_scores(query.text, named, _seen(named, query.scope))
            case other:
                assert_never(other)
        if leg in KINDS:
            return [
                _node_candidate(nodes[one].indexed, score)
                for one, score in _best(scores, size_of(leg, query))
            ]
        return [
            _candidate(chunks[one].indexed, score, query)
            for one, score in _best(scores, size_of(leg, query))
        ]

    def present(self, words: Sequence[str], scope: Scope) -> set[str]:
        asked = (LegsQuery(text=word, scope=scope, legs=("words",), size=1) for word in words)
        return {query.text for query in asked if self.search(query)["words"]}

    def languages(self, scope: Scope) -> dict[str, int]:
        if not scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        self.ensure()
        seen = _seen(self._get(self._read).values(), scope)
        return dict(Counter(entry.indexed.chunk.language for entry in seen))

    def neighbours(self, hits: Sequence[Hit], before: int, after: int) -> list[list[Hit]]:
        return [self._around(hit, before, after) for hit in hits]

    def _around(self, hit: Hit, before: int, after: int) -> list[Hit]:
        first, last = hit.chunk.ordinal - before, hit.chunk.ordinal + after
        around = [
            _hit(entry.indexed, hit.rank)
            for entry in self._get(self._read).values()
            if entry.indexed.revision.document_id == hit.document_id
            and entry.indexed.revision.version == hit.version
            and first <= entry.indexed.chunk.ordinal <= last
            and entry.indexed.chunk.ordinal != hit.chunk.ordinal
        ]
        return sorted(around, key=lambda each: each.chunk.ordinal)

    # -- generations -----------------------------------------------------------------------------

    def ensure(self) -> str:
        if not self._read:
            self._read = self.create_generation()
        return self._read

    def create_generation(self, run: str = "") -> str:
        for one in self.generations():
            if run and one.run == run:
                return one.name
        self._made += 1
        generation = f"{self._stem}-{self._made}"
        self._generations[generation], self._nodes[generation] = {}, {}
        self._known[generation] = Generation(
            name=generation, run=run, made=self._clock(), marks=dict(self.marks)
        )
        return generation

    def generations(self) -> list[Generation]:
        return [
            self._known[name].model_copy(update={"serving": name == self._read})
            for name in sorted(self._generations)
        ]

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        revisions = (entry.indexed.revision for entry in self._get(generation).values())
        wanted = None if documents is None else frozenset(documents)
        return dict(
            Counter(
                (revision.document_id, revision.version)
                for revision in revisions
                if wanted is None or revision.document_id in wanted
            )
        )

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        self.ensure()
        stored = [entry.indexed.revision for entry in self._get(self._read).values()]
        counts = Counter(map(_event_key, stored))
        revisions = {_event_key(revision): revision for revision in stored}
        events = sorted(event for event in counts if event > after)
        page = [(revisions[event], counts[event]) for event in events[:limit]]
        return page, events[limit - 1] if len(events) > limit else ""

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        self.ensure()
        return sum(
            _event_key(stored.revision) == _event_key(revision)
            and annotation in (None, stored.annotation.number)
            for stored in (entry.indexed for entry in self._get(self._read).values())
            if stored.revision.key == revision.key
        )

    def promote(self, generation: str) -> None:
        self._generations = {generation: self._get(generation)}
        self._nodes = {generation: self._nodes[generation]}
        self._read = generation

    def abandon(self, generation: str) -> None:
        if generation == self._read:
            raise ConflictError(f"queries go to {generation}: promote another one first")
        self._generations.pop(generation, None)
        self._nodes.pop(generation, None)

    def health(self) -> Mapping[str, object]:
        self.ensure()
        counts = self.counts(self._read)
        return {
            "status": "green",
            "generation": self._read,
            "writing": sorted(self._generations),
            "chunks": sum(counts.values()),
            "documents": len({document_id for document_id, _ in counts}),
        }

    def _fits(self, generation: str) -> bool:
        """Tells whether a generation holds vectors of our model."""
        return self._known[generation].marks["model"] == self.marks["model"]

    def _get(self, generation: str) -> dict[str, Entry[IndexedChunk]]:
        if generation not in self._generations:
            raise NotFoundError(f"there is no index generation '{generation}'")
        return self._generations[generation]


def _event_key(revision: Revision) -> str:
    """Returns a key that equal events share: zeros at the end of a sequencer mean nothing."""
    return f"{revision.document_id}|{revision.version}|{pad_sequencer(revision.sequencer)}"


# -- what a query sees ---------------------------------------------------------------------------


def _seen[T: Indexed](entries: Iterable[Entry[T]], scope: Scope) -> list[Entry[T]]:
    return [entry for entry in entries if _is_in_scope(entry.indexed, scope)]


def _is_in_scope(indexed: Indexed, scope: Scope) -> bool:
    tenant, collection, path = indexed.revision.place
    return (
        tenant == scope.tenant
        and scope.collection in (None, collection)
        and (
            not scope.names
            or path in scope.documents
            or (bool(scope.document_ids) and indexed.revision.document_id in scope.document_ids)
        )
        and may_read(indexed.annotation.acl, scope.groups)
        and _holds(indexed, scope)
    )


def _holds(indexed: Indexed, condition: Condition) -> bool:
    return (
        all(_matches(indexed, name, wanted) for name, wanted in condition.filters.items())
        and all(_holds(indexed, each) for each in condition.all_of)
        and (not condition.any_of or any(_holds(indexed, each) for each in condition.any_of))
        and not any(_holds(indexed, each) for each in condition.none_of)
    )


_TEXTS: dict[str, Callable[[Indexed], str]] = {
    "path": lambda indexed: indexed.revision.path,
    "document_id": lambda indexed: indexed.revision.document_id,
    "version": lambda indexed: indexed.revision.version,
    "language": lambda indexed: _place(indexed).language,
    "collection": lambda indexed: indexed.revision.collection,
}


def _place(indexed: Indexed) -> Chunk | Node:
    return indexed.node if isinstance(indexed, IndexedNode) else indexed.chunk


def _matches(indexed: Indexed, name: str, wanted: Filter) -> bool:
    if isinstance(wanted, Exists) and not wanted.exists:
        return not _matches(indexed, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(wanted, page) for page in _place(indexed).pages)
    if name in FIELDS:
        found, inside = [_TEXTS[FIELDS[name]](indexed)], field_spans(wanted)
    else:
        found, inside = attribute_terms(indexed.annotation.metadata), spans(name, wanted)
    return any(span.holds(text) for span in inside for text in found)


def _has_page(wanted: Filter, page: int) -> bool:
    if isinstance(wanted, Exists):
        return True
    if not isinstance(wanted, Range):
        return page in typed_values(wanted)
    return all(
        _COMPARE[which](page, to_scalar(bound) if isinstance(bound, str) else bound)
        for which, bound in wanted
        if bound is not None
    )


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}


# -- scores --------------------------------------------------------------------------------------


def _terms(indexed: IndexedChunk) -> Terms:
    chunk = indexed.chunk
    # the first letters of English words are too common to tell anything
    inflected = [] if chunk.language == "en" else beginnings(chunk.text)
    return {
        "title": Bag(words(chunk.title)),
        "context": Bag(words(chunk.context)),
        "body": Bag(words(chunk.text)),
        "beginnings": Bag(inflected),
        "exact": Bag(exact_terms(chunk.text)),
    }


def _node_terms(indexed: IndexedNode) -> Terms:
    node = indexed.node
    return {
        "context": Bag(words(node.context)),
        "body": Bag(words(node.text)),
        "names": Bag(set(node.names)),
    }


_ASKED: Mapping[str, Callable[[str], list[str]]] = {
    "exact": exact_terms,
    "beginnings": partial(beginnings, asked=True),
}


def _worded_scores[T: Indexed](
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
        wanted = set(words(phrase, asked=True))
        whole = [
            one for one in seen if wanted <= set().union(*(one.terms[each] for each in _WORDED))
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
        wanted = set(_ASKED.get(field, partial(words, asked=True))(text))
        found = [
            (entry, common) for entry in seen if (common := wanted & entry.terms[field].keys())
        ]
        if not found:
            continue
        held = [entry.terms[field] for entry in entries if entry.terms[field]]
        length = sum(terms.length for terms in held) / len(held)
        known = set().union(*(common for _, common in found))
        rarity = {word: _rarity(sum(word in terms for terms in held), len(held)) for word in known}
        for entry, common in found:
            terms = entry.terms[field]
            norm = _K1 * (1 - _B + _B * terms.length / length)
            score = sum(rarity[word] * terms[word] / (terms[word] + norm) for word in common)
            name = _place(entry.indexed).id
            scores[name] = scores.get(name, 0.0) + boost * score
    return scores


def _name_scores(
    text: str, entries: Sequence[Entry[IndexedNode]], seen: Sequence[Entry[IndexedNode]]
) -> Scores:
    """Sums how rare the names are that a text and a document share, as OpenSearch does."""
    wanted = frozenset(asked_names(text))
    held = [entry.terms["names"].keys() & wanted for entry in entries]
    holders = Counter(name for names in held for name in names)
    rarity = {name: _rarity(count, len(entries)) for name, count in holders.items()}
    scores = {
        entry.indexed.node.id: sum(rarity[name] for name in entry.terms["names"].keys() & wanted)
        for entry in seen
    }
    return {name: score / (1 + _K1) for name, score in scores.items() if score}


def _rarity(holders: int, entries: int) -> float:
    return math.log(1 + (entries - holders + 0.5) / (holders + 0.5))


def _semantic_scores(vector: Vector, seen: Iterable[Entry[IndexedChunk]]) -> Scores:
    return {
        entry.indexed.chunk.id: (1 + _cosine(vector, entry.indexed.vector)) / 2
        for entry in seen
        if any(entry.indexed.vector)
    }


def _cosine(one: Vector, other: Vector) -> float:
    return math.sumprod(one, other) / (math.hypot(*one) * math.hypot(*other))


def _best(scores: Scores, size: int) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:size]


def _candidate(indexed: IndexedChunk, score: float, query: LegsQuery) -> Candidate:
    return Candidate(
        chunk_id=indexed.chunk.id,
        score=score,
        document_id=indexed.revision.document_id,
        version=indexed.revision.version,
        start=indexed.chunk.start,
        end=indexed.chunk.end,
        pages=indexed.chunk.pages,
        vector=indexed.vector if query.with_vectors else None,
        labels=indexed.chunk.labels if query.with_labels else (),
    )


def _node_candidate(indexed: IndexedNode, score: float) -> Candidate:
    node, revision = indexed.node, indexed.revision
    return Candidate(
        chunk_id=node.id,
        score=score,
        document_id=revision.document_id,
        version=revision.version,
        start=node.start,
        end=node.end,
        pages=node.pages,
    )


def _hit(indexed: IndexedChunk, rank: int = 0) -> Hit:
    return Hit(
        rank=rank,
        score=0.0,
        document_id=indexed.revision.document_id,
        document=indexed.revision.path,
        collection=indexed.revision.collection,
        version=indexed.revision.version,
        chunk=indexed.chunk,
        metadata=indexed.annotation.metadata,
    )
