"""Lists, makes, promotes and drops the generations of the index.

A generation is an index `<prefix>-<model>-<n>`. The alias `<prefix>-read` stands for the generation
that queries go to, `<prefix>-write` for those that receive writes, and `<prefix>-all` for every
generation. Writes go through `<generation>-only`, since a write to the name of a dropped index
would make a new one. `<prefix>-kept-<epoch seconds>` stands for one that queries left then, and
that is kept for a roll-back.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Literal

from opensearchpy import OpenSearch, exceptions

from footnote.adapters.opensearch.client import translate_errors
from footnote.adapters.opensearch.mapping import (
    NEWER_FIELDS,
    generation_body,
    generation_marks,
    slug,
    to_generation,
)
from footnote.adapters.opensearch.names import STACK, check_prefix, must_be_ours
from footnote.errors import ConfigurationError, ConflictError, NotFoundError
from footnote.model import Generation
from footnote.wire import Json

_CHANGE_SECONDS = 35  # OpenSearch waits 30 s for its cluster manager, and then says so itself


class Generations:
    """The generations of one stack's index. New ones are made for one embedding model."""

    def __init__(
        self,
        client: OpenSearch,
        model: str,
        dimensions: int,
        *,
        prefix: str,
        owner: str,
        shards: int,
        replicas: int,
        marks: Callable[[], Mapping[str, str]],
    ) -> None:
        self._client = client
        self._model = model
        self._dimensions = dimensions
        self._stack = {"prefix": check_prefix(prefix), "owner": owner}
        self._stem = f"{prefix}-{slug(model)}"
        self.read = f"{prefix}-read"
        self.write = f"{prefix}-write"
        self._all = f"{prefix}-all"
        self._kept = f"{prefix}-kept-"
        self._shards = shards
        self._replicas = replicas
        self._more_marks = marks
        self._taken: dict[str, frozenset[str]] = {}  # by generation

    def ensure(self) -> str:
        serving = self.members(self.read)
        if not serving:
            self._make_first()
            serving = self.members(self.read)
        if len(serving) != 1:
            raise ConfigurationError(
                f"the alias {self.read} stands for {len(serving)} generations, not for one",
                action="Run `footnote reindex`.",
            )
        self._must_be_ours(serving[0])
        return serving[0]

    def _make_first(self) -> None:
        """Makes the first generation, or completes one left by another caller or a failed start."""
        left = self._generations()
        generation = left[0] if left else self._create(1, [self.write, self.read])
        self._must_be_ours(generation)  # before it gets aliases of ours
        aliases = (only_alias(generation), self._all, self.write, self.read)
        self._swap(generation, [_alias_action("add", generation, alias) for alias in aliases])

    def _swap(self, generation: str, actions: Sequence[Json]) -> None:
        with translate_errors(f"changing the aliases of {generation}"):
            self._client.indices.update_aliases(
                body={"actions": actions}, request_timeout=_CHANGE_SECONDS
            )

    @cached_property
    def marks(self) -> Mapping[str, str]:
        return generation_marks(self._body([])) | {"model": self._model, **self._more_marks()}

    def _body(self, aliases: list[str]) -> Json:
        return generation_body(self._model, self._dimensions, self._shards, self._replicas, aliases)

    def create(self, run: str = "") -> str:
        mine = [generation.name for generation in self.listed() if run and generation.run == run]
        if mine:
            return mine[0]
        numbers = [self.number(name) for name in self._generations()]
        return self._create(max(numbers, default=0) + 1, [self.write], run)

    def listed(self) -> list[Generation]:
        with translate_errors(f"listing {self._all}"):
            try:
                indices = self._client.indices.get(index=self._all)
            except exceptions.NotFoundError:
                return []
        return [
            to_generation(
                name,
                indices[name],
                serving=self.read in indices[name]["aliases"],
                retired=self._retired(indices[name]["aliases"]),
            )
            for name in sorted(indices)
        ]

    def _retired(self, aliases: Iterable[str]) -> float:
        """Returns when queries left a generation with these aliases; 0 where it is not kept."""
        times = (
            alias.removeprefix(self._kept) for alias in aliases if alias.startswith(self._kept)
        )
        return max((float(each) for each in times if each.isdigit()), default=0.0)

    def named(self, names: Sequence[str]) -> list[Generation]:
        return [generation for generation in self.listed() if generation.name in names]

    def _create(self, number: int, aliases: Sequence[str], run: str = "") -> str:
        generation = f"{self._stem}-{number}"
        body = self._body([only_alias(generation), self._all, *aliases])
        meta = {STACK: self._stack, "run": run, "marks": dict(self.marks)}
        body["mappings"].setdefault("_meta", {}).update(meta)
        with translate_errors(f"creating the index {generation}"):
            try:
                self._client.indices.create(
                    index=generation, body=body, request_timeout=_CHANGE_SECONDS
                )
            except exceptions.RequestError as exc:
                if exc.error != "resource_already_exists_exception":
                    raise
                if self.read not in aliases:
                    raise ConflictError(f"another re-index has just made {generation}") from exc
        return generation

    def promote(self, generation: str, retired: float = 0.0) -> None:
        self.must_exist(generation)
        kept = self._point_at(generation, retired)
        # Not in the same request: searches would go to the dropped generations until it is done.
        for other in self.members(self._all):
            if other != generation and other not in kept:
                self._drop(other)

    def go_back(self, generation: str, retired: float) -> None:
        if not self.named([generation]):
            raise NotFoundError(f"there is no index generation '{generation}'")
        self._point_at(generation, retired)

    def _point_at(self, generation: str, retired: float) -> set[str]:
        """Points queries at a generation, at once. Returns the others that are kept."""
        others = [other for other in self.listed() if other.name != generation]
        left = [other.name for other in others if other.serving]
        kept = {other.name for other in others if retired and (other.serving or other.retired)}
        actions = [_alias_action("add", generation, alias) for alias in (self.read, self.write)]
        actions += [_alias_action("remove", name, self.read) for name in left]
        actions += [
            _alias_action("remove", name, self.write)
            for name in self.members(self.write)
            if name != generation and name not in kept
        ]
        if retired:
            actions += [_alias_action("add", name, f"{self._kept}{int(retired)}") for name in left]
        actions += [_alias_action("remove", generation, note) for note in self._notes(generation)]
        self._swap(generation, actions)
        return kept

    def _notes(self, generation: str) -> list[str]:
        """Returns the aliases by which a generation was kept: queries now come back to it."""
        with translate_errors(f"looking up the aliases of {generation}"):
            found = self._client.indices.get_alias(index=generation)
        return [alias for alias in found[generation]["aliases"] if alias.startswith(self._kept)]

    def _drop(self, generation: str) -> None:
        with translate_errors(f"dropping {generation}"):
            self._client.indices.delete(
                index=generation,
                params={"ignore_unavailable": "true"},
                request_timeout=_CHANGE_SECONDS,
            )

    def abandon(self, generation: str) -> None:
        if generation in self.members(self.read):
            raise ConflictError(f"queries go to {generation}: promote another one first")
        self._drop(generation)

    def taken(self, generation: str) -> frozenset[str]:
        """Returns which of `NEWER_FIELDS` a generation takes. It looks once: that never changes."""
        if generation not in self._taken:
            properties = [f"*.mappings.properties.{name}" for name in NEWER_FIELDS]
            with translate_errors(f"looking up what {generation} takes"):
                mappings = self._client.indices.get_mapping(
                    index=generation, params={"filter_path": ",".join(properties)}
                )
            self._taken[generation] = frozenset(
                name for mapping in mappings.values() for name in mapping["mappings"]["properties"]
            )
        return self._taken[generation]

    def targets(self) -> list[str]:
        return self.members(self.write) or [self.ensure()]

    def members(self, alias: str) -> list[str]:
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
        return sorted(filter(self.number, names), key=self.number)

    def number(self, generation: str) -> int:
        """Returns a generation's number, or 0 for an index of another model."""
        match = re.fullmatch(rf"{re.escape(self._stem)}-([1-9]\d*)", generation)
        return int(match[1]) if match else 0

    def _must_be_ours(self, generation: str) -> None:
        with translate_errors(f"looking up whose {generation} is"):
            reply = self._client.indices.get_mapping(
                index=generation, params={"filter_path": "*.mappings._meta"}
            )
        meta = reply.get(generation, {}).get("mappings", {}).get("_meta", {})
        must_be_ours(generation, meta, self._stack)

    def must_exist(self, generation: str) -> None:
        with translate_errors(f"looking up {generation}"):
            if self._client.indices.exists(index=generation):
                return
        raise NotFoundError(f"there is no index generation '{generation}'")


def only_alias(generation: str) -> str:
    """Returns the alias that stands for one generation only."""
    return f"{generation}-only"


def _alias_action(change: Literal["add", "remove"], generation: str, alias: str) -> Json:
    return {change: {"index": generation, "alias": alias}}
