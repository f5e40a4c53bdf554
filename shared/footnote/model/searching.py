"""The values of searching: queries, what the index stores, and what it finds."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from footnote.model.documents import Chunk
from footnote.model.identity import Acl, Metadata, Revision, Scalar, Value, Vector
from footnote.text.financial_statements import Statement

type ChunkLeg = Literal["words", "meaning"]
"""Finds chunks: by their words, or by the meaning that a vector stands for."""
type NodeKind = Literal["page", "table", "document"]
"""A leg of this name finds nodes of the kind by their words, and lifts the chunks inside them."""
type NameLeg = Literal["document", "named"]
"""Finds documents by their names: by all words of a question, or by what it calls by name."""
type Leg = ChunkLeg | NodeKind | NameLeg | Literal["statement"]
"""`statement` finds the tables that are one of the statements asked for."""
type Scale = Literal["raw", "min_max", "reciprocal_rank"]
"""How a leg's raw scores are made comparable with another's (`ask/rank.py`)."""


class Recipe(Value):
    """How a strategy finds: it asks legs, scales their scores, and adds them up by weight.

    `candidates` is the number of chunks that each leg gives. It is fixed, or else the order of the
    hits would depend on how many are wanted. Where legs are fused, 200 find more than 100 in every
    set that was measured (docs/benchmarks.md, "What was tried for hybrid").
    Legs of nodes find no chunk that no other leg has found, so a recipe needs one of those.
    """

    legs: Mapping[Leg, float]  # leg → weight
    figures: Mapping[Leg, float] = {}  # weights instead, for figures that `text/glossary.py` knows
    scale: Scale = "min_max"
    candidates: int = 100
    alike: float = 0.0  # weight of what is like the first hits (`ask/signals.py`); 0: not asked for
    stated: float = 0.0  # weight of the statement that has the figure asked for; 0: not asked for
    reranked: int = 0  # of the first hits, which a re-ranking model puts in its order
    when: str = ""  # to use it, as a planner is told


Strategy = Literal["lexical", "semantic", "navigate", "hybrid", "hybrid_reranked", "auto"]
_HYBRID: Mapping[Leg, float] = {
    "words": 0.25,
    "meaning": 0.4,
    "page": 0.2,
    "table": 0.1,
    "document": 0.2,
    "named": 0.3,
}
_FIGURES: Mapping[Leg, float] = {**_HYBRID, "meaning": 0.3, "table": 0.2}
_ALIKE = 0.2
_STATED = 0.3
STRATEGIES: Mapping[Strategy, Recipe] = {
    "lexical": Recipe(
        when="by the words of passages and pages: an exact code, a number, a quotation",
        legs={"words": 0.5, "page": 0.5},
        candidates=200,
    ),
    "semantic": Recipe(
        when="by meaning alone: documents that say it in other words, or in another language",
        legs={"meaning": 1.0},
        scale="raw",
    ),
    "navigate": Recipe(
        when="by the words of passages, pages, tables and documents' names, without meaning: a bare"
        " name, a certain document or table",
        legs={"words": 0.35, "page": 0.35, "table": 0.1, "document": 0.2, "named": 0.3},
        candidates=200,
        stated=_STATED,
    ),
    "hybrid": Recipe(
        when="by words and meaning together: whole questions",
        legs=_HYBRID,
        figures=_FIGURES,
        candidates=200,
        alike=_ALIKE,
        stated=_STATED,
    ),
    "hybrid_reranked": Recipe(
        when="as `hybrid`, then a model orders the first hits: many passages that are much alike",
        legs=_HYBRID,
        figures=_FIGURES,
        candidates=200,
        alike=_ALIKE,
        stated=_STATED,
        reranked=50,
    ),
    "auto": Recipe(
        when="chooses one of the others by the question and the languages: whenever in doubt",
        legs=_HYBRID,
        figures=_FIGURES,
        candidates=200,
        alike=_ALIKE,
        stated=_STATED,
    ),
}
"""`auto` is resolved before a search (`ask/choose.py`); what nobody resolves is `hybrid`.
Weights are rounded from those that were learned with one part of the documents left out at a
time (docs/benchmarks.md, "What was tried for hybrid")."""


class Range(Value):
    """The range in which an attribute must lie. Bounds that are None do not bound."""

    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


class Exists(Value):
    """Whether an attribute must be there at all, whatever its value."""

    exists: bool


type Filter = Scalar | tuple[Scalar, ...] | Range | Exists
"""What an attribute must be: a value, any of several, in a range, there (`metadata/filters.py`)."""


class Condition(Value):
    """What must hold for a document: each of its filters, all of `all_of`, none of `none_of`, and
    one of `any_of` unless that is empty. Requests write it as `metadata/conditions.py` says.
    """

    filters: Mapping[str, Filter] = Field(default_factory=dict)
    all_of: tuple["Condition", ...] = ()
    any_of: tuple["Condition", ...] = ()
    none_of: tuple["Condition", ...] = ()


class Scope(Condition):
    """Where to search. `tenant` and `groups` say what the caller may see: no request sets them."""

    tenant: str
    groups: tuple[str, ...] = ()
    collection: str | None = None
    documents: tuple[str, ...] = ()  # paths: all documents that have them, in any collection
    document_ids: Mapping[str, str] = Field(default_factory=dict)  # id → path: exactly these

    def within(self, condition: Condition) -> "Scope":
        """Returns the scope narrowed by one more condition."""
        return self.model_copy(update={"all_of": (*self.all_of, condition)})

    @property
    def names(self) -> tuple[str, ...]:
        """The paths of the documents that the caller named, by path or by id."""
        return (*self.documents, *self.document_ids.values())


class Choice(Value):
    """The strategy that `auto` chose, and why."""

    strategy: Strategy
    why: str


class SearchQuery(Value):
    """One search: the best `k` hits. Only strategies with the leg `meaning` need `vector`.

    With fewer than `minimum_results`, a strategy that finds more is asked (`ask/ladder.py`).
    """

    text: str
    scope: Scope
    strategy: Strategy = "hybrid"
    k: int = 10
    minimum_results: int = 0
    vector: Vector | None = None


RELATED = 0.6
"""The weight of a related phrase beside the question's own words (docs/benchmarks.md)."""


class LegsQuery(Value):
    """One request to the index: the best `size` chunks of each leg, or up to 100 of its nodes."""

    text: str
    scope: Scope
    legs: tuple[Leg, ...]
    size: int = 100
    vector: Vector | None = None  # of the text; the leg `meaning` needs it
    with_places: bool = True  # whether the candidates say where they are, or only id and score
    with_vectors: bool = False  # whether the candidates carry the vectors of their chunks
    with_pages: bool = False  # whether they carry their pages, and what is printed on these
    related: tuple[str, ...] = ()  # what reports say for its words: counts `RELATED` as much
    statements: tuple[Statement, ...] = ()  # those that the leg `statement` finds


class Candidate(NamedTuple):
    """What a leg found, a chunk or a node: its raw score, and what ranking needs to know of it.

    Without places (`LegsQuery.with_places`) a candidate has its id and score alone. What the query
    does not ask for (pages, labels, vector) it lacks.
    """

    chunk_id: str  # or the node's
    score: float
    document_id: str = ""
    version: str = ""
    start: int = 0
    end: int = 0
    pages: tuple[int, ...] = ()
    vector: Vector | None = None
    labels: tuple[str, ...] = ()  # as `Chunk.labels`


type Legs = Mapping[Leg, Sequence[Candidate]]
"""The candidates of each leg, best first."""


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


class Node(Value):
    """A place in a document that is found by its words: a page, a table, or the whole document.

    `context` are the headings, captions and labels that say what it is about, and `text` what it
    says; a document has neither. `names` are the terms by which a question may name its document
    (`text/names.py`); only documents have them. `statement` is what a table is, if it is one. Spans
    are those of the document's text.
    """

    id: str
    kind: NodeKind
    start: int
    end: int
    pages: tuple[int, ...] = ()
    context: str = ""
    text: str = ""
    names: tuple[str, ...] = ()
    statement: Statement | None = None
    language: str = "en"


class IndexedNode(Value):
    """A node as the index stores it, beside the chunks of its document and seen by the same."""

    revision: Revision
    node: Node
    annotation: Annotation = Annotation()


type Indexed = IndexedChunk | IndexedNode


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


class LegScore(Value):
    """What one leg gave a hit. Ranks and scales are among the leg's candidates that are live.

    A leg of nodes gives the hit what it gave the best node that the hit lies in.
    """

    leg: Leg
    rank: int
    raw: float
    scaled: float
    weight: float


type SignalName = Literal["page", "statement", "alike"]
"""What speaks for a passage beside the legs: the question names its page, it lies in the statement
that has the figure asked for, or it is like the first hits in meaning (`ask/signals.py`)."""


class SignalScore(Value):
    """What a signal added to the score of a hit that it speaks for."""

    signal: SignalName
    added: float


class Explanation(Value):
    """Why a hit has its score: the mean of the scaled scores, by weight, and what signals added.

    A leg that did not find it counts as 0. A hit that came with a second request has no better
    score than those of the first.
    """

    legs: tuple[LegScore, ...]
    signals: tuple[SignalScore, ...] = ()
    reranked: float | None = None  # what a re-ranking model gave it, if one was asked


class Hit(Value):
    """A chunk that was found; rank 1 is the best. Scores compare within one query only."""

    rank: int
    score: float
    document_id: str
    document: str  # path
    collection: str
    version: str
    chunk: Chunk
    metadata: Metadata = Field(default_factory=dict)
    explanation: Explanation | None = None


class Look(Value):
    """What a look at one thing that may lose a passage told: `holds` where it did not."""

    at: Literal["live", "index", "scope", "candidates", "copies", "rank"]
    holds: bool
    told: str


class Followed(Value):
    """What became of a document's passages in a search (`ask/why.py`).

    `lost_at` is the look that lost them, and empty where one of them is a hit.
    """

    document: str
    document_id: str
    page: int | None
    lost_at: str
    looks: tuple[Look, ...]
