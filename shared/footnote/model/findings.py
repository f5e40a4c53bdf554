"""What work on a question has established: answers to sub-questions, and where they stand."""

from typing import Literal

from footnote.model.identity import Value


class FindingPlace(Value):
    """A sentence that states a finding: its document and version, its pages, its span."""

    document_id: str
    document: str
    collection: str
    version: str
    pages: tuple[int, ...]
    start: int
    end: int
    quote: str


class Finding(Value):
    """What was found for a sub-question, sure enough to build on.

    `statement` is the report of a model that has looked by turns, "" without one: then the quotes
    say it. `question_id` is the question in whose work it was found, `confidence` its grade.
    """

    question_id: str
    question: str
    statement: str = ""
    by: Literal["rules", "model"] = "rules"
    confidence: float
    places: tuple[FindingPlace, ...]


class Findings(Value):
    """The findings of a question, then those of the questions before it in its session."""

    findings: tuple[Finding, ...] = ()
