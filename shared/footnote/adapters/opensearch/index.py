"""The SearchIndex port on OpenSearch: writes, searches and counts.

Generations and their aliases are in `generations.py`. Requests are made in `leg_query.py` and
`query.py`, and the filter that all of them carry in `scope.py`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial

from opensearchpy import OpenSearch, exceptions

from footnote.adapters.opensearch.bulk import Item, deliver, item
from footnote.adapters.opensearch.by_query import annotate_chunks, delete_chunks
from footnote.adapters.opensearch.client import Auth, connect, translate_errors
from footnote.adapters.opensearch.counts import count_chunks, count_documents, count_revisions
from footnote.adapters.opensearch.disk import measure_room
from footnote.adapters.opensearch.documents import (
    lacks_id,
    to_candidate,
    to_hit,
    to_node_source,
    to_source,
    without_newer,
)
from footnote.adapters.opensearch.generations import Generations, only_alias
from footnote.adapters.opensearch.leg_query import leg_bodies
from footnote.adapters.opensearch.legs import search_all
from footnote.adapters.opensearch.mapping import NAMES, vector_field
from footnote.adapters.opensearch.query import (
    IS_CHUNK,
    annotate_body,
    languages_body,
    neighbours_body,
    of_annotation,
    of_revision,
    older_than,
    presence_body,
    read_body,
    spelling_body,
    vectors_body,
)
from footnote.adapters.rules.search import refuse_search, refuse_write
from footnote.errors import NotFoundError, UnavailableError
from footnote.model import (
    Annotation,
    Generation,
    Hit,
    Indexed,
    IndexedChunk,
    Legs,
    LegsQuery,
    Revision,
    Room,
    Scope,
    Vector,
    digest,
)
from footnote.wire import Json

_ATTEMPTS = 3  # at work that another re-index or removal may disturb
_DROPPED = (404, 503)  # statuses of a search whose generation is dropped meanwhile


def once_more[Found](search: Callable[[], Found]) -> Found:
    """Searches, and a second time if the generation was dropped during the first search.

    By then the alias names another generation.
    """
    try:
        return search()
    except exceptions.TransportError as exc:
        if exc.status_code not in _DROPPED:
            raise
        return search()


class OpenSearchIndex:
    """Serves one stack's index for one embedding model. Threads may share it.

    `owner` tells this stack from all others, for example by its uploads bucket. Where the index of
    `prefix` belongs to another owner, `ensure` raises ConfigurationError.
    """

    def __init__(
        self,
        url: str,
        model: str,
        dimensions: int,
        *,
        prefix: str = "footnote",
        owner: str = "",
        auth: Auth | None = None,
        shards: int = 1,
        replicas: int = 0,
        marks: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        self._client: OpenSearch = connect(url, auth)
        self._dimensions = dimensions
        self._replicas = replicas
        self._field = vector_field(model)
        self._generations = Generations(
            self._client,
            model,
            dimensions,
            prefix=prefix,
            owner=owner,
            shards=shards,
            replicas=replicas,
            marks=marks,
        )

    # -- writing ---------------------------------------------------------------------------------

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        for _ in range(_ATTEMPTS):
            targets = [generation] if generation else self._generations.targets()
            if not any(map(self._generations.number, targets)):
                raise refuse_write(self._generations.named(targets), self.marks)
            try:
                return self._write_to(targets, entries)
            except NotFoundError:
                if generation:
                    raise
                # The generation was promoted or abandoned meanwhile: look up the alias again.
        raise UnavailableError("index generations come and go; nothing could be written")

    def _write_to(self, targets: Sequence[str], entries: Sequence[Indexed]) -> None:
        if not entries:
            return
        deliver(self._client, self._items(targets, entries))
        with translate_errors(f"refreshing {', '.join(targets)}"):
            self._client.indices.refresh(index=",".join(targets))

    def _items(self, targets: Sequence[str], entries: Sequence[Indexed]) -> Iterator[Item]:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        for target in targets:
            alias, field = only_alias(target), self._field_in(target)
            taken = self._generations.taken(target)
            for each in entries:
                if isinstance(each, IndexedChunk):
                    source = without_newer(to_source(each, field, now), taken)
                    yield item(alias, each.chunk.id, source)
                elif NAMES in taken:
                    source = without_newer(to_node_source(each, now), taken)
                    yield item(alias, each.node.id, source)

    def _field_in(self, generation: str) -> str | None:
        """Returns the field for our vectors. A generation of another model gets none."""
        return self._field if self._generations.number(generation) else None

    def remove(self, revision: Revision) -> None:
        self._delete(of_revision(revision), revision)

    def remove_older(self, revision: Revision) -> None:
        self._delete(older_than(revision), revision)

    def annotate(self, revision: Revision, annotation: Annotation) -> None:
        what = f"annotating {revision.document_id}"
        annotate_chunks(
            self._client, self._generations.write, annotate_body(revision, annotation), what
        )

    def _delete(self, which: Json, revision: Revision) -> None:
        what = f"removing chunks of {revision.document_id}"
        delete_chunks(self._client, self._generations.write, which, what)

    # -- searching -------------------------------------------------------------------------------

    def search(self, query: LegsQuery, generation: str = "") -> Legs:
        searched = generation or self._generations.read
        hits_by_leg = self._ask_legs(query, searched)
        if any(lacks_id(hit) for hits in hits_by_leg for hit in hits):  # of an older generation
            hits_by_leg = self._ask_legs(query, searched, with_column=False)
        return {
            leg: [to_candidate(hit, self._field) for hit in hits]
            for leg, hits in zip(query.legs, hits_by_leg, strict=True)
        }

    def _ask_legs(
        self, query: LegsQuery, searched: str, *, with_column: bool = True
    ) -> list[list[Json]]:
        bodies = leg_bodies(query, self._field, self._dimensions, with_column=with_column)
        # Each copy of a shard counts other deleted chunks, and scores depend on such counts. So a
        # question goes to the same copy each time, and other questions to other copies.
        return self._ask(bodies, digest(query.text), searched)

    def read(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Hit]:
        if not chunk_ids:
            return {}
        [hits] = self._ask([read_body(chunk_ids, scope)], digest(*chunk_ids))
        return {hit["_id"]: to_hit(hit) for hit in hits}

    def vectors(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Vector]:
        if not chunk_ids:
            return {}
        body = vectors_body(chunk_ids, scope, self._field)
        [hits] = self._ask([body], digest(*chunk_ids))
        return {
            hit["_id"]: hit["_source"][self._field] for hit in hits if self._field in hit["_source"]
        }

    def present(self, words: Sequence[str], scope: Scope) -> set[str]:
        if not words:
            return set()
        hits_by_word = self._ask([presence_body(word, scope) for word in words], digest(*words))
        return {word for word, hits in zip(words, hits_by_word, strict=True) if hits}

    def spelled_alike(self, words: Sequence[str], scope: Scope) -> dict[str, list[Hit]]:
        if not words:
            return {}
        replies = self._ask([spelling_body(word, scope) for word in words], digest(*words))
        return {
            word: [to_hit(hit) for hit in hits]
            for word, hits in zip(words, replies, strict=True)
            if hits
        }

    def languages(self, scope: Scope) -> dict[str, int]:
        [reply] = self._replies([languages_body(scope)], digest(scope.tenant))
        buckets = reply["aggregations"]["languages"]["buckets"]
        return {bucket["key"]: bucket["doc_count"] for bucket in buckets}

    def neighbours(self, hits: Sequence[Hit], before: int, after: int) -> list[list[Hit]]:
        if not hits:
            return []
        bodies = [neighbours_body(hit, before, after) for hit in hits]
        around = self._ask(bodies, digest(*(hit.chunk.id for hit in hits)))
        return [
            [to_hit(neighbour, hit.rank) for neighbour in each]
            for hit, each in zip(hits, around, strict=True)
        ]

    def _ask(self, bodies: Sequence[Json], preference: str, searched: str = "") -> list[list[Json]]:
        """Returns the hits of each search."""
        return [reply["hits"]["hits"] for reply in self._replies(bodies, preference, searched)]

    def _replies(self, bodies: Sequence[Json], preference: str, searched: str = "") -> list[Json]:
        """Returns the reply to each search, of the serving generation if `searched` names none."""
        searched = searched or self._generations.read
        search = partial(search_all, self._client, searched, bodies, preference)
        with translate_errors("searching"), self._same_model(searched):
            return once_more(search)

    @contextmanager
    def _same_model(self, searched: str) -> Iterator[None]:
        """Raises a plain ConfigurationError when a generation of another model is searched."""
        try:
            yield
        except exceptions.RequestError as exc:
            if f"Field '{self._field}' is not knn_vector" not in str(exc):
                raise
            searching = self._generations.members(searched) or [searched]
            raise refuse_search(self._generations.named(searching), self.marks) from exc

    # -- generations -----------------------------------------------------------------------------

    @property
    def marks(self) -> Mapping[str, str]:
        return self._generations.marks

    def ensure(self) -> str:
        return self._generations.ensure()

    def create_generation(self, run: str = "") -> str:
        return self._generations.create(run)

    def generations(self) -> list[Generation]:
        return self._generations.listed()

    def room(self) -> Room:
        return measure_room(self._client, self.ensure(), self._replicas)

    def promote(self, generation: str, retired: float = 0.0) -> None:
        self._generations.promote(generation, retired)

    def go_back(self, generation: str, retired: float) -> None:
        self._generations.go_back(generation, retired)

    def abandon(self, generation: str) -> None:
        self._generations.abandon(generation)

    # -- counting --------------------------------------------------------------------------------

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        self._generations.must_exist(generation)
        return count_documents(self._client, generation, documents)

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        return count_revisions(self._client, self._generations.read, after, limit)

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        which = of_revision(revision)
        if annotation is not None:
            which = of_annotation(revision, annotation)
        return count_chunks(self._client, self._generations.read, which, revision.document_id)

    def health(self) -> Mapping[str, object]:
        with translate_errors("asking for the health of the index"):
            return once_more(self._look)

    def _look(self) -> Mapping[str, object]:
        read = self._generations.members(self._generations.read)
        if not read:
            raise UnavailableError("the index has no generation yet", action="Add a document.")
        distinct = {"documents": {"cardinality": {"field": "document_id"}}}
        body = {"size": 0, "track_total_hits": True, "aggs": distinct, "query": IS_CHUNK}
        status = self._client.cluster.health(index=",".join(read))["status"]
        reply = self._client.search(index=self._generations.read, body=body)
        return {
            "status": status,
            "generation": read[0],
            "writing": self._generations.members(self._generations.write),
            "chunks": reply["hits"]["total"]["value"],
            "documents": reply["aggregations"]["documents"]["value"],
        }
