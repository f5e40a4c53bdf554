"""The tools that work figures out: of a whole table, or of figures that a model has been shown.

What they give is a result with a number. A model that finishes names the results to state, and code
works them out again and cites them: see `compute/requested.py`.
"""

from typing import Literal

from pydantic import Field

from footnote.ask.compute.calculation import state_computation
from footnote.ask.compute.cited_figures import find_figure, work_out_figures
from footnote.ask.compute.table_answer import show_figure
from footnote.ask.compute.table_query import Worked
from footnote.ask.compute.tables import read_at, work_out_query
from footnote.ask.tools.bench import Bench, CallOutcome
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.write.tables import TableAt
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import (
    Calculation,
    Passage,
    RowTest,
    RowTestName,
    SortOrder,
    TableOperation,
    TableQuery,
)
from footnote.prompts import fence_texts
from footnote.prompts.shapes import Shape
from footnote.text.computations import Computation

MOST_RESULTS = 40  # that a call shows
MOST_CELLS = 200  # characters of a row that are shown


class TestShape(Shape):
    """What a cell must be for its row to count; `above` a day is after it.

    A cell that `has none` is blank, a dash, 0 or "no": this and `has some` need no value.
    """

    column: str = Field(min_length=1, max_length=300)
    test: RowTestName = "is"
    value: str = Field(default="", max_length=300)


class TableCall(Shape):
    """Works figures out of the whole table that a passage stands in, also of rows not shown.

    Choose rows by `where`, groups by `group_by`, the column of figures by `measure`, all by labels
    of columns; `columns` lists these. Rows that are totals are left out by themselves. `join` adds
    the columns of another passage's table, by the cells of `join_on`, which both must have. Where
    a passage stands in several tables, `table` is the number of one, from 1.
    """

    passage: int = Field(ge=1)
    table: int = Field(default=1, ge=1)
    operation: Literal["columns"] | TableOperation
    measure: str = Field(default="", max_length=300)
    where: list[TestShape] = Field(default_factory=list, max_length=8)
    group_by: str = Field(default="", max_length=300)
    sort: SortOrder = ""
    limit: int = Field(default=0, ge=0, le=200)
    join: int = Field(default=0, ge=0)
    join_on: str = Field(default="", max_length=300)


class FigureShape(Shape):
    """A figure as it stands in a passage. `near`: words of its row, where it stands there twice."""

    passage: int = Field(ge=1)
    figure: str = Field(min_length=1, max_length=60)
    near: str = Field(default="", max_length=300)


class CalculateCall(Shape):
    """Computes with figures of passages. The later figure is the first of a difference or a ratio,
    and the last of a change in percent.
    """

    operation: Computation
    figures: list[FigureShape] = Field(min_length=2, max_length=12)


def query_table(call: TableCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    at = _table_of(call.passage, call.table, scratchpad, bench)
    if call.operation == "columns":
        return scratchpad, _show_columns(at)
    joined = _table_of(call.join, 1, scratchpad, bench) if call.join else None
    query = TableQuery(
        table=at.place,
        operation=call.operation,
        measure=call.measure,
        where=tuple(RowTest(**test.model_dump()) for test in call.where),
        group_by=call.group_by,
        sort=call.sort,
        limit=call.limit,
        join=joined.place if joined else None,
        join_on=call.join_on,
    )
    worked = work_out_query(query, bench.document)
    passages = [call.passage, *([call.join] if call.join else [])]
    after, number = scratchpad.with_result(query, passages)
    return after, f"Result {number}. {_show(worked)}"


def calculate(call: CalculateCall, scratchpad: Scratchpad, bench: Bench) -> CallOutcome:
    figures = []
    likes: dict[str, Passage] = {}
    for each in call.figures:
        passage = scratchpad.passage(each.passage)
        document = bench.document(passage.document_id, passage.version)
        figures.append(find_figure(each.figure, each.near, passage, document))
        likes[passage.document_id] = passage
    calculation = Calculation(operation=call.operation, figures=tuple(figures))
    operands = work_out_figures(calculation, likes, bench.document)
    sentence = state_computation(call.operation, operands)
    after, number = scratchpad.with_result(calculation, [each.passage for each in call.figures])
    return after, f"Result {number}. {sentence.text if sentence else ''}"


def _table_of(number: int, nth: int, scratchpad: Scratchpad, bench: Bench) -> TableAt:
    """Returns the n-th table in which a passage stands."""
    passage = scratchpad.passage(number)
    document = bench.document(passage.document_id, passage.version)
    tables = [
        each for each in document.tables if each.start < passage.end and each.end > passage.start
    ]
    if not tables:
        raise NotFoundError(f"passage {number} stands in no table", action="Open its page.")
    if nth > len(tables):
        raise BadRequestError(
            f"passage {number} stands in no table {nth}", action=f"It has {len(tables)}."
        )
    return TableAt(passage, document, tables[nth - 1])


def _show_columns(at: TableAt) -> str:
    table = read_at(at)
    lines = (
        f"{column.label}: {column.kind}{f' in {column.unit}' if column.unit else ''}"
        for column in table.columns
    )
    said = f"The table says: {table.unit_words}\n" if table.unit_words else ""
    shown = fence_texts({"columns": said + "\n".join(lines)})
    return f"{len(table.addends)} rows without those that are totals\n{shown}"


def _show(worked: Worked) -> str:
    """Returns results as a model reads them: what is a document's own words stands fenced."""
    counted = f"{worked.chosen} of {worked.all_rows} rows"
    if worked.totals:
        counted += f", without {len(worked.totals)} that are totals"
    more = worked.more + max(0, len(worked.results) - MOST_RESULTS)
    counted += f"; {more} more results are not shown" if more else ""
    lines = []
    for each in worked.results[:MOST_RESULTS]:
        cells = [cell.text for row in each.rows[:1] for cell in row.cells]
        figure = show_figure(each.figure, worked) if each.figure is not None else "no figure"
        is_row = worked.query.operation == "rows" and len(each.rows) == 1
        lacking = f" ({each.lacking} rows without a figure)" if each.lacking else ""
        shown = " | ".join(cells) if is_row else f"{each.label}: {figure}{lacking}"
        lines.append(shown[:MOST_CELLS].removeprefix(": "))
    return f"{counted}\n{fence_texts({'result': '\n'.join(lines)})}"
