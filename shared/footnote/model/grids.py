"""The values of grids: questions asked of each of many documents, and what became of each cell."""

from typing import Literal

from footnote.model.asking import AnswerOptions, KnownCheck, KnownOutcome
from footnote.model.budget import Estimate
from footnote.model.documents import HowRead
from footnote.model.identity import Value
from footnote.model.records import Problem
from footnote.model.scope import Scope

type CellStatus = Literal["WAITING", "RUNNING", "DONE", "FAILED"]


class Source(Value):
    """Where the words of a cell stand: pages, their printed labels, and the quote."""

    pages: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    quote: str = ""
    read: HowRead = "text"


class Cell(Value):
    """One question of a grid, asked of one document.

    `column` counts the grid's questions from 0. `question_id` is the question that was asked for
    it, "" before the first. `version` is the document's that was live then, `asked` the moment.
    `person` has it asked and pays. Once DONE it holds the beginning of the answer: `text`, how the
    weakest sentence of it was `checked`, and the `source` of the first.
    """

    column: int
    document_id: str
    status: CellStatus = "WAITING"
    question_id: str = ""
    version: str = ""
    asked: float = 0.0
    person: str = ""
    kind: Literal["answer", "clarify", "direct"] = "answer"
    outcome: KnownOutcome = None
    text: str = ""
    checked: KnownCheck = None
    source: Source | None = None
    confidence: float = 0.0
    usd: float = 0.0
    error: Problem | None = None

    @property
    def place(self) -> tuple[str, int]:
        """What no other cell of the grid has."""
        return self.document_id, self.column

    @property
    def has_ended(self) -> bool:
        return self.status in {"DONE", "FAILED"}

    def again(self, person: str) -> "Cell":
        """Returns the cell as it waits to be asked, by this person. It keeps its last question."""
        return Cell(
            column=self.column,
            document_id=self.document_id,
            question_id=self.question_id,
            person=person,
        )


class Grid(Value):
    """Questions that are asked of each document in a scope.

    The scope holds the rights of who made the grid: its cells are asked with these. `options` are
    those of each cell's question. `estimate` is what all cells were expected to cost when it was
    made. `driven` is the time until which somebody is taken to work on it.
    """

    id: str
    tenant: str
    name: str = ""
    questions: tuple[str, ...]
    scope: Scope
    options: AnswerOptions = AnswerOptions()
    estimate: Estimate | None = None
    created: str = ""
    driven: float = 0.0

    @property
    def order(self) -> tuple[str, str]:
        """The key by which grids are sorted: when they were made, then their ids."""
        return self.created, self.id
