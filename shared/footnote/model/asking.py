"""The values of the ask flow: plans, evidence, answers with citations."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from footnote.model.catalogue import Catalogue, CatalogueQuery
from footnote.model.charts import Chart
from footnote.model.documents import Doubt, HowRead, TableHeader
from footnote.model.identity import Scalar, Value
from footnote.model.scope import Condition
from footnote.model.strategies import Strategy
from footnote.model.tables import Requested

type Mode = Literal["extractive", "anthropic", "bedrock", "openai"]
"""Who plans, grades and writes: rules over the documents' own sentences, or a provider's models."""


type Persona = Literal["default", "analyst", "terse"]
"""How an answer is written. `prompts/personas.py` has a row for each."""

type QuestionKind = Literal["fact", "comparison", "exploratory", "list", "count", "document"]
"""What a question asks for. `prompts/question_kinds.py` has a row for each."""


class AnswerOptions(Value):
    """The options of an answer, besides the question's words.

    Without a `persona` the planner may choose one. `data_schema` and `context` are JSON, or "".
    They have been checked: `ask/data` and `ask/planning` read them. `min_confidence` is how sure
    grading must be, 0 to 1, that evidence states an answer, before it is written. With `strict`
    no sentence is shown that nothing confirms; None leaves that to the settings. `kind` is what the
    question asks for, where the caller says so; else the planner finds out. `chart`: whether a
    chart is wanted of what is worked out.
    """

    persona: Persona | None = None
    kind: QuestionKind | None = None
    data_schema: str = ""
    context: str = ""
    min_confidence: float = 0.0
    strict: bool | None = None
    chart: bool = False

    def is_strict(self, *, unless_said: Literal["off", "on"]) -> bool:
        """Tells whether what nothing confirms is left out. The settings decide for who does not."""
        return unless_said == "on" if self.strict is None else self.strict


class ScoredSentence(Value):
    """A sentence of a passage (offsets into the document), with its scores for the question.

    `similarity` is the cosine of the embeddings of sentence and question. Where sentences are not
    embedded it is the passage's (`near`). `overlap` is the share of the question's informative
    words that the sentence has, or its headings: table header, section, document name. Words weigh
    by their rarity among the passages. `found` is the score of the best chunk that holds the
    sentence: 0 if it was only opened around a chunk, None if no chunk is known, as in evidence of
    an earlier version. `states` is the log-odds that the sentence states the answer, by a model
    that reads both; None if the model has not read it.
    """

    start: int
    end: int
    similarity: float
    overlap: float
    found: float | None = None
    states: float | None = None


class Passage(Value):
    """A piece of evidence: verbatim text of one version of one document.

    `above` is the table's header, if the passage begins inside a table. It is shown with the
    passage, and is cited by its own span. `near` is the cosine of the question and the nearest of
    its chunks, by the index's vectors; 0 where the search went by words alone. `read` is `ocr`
    where OCR read one of its pages.
    """

    document_id: str
    document: str
    collection: str
    version: str
    title: str
    section: tuple[str, ...]
    pages: tuple[int, ...]
    start: int
    end: int
    text: str
    score: float
    sentences: tuple[ScoredSentence, ...] = ()
    above: TableHeader | None = None
    near: float = 0.0
    read: HowRead = "text"

    @property
    def key(self) -> tuple[str, str, int, int]:
        """What no other passage has: its document, the version of that, and its span."""
        return self.document_id, self.version, self.start, self.end

    def parts(self) -> tuple[tuple[int, str], ...]:
        """Returns all citable parts, each with its offset: the text, then the table's header."""
        own = (self.start, self.text)
        return (own, (self.above.start, self.above.text)) if self.above else (own,)


class PastSearch(Value):
    """A finished search: the same text with the same strategy finds the same again."""

    strategy: Strategy
    text: str


class Evidence(Value):
    """The passages that were found for one sub-question.

    `absent` are the question's unknown words: they occur nowhere in the searched documents, if that
    was checked. `foreign` are those of them that show another subject than the documents', and
    joined words ("trim-paths") that occur nowhere. `strange` are ids of documents among the
    passages that lack the names or the code in the question. `searched` are the searches that were
    made. `summary` is the report of a model that searched. `computations` are what it has had
    worked out by tools, to be stated.
    """

    sub_question: str
    question: str
    strategy: Strategy
    chosen: str = ""  # why another strategy replaced the named one
    passages: tuple[Passage, ...]
    degraded: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    strange: tuple[str, ...] = ()
    searched: tuple[PastSearch, ...] = ()
    summary: str = ""
    computations: tuple[Requested, ...] = ()

    def after(self, notes: tuple[str, ...]) -> "Evidence":
        """Returns the evidence with notes of what was lacking before it was looked for."""
        return self.model_copy(update={"degraded": tuple(dict.fromkeys((*notes, *self.degraded)))})


class Verdict(Value):
    """The decision on the evidence for one sub-question.

    A grader decides `enough`, `expand` or `replan`. The decision is `stopped` where the grader
    wants more, but a cap is reached, or it names no new search. It is `failed` where the search
    itself failed; `missing` then has the reason.
    """

    decision: Literal["enough", "expand", "replan", "stopped", "failed"]
    confidence: float
    missing: str = ""


class SubQuestion(Value):
    """One thing to find out: how to search for it, what was found, and the verdict.

    `where` and `collection` narrow the search, inside the question's scope. With fewer hits than
    `minimum_results`, a strategy that finds more is tried. `searches` counts its searches,
    `searched` lists them.
    """

    id: str
    text: str
    variants: tuple[str, ...] = ()
    strategy: Strategy = "auto"
    minimum_results: int = 0
    documents: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()
    where: Condition | None = None
    collection: str = ""
    evidence_keys: tuple[str, ...] = ()
    verdict: Verdict | None = None
    searches: int = 0
    searched: tuple[PastSearch, ...] = ()
    field: str = ""  # of the data: not graded, and not for the answer's words
    wide: bool = False  # a list or a count: it needs passages of many documents

    @property
    def is_settled(self) -> bool:
        """Whether no more searches are made for it."""
        return self.verdict is not None and self.verdict.decision != "expand"

    @property
    def was_looked_up(self) -> bool:
        """Whether a search was made or may come: only then can an answer say "not found"."""
        if self.verdict is None or self.verdict.decision != "failed":
            return self.verdict is None or self.verdict.decision != "stopped" or self.searches > 0
        return False


class Plan(Value):
    """How to answer a question. Unless `kind` is retrieve, `reply` is the answer.

    The exception is a plan with `catalogue`: the table of documents answers what that asks of it.
    `resolved` is the question in words that need no history; "" where they are unknown.
    `min_confidence` and `wants_chart` are the caller's wishes.
    """

    kind: Literal["retrieve", "direct", "clarify"]
    question: str
    reply: str = ""
    catalogue: CatalogueQuery | None = None
    sub_questions: tuple[SubQuestion, ...] = ()
    reason: str = ""
    resolved: str = ""
    question_kind: QuestionKind = "fact"
    persona: Persona = "default"
    min_confidence: float = 0.0
    wants_chart: bool = False

    def sub_question(self, name: str) -> SubQuestion:
        """Returns the sub-question with this id."""
        return next(question for question in self.sub_questions if question.id == name)

    @property
    def unsettled(self) -> tuple[str, ...]:
        """The ids of the sub-questions that may need more searches."""
        return tuple(sub.id for sub in self.sub_questions if not sub.is_settled)

    def is_sure(self, question: SubQuestion) -> bool:
        """Tells whether grading was as sure of a sub-question's evidence as the caller wants."""
        graded = question.verdict.confidence if question.verdict else 0.0
        return graded >= self.min_confidence


class Box(Value):
    """A rectangle on a page, in points from its top left corner."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Citation(Value):
    """A pointer from a sentence to the words that support it.

    `verified` tells that the quote stands in the stored text of that page. `read` tells whether
    that is the file's own text or OCR's reading of the page's picture. `doubts` are the figures of
    the quote that OCR may have misread, with offsets into the quote. `labels` are the pages'
    printed labels, as `labels_of` gives them; none where readers use the numbers. For a quote in a
    table, `header` and `row` are the labels of its columns and of its row. `url` is the address of
    a page of the web, and `fetched` the day it was fetched.
    """

    n: int
    document: str
    document_id: str
    collection: str
    version: str
    pages: tuple[int, ...]
    labels: tuple[str, ...] = ()
    boxes: tuple[Box, ...] = ()
    section: tuple[str, ...]
    header: tuple[str, ...] = ()
    row: str = ""
    quote: str
    start: int
    end: int
    read: HowRead = "text"
    doubts: tuple[Doubt, ...] = ()
    verified: bool = False
    url: str = ""
    fetched: str = ""


Checked = Literal["exact", "confirmed", "unconfirmed", "ocr"]
_FORMER = {"supported": "confirmed"}  # what earlier releases have stored


def _known(checked: object) -> object:
    """Reads a check of a later release as None: it must not be shown as a check that we know."""
    checked = _FORMER.get(checked, checked) if isinstance(checked, str) else checked
    return checked if checked in get_args(Checked) else None


KnownCheck = Annotated[Checked | None, BeforeValidator(_known)]


class Sentence(Value):
    """A sentence of an answer and how it was checked.

    `checked` is `exact` when the sentence stands in its passages word for word. It is `confirmed`
    when they say the same in other words. It is `unconfirmed` when nothing contradicts it and
    nothing confirms it. It is `ocr` when an exact or confirmed sentence rests on a quote that OCR
    read, which only the page's picture can confirm. It is None when the sentence reports what was
    not found and cites nothing. `judged_by` tells who has confirmed it: the rules, or a model where
    the rules could not decide. `repaired` tells that its first wording did not hold: it is the
    writer's second one, or a sentence of the passage. `computed` lists figures that it works out
    from others, and how.
    """

    text: str
    citations: tuple[int, ...] = ()
    checked: KnownCheck = None
    judged_by: Literal["rules", "model"] = "rules"
    repaired: bool = False
    computed: tuple[str, ...] = ()


class RemovedSentence(Value):
    """A sentence that failed the check, and the wrong part of it (`reason`).

    `text` leaves out words that only an attacker can have put there.
    """

    text: str
    reason: str
    field: str = ""  # of the data, if it is a field's value


class FieldValue(Value):
    """How a field of the data was checked. A field that is null has none.

    `field` is its name, after that of the object around it ("terms.days"), in an array of objects
    with the object's number ("packs[3].price"). An array of values has one entry for each of them,
    in order. `read` is `ocr` where the value rests on a quote that OCR read.
    """

    field: str
    value: Scalar
    citations: tuple[int, ...]
    judged_by: Literal["rules", "model"] = "rules"
    computed: tuple[str, ...] = ()
    read: HowRead = "text"


class Usage(Value):
    """The tokens and dollars of a question, in all and by step ("plan", "retrieve" …).

    `priced` is False where no price is known for a model that was called: `usd` lacks its cost.
    """

    tokens: int = 0
    usd: float = 0.0
    priced: bool = True
    by_step: Mapping[str, Mapping[str, float]] = Field(default_factory=dict)


Outcome = Literal["answer", "nearest", "none"]


def _known_outcome(outcome: object) -> object:
    """Reads an outcome of a later release as None: nobody here knows what it promises."""
    return outcome if outcome in get_args(Outcome) else None


KnownOutcome = Annotated[Outcome | None, BeforeValidator(_known_outcome)]


type Stopped = Literal["", "bound", "budget", "time", "failed"]
"""Why not all documents were read: what ran out, or "failed" where some could not be read. One
summary takes only so many (`bound`).
"""


class Coverage(Value):
    """How much of its scope an answer rests on: `documents` were read whole, `of` all in scope.

    Rules have read `by_rule` of them, where a model has read the others.
    """

    documents: int
    of: int
    by_rule: int = 0
    stopped: Stopped = ""


class Answer(Value):
    """The answer as the REST API gives it.

    `catalogue` is what the table of documents says, where that was asked: it cites nothing.

    `outcome` is `answer` where a sentence states what was asked. It is `nearest` where the
    sentences are only the likeliest ones of the best passages: nobody claims that they answer. It
    is `none` where the search itself knows that nothing is there. It is None for a reply that
    needs no document, and where an earlier release has found nothing. `found` is True where it is
    `answer`. `coverage` is there where documents were read whole, None where they were searched.
    With `no_model` no language model is configured, and the first note of `degraded` says so.
    """

    id: str
    kind: Literal["answer", "clarify", "direct"]
    found: bool
    outcome: KnownOutcome = Field(default=None, validate_default=True)
    answer: str
    catalogue: Catalogue | None = None
    sentences: tuple[Sentence, ...] = ()
    citations: tuple[Citation, ...] = ()
    confidence: float = 0.0
    degraded: tuple[str, ...] = ()
    no_model: bool = False
    mode: Mode = "extractive"
    plan: Plan | None = None
    rounds: int = 0
    removed: tuple[RemovedSentence, ...] = ()  # sentences that failed the check and were left out
    usage: Usage = Usage()
    timings_ms: Mapping[str, float] = Field(default_factory=dict)
    # what the caller's schema asks for; null where no value holds
    data: Mapping[str, object] | None = None
    fields: tuple[FieldValue, ...] = ()
    coverage: Coverage | None = None
    chart: Chart | None = None  # of several figures that were worked out of a table

    @field_validator("outcome")
    @classmethod
    def _of_earlier_releases(cls, outcome: Outcome | None, info: ValidationInfo) -> Outcome | None:
        """Fills in the outcome of what an earlier release has found."""
        return "answer" if outcome is None and info.data.get("found") else outcome

    def shown(self) -> dict[str, object]:
        """Returns the JSON that callers see, without what tells where evidence is stored."""
        private = {"plan": {"sub_questions": {"__all__": {"evidence_keys"}}}}
        return self.model_dump(mode="json", exclude=private)

    def timed(self, milliseconds: Mapping[str, float]) -> Self:
        """Returns the answer with these milliseconds by step beside its own."""
        return self.model_copy(update={"timings_ms": {**self.timings_ms, **milliseconds}})
