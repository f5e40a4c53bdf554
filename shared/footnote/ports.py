"""The ports: protocols for everything outside. Each has a memory adapter and a real one.

Adapters raise errors of `footnote.errors` only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Protocol

from footnote.model import (
    ALL,
    NO_SIDECAR,
    Annotation,
    Announcement,
    Caller,
    Cell,
    Discovery,
    Errand,
    ErrandResult,
    Event,
    Facts,
    Feedback,
    Generation,
    Grid,
    Hit,
    Indexed,
    Kept,
    Legs,
    LegsQuery,
    LinkHeaders,
    Measurement,
    ModelReply,
    ModelRequest,
    Picture,
    QuestionRecord,
    Reading,
    Record,
    ReindexRun,
    Revision,
    Room,
    Scope,
    ServerTool,
    Sidecar,
    Status,
    Turn,
    Upload,
    Vector,
    WebPage,
    WebResult,
)


class BlobStore(Protocol):
    """The artifacts bucket."""

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        """Returns the blob, or only its `span` (offset, length). Raises NotFoundError."""
        ...

    def put(self, key: str, body: bytes) -> None: ...

    def put_once(self, key: str, body: bytes) -> bytes:
        """Stores a blob if the key has none, and returns the one that is there now.

        Of several callers at once only one stores. All of them get what that one stored.
        """
        ...

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        """Lists keys with `prefix` in order: those that follow `after`, `limit` at most."""
        ...

    def delete(self, keys: Sequence[str]) -> None: ...

    def erase(self, prefix: str) -> int:
        """Deletes blobs with `prefix` for good, in all versions. Returns how many there were."""
        ...

    def link(self, key: str, seconds: int, headers: LinkHeaders) -> str:
        """Returns a URL from which anyone can get the blob for `seconds`, with these headers.

        It does not look whether there is one.
        """
        ...


class Uploads(Protocol):
    """The bucket that users drop files in. Keys are `<tenant>/<collection>/<path>`."""

    def read(self, key: str, version: str, most: int | None = None) -> bytes:
        """Returns the file's bytes. Raises NotFoundError when that version is gone.

        Raises BadDocumentError with the code `too_large` for more than `most` bytes.
        """
        ...

    def is_kept(self, key: str, version: str) -> bool:
        """Tells whether that version is there and nobody has deleted the file since it came."""
        ...

    def link(self, key: str, version: str, seconds: int, headers: LinkHeaders) -> str:
        """Returns a URL from which anyone can get that version for `seconds`, with these headers.

        Raises NotFoundError when that version is gone.
        """
        ...

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        """Returns the object's tags. Raises NotFoundError when that version is gone."""
        ...

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        """Returns URL and form fields of a POST upload. The object gets `attributes`."""
        ...

    def store(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        *,
        new: bool = False,
    ) -> str:
        """Stores a file as the newest version of its key and returns that version.

        The object gets `attributes`. Its event comes as that of any upload. With `new` it raises
        ConflictError where a file is at the key already: of many callers one stores its own.
        """
        ...

    def delete(self, key: str) -> None: ...

    def erase(self, key: str) -> int:
        """Deletes all versions of a file for good, and the marks of its deletions.

        Returns how many there were, marks included. Each has its event, as any removal.
        """
        ...

    def restore(self, key: str) -> None:
        """Takes back that the file was deleted, so that its newest version is there again.

        Where a file is there, or no version is left, nothing changes.
        """
        ...

    def current(self, key: str) -> Upload | None:
        """Returns what is at the key now, or None when it is empty or was deleted."""
        ...

    def listing(self, after: str, limit: int) -> list[Upload]:
        """Lists what is in the bucket now in key order: at most `limit` keys after `after`."""
        ...


class Queues(Protocol):
    """The queues that carry a step's results on, by name (see `contracts.QUEUES`)."""

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        """Queues messages. None is delivered before `delay` seconds (at most 900) are over.

        Messages wait for their tenant's turn: one tenant's many do not hold up another's few.
        """
        ...

    def waiting(self, queue: str) -> int:
        """Returns roughly how many messages nobody works on yet, those put off included."""
        ...

    def hold(self, queue: str, receipts: Sequence[str], seconds: int) -> None:
        """Has delivered messages come back after `seconds`, unless the queue has them back sooner.

        A worker that has begun needs no longer: the queue's own time also covers the wait for one.
        """
        ...


class Catalog(Protocol):
    """The documents table: what is known of every document, and the fence that orders events.

    Every method that takes a `revision` raises SupersededError when the table holds a newer event
    for that key, one with a greater sequencer. A redelivery of the same event is not newer. Neither
    is another event of the stored version: `sweep` had found that file before its event came.
    """

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        """Records that a file has arrived: RECEIVED, unless this very event is past that already.

        `sidecar` is stored for a key that is not known yet. A known key keeps the one it has.
        """
        ...

    def annotate(self, record: Record, sidecar: Sidecar) -> Record:
        """Stores what the sidecar says and raises the record's `annotation` by one.

        Raises ConflictError when another caller did so after `record` was read, and NotFoundError
        when there is no such document.
        """
        ...

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        """Sets the status and what a step learned.

        `timings_ms` are merged, `usd` and `lines_missing` are added up, the rest is replaced. An
        error that `facts` does not repeat is cleared.
        """
        ...

    def finish_part(
        self, revision: Revision, part: int, timings_ms: Mapping[str, float] | None = None
    ) -> Record:
        """Notes that a part is indexed (idempotent). The record tells whether all parts are.

        The status stays, because the document is FAILED when another of its parts was given up.
        """
        ...

    def publish(self, revision: Revision) -> Record:
        """Sets the status READY. From now on queries see this version."""
        ...

    def reopen(self, revision: Revision, status: Status = "INDEXING") -> Record:
        """Puts an ended event back to work with no part done. Queries see what they saw before.

        This serves a READY version whose chunks are missing in the index, and a FAILED or
        UNSUPPORTED one that is tried again. Raises SupersededError for any other status.
        """
        ...

    def remove(self, revision: Revision, serving: str | None = None) -> None:
        """Sets the status DELETED: a tombstone keeps the sequencer, and no version is live.

        `serving` is the live version (or "") on which it was decided. Raises SupersededError where
        another one is live by now, or a newer event is stored.
        """
        ...

    def get(self, document_id: str) -> Record:
        """Raises NotFoundError."""
        ...

    def records(self, document_ids: Sequence[str]) -> list[Record]:
        """Returns the records of these documents in no order; unknown ones are left out."""
        ...

    def collections(self, tenant: str) -> Iterator[str]:
        """Yields the collections that the tenant's documents are or were in, in order.

        It reads one document of each collection, however many there are.
        """
        ...

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        """Returns the version that queries may see by document id; those with none are left out."""
        ...

    def visible_versions(
        self, document_ids: Sequence[str], groups: Sequence[str]
    ) -> dict[str, str]:
        """Returns `live_versions` without the documents that no member of `groups` may read."""
        ...

    def documents(
        self,
        tenant: str,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        groups: Sequence[str] = (ALL,),
        *,
        collection: str | None = None,
    ) -> tuple[list[Record], str]:
        """Returns a page of the tenant's documents that `groups` may read, in key order.

        With a `collection` it looks at no others than that.

        The second value is the cursor of the next page; it is empty on the last one. A page may be
        shorter than `limit`, or empty, and yet not be the last: a call looks at some thousand
        documents, however few of them are wanted.
        """
        ...

    def live(self) -> Iterator[Record]:
        """Yields every document of every tenant that queries can see (for re-indexing)."""
        ...

    def unfinished(self) -> Iterator[Record]:
        """Yields every document of every tenant whose status is not terminal."""
        ...

    def page(self, after: str, limit: int, *, whole: bool = True) -> tuple[list[Record], str]:
        """Returns a page of the documents of all tenants, tombstones included, in a stable order.

        The second value is the cursor of the next page; it is empty on the last one. For a record
        that this release cannot read it raises UnreadableError; where it need not be `whole`, it
        leaves that record out and logs it.
        """
        ...


class SearchIndex(Protocol):
    """The index generations of one stack: queries go to one of them, writes to one or two."""

    @property
    def marks(self) -> Mapping[str, str]:
        """Says what a generation made now is made with: `model`, `mapping` and what chunks are."""
        ...

    def ensure(self) -> str:
        """Makes missing aliases and a first generation. Returns the read generation."""
        ...

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        """Stores chunks and nodes in one generation, or in all behind the write alias.

        They are searchable when this returns. It stores all of them or raises: none is dropped.
        A generation from before there were nodes gets none.
        """
        ...

    def annotate(self, revision: Revision, annotation: Annotation) -> None:
        """Gives `annotation` to what the event wrote with a lower number, in every generation.

        The change is searchable when this returns.
        """
        ...

    def remove(self, revision: Revision) -> None:
        """Deletes the chunks and nodes that exactly this event wrote, in every generation."""
        ...

    def remove_older(self, revision: Revision) -> None:
        """Deletes the chunks and nodes of the document's earlier events, in every generation.

        What a newer upload wrote stays.
        """
        ...

    def search(self, query: LegsQuery, generation: str = "") -> Legs:
        """Returns each leg's best candidates with its raw scores: all legs, in one request.

        With `generation` it searches that one and not the one that queries go to.

        A leg that fails is an error, and so is one that is answered in part. Raises ForbiddenError
        without a tenant.
        """
        ...

    def read(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Hit]:
        """Returns chunks by id, with rank and score 0. Those that are gone or outside are left out.

        Raises ForbiddenError without a tenant.
        """
        ...

    def vectors(self, chunk_ids: Sequence[str], scope: Scope) -> dict[str, Vector]:
        """Returns vectors of chunks by id. Those that are gone, outside or have none are left out.

        Raises ForbiddenError without a tenant.
        """
        ...

    def present(self, words: Sequence[str], scope: Scope) -> set[str]:
        """Returns which of the words the leg by words finds in a scope: all in one request.

        Of several words in one text any will do. What signs join in a word ("trim-paths") has to
        stand together in this order, or as one ("trimpaths").
        Chunks of versions that are not live any more count as well. Raises ForbiddenError without
        a tenant.
        """
        ...

    def spelled_alike(self, words: Sequence[str], scope: Scope) -> dict[str, list[Hit]]:
        """Returns for each word a few chunks of a scope with a word spelled nearly like it.

        A word of letters differs in a letter or two; a word with digits is a code, whose letters
        and digits stand there with other signs between them. Words without a chunk are left out.
        Chunks of versions that are not live any more count as well. Raises ForbiddenError without
        a tenant.
        """
        ...

    def languages(self, scope: Scope) -> dict[str, int]:
        """Returns how many chunks of a scope are in which language (ISO 639-1).

        Chunks of versions that are not live any more count as well.
        """
        ...

    def neighbours(self, hits: Sequence[Hit], before: int, after: int) -> list[list[Hit]]:
        """Returns for each hit the chunks around it in the same version: all in one request.

        They are in order and without the hit.
        """
        ...

    def create_generation(self, run: str = "") -> str:
        """Creates an empty generation that receives all writes from now on; returns its name.

        A run that has made one already gets that one. Raises ConflictError when another caller
        makes one at the same moment.
        """
        ...

    def generations(self) -> list[Generation]:
        """Lists all generations, of other models too, by name."""
        ...

    def room(self) -> Room:
        """Returns what a generation takes on disk, and what is free for another."""
        ...

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        """Returns the number of chunks by (document id, version): of all, or of these documents.

        Of 1,000 documents at most: they go with the query.
        """
        ...

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        """Returns a page of the events whose chunks queries could find, each with their number.

        The second value is the cursor of the next page; it is empty on the last one.
        """
        ...

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        """Counts the event's chunks that queries could find: all, or those with this annotation."""
        ...

    def promote(self, generation: str, retired: float = 0.0) -> None:
        """Points queries at this generation and drops the others. It is atomic for queries.

        With `retired`, the epoch seconds now, the generation that queries leave is kept, notes that
        time and goes on to receive all writes. A promotion that is repeated keeps it, too.
        """
        ...

    def go_back(self, generation: str, retired: float) -> None:
        """Points queries at a kept generation. The one that they leave is kept; none is dropped."""
        ...

    def abandon(self, generation: str) -> None:
        """Drops a generation that is not the one that queries go to."""
        ...

    def health(self) -> Mapping[str, object]: ...


class PageReader(Protocol):
    """An OCR engine: it reads pictures of pages."""

    @property
    def name(self) -> str:
        """Names the engine and its version: two of the same name read the same from a picture."""
        ...

    @property
    def languages(self) -> frozenset[str]:
        """Returns the ISO 639-1 codes of the languages that it reads."""
        ...

    def read(self, picture: Picture, likely: str = "") -> Reading:
        """Returns the lines in reading order, with the boxes of their words on the page.

        `likely` is the language of the document's pages before, where it was clear. An engine may
        try it first, and may take it for that of a page which shows none. A page in another one
        is read all the same.

        Raises BadDocumentError for a picture that the engine does not take.
        """
        ...


class Embedder(Protocol):
    @property
    def model(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        """Returns one unit vector for each text, in order."""
        ...


class Reranker(Protocol):
    """A model that reads a question together with each text."""

    @property
    def model(self) -> str:
        """Names provider and model: scores of two names are not comparable."""
        ...

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Returns for each text, in order, how well it answers the query: more is better.

        A text that is too long for the model is cut. Raises BadRequestError for more than 1,000
        texts, UnavailableError where no model answers in time, ConfigurationError where an
        operator must act.
        """
        ...


class Tokenizer(Protocol):
    """The embedder's tokenizer: chunks are measured in its tokens."""

    def count(self, texts: Sequence[str]) -> list[int]: ...


class VectorCache(Protocol):
    """Vectors by key: model, kind and the text's hash."""

    def get(self, keys: Sequence[str]) -> dict[str, Vector]: ...

    def put(self, vectors: Mapping[str, Vector]) -> None: ...

    def delete(self, keys: Sequence[str]) -> None: ...


class ReplyCache(Protocol):
    """Replies of paid providers, as text. The key stands for all that the provider was given."""

    def get(self, keys: Sequence[str]) -> dict[str, str]: ...

    def put(self, replies: Mapping[str, str]) -> None:
        """Keeps replies, except those that are too large for the cache."""
        ...


class LLM(Protocol):
    """A language model.

    Raises ModelReplyError for a reply of no use, UnavailableError where none comes in time, and
    ConfigurationError where nobody can do the task.
    """

    def complete(self, request: ModelRequest) -> ModelReply: ...

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces of text as they come and, last, the whole reply."""
        ...


class Questions(Protocol):
    """The questions table: each question's record and its trace."""

    def create(self, record: QuestionRecord) -> None:
        """Stores a new question. Storing the same again changes nothing, even after it has ended.

        Raises ConflictError when the id belongs to another question.
        """
        ...

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        """Raises NotFoundError, also for another tenant's question."""
        ...

    def claim(self, question_id: str, run: str, seconds: float) -> bool:
        """Tells whether this run alone may end the question for the next `seconds`.

        It is False when another run may, when the question has ended and when there is none. A run
        may claim again.
        """
        ...

    def finish(self, record: QuestionRecord) -> QuestionRecord:
        """Stores the record, with its answer or error, if the question is RUNNING.

        A question that has ended stays as it is. Returns the record that is there now. Raises
        NotFoundError when there was none.
        """
        ...

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        """Returns the last finished questions of a session, oldest first."""
        ...

    def turns(
        self, tenant: str, session: str, after: str = "", limit: int = 50
    ) -> tuple[list[Turn], str]:
        """Returns a page of a session's questions, oldest first, whatever became of them.

        The second value is the cursor of the next page; it is empty on the last one.
        """
        ...

    def latest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        """Returns a page of the questions of all the tenant's sessions, newest first, and a cursor.

        Questions that belong to no session are left out.
        """
        ...

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        """Returns a page of all the tenant's questions, newest first, and a cursor.

        Questions of no session that an earlier release has stored are left out.
        """
        ...

    def name_session(self, tenant: str, question_id: str, name: str) -> None:
        """Stores with a question that has ended what its session is called; "" takes it away.

        It goes with the question. Raises NotFoundError as `get` does, ConflictError while the
        question is RUNNING.
        """
        ...

    def delete(self, tenant: str, question_id: str) -> None:
        """Deletes a question that has ended, and its trace. What is not there stays away.

        Another tenant's question is not there. Raises ConflictError while the question is RUNNING.
        """
        ...

    def add_feedback(self, feedback: Feedback) -> None:
        """Stores what somebody said of an answer. Storing the same again changes nothing.

        It goes with its question.
        """
        ...

    def feedback(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Feedback], str]:
        """Returns a page of what was said of the tenant's answers, newest first, and a cursor."""
        ...

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        """Adds an event to the end of the trace.

        An event with a `name` is added once: when a step runs again, the first one stays.
        """
        ...

    def events(self, question_id: str, after: str = "") -> list[Event]:
        """Returns the trace in order, or what came after an event.

        No event is missing before the last one, and none is put in between later. So a client that
        goes on from the last one sees each event once. Raises BadRequestError when `after` is not
        the id of an event.
        """
        ...


class Grids(Protocol):
    """The grids and their cells, which expire as questions do."""

    def create(self, grid: Grid) -> None: ...

    def get(self, tenant: str, grid_id: str) -> Grid:
        """Raises NotFoundError, also for another tenant's grid."""
        ...

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Grid], str]:
        """Returns a page of the tenant's grids, newest first, and the cursor of the next."""
        ...

    def drive(self, grid_id: str, until: float) -> None:
        """Notes the time until which somebody works on the grid. Raises NotFoundError."""
        ...

    def delete(self, grid_id: str) -> None:
        """Deletes a grid. Its cells stay: the caller drops them before."""
        ...

    def cells(self, grid_id: str) -> list[Cell]:
        """Returns all cells by document and column."""
        ...

    def add(self, grid_id: str, cells: Sequence[Cell]) -> None:
        """Stores cells. One that is at a cell's place is replaced."""
        ...

    def change(self, grid_id: str, before: Cell, after: Cell) -> bool:
        """Replaces a cell unless its status or question is not that of `before` any more.

        Tells whether it did. Of several callers at once one does.
        """
        ...

    def drop(self, grid_id: str, cells: Sequence[Cell]) -> None: ...


class Repeats(Protocol):
    """What requests with an idempotency key have made. It is kept for a day."""

    def claim(self, name: str, holder: str, digest: str) -> Kept | None:
        """Returns None where the name is free: it is the holder's now, for a minute.

        Else returns what is there. `digest` stands for the request's body. A holder may claim again
        what it works on.
        """
        ...

    def keep(self, name: str, holder: str, digest: str, status: int, body: str) -> None:
        """Keeps what a request made. Raises BadRequestError for what is too large.

        What another holder has claimed meanwhile stays.
        """
        ...

    def release(self, name: str, holder: str) -> None:
        """Frees a name that this holder claimed. What another one has claimed since stays."""
        ...


class Workflow(Protocol):
    """Starts the state machines."""

    def ask(self, tenant: str, question_id: str) -> None: ...

    def fill(self, tenant: str, grid_id: str) -> None:
        """Starts to ask the waiting cells of a grid, some at a time, until none waits."""
        ...

    def reindex(self, reason: str, *, force: bool = False) -> str:
        """Starts a re-index and returns its id. Raises ConflictError when one is running.

        `force` builds a new generation even if it would be the same as the one there is.
        """
        ...

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        """Returns what became of a re-index. Raises NotFoundError."""
        ...


class Tenants(Protocol):
    def of(self, api_key_id: str) -> Caller:
        """Returns who holds an API key, which may have expired. Raises ForbiddenError."""
        ...


class Issuer(Protocol):
    """The OpenID provider whose tokens count.

    Raises UnavailableError where it does not answer, ConfigurationError where what it answers is
    not its own or cannot be used.
    """

    def describe(self) -> Discovery: ...

    def key(self, name: str) -> Mapping[str, object]:
        """Returns a public key that signs tokens, as a JWK. Raises NotFoundError for no such key.

        A key that is not known is looked for anew, but not each time.
        """
        ...


class Tokens(Protocol):
    def of(self, token: str) -> Caller:
        """Returns who holds a bearer token, which has not expired.

        Raises UnauthorizedError for a token that does not count, ForbiddenError for one that names
        no tenant or person, UnavailableError where its issuer cannot be asked.
        """
        ...


class Counters(Protocol):
    """Sums that many processes add to at once. One that is not there is 0."""

    def add(self, name: str, amount: int, until: float, most: int | None = None) -> bool:
        """Adds to a counter if its sum then is `most` or less; tells whether it did.

        The counter may be forgotten after `until`, in seconds since 1970.
        """
        ...

    def read(self, name: str) -> int: ...


class Announcer(Protocol):
    """The bus that tells others what happened."""

    def announce(self, announcements: Sequence[Announcement]) -> None:
        """Tells in order. Raises UnavailableError where any was not taken: some may have been."""
        ...


class Web(Protocol):
    """The pages of the open internet."""

    def fetch(self, address: str) -> WebPage:
        """Returns the page at an address of http or https.

        Raises BadRequestError with the code `page_refused` for what may not be fetched, and
        UnavailableError where nothing comes.
        """
        ...


class WebSearch(Protocol):
    """A searcher of the web."""

    def find(self, query: str, most: int) -> tuple[WebResult, ...]:
        """Returns pages that fit a query, each address once, the best first, at most so many.

        Raises UnavailableError where the searcher gives no answer, and ConfigurationError where it
        refuses.
        """
        ...


class ToolServers(Protocol):
    """Tools of MCP servers, as far as a deployment allows them.

    Raises BadRequestError for a tool that is not allowed, or that refuses, and UnavailableError
    where its server gives no answer.
    """

    def describe(self, server: str, tool: str) -> ServerTool:
        """Returns what the server says of its tool."""
        ...

    def call(self, server: str, tool: str, arguments: Mapping[str, object]) -> str:
        """Returns what the tool answers, as text."""
        ...


class Errands(Protocol):
    """Whoever goes outside for a model that looks: that alone has the right and the way."""

    def run(self, errand: Errand) -> ErrandResult:
        """Does an errand, and returns what came of it, or why nothing did.

        Raises UnavailableError where nobody could go.
        """
        ...


class Metrics(Protocol):
    """What footnote measures about itself. The names are those of `model.METRICS`."""

    def put(self, measurements: Sequence[Measurement]) -> None:
        """Passes measurements on. It raises nothing: no work fails for being measured."""
        ...


class AuditLog(Protocol):
    """The lines that say who did what. They are added to, and never changed."""

    def keep(self, line: str) -> None:
        """Returns once the line is stored. Raises UnavailableError or ConfigurationError."""
        ...


class Webhook(Protocol):
    """The one address that events are posted to."""

    def post(self, body: bytes, headers: Mapping[str, str]) -> None:
        """Returns once the receiver has taken it.

        Raises UnavailableError where another try may succeed (no answer, 408, 429, 5xx), else
        ConfigurationError: any other status, and an address that is not to be posted to.
        """
        ...


class Deliveries(Protocol):
    """The messages that wait to be posted to the webhook."""

    def hold(self, receipt: str, seconds: int) -> None:
        """Has a message that was received come again after so many seconds."""
        ...

    def bury(self, body: str) -> None:
        """Keeps among the dead letters what is never going to be delivered."""
        ...
