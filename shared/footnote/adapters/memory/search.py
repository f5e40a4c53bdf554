"""The SearchIndex port in memory, for tests and trials: BM25 and exact cosine."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, assert_never

from footnote.adapters.memory.hits import candidate, hit_of, node_candidate
from footnote.adapters.memory.scope import is_in_scope
from footnote.adapters.memory.scores import (
    NODE_BOOSTS,
    Entry,
    Nodes,
    Scores,
    name_scores,
    node_terms_of,
    semantic_scores,
    stands_in,
    terms_of,
    worded_scores,
)
from footnote.adapters.rules.search import (
    MAX_SIZE,
    NAMES_OF,
    NODE_LEGS,
    check_size,
    refuse_search,
    refuse_write,
    size_of,
    vector_of,
)
from footnote.errors import ConflictError, ForbiddenError, NotFoundError
from footnote.model import (
    Annotation,
    Candidate,
    Generation,
    Hit,
    Indexed,
    IndexedChunk,
    IndexedNode,
    Leg,
    Legs,
    LegsQuery,
    Revision,
    Room,
    Scope,
    Vector,
    pad_sequencer,
)
from footnote.text.spelling import MOST_ALIKE, has_spelling
from footnote.text.terms import joined_words, spellings


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
        self.disk = 10**12  # bytes

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
                    self._nodes[target][indexed.node.id] = Entry(indexed, node_terms_of(indexed))
                else:
                    self._generations[target][indexed.chunk.id] = Entry(indexed, terms_of(indexed))

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
        """Returns the chunks and the nodes of all generations, to be changed."""
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

    def search(self, query: LegsQuery, generation: str = "") -> Legs:
        if not query.scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        check_size(query.size)
        self.ensure()
        searched = generation or self._read
        self._get(searched)
        if "meaning" in query.legs and not self._fits(searched):
            raise refuse_search([self._known[searched]], self.marks)
        legs = {leg: self._leg(leg, query, searched) for leg in query.legs}
        if query.with_places:
            return legs
        return {
            leg: [Candidate(each.chunk_id, each.score) for each in candidates]
            for leg, candidates in legs.items()
        }

    def read(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Hit]:
        if not scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        self.ensure()
        entries = self._get(self._read)
        chunks = [entries[chunk_id].indexed for chunk_id in chunk_ids if chunk_id in entries]
        return {stored.chunk.id: hit_of(stored) for stored in chunks if is_in_scope(stored, scope)}

    def vectors(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Vector]:
        if not scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        self.ensure()
        entries = self._get(self._read)
        chunks = [entries[chunk_id].indexed for chunk_id in chunk_ids if chunk_id in entries]
        return {
            stored.chunk.id: stored.vector
            for stored in chunks
            if is_in_scope(stored, scope) and any(stored.vector)
        }

    def _leg(self, leg: Leg, query: LegsQuery, generation: str) -> list[Candidate]:
        """Returns the candidates of a leg, best first."""
        chunks, nodes = self._get(generation), self._nodes[generation]
        match leg:
            case "words":
                entries = list(chunks.values())
                scores = worded_scores(query, entries, _seen(entries, query.scope))
            case "meaning":
                vector = vector_of(query, self._dimensions)
                scores = semantic_scores(vector, _seen(chunks.values(), query.scope))
            case "page" | "table":
                alike = [entry for entry in nodes.values() if entry.indexed.node.kind == leg]
                scores = worded_scores(query, alike, _seen(alike, query.scope), NODE_BOOSTS)
            case "document" | "named":
                called = NAMES_OF[leg](query.text)
                whole = [entry for entry in nodes.values() if entry.indexed.node.kind == "document"]
                scores = name_scores(called, whole, _seen(whole, query.scope))
            case "statement":
                scores = {
                    entry.indexed.node.id: 1.0
                    for entry in _seen(nodes.values(), query.scope)
                    if entry.indexed.node.statement in query.statements
                }
            case other:
                assert_never(other)
        if leg in NODE_LEGS:
            return [
                node_candidate(nodes[entry_id].indexed, score, query)
                for entry_id, score in _best(scores, size_of(leg, query))
            ]
        return [
            candidate(chunks[entry_id].indexed, score, query)
            for entry_id, score in _best(scores, size_of(leg, query))
        ]

    def present(self, words: Sequence[str], scope: Scope) -> set[str]:
        return {word for word in words if any(self._has(part, scope) for part in word.split())}

    def _has(self, word: str, scope: Scope) -> bool:
        joined = bool(joined_words(word))
        text = " ".join(spellings(word)) if joined else word
        legs = self.search(LegsQuery(text=text, scope=scope, legs=("words",), size=MAX_SIZE))
        # each part of a joined word finds a chunk, so the whole is looked for in these
        chunks = (self._get(self._read)[candidate.chunk_id].indexed for candidate in legs["words"])
        return any(not joined or stands_in(spellings(word), chunk) for chunk in chunks)

    def spelled_alike(self, words: Sequence[str], scope: Scope) -> dict[str, list[Hit]]:
        if not scope.tenant:
            raise ForbiddenError("a search without a tenant finds nothing")
        self.ensure()
        seen = [entry.indexed for entry in _seen(self._get(self._read).values(), scope)]
        alike = {
            word: [hit_of(one) for one in seen if has_spelling(word, one.chunk.text)][:MOST_ALIKE]
            for word in words
        }
        return {word: hits for word, hits in alike.items() if hits}

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
            hit_of(entry.indexed, hit.rank)
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
        for earlier in self.generations():
            if run and earlier.run == run:
                return earlier.name
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

    def room(self) -> Room:
        taken = sum(_size(entry.indexed) for entry in self._get(self.ensure()).values())
        return Room(taken=taken, free=self.disk - taken * len(self._generations))

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        revisions = (entry.indexed.revision for entry in self._get(generation).values())
        document_ids = None if documents is None else frozenset(documents)
        return dict(
            Counter(
                (revision.document_id, revision.version)
                for revision in revisions
                if document_ids is None or revision.document_id in document_ids
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

    def promote(self, generation: str, retired: float = 0.0) -> None:
        kept = self._point_at(generation, retired)
        for other in set(self._generations) - kept - {generation}:
            del self._generations[other], self._nodes[other]

    def go_back(self, generation: str, retired: float) -> None:
        self._point_at(generation, retired)

    def _point_at(self, generation: str, retired: float) -> set[str]:
        """Points queries at a generation. Returns the others that are kept."""
        self._get(generation)  # or it is not known
        if retired and self._read not in ("", generation):
            self._note(self._read, float(int(retired)))
        self._note(generation, 0.0)
        self._read = generation
        return {other.name for other in self.generations() if retired and other.retired}

    def _note(self, generation: str, retired: float) -> None:
        known = self._known[generation]
        self._known[generation] = known.model_copy(update={"retired": retired})

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


def _size(indexed: IndexedChunk) -> int:
    """Returns about how many bytes a chunk takes: its text, and four for each number."""
    return len(indexed.chunk.text.encode()) + 4 * len(indexed.vector)


def _event_key(revision: Revision) -> str:
    """Returns a key that equal events share: zeros at the end of a sequencer mean nothing."""
    return f"{revision.document_id}|{revision.version}|{pad_sequencer(revision.sequencer)}"


# -- what a query sees ---------------------------------------------------------------------------


def _seen[T: Indexed](entries: Iterable[Entry[T]], scope: Scope) -> list[Entry[T]]:
    return [entry for entry in entries if is_in_scope(entry.indexed, scope)]


def _best(scores: Scores, size: int) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:size]
