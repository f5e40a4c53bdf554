"""The values of searching: queries, what the index stores, and what it finds."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from footnote.model.documents import Chunk
from footnote.model.identity import Acl, Metadata, Revision, Scalar, Value, Vector

type Leg = Literal["words", "meaning"]
Strategy = Literal["lexical", "semantic", "hybrid"]
STRATEGIES: Mapping[Strategy, tuple[Leg, ...]] = {
    "lexical": ("words",),
    "semantic": ("meaning",),
    "hybrid": ("words", "meaning"),
}
"""The legs that a strategy searches with; where there are several, their scores are fused."""


class Range(Value):
    """The range in which an attribute must lie. Bounds that are None do not bound."""

    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


type Filter = Scalar | tuple[Scalar, ...] | Range
"""The condition on an attribute: one value, any of several, or a range (`metadata/filters.py`)."""


class Scope(Value):
    """Where to search. `tenant` and `groups` say what the caller may see: no request sets them."""

    tenant: str
    groups: tuple[str, ...] = ()
    collection: str | None = None
    documents: tuple[str, ...] = ()  # paths: all documents that have them, in any collection
    document_ids: Mapping[str, str] = Field(default_factory=dict)  # id → path: exactly these
    filters: Mapping[str, Filter] = Field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The paths of the documents that the caller named, by path or by id."""
        return (*self.documents, *self.document_ids.values())


class SearchQuery(Value):
    """One query to the index. Only the strategies semantic and hybrid need `vector`."""

    text: str
    scope: Scope
    strategy: Strategy = "hybrid"
    k: int = 10
    vector: Vector | None = None


class Annotation(Value):
    """The document's attributes and acl, as each of its chunks carries them.

    `number` rises with every change of the sidecar: whatever carries a lower one comes too late.
    """

    number: int = 0
    metadata: Metadata = Field(default_factory=dict)
    acl: Acl = None


class IndexedChunk(Value):
    """A chunk as the index stores it."""

    revision: Revision
    chunk: Chunk
    vector: Vector
    annotation: Annotation = Annotation()


class Generation(Value):
    """One generation of the index.

    `run` names the re-index that made it; it is empty for the first one and for those made before
    generations said so. `marks` say what it is made with: equal marks, equal generations.
    """

    name: str
    run: str = ""
    made: float = 0.0  # epoch seconds
    marks: Mapping[str, str] = Field(default_factory=dict)
    serving: bool = False  # queries go to it


class Hit(Value):
    """A chunk that a query found; rank 1 is the best. Scores compare within one query only."""

    rank: int
    score: float
    document_id: str
    document: str  # path
    collection: str
    version: str
    chunk: Chunk
    metadata: Metadata = Field(default_factory=dict)
