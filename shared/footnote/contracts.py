"""Every message between steps, in flow order. Ids, keys and counts; text and vectors stay in S3."""

from typing import Literal, Self

from footnote.model import Answer, QueueName, Revision, Value

# -- add: upload -> admit -> parse -> chunk -> index; delete -> remove; sidecar -> annotate -------


class Message(Revision):
    """What a queue carries. `waits`: how often it was put off, as a service was unavailable."""

    waits: int = 0


class AdmitRequest(Message):
    """The bucket says that a file is in it."""

    size: int = 0


class ParseRequest(Message):
    """A file is in the uploads bucket, and it is its tenant's turn.

    A long PDF is read in parts: each has a message with its first and last page (1-based), and
    `of`, how many pages there are. One without `part` joins the parts when all are stored; `lost`
    says that nothing can read the pages of this part. `page_by_page`: its step was stopped, so each
    page of it is a part.
    """

    size: int = 0
    part: tuple[int, int] | None = None
    of: int = 0
    lost: bool = False
    page_by_page: bool = False


class ChunkRequest(Message):
    """A canonical document is in the artifacts bucket."""

    document_key: str


class IndexRequest(Message):
    """One part of a document's chunks is in the artifacts bucket; parts are numbered from 0."""

    chunks_key: str
    part: int
    parts: int


class RemoveRequest(Message):
    """A file was deleted from the uploads bucket."""


class AnnotateRequest(Message):
    """The sidecar of the document at `key` has changed: version and sequencer are the sidecar's,
    for the log only, for the step looks at what is in the bucket.
    """


# -- ask: Plan -> Retrieve (Map) -> Grade -> again or Synthesize; Fail ---------------------------


class PlanRequest(Value):
    """`run` names the execution: one that Step Functions starts twice has two."""

    tenant: str
    question_id: str
    run: str = ""


class PlanResult(Value):
    """`wave`: ids of the sub-questions to retrieve now; none: the plan is itself the answer."""

    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    wave: tuple[str, ...]


class RetrieveRequest(Value):
    tenant: str
    question_id: str
    plan_key: str
    round: int
    sub_question: str


class RetrieveResult(Value):
    sub_question: str
    evidence_key: str
    passages: int
    best: float
    ms: float


class GradeRequest(Value):
    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    found: tuple[RetrieveResult, ...]


class GradeResult(Value):
    """`wave` is empty when it is time to write; `decision` says why."""

    tenant: str
    question_id: str
    run: str = ""
    plan_key: str
    round: int
    wave: tuple[str, ...]
    decision: Literal["enough", "expand", "replan", "next", "capped"]


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
        """None: the question has ended without one."""
        return cls(
            question_id=question_id,
            found=answer is not None and answer.found,
            sentences=len(answer.sentences) if answer else 0,
            citations=len(answer.citations) if answer else 0,
        )


class FailRequest(Value):
    """A step failed for good; `error` and `cause` are what Step Functions caught."""

    tenant: str
    question_id: str
    run: str = ""
    error: str
    cause: str


class FailResult(Value):
    question_id: str


# -- reindex: Prepare -> Rebuild (Map) -> Promote -> again or done --------------------------------


class PrepareRequest(Value):
    """`reason` is for the log: "schedule", "cli", "api"."""

    reason: str = "schedule"


class PrepareResult(Value):
    """A new generation exists and receives writes; `batches` are keys of lists of documents."""

    generation: str
    batches: tuple[str, ...]
    documents: int


class RebuildRequest(Value):
    generation: str
    batch: str


class RebuildResult(Value):
    documents: int
    chunks: int


class PromoteRequest(Value):
    generation: str
    attempt: int


class PromoteResult(Value):
    """`batches` not empty: documents that the new generation misses: rebuild, try again."""

    generation: str
    promoted: bool
    attempt: int
    batches: tuple[str, ...] = ()
    documents: int = 0
    chunks: int = 0


class AbandonRequest(Value):
    """The re-index failed: drop the new generation, go on with the old one."""

    generation: str


class AbandonResult(Value):
    generation: str


# -- sweep: on a schedule ------------------------------------------------------------------------


class SweepRequest(Value):
    """`reason` is for the log: "schedule", "operator"."""

    reason: str = "schedule"


class SweepResult(Value):
    """What one run did; the next goes on where it stopped."""

    requeued: int = 0  # took too long: queued once more
    failed: int = 0  # took too long again
    found: int = 0  # in the bucket, but not in the table
    gone: int = 0  # in the table, but no more in the bucket
    reopened: int = 0  # not all chunks in the index
    orphans: int = 0  # events whose chunks were in the index for nothing
    artifacts: int = 0  # that served no version
    annotated: int = 0  # documents that did not say what their sidecar does


QUEUES: dict[type[Revision], QueueName] = {
    AdmitRequest: "admit",
    ParseRequest: "parse",
    ChunkRequest: "chunk",
    IndexRequest: "index",
    RemoveRequest: "remove",
    AnnotateRequest: "annotate",
}
"""Which queue carries which message."""

STEPS: dict[str, tuple[type[Value], type[Value]]] = {
    "Plan": (PlanRequest, PlanResult),
    "Retrieve": (RetrieveRequest, RetrieveResult),
    "Grade": (GradeRequest, GradeResult),
    "Synthesize": (SynthesizeRequest, SynthesizeResult),
    "Fail": (FailRequest, FailResult),
    "Prepare": (PrepareRequest, PrepareResult),
    "Rebuild": (RebuildRequest, RebuildResult),
    "Promote": (PromoteRequest, PromoteResult),
    "Abandon": (AbandonRequest, AbandonResult),
    "Sweep": (SweepRequest, SweepResult),
}
"""State name, or step that is invoked by itself → what it takes and gives."""
