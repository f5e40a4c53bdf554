"""What the tables keep: documents, questions and their traces."""

from collections.abc import Mapping
from typing import Literal, get_args

from pydantic import Field

from footnote.model.asking import Answer
from footnote.model.identity import (
    NO_SIDECAR,
    Metadata,
    Revision,
    Sidecar,
    Value,
    fence,
)
from footnote.model.searching import Scope

Status = Literal[
    "RECEIVED", "PARSING", "CHUNKING", "INDEXING", "READY", "FAILED", "UNSUPPORTED", "DELETED"
]
TERMINAL: frozenset[Status] = frozenset({"READY", "FAILED", "UNSUPPORTED", "DELETED"})


type QueueName = Literal["admit", "parse", "chunk", "index", "remove", "annotate"]
QUEUE_NAMES: tuple[QueueName, ...] = get_args(QueueName.__value__)


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


LAST_EVENT = "99999999"  # sorts after the ids of all others


class Event(Value):
    """One line of a question's trace. `id` rises; a client asks for what came after the last."""

    id: str
    kind: str
    data: Mapping[str, object] = Field(default_factory=dict)


class QuestionRecord(Value):
    """A question's item in the questions table; `answer` once it is DONE, `error` once FAILED.

    `deadline`: when it should have ended, in epoch seconds; None: asked before there were any.
    """

    question_id: str
    tenant: str
    status: Literal["RUNNING", "DONE", "FAILED"]
    question: str
    scope: Scope
    session: str = ""
    history: tuple[tuple[str, str], ...] = ()  # earlier (question, answer) of the session
    created: str = ""
    deadline: float | None = None
    answer: Answer | None = None
    error: Problem | None = None

    @property
    def last_event(self) -> Event | None:
        """The end of its trace. The record itself says it, so nobody sees one without the other."""
        if self.status == "RUNNING":
            return None
        if self.answer is None:
            told = self.error.model_dump() if self.error else {}
            return Event(id=LAST_EVENT, kind="failed", data=told)
        cited, removed = len(self.answer.citations), len(self.answer.removed)
        told = {"found": self.answer.found, "citations": cited, "removed": removed}
        return Event(id=LAST_EVENT, kind="answered", data=told)
