"""The JSON of replies, as the OpenAPI document describes it. `views.py` makes it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from footnote.model import (
    Answer,
    CellStatus,
    Checked,
    Choice,
    Estimate,
    Event,
    Explanation,
    Finding,
    Followed,
    HowRead,
    Opinion,
    Outcome,
    Problem,
    ReindexRun,
    Source,
    Status,
    Strategy,
    StrictValue,
)
from footnote.store.batches import Counts
from footnote.store.receipts import Counts as Erased
from footnote.store.receipts import Left

type QuestionStatus = Literal["RUNNING", "DONE", "FAILED"]


class ErrorReply(StrictValue):
    """The reply of every request that fails. docs/errors.md lists the codes."""

    error: Problem


class ChatProblem(StrictValue):
    message: str
    type: Literal["invalid_request_error", "server_error"]
    param: None
    code: str


class ChatError(StrictValue):
    """An error of the routes below /v1, in OpenAI's form."""

    error: ChatProblem


class ModelName(StrictValue):
    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ModelList(StrictValue):
    object: Literal["list"]
    data: tuple[ModelName, ...]


class Ticket(StrictValue):
    """Where and how to upload one file: a presigned POST. `version` is that of an added text."""

    id: str
    document: str
    collection: str
    sidecar: bool
    url: str
    fields: Mapping[str, str]
    max_bytes: int
    expires_in: int
    same: bool  # the document was made of this very file: nothing needs to be sent
    version: str = ""


class Refused(StrictValue):
    """A document of a batch that cannot be uploaded under this name."""

    document: str
    collection: str
    error: Problem


class BatchTickets(StrictValue):
    """The tickets of a batch, in the order of its documents. Refused
    ones do not count in `total`.
    """

    id: str
    total: int
    tickets: tuple[Ticket | Refused, ...]


class FailedReply(StrictValue):
    """A document of a batch that is FAILED or UNSUPPORTED, and why."""

    id: str
    document: str
    collection: str
    error: Problem | None


class BatchReply(Counts):
    """The counts of a batch. `problems` names the documents that `reasons` counts."""

    id: str
    problems: tuple[FailedReply, ...]


class Parts(StrictValue):
    done: int
    of: int


class DocumentReply(StrictValue):
    """A document and its status."""

    id: str
    document: str
    collection: str
    version: str
    status: Status
    error: Problem | None
    searchable: bool
    title: str
    media_type: str
    language: str
    size: int
    pages: int
    chunks: int
    parts: Parts
    warnings: tuple[str, ...]
    metadata: Mapping[str, object]
    acl: tuple[str, ...] | None
    timings_ms: Mapping[str, float]
    received: str
    updated: str
    usd: float


class DocumentPage(StrictValue):
    """Documents, and the cursor of the next page; it is "" on the last one."""

    documents: tuple[DocumentReply, ...]
    after: str


class DocumentsRetried(DocumentPage):
    """Documents that are retried. With `more`, go on from the cursor."""

    more: bool


class DocumentsFound(StrictValue):
    documents: tuple[DocumentReply, ...]


class HitReply(StrictValue):
    """A passage that was found; rank 1 is the best."""

    rank: int
    score: float
    probability: float | None
    document: str
    document_id: str
    collection: str
    version: str
    title: str
    metadata: Mapping[str, object]
    pages: tuple[int, ...]
    labels: tuple[str, ...]
    section: tuple[str, ...]
    text: str
    start: int
    end: int
    read: HowRead = "text"
    explain: Explanation | None = None


class SearchReply(StrictValue):
    query: str
    strategy: Strategy
    chosen: Choice | None
    took_ms: float
    hits: tuple[HitReply, ...]
    degraded: tuple[str, ...]
    why: Followed | None = None


class AskedOf(StrictValue):
    """What a question was asked of: documents by path or id, as the caller named them.

    `filtered` tells that it was narrowed by attributes.
    """

    collection: str | None
    documents: tuple[str, ...]
    filtered: bool


class Unanswered(StrictValue):
    """A question that is RUNNING, or that FAILED with an `error`."""

    id: str
    status: QuestionStatus
    question: str
    session: str
    after: str
    estimate: Estimate | None
    scope: AskedOf
    error: Problem | None = None
    trace: tuple[Event, ...] = ()
    person: str = ""


class Answered(Answer):
    """A question with its answer."""

    status: QuestionStatus
    question: str
    session: str
    after: str
    estimate: Estimate | None
    scope: AskedOf
    trace: tuple[Event, ...] = ()
    person: str = ""


class EventsReply(StrictValue):
    status: QuestionStatus
    events: tuple[Event, ...]


class FindingsReply(StrictValue):
    findings: tuple[Finding, ...]


class LastTurn(StrictValue):
    id: str
    question: str
    status: QuestionStatus


class SessionReply(StrictValue):
    session: str
    updated: str
    last: LastTurn
    first: str
    name: str


class SessionPage(StrictValue):
    sessions: tuple[SessionReply, ...]
    after: str


class TurnReply(StrictValue):
    id: str
    after: str
    question: str
    resolved: str
    status: QuestionStatus
    kind: str
    found: bool | None
    outcome: Outcome | None
    created: str


class TurnPage(StrictValue):
    session: str
    turns: tuple[TurnReply, ...]
    after: str


class ListedQuestion(TurnReply):
    """A question in the list of all; `session` is "" for one of none."""

    session: str


class QuestionPage(StrictValue):
    questions: tuple[ListedQuestion, ...]
    after: str


class SessionNamed(StrictValue):
    session: str
    name: str


class SessionDeleted(StrictValue):
    session: str
    deleted: int
    more: bool


class GridEntry(StrictValue):
    """A grid in the list of grids."""

    id: str
    name: str
    questions: tuple[str, ...]
    created: str


class GridEstimate(Estimate):
    """What a grid is expected to cost: so many documents, each asked all questions."""

    documents: int
    cells: int


class GridCounts(StrictValue):
    """The cells by what became of them. Those whose document was replaced are `stale`, too."""

    waiting: int
    running: int
    answered: int
    nearest: int
    none: int
    other: int
    failed: int
    stale: int


class CellReply(StrictValue):
    """A cell: the beginning of its question's answer, `shown` as people read it.

    It is `stale` where its document was replaced since it was asked.
    """

    status: CellStatus
    question_id: str
    stale: bool
    kind: str
    outcome: Outcome | None
    shown: str
    text: str
    checked: Checked | None
    citation: Source | None
    confidence: float
    usd: float
    error: Problem | None


class RowReply(StrictValue):
    """A document of a grid, and a cell for each question; null where there is none yet."""

    document_id: str
    document: str
    collection: str
    title: str
    cells: tuple[CellReply | None, ...]


class GridReply(GridEntry):
    """A grid. STOPPED: cells wait, and nobody works on them; fill it to go on."""

    status: Literal["RUNNING", "STOPPED", "DONE"]
    scope: AskedOf
    documents: int
    counts: GridCounts
    estimate: Estimate | None


class GridTable(GridReply):
    """A grid with some of its rows, and the cursor of the next."""

    rows: tuple[RowReply, ...]
    after: str


class GridPage(StrictValue):
    grids: tuple[GridEntry, ...]
    after: str


class GridStopped(StrictValue):
    id: str
    stopped: int
    more: bool


class GridDeleted(StrictValue):
    id: str
    deleted: int
    more: bool


class Started(StrictValue):
    id: str
    status: Literal["RUNNING"]


class RolledBack(StrictValue):
    """Which generation queries go to now, and which they left. That one is kept in turn."""

    generation: str
    left: str


class RetentionReply(StrictValue):
    """What holds for a collection. `since` and `by` are "" where nobody has said anything."""

    collection: str
    days: int
    hold: str
    documents: Mapping[str, str]
    since: str
    by: str


class ErasureReply(StrictValue):
    """The receipt of an erasure. It has no content."""

    id: str
    document_id: str
    versions: Sequence[str]
    asked: str
    by: str
    status: Literal["PENDING", "DONE"]
    done: str
    deleted: Erased
    left: Left


class ReindexReply(ReindexRun):
    id: str


class IndexHealth(StrictValue):
    status: str
    generation: str
    writing: Sequence[str]
    chunks: int
    documents: int


class Health(StrictValue):
    status: Literal["ok"]
    tenant: str
    index: IndexHealth


class FeedbackReply(StrictValue):
    """A verdict on an answer, or on a sentence or citation of it."""

    id: str
    question_id: str
    question: str
    verdict: Opinion
    reason: str
    sentence: int | None
    citation: int | None
    created: str


class FeedbackPage(StrictValue):
    feedback: tuple[FeedbackReply, ...]
    after: str


class SignIn(StrictValue):
    """The ways to sign in: by key, and by an OpenID provider where one is set up."""

    methods: tuple[Literal["key", "oidc"], ...]
    issuer: str
    client_id: str
    authorization_endpoint: str
    token_endpoint: str
    scope: str
    degraded: tuple[str, ...]


class LimitsReply(StrictValue):
    """The limits of one person; null is no limit."""

    requests_per_second: int | None
    questions_per_day: int | None
    usd_per_day: float | None


class UsedReply(StrictValue):
    questions: int
    usd: float
    resets: str


class Me(StrictValue):
    """The caller, the caller's limits, and today's use."""

    tenant: str
    groups: tuple[str, ...]
    person: str
    by: Literal["key", "token"]
    expires: str | None
    limits: LimitsReply
    used: UsedReply
