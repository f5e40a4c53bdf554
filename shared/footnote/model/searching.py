"""The values of searching: queries, what the index stores, and what it finds."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from footnote.accounting.statements import Statement
from footnote.model.documents import Chunk
from footnote.model.identity import Acl, Metadata, Revision, Value, Vector
from footnote.model.scope import Scope
from footnote.model.strategies import Leg, NodeKind, Strategy


class SearchQuery(Value):
    """One search: the best `k` hits. Only strategies with the leg `meaning` need `vector`.

    With fewer than `minimum_results`, a strategy that finds more is asked. Hits
    that are less likely than `min_score` are left out.
    """

    text: str
    scope: Scope
    strategy: Strategy = "hybrid"
    k: int = 10
    minimum_results: int = 0
    min_score: float = 0.0
    vector: Vector | None = None


RELATED = 0.6
"""The weight of a related phrase beside the question's own words (docs/experiments-search.md,
"A glossary of accounting")."""


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
    (`text/names.py`), and `mentions` those that its text has, by which it is told how rare a name
    is; only documents have them, short ones no `mentions`. `statement` is what a table is, if it is
    one. Spans are those of the document's text.
    """

    id: str
    kind: NodeKind
    start: int
    end: int
    pages: tuple[int, ...] = ()
    context: str = ""
    text: str = ""
    names: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
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


type SignalName = Literal["page", "statement", "alike", "cluster", "read"]
"""What speaks for a passage beside the legs: the question names its page, it lies in the statement
that has the figure asked for, it is like the first hits in meaning (`ask/find`), it is near
to better hits (`ask/find/cluster.py`), or a model that read it finds that it may answer
(`ask/find/reader_signal.py`)."""


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
    """A chunk that was found; rank 1 is the best. Scores compare within one query only.

    `probability`: how likely it is that it lies on a page which answers.
    """

    rank: int
    score: float
    probability: float | None = None
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
    """What became of a document's passages in a search (`ask/find/explain_miss.py`).

    `lost_at` is the look that lost them, and empty where one of them is a hit.
    """

    document: str
    document_id: str
    page: int | None
    lost_at: str
    looks: tuple[Look, ...]
