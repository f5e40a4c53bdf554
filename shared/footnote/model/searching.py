"""Queries, what the index stores and what it finds."""

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
    """From where to where an attribute may be; the bounds that are None do not bound."""

    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


type Filter = Scalar | tuple[Scalar, ...] | Range
"""What an attribute must be: this, any of these, or in this range. See `metadata/filters.py`."""


class Scope(Value):
    """What a caller may and wants to see. `tenant` and `groups` are never taken from a request."""

    tenant: str
    groups: tuple[str, ...] = ()
    collection: str | None = None
    documents: tuple[str, ...] = ()  # paths
    filters: Mapping[str, Filter] = Field(default_factory=dict)


class SearchQuery(Value):
    """One query to the index. `vector` is needed by semantic and hybrid only."""

    text: str
    scope: Scope
    strategy: Strategy = "hybrid"
    k: int = 10
    vector: Vector | None = None


class Annotation(Value):
    """What a document's sidecar adds to each of its chunks: all of its attributes, who may read it.

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


class Hit(Value):
    """A chunk found, best first. `score` is comparable within one query only."""

    rank: int
    score: float
    document_id: str
    document: str  # path
    collection: str
    version: str
    chunk: Chunk
    metadata: Metadata = Field(default_factory=dict)
