"""The values footnote works on: documents, chunks, evidence, answers. Frozen, no I/O.

Offsets are Python string offsets into `Document.text`; pages are 1-based physical pages.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

type Vector = list[float]
type Scalar = str | int | float | bool
type Metadata = Mapping[str, Scalar | list[str]]
type Acl = tuple[str, ...] | None
"""The groups that may read a document; None: everyone in its tenant; none at all: nobody."""

Status = Literal[
    "RECEIVED", "PARSING", "CHUNKING", "INDEXING", "READY", "FAILED", "UNSUPPORTED", "DELETED"
]
TERMINAL: frozenset[Status] = frozenset({"READY", "FAILED", "UNSUPPORTED", "DELETED"})


NOBODY = "_"
"""The tenant and collection of keys that name none: no API key may carry it."""


ALL = "@all"
"""The group whose members read every document of their tenant, whatever its acl."""


class Value(BaseModel):
    """A frozen value that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# -- identity ------------------------------------------------------------------------------------


def digest(*parts: str) -> str:
    """20 hex characters that stand for `parts`; the separator cannot occur in an S3 key or id."""
    return hashlib.sha256("\x00".join(parts).encode()).hexdigest()[:20]


def fence(sequencer: str) -> str:
    """A sequencer in the form that compares as text: padded on the right, as S3 documents it
    (https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html).
    """
    return sequencer.upper().ljust(32, "0")


class Revision(Value):
    """One upload (or removal) of one document: its key in the uploads bucket, and which version.

    `sequencer` orders the events of a key: whatever carries an older one comes too late.
    """

    key: str
    version: str
    sequencer: str

    @property
    def place(self) -> tuple[str, str, str]:
        """Tenant, collection, path. A key that has not all three belongs to no tenant."""
        found = self.key.split("/", 2)
        if len(found) == 3 and all(found):
            return found[0], found[1], found[2]
        return NOBODY, NOBODY, self.key

    @property
    def tenant(self) -> str:
        return self.place[0]

    @property
    def collection(self) -> str:
        return self.place[1]

    @property
    def path(self) -> str:
        return self.place[2]

    @property
    def document_id(self) -> str:
        return document_id(self.key)

    @property
    def identity(self) -> dict[str, str]:
        """The three fields, for the next message about this revision."""
        return {"key": self.key, "version": self.version, "sequencer": self.sequencer}

    @property
    def revision(self) -> "Revision":
        """The revision alone, without what a message about it adds."""
        return Revision(**self.identity)


class Upload(Value):
    """What is in the uploads bucket at a key now.

    `attributes` are the object's own (x-amz-meta-*), as text; listings do not tell them.
    """

    key: str
    version: str
    size: int
    modified: str  # ISO 8601, UTC
    attributes: Mapping[str, str] = Field(default_factory=dict)

    @property
    def revision(self) -> Revision:
        """Without a sequencer: only events have one."""
        return Revision(key=self.key, version=self.version, sequencer="")


def document_id(key: str) -> str:
    """The id of the document at `<tenant>/<collection>/<path>`: the same for all its versions."""
    return digest(key)


# -- who may read --------------------------------------------------------------------------------


class Caller(Value):
    """Who asks, as the API key says: nothing in a request can change it."""

    tenant: str
    groups: tuple[str, ...] = ()


def may_read(acl: Acl, groups: Sequence[str]) -> bool:
    """Whether a member of these groups may read what has this acl."""
    return acl is None or ALL in groups or not set(acl).isdisjoint(groups)


def covers(groups: Sequence[str], others: Sequence[str]) -> bool:
    """Whether who is in `groups` may read whatever who is in `others` may."""
    return ALL in groups or set(others) <= set(groups)


class Sidecar(Value):
    """What `<key>.metadata.json` says of a document. No `version`: there is none.

    `problem`: why it cannot be used; as it may have restricted who reads, nobody does then.
    """

    version: str = ""
    attributes: Metadata = Field(default_factory=dict)
    acl: Acl = None
    problem: str = ""


NO_SIDECAR = Sidecar()


# -- a parsed document ---------------------------------------------------------------------------


class Page(Value):
    """A physical page: its span in the text, its size in points, where its word boxes are.

    `words_at` is (offset, length) of the page's member in the words artifact; None: no boxes.
    `label`: the number that is printed on it ("iv"), where the file says one that differs.
    """

    number: int
    start: int
    end: int
    width: float = 0.0
    height: float = 0.0
    words_at: tuple[int, int] | None = None
    label: str = ""


class Section(Value):
    """A heading and everything under it, in document order. Level 1 is the top."""

    title: str
    level: int
    start: int
    end: int


class Table(Value):
    """A table: its span in the text (one line a row, cells joined by " | ") and its cells."""

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1


class Document(Value):
    """What `parse` makes of any file. `text` is NFC; every span is inside it."""

    title: str
    media_type: str
    language: str = "en"
    text: str
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: Metadata = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


# -- a picture of a page, and what OCR reads on it -----------------------------------------------


class Picture(Value):
    """A page as a picture: `pixels` are RGB, a byte each, row by row; width and height of the page
    are in points.
    """

    pixels: bytes
    columns: int
    rows: int
    width: float
    height: float


class SeenWord(Value):
    """A word on a picture, in points from the page's top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class SeenLine(Value):
    """Words that stand in one line, in reading order; `size` of their type in points, about."""

    words: tuple[SeenWord, ...]
    size: float
    upright: bool = True


class Reading(Value):
    """What OCR read on a picture, and what that cost in dollars."""

    lines: tuple[SeenLine, ...] = ()
    usd: float = 0.0


class Chunk(Value):
    """A piece of a document that is indexed as one. `text == document.text[start:end]`.

    `context` is what is indexed and embedded before the text but never shown or cited:
    "[Title > Section]", the header row when the chunk is the later part of a table, and `line`.
    `line` is a model's sentence on where the chunk stands in its document; "": it had nothing to
    add or nothing of use; None: it was not asked.
    """

    id: str
    ordinal: int
    text: str
    start: int
    end: int
    pages: tuple[int, ...] = ()
    section: tuple[str, ...] = ()
    title: str = ""
    context: str = ""
    line: str | None = None
    language: str = "en"

    @property
    def indexed_text(self) -> str:
        return f"{self.context}\n{self.text}" if self.context else self.text


# -- searching -----------------------------------------------------------------------------------

Strategy = Literal["lexical", "semantic", "hybrid"]


class Range(Value):
    """From where to where an attribute may be; the bounds that are None do not bound."""

    gt: Scalar | None = None
    gte: Scalar | None = None
    lt: Scalar | None = None
    lte: Scalar | None = None


type Filter = Scalar | tuple[Scalar, ...] | Range
"""What an attribute must be: this, any of these, or in this range. See `filters.py`."""


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


# -- asking --------------------------------------------------------------------------------------


class ScoredSentence(Value):
    """A sentence of a passage (offsets into the document) and how near it is to the question.

    `similarity` is the cosine of sentence and question embeddings, `overlap` the share of the
    question's informative words (weighted by rarity among the passages) that the sentence has.
    """

    start: int
    end: int
    similarity: float
    overlap: float


class Passage(Value):
    """A piece of evidence: verbatim text of one version of one document."""

    document_id: str
    document: str
    collection: str
    version: str
    title: str
    section: tuple[str, ...]
    pages: tuple[int, ...]
    start: int
    end: int
    text: str
    score: float
    sentences: tuple[ScoredSentence, ...] = ()


class Evidence(Value):
    """What was found for one sub-question."""

    sub_question: str
    question: str
    strategy: Strategy
    passages: tuple[Passage, ...]
    degraded: tuple[str, ...] = ()


class Verdict(Value):
    """What grading thinks of the evidence for one sub-question."""

    decision: Literal["enough", "expand", "replan"]
    confidence: float
    missing: str = ""


class SubQuestion(Value):
    """One thing to find out: how to search for it, what was found, what grading said."""

    id: str
    text: str
    variants: tuple[str, ...] = ()
    strategy: Strategy = "hybrid"
    documents: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    evidence_keys: tuple[str, ...] = ()
    verdict: Verdict | None = None


class Plan(Value):
    """How a question is going to be answered. `reply` is the answer itself unless we retrieve."""

    kind: Literal["retrieve", "direct", "clarify"]
    question: str
    reply: str = ""
    sub_questions: tuple[SubQuestion, ...] = ()
    reason: str = ""


class Box(Value):
    """A rectangle on a page, in points from its top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Citation(Value):
    """A pointer from a sentence to the words it rests on. `verified`: the quote is on that page.

    `labels`: of each of `pages` the number that is printed on it; empty where they do not differ.
    """

    n: int
    document: str
    document_id: str
    collection: str
    version: str
    pages: tuple[int, ...]
    labels: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    section: tuple[str, ...]
    quote: str
    start: int
    end: int
    verified: bool = False


class Sentence(Value):
    text: str
    citations: tuple[int, ...] = ()


class Usage(Value):
    """Tokens and money, by step ("plan", "grade", "synthesize")."""

    tokens: int = 0
    usd: float = 0.0
    by_step: Mapping[str, Mapping[str, float]] = Field(default_factory=dict)


class Answer(Value):
    """The answer as the REST API gives it. `found` false: the documents do not say."""

    id: str
    kind: Literal["answer", "clarify", "direct"]
    found: bool
    answer: str
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    degraded: tuple[str, ...] = ()
    mode: Literal["extractive", "anthropic", "bedrock"] = "extractive"
    plan: Plan | None = None
    rounds: int = 0
    removed: int = 0  # sentences whose citation failed the check and that were left out
    usage: Usage = Usage()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)


# -- a model call --------------------------------------------------------------------------------


class ModelRequest(Value):
    """A task for a language model, in words and as values.

    `system` and `prompt` are for models that read; `material` holds the same content as values,
    for `extractive`, which does not. `tool`: name and JSON schema the reply must follow.
    """

    task: Literal["plan", "grade", "synthesize", "context"]
    system: str
    prompt: str
    material: Mapping[str, object] = Field(default_factory=dict)
    tool: Mapping[str, object] | None = None
    max_tokens: int = 2000


class ModelReply(Value):
    """`text` is prose, or JSON that follows the request's tool schema."""

    text: str
    mode: Literal["extractive", "anthropic", "bedrock"]
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    degraded: tuple[str, ...] = ()


# -- records -------------------------------------------------------------------------------------


class Problem(Value):
    """Why something failed: stable code, a sentence, and what to do next."""

    code: str
    message: str
    action: str


class Record(Value):
    """A document's item in the documents table.

    `version` and `sequencer` are of the newest event; `live_version` is the one that queries see.
    `metadata` is what that version itself says; `sidecar` is the key's, `annotation` counts its
    changes.
    """

    document_id: str
    key: str
    version: str
    sequencer: str
    origin: str = ""  # sequencer of the first event that is known of the key
    live_version: str = ""
    status: Status
    error: Problem | None = None
    title: str = ""
    media_type: str = ""
    language: str = ""
    size: int = 0
    pages: int = 0
    chunks: int = 0
    parts: int = 0
    parts_done: tuple[int, ...] = ()
    requeued: bool = False  # by a sweep, which does so once
    warnings: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    usd: float = 0.0
    lines_missing: int = 0  # chunks that a model was to write a contextual line for, and did not
    metadata: Metadata = Field(default_factory=dict)
    sidecar: Sidecar = NO_SIDECAR
    annotation: int = 0
    received: str = ""  # ISO 8601, UTC
    updated: str = ""

    @property
    def revision(self) -> Revision:
        return Revision(key=self.key, version=self.version, sequencer=self.sequencer)

    @property
    def has_past(self) -> bool:
        """Whether earlier events of the key may have left chunks or artifacts."""
        return fence(self.origin) != fence(self.sequencer)


class Facts(Value):
    """What a step learned about a document; None leaves the stored value as it is."""

    error: Problem | None = None
    title: str | None = None
    media_type: str | None = None
    language: str | None = None
    pages: int | None = None
    chunks: int | None = None
    parts: int | None = None
    requeued: bool | None = None
    metadata: Metadata | None = None
    warnings: tuple[str, ...] | None = None
    timings_ms: Mapping[str, float] | None = None
    usd: float = 0.0  # spent now: added to what is stored, and so is the next
    lines_missing: int = 0


class QuestionRecord(Value):
    """A question's item in the questions table; `answer` once it is DONE, `error` once FAILED."""

    question_id: str
    tenant: str
    status: Literal["RUNNING", "DONE", "FAILED"]
    question: str
    scope: Scope
    session: str = ""
    history: tuple[tuple[str, str], ...] = ()  # earlier (question, answer) of the session
    created: str = ""
    answer: Answer | None = None
    error: Problem | None = None


class Event(Value):
    """One line of a question's trace. `id` rises; a client asks for what came after the last."""

    id: str
    kind: str
    data: Mapping[str, object] = Field(default_factory=dict)
