"""The inputs and results of the tools. Their JSON Schemas are made of these.

Fields of results are those of the REST API's JSON. Other fields of a newer server are dropped.
"""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from footnote.api.bodies import FeedbackBody, Name, QuestionBody, SearchBody
from footnote.api.given import MAX_BODY
from footnote.api.replies import HitReply, QuestionStatus
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.model import (
    Chart,
    Citation,
    Coverage,
    FieldValue,
    Finding,
    Followed,
    HowRead,
    KnownOutcome,
    Opinion,
    Problem,
    RemovedSentence,
    Sentence,
    Status,
    StrictValue,
    Value,
)
from footnote.model.catalogue import Catalogue
from footnote.wire import Json

MAX_HITS = 50  # passages of one search: a model reads them all
MAX_LISTED = 100  # documents of one list, likewise

DOCUMENT = "The document's path or id"
WHERE = "The collection of a document that is named by its path"


class SearchInput(SearchBody):
    query: str = Field(max_length=MAX_QUESTION, description="What to find")
    k: int = Field(default=10, ge=1, le=MAX_HITS, description="How many passages")


class AskInput(QuestionBody):
    """Either a question, or the id of an earlier one."""

    question: str = Field(default="", max_length=MAX_QUESTION, description="What to answer")
    question_id: str = Field(
        default="", max_length=200, description="Instead: a question still worked on, by its id"
    )


class FindingsInput(StrictValue):
    question_id: str = Field(
        min_length=1, max_length=200, description="The id of a question, as `ask` gives it"
    )


class SayInput(FeedbackBody):
    question_id: str = Field(
        min_length=1, max_length=200, description="The id of the question, as `ask` gives it"
    )
    verdict: Opinion = Field(description="`up` (good), `down` (wrong), `gap` (documents missing)")
    reason: str = Field(default="", description="Why, in the person's words")
    sentence: int | None = Field(default=None, description="Of this sentence alone, from 0")
    citation: int | None = Field(default=None, description="Of the citation of this number alone")


class StopInput(StrictValue):
    """Either a question or a grid."""

    question_id: str = Field(default="", max_length=200, description="A question, by its id")
    grid_id: str = Field(default="", max_length=200, description="Or a grid, by its id")


class OpenInput(StrictValue):
    """A document, and where to begin: at most one of page, section, start; else its beginning."""

    document: str = Field(min_length=1, max_length=1024, description=DOCUMENT)
    collection: Name = Field(default="default", min_length=1, description=WHERE)
    page: int | None = Field(default=None, ge=1, description="This page, and nothing else")
    section: str = Field(
        default="", max_length=500, description="The section with this heading, or part of it"
    )
    start: int | None = Field(
        default=None, ge=0, description="From this offset: the `start` of a hit or citation"
    )


class ListInput(StrictValue):
    status: Status | None = Field(default=None, description="Only those of this status")
    after: str = Field(default="", max_length=4096, description="`after` of the last list")
    limit: int = Field(default=50, ge=1, le=MAX_LISTED, description="How many")


class AddInput(StrictValue):
    document: str = Field(
        min_length=1, max_length=900, description="Its path, with an ending: notes/harbour.md"
    )
    text: str = Field(
        min_length=1, description=f"What the file shall hold: at most {MAX_BODY:,} bytes"
    )
    collection: Name = Field(default="default", min_length=1, description="Where to keep it")
    replace: bool = Field(
        default=False, description="Whether it may replace a document of this path"
    )


class RemoveInput(StrictValue):
    document: str = Field(min_length=1, max_length=1024, description=DOCUMENT)
    collection: Name = Field(default="default", min_length=1, description=WHERE)


class Result(Value):
    """The base of results: fields without a description here are dropped."""


class SearchResult(Result):
    query: str
    strategy: str
    hits: tuple[HitReply, ...]
    degraded: tuple[str, ...] = ()
    why: Followed | None = None


class AskResult(Result):
    """A question. While it is RUNNING it has no answer: ask again with its id."""

    id: str
    status: QuestionStatus
    question: str
    session: str
    found: bool | None = None
    outcome: KnownOutcome = None
    answer: str = ""
    catalogue: Catalogue | None = None
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    confidence: float | None = None
    removed: tuple[RemovedSentence, ...] = ()
    degraded: tuple[str, ...] = ()
    data: Mapping[str, object] | None = None
    fields: tuple[FieldValue, ...] = ()
    coverage: Coverage | None = None
    chart: Chart | None = None


class FindingsResult(Result):
    findings: tuple[Finding, ...]


class SayResult(Result):
    id: str
    question_id: str
    verdict: Opinion


class StopResult(Result):
    """What was stopped. `cells` of a grid were; a question that had ended keeps its status."""

    id: str
    status: QuestionStatus | None = None
    stopped: bool
    cells: int = 0


class OpenedPage(Result):
    """A page of the opened text, and its start in the document's text."""

    page: int
    start: int


class OpenResult(Result):
    """A part of a document's text. `next` is the offset of the rest, None at the end.

    `read` is `ocr` where OCR read one of its pages.
    """

    document: str
    document_id: str
    collection: str
    version: str
    title: str
    start: int
    end: int
    next: int | None
    length: int
    pages: tuple[OpenedPage, ...]
    read: HowRead = "text"
    text: str


class ListedDocument(Result):
    id: str
    document: str
    collection: str
    title: str
    status: Status
    searchable: bool
    pages: int
    media_type: str
    updated: str
    error: Problem | None = None


class ListResult(Result):
    documents: tuple[ListedDocument, ...]
    after: str


class AddResult(Result):
    id: str
    document: str
    collection: str
    version: str
    replaced: bool
    status: Literal["RECEIVED"] = "RECEIVED"


class RemoveResult(Result):
    id: str
    document: str
    collection: str


def options_of(inputs: StrictValue, *own: str) -> Json:
    """Returns what a tool was given beside its `own` arguments, as the faces take it."""
    given = inputs.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return {name: value for name, value in given.items() if name not in own}


def input_schema(kind: type[Value]) -> Json:
    return _plain(kind.model_json_schema())


def output_schema(kind: type[Result]) -> Json:
    """Returns the schema of a result. It allows more fields, which a newer server may send."""
    schema: Json = _open(kind.model_json_schema(mode="serialization"))
    return _plain(schema)


def _open(schema: Any) -> Any:
    if isinstance(schema, dict):
        return {
            name: _open(value)
            for name, value in schema.items()
            if not (name == "additionalProperties" and value is False)
        }
    return [_open(each) for each in schema] if isinstance(schema, list) else schema


def _plain(schema: Json) -> Json:
    """Drops the class's docstring, which is for readers of the source."""
    return {name: value for name, value in schema.items() if name != "description"}
