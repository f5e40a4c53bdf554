"""What code is asked to work out: a query of a table, or a calculation over cited figures."""

from typing import Literal

from footnote.model.identity import Value

type RowTestName = Literal[
    "is", "is not", "contains", "above", "below", "at least", "at most", "has none", "has some"
]
type TableOperation = Literal["rows", "count", "sum", "share", "mean", "max", "min"]
type SortOrder = Literal["", "largest first", "smallest first"]


class TablePlace(Value):
    """A table: the document's version that has it, and where it starts in the text."""

    document_id: str
    version: str
    start: int


class RowTest(Value):
    """What a cell of a row must be for the row to count. `above` of a day means after it.

    A cell `has none` if it is blank, a dash, 0 or "no", and else it `has some`: both need no value.
    """

    column: str
    test: RowTestName = "is"
    value: str = ""


class TableQuery(Value):
    """What is worked out of a table; columns go by their labels.

    `rows` gives the rows themselves, `share` the part of the sum of all rows that the chosen ones
    have. All other operations give a figure for each group, or one for the whole table. Each row of
    `join` adds its cells to those that have the same `join_on`. The rows of `also`, tables with the
    same columns, count as well. `limit` results are given from place `first`; rows go by their
    cells in the column `label`.
    """

    table: TablePlace
    operation: TableOperation
    measure: str = ""
    where: tuple[RowTest, ...] = ()
    group_by: str = ""
    sort: SortOrder = ""
    limit: int = 0
    join: TablePlace | None = None
    join_on: str = ""
    also: tuple[TablePlace, ...] = ()
    first: int = 1
    label: str = ""


class CitedFigure(Value):
    """A figure as it stands in a document, and the span of the sentence or row that has it."""

    document_id: str
    version: str
    start: int
    end: int
    text: str


class Calculation(Value):
    """A computation over figures of documents; their order counts as in `work_out`."""

    operation: Literal["change in percent", "difference", "sum", "ratio", "mean"]
    figures: tuple[CitedFigure, ...]


type Requested = TableQuery | Calculation
"""What a model has had worked out by tools."""
