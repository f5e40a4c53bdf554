"""The bodies of requests."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from footnote.model import Caps, Opinion, QuestionKind, Strategy, StrictValue
from footnote.model.budget import LEAST_USD, MOST_USD
from footnote.service.document_names import MAX_KEY_BYTES
from footnote.service.document_service import MAX_LOOKUPS
from footnote.service.grid_rows import MAX_DOCUMENTS
from footnote.service.grid_service import MAX_CELLS, MAX_COLUMNS, MAX_NAME

MAX_NAMED = 100  # documents that a search or question may name; each costs a lookup


Name = Annotated[str, Field(max_length=MAX_KEY_BYTES)]
"""The name of a collection, or a document's path or id. It is part of an S3 key."""


Reason = Annotated[str, Field(max_length=500)]


class AddBody(StrictValue):
    document: str
    collection: str = "default"
    metadata: Mapping[str, object] = Field(default_factory=dict)
    sha256: str = Field(default="", pattern="^([0-9a-fA-F]{64})?$")


class AddOrTextBody(AddBody):
    """A document to add: by an upload, or as a text in this body."""

    new_text: str | None = None


class BatchBody(StrictValue):
    documents: tuple[AddBody, ...] = Field(min_length=1, max_length=MAX_LOOKUPS)


class StatusBody(StrictValue):
    ids: tuple[Name, ...]


class RetentionBody(StrictValue):
    """What holds for a collection: it replaces what did before."""

    days: int = Field(default=0, ge=0, le=36_500)
    hold: Reason = ""
    documents: Mapping[Name, Annotated[Reason, Field(min_length=1)]] = Field(
        default_factory=dict, max_length=1_000
    )


class Followee(StrictValue):
    """A document, by path or id, or one page of it."""

    document: Name
    page: int | None = Field(default=None, ge=1)


FILTERS = (
    'Only documents with these attributes: {"kind": ["report", "note"], "year": {"gte": 2023}};'
    " `and`, `or`, `not` hold such objects"
)
PERSONA = "How the answer is written: default, analyst or terse"
SURE = "Answer only what grading is so sure of"
STRICT = "Whether to leave out what nothing confirms"
ONLY = "Only these documents, by path or id"

InCollection = Annotated[Name | None, Field(description="Only this collection")]
Named = Annotated[tuple[Name, ...], Field(max_length=MAX_NAMED, description=ONLY)]
Filters = Annotated[Mapping[str, object], Field(description=FILTERS)]
Persona = Annotated[str, Field(description=PERSONA)]
LeastConfidence = Annotated[float, Field(ge=0, le=1, description=SURE)]
Strict = Annotated[bool | None, Field(description=STRICT)]


class SearchBody(StrictValue):
    query: str = Field(description="What to find")
    strategy: Strategy = Field(default="auto", description="How to find it; leave it at auto")
    k: int = Field(default=10, description="How many passages")
    minimum_results: int = Field(
        default=0, description="With fewer passages, a strategy that finds more is asked"
    )
    min_score: float = Field(
        default=0.0, ge=0, le=1, description="Leave out passages that are less likely"
    )
    collection: InCollection = None
    documents: Named = ()
    filters: Filters = Field(default_factory=dict)
    explain: bool = Field(default=False, description="Whether to tell what gave each its score")
    why: Followee | None = Field(
        default=None, description="Follow this document: where did the search lose it?"
    )


class Limits(Caps):
    """The caps of a question. A request may lower them. `seconds` shortens its deadline."""

    model_config = ConfigDict(extra="forbid")

    seconds: float | None = Field(default=None, ge=1)

    @property
    def caps(self) -> Caps:
        return Caps.model_validate(self.model_dump(exclude={"seconds"}))


LIMITS = "The most it may take: {seconds, rounds, searches, tokens, usd}"
KIND = "What it asks for; for list, count and document all documents are read whole"
CONTEXT = "A record that the question is about, a JSON object"

Budget = Annotated[Limits, Field(description=LIMITS)]
Kind = Annotated[QuestionKind | None, Field(description=KIND)]
Context = Annotated[Mapping[str, object] | None, Field(description=CONTEXT)]


class QuestionBody(StrictValue):
    question: str = Field(description="What to answer")
    session: str = Field(
        default="", max_length=200, description="Questions of one session follow each other"
    )
    after: str = Field(
        default="", max_length=200, description="The id of the question that this one follows"
    )
    collection: InCollection = None
    documents: Named = ()
    filters: Filters = Field(default_factory=dict)
    budget: Budget = Limits()
    persona: Persona = ""
    kind: Kind = None
    data_schema: Mapping[str, object] | None = Field(
        default=None,
        alias="schema",
        description="A JSON Schema: the answer then also has data of this form",
    )
    context: Context = None
    min_confidence: LeastConfidence = 0.0
    strict: Strict = None
    chart: bool = Field(default=False, description="Whether a chart of a table's figures is wanted")


class GridBudget(StrictValue):
    """The most that all cells of a grid may be expected to cost."""

    usd: float | None = Field(default=None, ge=LEAST_USD, le=MOST_USD)


class GridBody(StrictValue):
    """Questions, and where the documents are of each of which they are asked."""

    questions: tuple[str, ...] = Field(
        min_length=1, max_length=MAX_COLUMNS, description="What to ask of each document"
    )
    name: str = Field(default="", max_length=MAX_NAME, description="What to call it in lists")
    collection: InCollection = None
    documents: tuple[Name, ...] = Field(default=(), max_length=MAX_DOCUMENTS, description=ONLY)
    filters: Filters = Field(default_factory=dict)
    budget: GridBudget = Field(
        default=GridBudget(),
        description="{usd}: ask nothing if all of it is expected to cost more dollars",
    )
    persona: Persona = ""
    min_confidence: LeastConfidence = 0.0
    strict: Strict = None


class CellName(StrictValue):
    """A cell of a grid: its document, by path or id, and the number of its question, from 1."""

    document: Name
    question: int = Field(ge=1, le=MAX_COLUMNS)


class CellsBody(StrictValue):
    """The cells to ask again. Without any, what is new, has failed or is stale is asked."""

    cells: tuple[CellName, ...] = Field(default=(), max_length=MAX_CELLS)


class SessionBody(StrictValue):
    """What to call a session; "" takes its name away."""

    name: str = Field(max_length=MAX_NAME)


class ReindexBody(StrictValue):
    reason: Literal["api", "cli"] = "api"
    force: bool = False


class FeedbackBody(StrictValue):
    """A verdict on an answer, on a sentence of it (from 0) or on a citation (its number)."""

    verdict: Opinion
    reason: str = ""
    sentence: int | None = None
    citation: int | None = None
