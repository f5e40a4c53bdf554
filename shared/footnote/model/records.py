"""The records of the tables: documents, questions and their traces."""

import re
from collections.abc import Mapping
from itertools import chain, repeat
from typing import Literal, get_args
from urllib.parse import quote

from pydantic import Field

from footnote.model.asking import Answer, AnswerOptions, KnownOutcome
from footnote.model.budget import Caps, Estimate
from footnote.model.identity import (
    NO_SIDECAR,
    Metadata,
    Revision,
    Sidecar,
    Value,
    pad_sequencer,
)
from footnote.model.scope import Scope

Status = Literal[
    "RECEIVED", "PARSING", "CHUNKING", "INDEXING", "READY", "FAILED", "UNSUPPORTED", "DELETED"
]
TERMINAL: frozenset[Status] = frozenset({"READY", "FAILED", "UNSUPPORTED", "DELETED"})


type QueueName = Literal["admit", "parse", "chunk", "index", "remove", "annotate"]
QUEUE_NAMES: tuple[QueueName, ...] = get_args(QueueName.__value__)


class Problem(Value):
    """The reason for a failure: a stable code, a sentence, and what to do next."""

    code: str
    message: str
    action: str


class Record(Value):
    """A document's item in the documents table.

    `version` and `sequencer` are those of the newest event; queries see `live_version`.
    `metadata` comes from the version itself. `sidecar` belongs to the key, and
    `annotation` counts its changes.
    """

    document_id: str
    key: str
    version: str
    sequencer: str
    origin: str = ""  # sequencer of the key's first known event
    live_version: str = ""
    status: Status
    error: Problem | None = None
    title: str = ""
    media_type: str = ""
    language: str = ""
    size: int = 0
    content: str = ""  # SHA-256 of the file, in hex, once it was read
    pages: int = 0
    tokens: int = 0  # about how many a model reads of its lines; 0 in older records
    chunks: int = 0
    parts: int = 0
    parts_done: tuple[int, ...] = ()
    requeued: bool = False  # a sweep has queued it again, which happens once
    warnings: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    usd: float = 0.0
    lines_missing: int = 0  # chunks whose contextual line is missing, although a model was asked
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
        """Tells whether earlier events of the key may have left chunks or artifacts."""
        return pad_sequencer(self.origin) != pad_sequencer(self.sequencer)


class ReindexRun(Value):
    """The state of a re-index. `outcome` is "" until it is DONE; only a FAILED one has `error`.

    It is "unchanged" when a new generation would have equalled the present one, so none was made.
    """

    status: Literal["RUNNING", "DONE", "FAILED"]
    outcome: Literal["", "rebuilt", "unchanged"] = ""
    error: Problem | None = None


class Facts(Value):
    """What a step learned about a document. None leaves the stored value as it is.

    The exception is `error`: None clears it.
    """

    error: Problem | None = None
    title: str | None = None
    media_type: str | None = None
    language: str | None = None
    content: str | None = None
    pages: int | None = None
    tokens: int | None = None
    chunks: int | None = None
    parts: int | None = None
    requeued: bool | None = None
    metadata: Metadata | None = None
    warnings: tuple[str, ...] | None = None
    timings_ms: Mapping[str, float] | None = None
    usd: float = 0.0  # spent in this step: added to the stored sum
    lines_missing: int = 0  # added, too


FIRST_EVENT = "00000000"  # sorts before the ids of all other events
LAST_EVENT = "99999999"  # sorts after them


class Event(Value):
    """One event of a question's trace. Ids rise, so clients ask for those after the last."""

    id: str
    kind: str
    data: Mapping[str, object] = Field(default_factory=dict)


class Kept(Value):
    """The record of a request with an idempotency key. `status` is 0 while the request runs.

    `holder` is a random word of the request that claimed the key.
    """

    digest: str
    status: int = 0
    body: str = ""
    holder: str = ""


class Exchange(Value):
    """A question of a session, in words that need no other, and what was answered.

    `documents` are ids of those that the answer cites. Without a question it is a line of the
    summary that stands for older exchanges.
    """

    question: str
    answer: str
    documents: tuple[str, ...] = ()


type History = tuple[Exchange, ...]
"""What was said in a session up to a question, oldest first: `ask/question/history.py`."""


class QuestionRecord(Value):
    """A question's item in the questions table: with `answer` once DONE, with `error` once FAILED.

    `deadline` is the time by which it should have ended, in epoch seconds; None for questions from
    before there were deadlines. `budget` has the request's caps. `person` is the asker, as `Caller`
    names it; "" for older questions. `session_name` is what a reader called its session.
    """

    question_id: str
    tenant: str
    status: Literal["RUNNING", "DONE", "FAILED"]
    question: str
    scope: Scope
    session: str = ""
    history: tuple[tuple[str, str], ...] = ()  # question and answer of each exchange before it
    history_documents: tuple[tuple[str, ...], ...] = ()  # and the documents that it rests on
    created: str = ""
    deadline: float | None = None
    answer: Answer | None = None
    error: Problem | None = None
    after: str = ""  # id of the question that this one follows in its session
    wishes: AnswerOptions = AnswerOptions()
    budget: Caps = Caps()
    estimate: Estimate | None = None  # None for questions from before there were estimates
    person: str = ""
    session_name: str = ""

    @property
    def exchanges(self) -> History:
        """The session's history up to the question. Earlier releases stored no documents of it."""
        rests_on = chain(self.history_documents, repeat(()))
        return tuple(
            Exchange(question=question, answer=answer, documents=documents)
            for (question, answer), documents in zip(self.history, rests_on, strict=False)
        )

    @property
    def standalone(self) -> str:
        """The question in words that need no history, if they are known."""
        plan = self.answer.plan if self.answer else None
        return plan.resolved if plan and plan.resolved else self.question

    @property
    def turn(self) -> "Turn":
        """The question's entry in the list of its session."""
        return Turn(
            question_id=self.question_id,
            session=self.session,
            question=self.question,
            resolved=self.standalone,
            after=self.after,
            created=self.created,
            status=self.status,
            kind=self.answer.kind if self.answer else "",
            found=bool(self.answer and self.answer.found),
            outcome=self.answer.outcome if self.answer else None,
            groups=self.scope.groups,
            session_name=self.session_name,
        )

    @property
    def first_event(self) -> Event | None:
        """Returns the beginning of the trace: the expected cost."""
        if self.estimate is None:
            return None
        fields = self.estimate.model_dump(include={"mode", "tokens", "usd", "priced", "notes"})
        return Event(id=FIRST_EVENT, kind="estimate", data=fields)

    @property
    def last_event(self) -> Event | None:
        """Returns the end of the trace, or None while the question is RUNNING.

        The record itself holds it, so no reader sees one without the other.
        """
        if self.status == "RUNNING":
            return None
        if self.answer is None:
            fields = self.error.model_dump() if self.error else {}
            return Event(id=LAST_EVENT, kind="failed", data=fields)
        cited = self.answer.citations
        fields = {
            "found": self.answer.found,
            "outcome": self.answer.outcome or "",
            "citations": len(cited),
            "ocr": sum(citation.read == "ocr" for citation in cited),
            "removed": len(self.answer.removed),
        }
        return Event(id=LAST_EVENT, kind="answered", data=fields)


class Turn(Value):
    """A question of a session, as a list shows it: without the answer.

    `kind` is the answer's, or "". `groups` are the asker's: a caller with fewer
    rights may not see the turn, nor the name that it keeps for its session.
    """

    question_id: str
    session: str
    question: str
    resolved: str = ""
    after: str = ""
    created: str
    status: Literal["RUNNING", "DONE", "FAILED"]
    kind: str = ""
    found: bool = False
    outcome: KnownOutcome = None
    groups: tuple[str, ...] = ()
    session_name: str = ""


type Opinion = Literal["up", "down", "gap"]
"""A verdict on an answer: good, wrong, or documents are missing."""


class Feedback(Value):
    """A verdict on an answer.

    `sentence` (from 0) or `citation` (its number) is the part that it is about, if not
    the whole answer. `question` and `groups` are those of the question: a caller with
    fewer rights may not see the feedback.
    """

    id: str
    question_id: str
    tenant: str
    question: str
    groups: tuple[str, ...] = ()
    verdict: Opinion
    reason: str = ""
    sentence: int | None = None
    citation: int | None = None
    created: str


class LinkHeaders(Value):
    """The headers that a link makes the bucket send: media type and disposition.

    `name` is that of the file. With `attachment` a browser saves it and never shows it.
    """

    media_type: str
    name: str = ""
    attachment: bool = False

    @property
    def disposition(self) -> str:
        """The header Content-Disposition (RFC 6266), with the name in ASCII and in full."""
        how = "attachment" if self.attachment else "inline"
        if not self.name:
            return how
        plain = re.sub(r"[^A-Za-z0-9 ._-]", "_", self.name)
        return f"{how}; filename=\"{plain}\"; filename*=UTF-8''{quote(self.name, safe='')}"
