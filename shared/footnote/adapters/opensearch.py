"""The SearchIndex port on OpenSearch: generations of one index behind two aliases.

A generation is an index `<prefix>-<model>-<n>`. The alias `<prefix>-read` stands for the generation
that queries go to, `<prefix>-write` for those that receive writes, and `<prefix>-all` for every
generation. Writes go through `<generation>-only`, since a write to the name of a dropped index
would make a new one.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import Literal

from opensearchpy import OpenSearch, exceptions

from footnote.adapters.opensearch_bulk import Item, deliver, item
from footnote.adapters.opensearch_by_query import annotate_chunks, delete_chunks
from footnote.adapters.opensearch_client import Auth, connect, translate_errors
from footnote.adapters.opensearch_documents import (
    to_candidate,
    to_hit,
    to_node_source,
    to_source,
    without_newer,
)
from footnote.adapters.opensearch_legs import search_all
from footnote.adapters.opensearch_mapping import (
    NAMES,
    generation_body,
    generation_marks,
    slug,
    to_generation,
    vector_field,
)
from footnote.adapters.opensearch_names import STACK, check_prefix, must_be_ours
from footnote.adapters.opensearch_query import (
    IS_CHUNK,
    annotate_body,
    chunks_of,
    languages_body,
    leg_bodies,
    neighbours_body,
    of_annotation,
    of_revision,
    older_than,
    presence_body,
    read_body,
    vectors_body,
)
from footnote.adapters.search_rules import refuse_search, refuse_write
from footnote.errors import (
    ConfigurationError,
    ConflictError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import (
    Annotation,
    Generation,
    Hit,
    Indexed,
    IndexedChunk,
    Legs,
    LegsQuery,
    Revision,
    Scope,
    Vector,
    digest,
)
from footnote.wire import Json

_ATTEMPTS = 3  # at work that another re-index or removal may disturb
_DROPPED = (404, 503)  # statuses of a search whose generation is dropped meanwhile
_COUNTS_PAGE = 1000
_REVISION = ("document_id", "version", "sequencer", "tenant", "collection", "path")


class OpenSearchIndex:
    """Serves one stack's index for one embedding model. Threads may share it.

    `owner` names the stack apart from all others, its uploads bucket for example. Where the index
    of `prefix` belongs to another owner, `ensure` raises ConfigurationError.
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
        self._model = model
        self._dimensions = dimensions
        self._field = vector_field(model)
        self._stack = {"prefix": check_prefix(prefix), "owner": owner}
        self._stem = f"{prefix}-{slug(model)}"
        self._read = f"{prefix}-read"
        self._write = f"{prefix}-write"
        self._all = f"{prefix}-all"
        self._shards = shards
        self._replicas = replicas
        self._more_marks = marks
        self._are_older: dict[str, bool] = {}  # by generation

    # -- writing ---------------------------------------------------------------------------------

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        for _ in range(_ATTEMPTS):
            targets = [generation] if generation else self._targets(self._write)
            if not any(map(self._number, targets)):
                raise refuse_write(self._named(targets), self.marks)
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
            alias, field, is_older = (
                _only_alias(target),
                self._field_in(target),
                self._is_older(target),
            )
            for each in entries:
                if isinstance(each, IndexedChunk):
                    source = to_source(each, field, now)
                    yield item(alias, each.chunk.id, without_newer(source) if is_older else source)
                elif not is_older:
                    yield item(alias, each.node.id, to_node_source(each, now))

    def _is_older(self, generation: str) -> bool:
        """Tells whether a generation is from before there were nodes, and so refuses their fields.

        What a generation takes never changes, so it is asked once.
        """
        if generation not in self._are_older:
            with translate_errors(f"looking up what {generation} takes"):
                found = self._client.indices.get_mapping(
                    index=generation, params={"filter_path": f"*.mappings.properties.{NAMES}"}
                )
            self._are_older[generation] = not found
        return self._are_older[generation]

    def _field_in(self, generation: str) -> str | None:
        """Returns the field for our vectors. A generation of another model gets none."""
        return self._field if self._number(generation) else None

    def remove(self, revision: Revision) -> None:
        self._delete(of_revision(revision), revision)

    def remove_older(self, revision: Revision) -> None:
        self._delete(older_than(revision), revision)

    def annotate(self, revision: Revision, annotation: Annotation) -> None:
        what = f"annotating {revision.document_id}"
        annotate_chunks(self._client, self._write, annotate_body(revision, annotation), what)

    def _delete(self, which: Json, revision: Revision) -> None:
        what = f"removing chunks of {revision.document_id}"
        delete_chunks(self._client, self._write, which, what)

    # -- searching -------------------------------------------------------------------------------

    def search(self, query: LegsQuery) -> Legs:
        bodies = leg_bodies(query, self._field, self._dimensions)
        # Copies of a shard count deleted chunks, which scores depend on, each in its own way. So a
        # question goes to the same copy each time, and different ones to different copies.
        found = self._ask(bodies, digest(query.text))
        return {
            leg: [to_candidate(one, self._field) for one in hits]
            for leg, hits in zip(query.legs, found, strict=True)
        }

    def read(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Hit]:
        if not chunk_ids:
            return {}
        [found] = self._ask([read_body(chunk_ids, scope)], digest(*chunk_ids))
        return {one["_id"]: to_hit(one) for one in found}

    def vectors(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Vector]:
        if not chunk_ids:
            return {}
        body = vectors_body(chunk_ids, scope, self._field)
        [found] = self._ask([body], digest(*chunk_ids))
        return {
            one["_id"]: one["_source"][self._field]
            for one in found
            if self._field in one["_source"]
        }

    def present(self, words: Sequence[str], scope: Scope) -> set[str]:
        if not words:
            return set()
        found = self._ask([presence_body(word, scope) for word in words], digest(*words))
        return {word for word, hits in zip(words, found, strict=True) if hits}

    def languages(self, scope: Scope) -> dict[str, int]:
        [reply] = self._replies([languages_body(scope)], digest(scope.tenant))
        found = reply["aggregations"]["languages"]["buckets"]
        return {bucket["key"]: bucket["doc_count"] for bucket in found}

    def neighbours(self, hits: Sequence[Hit], before: int, after: int) -> list[list[Hit]]:
        if not hits:
            return []
        bodies = [neighbours_body(hit, before, after) for hit in hits]
        found = self._ask(bodies, digest(*(hit.chunk.id for hit in hits)))
        return [
            [to_hit(one, hit.rank) for one in each] for hit, each in zip(hits, found, strict=True)
        ]

    def _ask(self, bodies: Sequence[Json], preference: str) -> list[list[Json]]:
        """Returns what each search found."""
        return [reply["hits"]["hits"] for reply in self._replies(bodies, preference)]

    def _replies(self, bodies: Sequence[Json], preference: str) -> list[Json]:
        """Returns the reply to each search."""
        search = partial(search_all, self._client, self._read, bodies, preference)
        with translate_errors("searching"), self._same_model():
            try:
                return search()
            except exceptions.TransportError as exc:
                if exc.status_code not in _DROPPED:
                    raise
                return search()  # the alias names another generation by now

    @contextmanager
    def _same_model(self) -> Iterator[None]:
        """Raises a plain ConfigurationError when queries go to a generation of another model."""
        try:
            yield
        except exceptions.RequestError as exc:
            if f"Field '{self._field}' is not knn_vector" not in str(exc):
                raise
            raise refuse_search(self._named(self._members(self._read)), self.marks) from exc

    # -- generations -----------------------------------------------------------------------------

    def ensure(self) -> str:
        found = self._members(self._read)
        if not found:
            self._make_first()
            found = self._members(self._read)
        if len(found) != 1:
            raise ConfigurationError(
                f"the alias {self._read} stands for {len(found)} generations, not for one",
                action="Run `footnote reindex`.",
            )
        self._must_be_ours(found[0])
        return found[0]

    def _make_first(self) -> None:
        """Makes the first generation, or completes one left by another caller or a failed start."""
        left = self._generations()
        generation = left[0] if left else self._create(1, [self._write, self._read])
        self._must_be_ours(generation)  # before it gets aliases of ours
        aliases = (_only_alias(generation), self._all, self._write, self._read)
        self._swap(generation, [_alias_action("add", generation, alias) for alias in aliases])

    def _swap(self, generation: str, actions: Sequence[Json]) -> None:
        with translate_errors(f"changing the aliases of {generation}"):
            self._client.indices.update_aliases(body={"actions": actions})

    @cached_property
    def marks(self) -> Mapping[str, str]:
        return generation_marks(self._body([])) | {"model": self._model, **self._more_marks()}

    def _body(self, aliases: list[str]) -> Json:
        return generation_body(self._model, self._dimensions, self._shards, self._replicas, aliases)

    def create_generation(self, run: str = "") -> str:
        mine = [one.name for one in self.generations() if run and one.run == run]
        if mine:
            return mine[0]
        numbers = [self._number(name) for name in self._generations()]
        return self._create(max(numbers, default=0) + 1, [self._write], run)

    def generations(self) -> list[Generation]:
        with translate_errors(f"listing {self._all}"):
            try:
                found = self._client.indices.get(index=self._all)
            except exceptions.NotFoundError:
                return []
        return [
            to_generation(name, found[name], serving=self._read in found[name]["aliases"])
            for name in sorted(found)
        ]

    def _named(self, names: Sequence[str]) -> list[Generation]:
        return [one for one in self.generations() if one.name in names]

    def _create(self, number: int, aliases: Sequence[str], run: str = "") -> str:
        generation = f"{self._stem}-{number}"
        body = self._body([_only_alias(generation), self._all, *aliases])
        meta = {STACK: self._stack, "run": run, "marks": dict(self.marks)}
        body["mappings"].setdefault("_meta", {}).update(meta)
        with translate_errors(f"creating the index {generation}"):
            try:
                self._client.indices.create(index=generation, body=body)
            except exceptions.RequestError as exc:
                if exc.error != "resource_already_exists_exception":
                    raise
                if self._read not in aliases:
                    raise ConflictError(f"another re-index has just made {generation}") from exc
        return generation

    def promote(self, generation: str) -> None:
        self._must_exist(generation)
        others = [other for other in self._members(self._all) if other != generation]
        actions = [_alias_action("add", generation, alias) for alias in (self._read, self._write)]
        for alias in (self._read, self._write):
            known = [other for other in self._members(alias) if other != generation]
            actions += [_alias_action("remove", other, alias) for other in known]
        self._swap(generation, actions)
        # Not in the same request: searches would go to the dropped generations until it is done.
        for other in others:
            self._drop(other)

    def _drop(self, generation: str) -> None:
        with translate_errors(f"dropping {generation}"):
            self._client.indices.delete(index=generation, params={"ignore_unavailable": "true"})

    def abandon(self, generation: str) -> None:
        if generation in self._members(self._read):
            raise ConflictError(f"queries go to {generation}: promote another one first")
        self._drop(generation)

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        self._must_exist(generation)
        if documents is not None and not documents:
            return {}
        return {
            (bucket["key"]["document_id"], bucket["key"]["version"]): bucket["doc_count"]
            for bucket in self._buckets(generation, documents)
        }

    def _buckets(self, generation: str, documents: Sequence[str] | None) -> Iterator[Json]:
        after: Json | None = None
        which = None if documents is None else {"terms": {"document_id": list(documents)}}
        while True:
            names = ("document_id", "version")
            page = self._page(generation, names, _COUNTS_PAGE, after, which)
            yield from page["buckets"]
            if (after := page.get("after_key")) is None:
                return

    def _page(
        self,
        index: str,
        names: Sequence[str],
        size: int,
        after: Json | None,
        which: Json | None = None,
    ) -> Json:
        """Counts chunks grouped by the fields in `names`: up to `size` groups after one group.

        `which` is a query that chooses chunks; without it all are counted.
        """
        sources = [{name: {"terms": {"field": name}}} for name in names]
        composite: Json = {"size": size, "sources": sources}
        if after is not None:
            composite["after"] = after
        body: Json = {"size": 0, "aggs": {"counts": {"composite": composite}}}
        body["query"] = {"bool": {"filter": [IS_CHUNK] if which is None else [IS_CHUNK, which]}}
        params = {"allow_partial_search_results": "false"}
        with translate_errors(f"counting the chunks of {index}"):
            reply = self._client.search(index=index, body=body, params=params)
        page: Json = reply["aggregations"]["counts"]
        return page

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        start = json.loads(after) if after else None
        page = self._page(self._read, _REVISION, limit, start)
        found = [(_revision_of(each["key"]), int(each["doc_count"])) for each in page["buckets"]]
        more = len(found) == limit and "after_key" in page
        return found, json.dumps(page["after_key"]) if more else ""

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        which = of_revision(revision)
        if annotation is not None:
            which = of_annotation(revision, annotation)
        with translate_errors(f"counting the chunks of {revision.document_id}"):
            reply = self._client.count(index=self._read, body=chunks_of(which))
        return int(reply["count"])

    def health(self) -> Mapping[str, object]:
        read = self._members(self._read)
        if not read:
            raise UnavailableError("the index has no generation yet", action="Add a document.")
        distinct = {"documents": {"cardinality": {"field": "document_id"}}}
        body = {"size": 0, "track_total_hits": True, "aggs": distinct, "query": IS_CHUNK}
        with translate_errors("asking for the health of the index"):
            status = self._client.cluster.health(index=",".join(read))["status"]
            reply = self._client.search(index=self._read, body=body)
        return {
            "status": status,
            "generation": read[0],
            "writing": self._members(self._write),
            "chunks": reply["hits"]["total"]["value"],
            "documents": reply["aggregations"]["documents"]["value"],
        }

    # -- names -----------------------------------------------------------------------------------

    def _targets(self, alias: str) -> list[str]:
        return self._members(alias) or [self.ensure()]

    def _members(self, alias: str) -> list[str]:
        """Returns the generations that an alias stands for."""
        with translate_errors(f"looking up the alias {alias}"):
            try:
                return sorted(self._client.indices.get_alias(name=alias))
            except exceptions.NotFoundError:
                return []

    def _generations(self) -> list[str]:
        """Returns this model's generations, oldest first."""
        with translate_errors(f"listing {self._stem}-*"):
            names = self._client.indices.get_alias(index=f"{self._stem}-*")
        return sorted(filter(self._number, names), key=self._number)

    def _number(self, generation: str) -> int:
        """Returns a generation's number, or 0 for an index of another model."""
        found = re.fullmatch(rf"{re.escape(self._stem)}-([1-9]\d*)", generation)
        return int(found[1]) if found else 0

    def _must_be_ours(self, generation: str) -> None:
        with translate_errors(f"looking up whose {generation} is"):
            reply = self._client.indices.get_mapping(
                index=generation, params={"filter_path": "*.mappings._meta"}
            )
        known = reply.get(generation, {}).get("mappings", {}).get("_meta", {})
        must_be_ours(generation, known, self._stack)

    def _must_exist(self, generation: str) -> None:
        with translate_errors(f"looking up {generation}"):
            if self._client.indices.exists(index=generation):
                return
        raise NotFoundError(f"there is no index generation '{generation}'")


def _revision_of(fields: Mapping[str, str]) -> Revision:
    key = "/".join(fields[name] for name in ("tenant", "collection", "path"))
    return Revision(key=key, version=fields["version"], sequencer=fields["sequencer"])


def _only_alias(generation: str) -> str:
    """Returns the alias that stands for one generation only."""
    return f"{generation}-only"


def _alias_action(change: Literal["add", "remove"], generation: str, alias: str) -> Json:
    return {change: {"index": generation, "alias": alias}}
