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


class SearchBody(StrictValue):
    query: str
    strategy: Strategy = "auto"
    k: int = 10
    minimum_results: int = 0
    min_score: float = Field(default=0.0, ge=0, le=1)
    collection: Name | None = None
    documents: tuple[Name, ...] = Field(default=(), max_length=MAX_NAMED)
    filters: Mapping[str, object] = Field(default_factory=dict)
    explain: bool = False
    why: Followee | None = None


class Limits(Caps):
    """The caps of a question. A request may lower them. `seconds` shortens its deadline."""

    model_config = ConfigDict(extra="forbid")

    seconds: float | None = Field(default=None, ge=1)

    @property
    def caps(self) -> Caps:
        return Caps.model_validate(self.model_dump(exclude={"seconds"}))


class QuestionBody(StrictValue):
    question: str
    session: str = Field(default="", max_length=200)
    after: str = Field(default="", max_length=200)
    collection: Name | None = None
    documents: tuple[Name, ...] = Field(default=(), max_length=MAX_NAMED)
    filters: Mapping[str, object] = Field(default_factory=dict)
    budget: Limits = Limits()
    persona: str = ""
    kind: QuestionKind | None = None
    data_schema: Mapping[str, object] | None = Field(default=None, alias="schema")
    context: Mapping[str, object] | None = None
    min_confidence: float = Field(default=0.0, ge=0, le=1)
    strict: bool | None = None
    chart: bool = False


class GridBudget(StrictValue):
    """The most that all cells of a grid may be expected to cost."""

    usd: float | None = Field(default=None, ge=LEAST_USD, le=MOST_USD)


class GridBody(StrictValue):
    """Questions, and where the documents are of each of which they are asked."""

    questions: tuple[str, ...] = Field(min_length=1, max_length=MAX_COLUMNS)
    name: str = Field(default="", max_length=MAX_NAME)
    collection: Name | None = None
    documents: tuple[Name, ...] = Field(default=(), max_length=MAX_DOCUMENTS)
    filters: Mapping[str, object] = Field(default_factory=dict)
    budget: GridBudget = GridBudget()
    persona: str = ""
    min_confidence: float = Field(default=0.0, ge=0, le=1)
    strict: bool | None = None


class CellName(StrictValue):
    """A cell of a grid: its document, by path or id, and the number of its question, from 1."""

    document: Name
    question: int = Field(ge=1, le=MAX_COLUMNS)


class CellsBody(StrictValue):
    """The cells to ask again. Without any, what is new, has failed or is stale is asked."""

    cells: tuple[CellName, ...] = Field(default=(), max_length=MAX_CELLS)


class ReindexBody(StrictValue):
    reason: Literal["api", "cli"] = "api"
    force: bool = False


class FeedbackBody(StrictValue):
    """A verdict on an answer, on a sentence of it (from 0) or on a citation (its number)."""

    verdict: Opinion
    reason: str = ""
    sentence: int | None = None
    citation: int | None = None
