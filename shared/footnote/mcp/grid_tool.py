"""The tool `grid`: its input and result, what it does, and the table as text for a model."""

from typing import Literal, Protocol

from pydantic import Field

from footnote.api.bodies import GridBody
from footnote.api.replies import CellReply, GridCounts
from footnote.api.waiting import Pausing
from footnote.errors import BadRequestError
from footnote.mcp.face import Face
from footnote.mcp.progress import Tell, wait_for_grid
from footnote.mcp.tool_messages import Result, options_of
from footnote.mcp.wording import as_data, one_line
from footnote.service.grid_service import MAX_COLUMNS

MAX_SHOWN = 60_000  # characters of a table as text; the structured result has all cells


class GridInput(GridBody):
    """Either questions, or the id of an earlier grid."""

    questions: tuple[str, ...] = Field(
        default=(), max_length=MAX_COLUMNS, description="What to ask of each document"
    )
    grid_id: str = Field(
        default="", max_length=200, description="Instead: a grid that is still filled, by its id"
    )


class GridRow(Result):
    document: str
    document_id: str
    cells: tuple[CellReply | None, ...]


class GridResult(Result):
    """A grid. While it is RUNNING some cells are empty: call again with its id."""

    id: str
    status: Literal["RUNNING", "STOPPED", "DONE"]
    questions: tuple[str, ...]
    counts: GridCounts
    rows: tuple[GridRow, ...]


class GridCall(Protocol):
    """The face that the tool calls, how long it may wait, and who wants to know of progress."""

    @property
    def face(self) -> Face: ...

    @property
    def waiting(self) -> Pausing: ...

    @property
    def tell(self) -> Tell | None: ...


def run_grid(inputs: GridInput, call: GridCall) -> GridResult:
    """Makes a grid and waits, or goes on waiting."""
    if bool(inputs.questions) == bool(inputs.grid_id):
        raise BadRequestError(
            "give either `questions` or `grid_id`",
            code="bad_arguments",
            action="A new grid needs `questions`; one that is filled already needs `grid_id`.",
        )
    grid_id = inputs.grid_id
    if not grid_id:
        options = options_of(inputs, "questions")
        grid_id = str(call.face.start_grid(inputs.questions, **options)["id"])
    return GridResult.model_validate(wait_for_grid(grid_id, call.face, call.waiting, call.tell))


def say_grid(grid: GridResult) -> str:
    """Returns the table as text: documents' words between fences, a block for each document."""
    lines, room = [], MAX_SHOWN
    for row in grid.rows:
        lines += [f"document: {one_line(row.document)} (id {row.document_id})"]
        for question, cell in zip(grid.questions, row.cells, strict=True):
            lines.append(f"  {one_line(question)}: {one_line(cell.shown) if cell else ''}")
        room -= sum(len(line) for line in lines[-len(row.cells) - 1 :])
        if room < 0:
            lines.append("(The rest is in the structured result.)")
            break
    counts = grid.counts
    left = counts.waiting + counts.running
    state = {
        "DONE": f"All cells are filled: {counts.answered} answered.",
        "RUNNING": f"{left} cells are still asked. Call `grid` again with grid_id={grid.id} and"
        " nothing else.",
        "STOPPED": f"{left} cells wait and nobody works on them: tell the person.",
    }
    return "\n".join([as_data({"grid": "\n".join(lines)}), state[grid.status]])
