"""The shapes of JSON replies: those of planner, grader, judge and extractor."""

from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from footnote.model import Persona, QuestionKind, Strategy

MAX_MINIMUM = 12  # results that a planner may want, as many as one search for evidence shows


class Shape(BaseModel):
    """The shape of a reply. Fields that models add now and then are ignored."""


def _asks_for(*fields: str) -> ConfigDict:
    """Has the schema require fields that a reply may lack: else small models stop before them."""
    return ConfigDict(json_schema_extra={"required": list(fields)})


def _persona(value: object) -> object:
    """Returns None for an unknown persona: it is no reason to plan again."""
    return value if value in get_args(Persona.__value__) else None


def _kind(value: object) -> object:
    return value if value in get_args(QuestionKind.__value__) else "fact"


class PlannedQuestion(Shape):
    """A sub-question as a planner writes it."""

    id: str = ""
    text: str
    variants: list[str] = Field(default_factory=list)
    strategy: Strategy = "auto"
    minimum_results: int = Field(default=0, ge=0, le=MAX_MINIMUM)
    documents: list[str] = Field(default_factory=list)
    depends_on: list[str] = Field(default_factory=list)
    filters: dict[str, object] = Field(default_factory=dict)
    collection: str = ""


class PlanReply(Shape):
    """The planner's reply."""

    model_config = _asks_for("kind", "reply", "sub_questions")

    kind: Literal["retrieve", "direct", "clarify", "catalogue"]
    reply: str = ""
    reason: str = ""
    sub_questions: list[PlannedQuestion] = Field(default_factory=list)
    resolved: str = ""
    question_kind: Annotated[QuestionKind, BeforeValidator(_kind)] = "fact"
    persona: Annotated[Persona | None, BeforeValidator(_persona)] = None


class CondensedLine(Shape):
    """What a conversation has established, in a line, and the numbers of the turns it is from."""

    text: str
    turns: list[int]


class CondenseReply(Shape):
    """The summary of a conversation's older turns."""

    lines: list[CondensedLine]


class DraftReply(Shape):
    """A draft of a case for evaluation: question, answer, and the sentence that states it."""

    question: str = ""
    answer: str = ""
    sentence: str = ""


class GradedQuestion(Shape):
    """The verdict on one sub-question as a grader writes it."""

    id: str
    decision: Literal["enough", "expand", "replan"]
    confidence: float
    missing: str = ""
    variants: list[str] = Field(default_factory=list)
    strategy: Strategy = "auto"


class GradeReply(Shape):
    """The grader's reply."""

    verdicts: list[GradedQuestion]
    new_sub_questions: list[PlannedQuestion] = Field(default_factory=list)


class QuotedValue(Shape):
    """A value of a field, and the words that state it. An empty value is read from the quote."""

    field: str
    value: str = ""
    passage: int
    quote: str


class NamedValue(Shape):
    """A value of one field of an object."""

    field: str
    value: str = ""


class QuotedRecord(Shape):
    """An object of an array, and the sentence or row that states its values."""

    array: str
    passage: int
    quote: str
    values: list[NamedValue] = Field(default_factory=list)


class ExtractReply(Shape):
    """The values of a form's fields in the passages; those of an array one by one."""

    model_config = _asks_for("values")

    values: list[QuotedValue] = Field(default_factory=list)
    records: list[QuotedRecord] = Field(default_factory=list)


class ChosenLines(Shape):
    """Lines of a document that state one item, by their numbers, and what the item is called."""

    lines: list[int] = Field(default_factory=list)
    name: str = ""


class ReadReply(Shape):
    """What a reader chooses in a part of a document."""

    model_config = _asks_for("items")

    items: list[ChosenLines] = Field(default_factory=list)


class JudgeReply(Shape):
    """The reply of the judge.

    `words`: those of the passages that say what the sentence says. `lacks`: those of the sentence
    that no passage says.
    """

    model_config = ConfigDict(json_schema_extra={"required": ["words", "lacks", "supported"]})

    words: list[str] = Field(default_factory=list)
    lacks: str = ""
    supported: bool
