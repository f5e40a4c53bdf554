"""Every message between steps, in flow order: ids, keys, counts. Text and vectors stay in S3."""

import json
from typing import Literal, Self

from footnote.model import Answer, Ledger, QueueName, Revision, Value

# -- add: upload -> admit -> parse -> chunk -> index; delete -> remove; sidecar -> annotate -------


class Message(Revision):
    """A message of a queue.

    `waits` counts how often it was put off because a service was unavailable. `correlation_id` is
    that of the upload's or deletion's event: log lines of all steps have it.
    """

    waits: int = 0
    correlation_id: str = ""


class AdmitRequest(Message):
    """S3 reports that a file has arrived in the uploads bucket."""

    size: int = 0


class ParseRequest(Message):
    """A file is in the uploads bucket, and it is its tenant's turn.

    A long PDF is read in parts. Each part has a message of its own: `part` is its first and last
    page (1-based), `of` is the number of pages in the file. A message with `of` and without `part`
    joins the parts once all are stored. `lost` says that the pages of this part cannot be read.
    `page_by_page` makes each page a part, because the step was stopped on the whole file.
    """

    size: int = 0
    part: tuple[int, int] | None = None
    of: int = 0
    lost: bool = False
    page_by_page: bool = False


class ChunkRequest(Message):
    """A canonical document is in the artifacts bucket, ready to be cut into chunks."""

    document_key: str


class IndexRequest(Message):
    """One part of a document's chunks is in the artifacts bucket. Parts are numbered from 0."""

    chunks_key: str
    part: int
    parts: int


class RemoveRequest(Message):
    """Something was deleted from the uploads bucket, or a file left it while it was recorded.

    The step reads what is at `key` now. `version` is what was deleted: a file's or a marker's.
    """


class AnnotateRequest(Message):
    """The sidecar of the document at `key` has changed.

    Version and sequencer are the sidecar's. They serve the log only: the step reads the sidecar
    that is in the bucket now.
    """


# -- ask: Plan -> Retrieve, or Work <-> Retrieve (Map) -> Grade -> again or Synthesize; Fail ----
# Where all documents in scope are to be read: Plan -> Read (Map) -> Synthesize.
# `round` numbers the waves of a question, and with them its stored plans and evidence.


class PlanRequest(Value):
    """`run` names the execution: a question that Step Functions starts twice has two runs."""

    tenant: str
    question_id: str
    run: str = ""


class PlanResult(Value):
    """`wave` lists the sub-questions to retrieve now. It is empty when the plan is the answer.

    `turn` is 1 where a model looks for evidence, 0 where the plan's searches are made at once.
    `batches` name the groups of documents to read whole, in place of any search.
    """

    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    wave: tuple[str, ...]
    ledger: Ledger = Ledger()
    turn: int = 0
    batches: tuple[str, ...] = ()


class ReadRequest(Value):
    """The documents of a batch are to be read whole. Their names lie in S3."""

    tenant: str
    question_id: str
    plan_key: str
    batch: str


class ReadResult(Value):
    """What a batch came to. What was noted lies in S3; a batch without notes was not read.

    `error` is the name of the error that Step Functions caught.
    """

    batch: str
    documents: int = 0
    items: int = 0
    error: str = ""


class WorkRequest(Value):
    """A model looks for evidence: its next turn. Turns are numbered from 1."""

    tenant: str
    question_id: str
    plan_key: str
    round: int
    sub_question: str
    turn: int


class WorkResult(Value):
    """`calls` counts what the turn wants done. They lie in S3, where Retrieve reads them."""

    sub_question: str
    turn: int
    calls: int


class RetrieveRequest(Value):
    """`turn` is 0 for the plan's own search, else the turn of a model whose calls are to be run."""

    tenant: str
    question_id: str
    plan_key: str
    round: int
    sub_question: str
    turn: int = 0


class RetrieveResult(Value):
    """What was found; or the name of the error that Step Functions caught, and our message.

    `turn` is that of the model's next turn, 0 where the work has ended. Then `searches` and `turns`
    say what it took.
    """

    sub_question: str
    evidence_key: str = ""
    passages: int = 0
    best: float = 0.0
    ms: float = 0.0
    tokens: int = 0  # what embedding, re-ranking and the model that worked have cost
    usd: float = 0.0
    priced: bool = True  # False where `usd` lacks a cost that nobody knows
    error: str = ""
    message: str = ""
    turn: int = 0
    searches: int = 1
    turns: int = 0


class GradeRequest(Value):
    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    found: tuple[RetrieveResult, ...]


class Failure(Value):
    """An error as Step Functions writes it, whose capitals these are."""

    Error: str
    Cause: str

    @classmethod
    def of(cls, lost: RetrieveResult) -> Self:
        """Returns the failure of a search, to be read by `Fail` as if its own state had failed."""
        return cls(Error=lost.error, Cause=json.dumps({"errorMessage": lost.message}))


class GradeResult(Value):
    """`wave` is empty when it is time to write; `decision` says why.

    Where every search has failed it is `failed`, and `failure` is the reason.
    """

    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    wave: tuple[str, ...]
    decision: Literal["enough", "expand", "replan", "next", "capped", "failed"]
    ledger: Ledger = Ledger()
    failure: Failure | None = None
    turn: int = 0


class SynthesizeRequest(Value):
    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int


class SynthesizeResult(Value):
    question_id: str
    found: bool
    sentences: int
    citations: int

    @classmethod
    def of(cls, question_id: str, answer: Answer | None) -> Self:
        """Sums up the answer. `None` stands for a question that ended without one."""
        return cls(
            question_id=question_id,
            found=answer is not None and answer.found,
            sentences=len(answer.sentences) if answer else 0,
            citations=len(answer.citations) if answer else 0,
        )


class FailRequest(Value):
    """A step failed for good. `error` and `cause` are what Step Functions caught."""

    tenant: str
    question_id: str
    run: str = ""
    error: str
    cause: str


class FailResult(Value):
    question_id: str


# -- grid: Fill, again and again until no cell waits or runs ---------------------------------------


class FillRequest(Value):
    """A turn at a grid. Turns are numbered from 0."""

    tenant: str
    grid_id: str
    turn: int = 0


class FillResult(FillRequest):
    """`turn` is that of the next turn. `more` tells whether there is one; the counts are of cells.

    An execution has a bounded history. After many turns the step starts another one, and `more` is
    False.
    """

    more: bool
    waiting: int = 0
    running: int = 0


# -- reindex: Prepare -> Promote -> Rebuild (Map) -> Promote again, until nothing is missing -------


class PrepareRequest(Value):
    """Starts a re-index, or goes on comparing. `run` names it: the execution of the machine.

    `reason` is for the log: "schedule", "cli" or "api". `force` makes a generation even if it
    would be the same as the one there is. `cursor` is where the comparison goes on.
    """

    run: str
    reason: str = "schedule"
    force: bool = False
    cursor: str = ""


class PrepareResult(Value):
    """Either nothing is to be done (`unchanged`), or `generation` receives writes from now on.

    With neither, time was over: the comparison goes on at `cursor`.
    """

    run: str
    reason: str
    force: bool
    cursor: str = ""
    unchanged: bool = False
    generation: str = ""


class PromoteRequest(Value):
    """Compares the new generation with the table, from `cursor` on, and promotes it when whole.

    The counts are of this pass over the table, up to the cursor. `attempt` numbers the passes.
    """

    run: str
    generation: str
    attempt: int = 0
    cursor: str = ""
    missing: int = 0
    documents: int = 0
    chunks: int = 0


class PromoteResult(PromoteRequest):
    """`list_key` names a JSON array of keys, one of each batch that `rebuild` has to do next.

    It is empty if this part of the table lacks nothing. A pass that ends with something missing
    has an empty cursor, so the next one begins anew.
    """

    promoted: bool = False
    list_key: str = ""
    batches: int = 0


class RebuildRequest(Value):
    """A batch of shares of documents, from number `start` on. All lie in the artifacts bucket."""

    generation: str
    batch: str
    start: int = 0


class RebuildResult(Value):
    """`more` says that time was over: the batch goes on at `start`."""

    start: int
    more: bool
    documents: int
    chunks: int


class AbandonRequest(Value):
    """The re-index failed. What it made is dropped, and the old generation stays in use."""

    run: str


class AbandonResult(Value):
    """`dropped` names the generation that the run had made, if there was one."""

    run: str
    dropped: str = ""


# -- sweep: on a schedule ------------------------------------------------------------------------


class SweepRequest(Value):
    """Starts a sweep. `reason` is for the log: "schedule" or "operator"."""

    reason: str = "schedule"


class SweepResult(Value):
    """Counts what one run did. The next run goes on where this one stopped."""

    requeued: int = 0  # documents that took too long and were queued once more
    failed: int = 0  # documents that took too long a second time
    found: int = 0  # files in the bucket that the table did not know
    gone: int = 0  # documents in the table whose file has left the bucket
    expired: int = 0  # documents that were there for longer than their collection's rule allows
    reopened: int = 0  # documents whose chunks were not all in the index
    orphans: int = 0  # events whose chunks in the index served no version
    artifacts: int = 0  # artifacts that served no version
    annotated: int = 0  # documents that did not yet say what their sidecar says
    generations: int = 0  # index generations that a stopped re-index had left
    unreadable: int = 0  # things left alone, as this release cannot read their record


QUEUES: dict[type[Revision], QueueName] = {
    AdmitRequest: "admit",
    ParseRequest: "parse",
    ChunkRequest: "chunk",
    IndexRequest: "index",
    RemoveRequest: "remove",
    AnnotateRequest: "annotate",
}
"""The queue that carries each kind of message."""

STEPS: dict[str, tuple[type[Value], type[Value]]] = {
    "Plan": (PlanRequest, PlanResult),
    "Read": (ReadRequest, ReadResult),
    "Work": (WorkRequest, WorkResult),
    "Retrieve": (RetrieveRequest, RetrieveResult),
    "Grade": (GradeRequest, GradeResult),
    "Synthesize": (SynthesizeRequest, SynthesizeResult),
    "Fail": (FailRequest, FailResult),
    "Fill": (FillRequest, FillResult),
    "Prepare": (PrepareRequest, PrepareResult),
    "Promote": (PromoteRequest, PromoteResult),
    "Rebuild": (RebuildRequest, RebuildResult),
    "Abandon": (AbandonRequest, AbandonResult),
    "Sweep": (SweepRequest, SweepResult),
}
"""The request and the result of each state, and of the step that is invoked by itself (Sweep)."""
