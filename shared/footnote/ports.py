"""The outside world as footnote sees it. Every port has a memory adapter and a real one.

Adapters raise errors of `footnote.errors` only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from footnote.model import (
    ALL,
    NO_SIDECAR,
    Annotation,
    Caller,
    Event,
    Facts,
    Hit,
    IndexedChunk,
    ModelReply,
    ModelRequest,
    Picture,
    Problem,
    QuestionRecord,
    Reading,
    Record,
    Revision,
    SearchQuery,
    Sidecar,
    Status,
    Upload,
    Vector,
)


class BlobStore(Protocol):
    """The artifacts bucket."""

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        """The blob, or `span` (offset, length) of it. Raises NotFoundError."""
        ...

    def put(self, key: str, body: bytes) -> None: ...

    def put_once(self, key: str, body: bytes) -> bytes:
        """Store a blob where there is none; the one that is there now. Of several callers at once
        one stores, and all get what that one stored.
        """
        ...

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        """The keys that start with `prefix`, in order; those after a key, at most so many."""
        ...

    def delete(self, keys: Sequence[str]) -> None: ...


class Uploads(Protocol):
    """The bucket users drop files in. Keys are `<tenant>/<collection>/<path>`."""

    def read(self, key: str, version: str) -> bytes:
        """The file. Raises NotFoundError when that version is gone."""
        ...

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        """The object's tags. Raises NotFoundError when that version is gone."""
        ...

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        """URL and form fields of a POST upload, that gives the object these attributes."""
        ...

    def delete(self, key: str) -> None: ...

    def current(self, key: str) -> Upload | None:
        """What is at the key now; None: nothing, or it was deleted."""
        ...

    def listing(self, after: str, limit: int) -> list[Upload]:
        """What is in the bucket now after a key, in key order, at most so many."""
        ...


class Queues(Protocol):
    """Where a step's results go on to: queues by name (see `contracts.QUEUES`)."""

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        """Nobody gets them before `delay` seconds (at most 900) are over. Messages wait for their
        tenant's turn: no tenant's many keep another's few back.
        """
        ...

    def waiting(self, queue: str) -> int:
        """How many messages nobody works on yet, also those put off; roughly."""
        ...


class Catalog(Protocol):
    """The documents table: what is known of every document, and the fence that orders events.

    Every method that takes a `revision` raises SupersededError when the table holds a newer event
    (greater sequencer) for that key. Redelivery of the same event is not newer, and neither is
    another event of the stored version: `sweep` had found the file before its event came.
    """

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        """A file arrived: RECEIVED, unless this very event is already past that. `sidecar` is for
        a key that is not known yet; what is stored of a known one's stays.
        """
        ...

    def annotate(self, record: Record, sidecar: Sidecar) -> Record:
        """Store what the sidecar says, and count. Raises ConflictError when somebody did since
        `record` was read, and NotFoundError when there is no such document.
        """
        ...

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        """Set the status and what was learned. `timings_ms` are merged, the rest replaced. An
        error that is not told again is over.
        """
        ...

    def finish_part(
        self, revision: Revision, part: int, timings_ms: Mapping[str, float] | None = None
    ) -> Record:
        """Note that a part is indexed (idempotent); the record tells whether all are. The status
        stays: a document of which another part was given up is FAILED.
        """
        ...

    def publish(self, revision: Revision) -> Record:
        """READY, and from now on queries see this version."""
        ...

    def reopen(self, revision: Revision, status: Status = "INDEXING") -> Record:
        """At work again, no part done: chunks of a READY version are missing in the index, or what
        FAILED is tried again. Queries go on seeing the version they saw. Raises SupersededError
        unless this very event has ended so.
        """
        ...

    def remove(self, revision: Revision) -> None:
        """DELETED: a tombstone that keeps the sequencer; no version is live."""
        ...

    def get(self, document_id: str) -> Record:
        """Raises NotFoundError."""
        ...

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        """Which version queries may see, by document id; documents with none are left out."""
        ...

    def readable(self, document_ids: Sequence[str], groups: Sequence[str]) -> dict[str, str]:
        """`live_versions` without the documents that nobody in these groups may read."""
        ...

    def documents(
        self,
        tenant: str,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        groups: Sequence[str] = (ALL,),
    ) -> tuple[list[Record], str]:
        """A page of a tenant's documents in key order, those that these groups may read, and where
        the next one starts ("": none).
        """
        ...

    def live(self) -> Iterator[Record]:
        """Every document of every tenant that queries can see (for re-indexing)."""
        ...

    def unfinished(self) -> Iterator[Record]:
        """Every document of every tenant whose status is not terminal."""
        ...

    def page(self, after: str, limit: int) -> tuple[list[Record], str]:
        """Some documents of all tenants, tombstones too, in an order that stays, and where the
        next page starts ("": no more).
        """
        ...


class SearchIndex(Protocol):
    """The index generations behind the aliases `footnote-read` and `footnote-write`."""

    def ensure(self) -> str:
        """Make pipelines, aliases and a first generation where missing; the read generation."""
        ...

    def write(self, chunks: Sequence[IndexedChunk], generation: str | None = None) -> None:
        """Store chunks, into all generations behind the write alias or into one. Searchable when
        this returns. All or an error: no chunk is dropped.
        """
        ...

    def annotate(self, revision: Revision, annotation: Annotation) -> None:
        """Give it to the chunks that this event wrote and whose own has a lower number, in every
        generation. Searchable when this returns.
        """
        ...

    def remove(self, revision: Revision) -> None:
        """Delete the chunks that exactly this event wrote, in every generation."""
        ...

    def remove_older(self, revision: Revision) -> None:
        """Delete the chunks of the document's earlier events in every generation; what a newer
        upload wrote stays.
        """
        ...

    def search(self, query: SearchQuery) -> list[Hit]:
        """Best first, at most k. Raises ForbiddenError without a tenant."""
        ...

    def neighbours(self, hit: Hit, before: int, after: int) -> list[Hit]:
        """The chunks around a hit in the same version, in order, without the hit."""
        ...

    def create_generation(self) -> str:
        """A new, empty generation that receives all writes from now on."""
        ...

    def counts(self, generation: str) -> dict[tuple[str, str], int]:
        """(document id, version) → chunks."""
        ...

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        """Some of the events that queries could find chunks of, each with their number, and where
        the next page starts ("": no more).
        """
        ...

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        """How many chunks of this event queries could find; those annotated with this number."""
        ...

    def promote(self, generation: str) -> None:
        """Queries go to this generation; the others are dropped. Atomic for queries."""
        ...

    def abandon(self, generation: str) -> None:
        """Drop a generation that is not the one queries go to."""
        ...

    def health(self) -> Mapping[str, object]: ...


class PageReader(Protocol):
    """OCR: reads pictures of pages."""

    @property
    def name(self) -> str:
        """Stands for the engine and its version: what two of one name read is the same."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """ISO 639-1 codes of the languages it reads."""
        ...

    def read(self, picture: Picture) -> Reading:
        """Lines in reading order, their words' boxes on the page. Raises BadDocumentError for a
        picture that it does not take.
        """
        ...


class Embedder(Protocol):
    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        """Unit vectors, one a text, in order."""
        ...


class Tokenizer(Protocol):
    """The embedder's tokenizer: chunks are measured in its tokens."""

    def count(self, texts: Sequence[str]) -> list[int]: ...


class VectorCache(Protocol):
    """Vectors by key (model, kind and text's hash)."""

    def get(self, keys: Sequence[str]) -> dict[str, Vector]: ...

    def put(self, vectors: Mapping[str, Vector]) -> None: ...


class ReplyCache(Protocol):
    """What providers were paid for, as text, by a key that stands for all they were given."""

    def get(self, keys: Sequence[str]) -> dict[str, str]: ...

    def put(self, replies: Mapping[str, str]) -> None:
        """Keep replies; one that is too large for the cache is not kept."""
        ...


class LLM(Protocol):
    """Raises ModelReplyError for a reply of no use, UnavailableError where none comes in time,
    ConfigurationError where nobody can do the task. Whoever has rules answers by them instead, and
    says so in `degraded`.
    """

    def complete(self, request: ModelRequest) -> ModelReply: ...

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Pieces of text as they come, then the whole reply, last."""
        ...


class Questions(Protocol):
    """The questions table: each question's record and its trace."""

    def create(self, record: QuestionRecord) -> None:
        """Store a new question. The same again changes nothing, whatever became of it since; raises
        ConflictError when the id is another question's.
        """
        ...

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        """Raises NotFoundError, also for another tenant's question."""
        ...

    def claim(self, question_id: str, run: str, seconds: float) -> bool:
        """True: for so many seconds this run alone may end the question. False: another run may, or
        the question has ended, or there is none. A run may claim again.
        """
        ...

    def finish(self, record: QuestionRecord) -> QuestionRecord:
        """Store the record with its answer or error if the question is RUNNING: what has ended
        stays. The record that is there now. Raises NotFoundError where there was none.
        """
        ...

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        """The last finished questions of a session, oldest first."""
        ...

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        """Add an event to the end of the trace. One of a name is added once, however often a step
        runs: the first one stays.
        """
        ...

    def events(self, question_id: str, after: str = "") -> list[Event]:
        """The trace in order, or what came after an event; raises BadRequestError for what is no
        event's id. None is missing before the last one, and none will come in between later: who
        goes on from there sees each event once.
        """
        ...


class Workflow(Protocol):
    """Starts the state machines."""

    def ask(self, tenant: str, question_id: str) -> None: ...

    def reindex(self, reason: str) -> str:
        """Starts a re-index; its id. Raises ConflictError when one is running."""
        ...

    def reindex_status(self, reindex_id: str) -> tuple[str, Problem | None]:
        """RUNNING, DONE or FAILED, and why."""
        ...


class Tenants(Protocol):
    def of(self, api_key_id: str) -> Caller:
        """The tenant that an API key belongs to, and its groups. Raises ForbiddenError."""
        ...
