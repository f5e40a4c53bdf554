"""The values of searching: queries, indexed values, and hits."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from footnote.accounting.statements import StatementKind
from footnote.model.documents import Chunk
from footnote.model.identity import Acl, Metadata, Revision, Value, Vector
from footnote.model.scope import Scope
from footnote.model.strategies import Leg, NodeKind, Strategy


class SearchQuery(Value):
    """One search: the best `k` hits. Only strategies with the leg `meaning` need `vector`.

    With fewer hits than `minimum_results`, a strategy that finds more is tried. Hits with a
    probability below `min_score` are left out.
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
    with_places: bool = True  # whether candidates have their places, or only id and score
    with_vectors: bool = False  # whether candidates carry the vectors of their chunks
    with_pages: bool = False  # whether they carry their pages and printed labels
    related: tuple[str, ...] = ()  # reports' phrases for its words: they weigh `RELATED`
    statements: tuple[StatementKind, ...] = ()  # for the leg `statement`


class Candidate(NamedTuple):
    """A chunk or node that a leg found: its raw score, and facts for ranking.

    Without places (`LegsQuery.with_places`) a candidate has only id and score. It has pages, labels
    and vector only if the query asks for them.
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
    """The document's attributes and acl, which each of its chunks carries.

    `number` rises with every change of the sidecar: an annotation with a lower one comes too late.
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

    `context` has the headings, captions and labels of the place, `text` its words; a document has
    neither. `names` are the terms by which a question may name the document (`text/names.py`).
    `mentions` are the names in its text, which show how rare a name is. Only documents have them,
    and short ones no `mentions`. `statement` is the kind of a table that is a financial statement.
    Spans are those of the document's text.
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
    statement: StatementKind | None = None
    language: str = "en"


class IndexedNode(Value):
    """A node as the index stores it, with the rights of its document's chunks."""

    revision: Revision
    node: Node
    annotation: Annotation = Annotation()


type Indexed = IndexedChunk | IndexedNode


class Generation(Value):
    """One generation of the index.

    `run` names the re-index that made it; "" for the first one and for those of older versions.
    `marks` name what it was made with: equal marks, equal generations.
    """

    name: str
    run: str = ""
    made: float = 0.0  # epoch seconds
    marks: Mapping[str, str] = Field(default_factory=dict)
    serving: bool = False  # queries go to it
    retired: float = 0.0  # epoch seconds when queries left it, where it is kept for a roll-back


class Room(Value):
    """Disk of the index, in bytes of all nodes."""

    taken: int  # by the generation that queries go to, with as many copies as one made now has
    free: int  # for another generation


class LegScore(Value):
    """One leg's part in a hit's score. Ranks and scales count only the leg's live candidates.

    From a leg of nodes, a hit gets the score of the best node that it lies in.
    """

    leg: Leg
    rank: int
    raw: float
    scaled: float
    weight: float


type SignalName = Literal["page", "statement", "alike", "read"]
"""What speaks for a passage beside the legs: the question names its page, it lies in the statement
that has the figure asked for, it is like the first hits in meaning (`ask/find`), or a model that
read it finds that it may answer (`ask/find/reader_signal.py`)."""


class SignalScore(Value):
    """What a signal added to the score of a hit."""

    signal: SignalName
    added: float


class Explanation(Value):
    """Why a hit has its score: the mean of the scaled scores, by
    weight, and the signals' additions.

    A leg that did not find the hit counts as 0. A hit of a second request never scores
    higher than those of the first.
    """

    legs: tuple[LegScore, ...]
    signals: tuple[SignalScore, ...] = ()
    reranked: float | None = None  # the score of a re-ranking model, if one was used


class Hit(Value):
    """A chunk that was found; rank 1 is the best. Scores compare within one query only.

    `probability` estimates that its page answers the question.
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
    """One check of where a passage was lost. `holds` tells that it was not lost there."""

    at: Literal["live", "index", "scope", "candidates", "copies", "rank"]
    holds: bool
    told: str


class Followed(Value):
    """What became of a document's passages in a search (`ask/find/explain_miss.py`).

    `lost_at` is the check that lost them, or "" where one of them is a hit.
    """

    document: str
    document_id: str
    page: int | None
    lost_at: str
    looks: tuple[Look, ...]
