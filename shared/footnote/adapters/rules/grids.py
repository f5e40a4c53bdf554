"""The rules of both adapters of grids: keys in the questions table, items, cursors."""

import json

from footnote.adapters.rules.catalog import encode_cursor
from footnote.adapters.rules.limits import PlainValue, is_key, must_be_key, must_fit_item
from footnote.errors import ConflictError
from footnote.model import Cell, Grid

GRID, CELL = "grid", "cell#"


def partition_of(grid_id: str) -> str:
    """Returns the partition key of a grid, which is no question's: those are hexadecimal."""
    return f"grid#{grid_id}"


def listing_key(tenant: str) -> str:
    """Returns the key under which the index `by-session` lists a tenant's grids.

    No session has it: a session's key begins with a tenant, or with `#` and a digit.
    """
    return f"##{tenant}"


def sort_key_of(cell: Cell) -> str:
    return f"{CELL}{cell.document_id}#{cell.column:03d}"


def state_of(cell: Cell) -> str:
    """Returns what must be as it was for a cell to be changed."""
    return f"{cell.status}#{cell.question_id}"


def grid_item(grid: Grid) -> dict[str, PlainValue]:
    """Returns a grid's item. Raises ConfigurationError where DynamoDB refuses it."""
    what = f"grid {grid.id[:100]}"
    must_be_key(what, partition_of(grid.id))
    must_be_key(f"tenant of {what}", listing_key(grid.tenant))
    item: dict[str, PlainValue] = {
        "item": GRID,
        "grid": grid.model_dump_json(exclude={"driven"}),
        "driven": grid.driven,
        "tenant": grid.tenant,
        "session_key": listing_key(grid.tenant),
        "created": grid.created,
    }
    must_fit_item(what, item)
    return item


def cell_item(cell: Cell) -> dict[str, PlainValue]:
    """Returns a cell's item. Raises ConfigurationError where DynamoDB refuses it."""
    item: dict[str, PlainValue] = {
        "item": sort_key_of(cell),
        "state": state_of(cell),
        "cell": cell.model_dump_json(exclude_defaults=True),
    }
    must_be_key("a cell", sort_key_of(cell), sort_key_of(cell))
    must_fit_item("a cell", item)
    return item


def must_be_new(grid: Grid, stored: Grid) -> None:
    """Raises ConflictError where another grid is stored under the id of a new one."""
    if stored.model_copy(update={"driven": grid.driven}) != grid:
        raise ConflictError(
            f"there is another grid {grid.id}", action="Ask again: it gets a new id."
        )


def is_grid_id(grid_id: str) -> bool:
    """Tells whether a table can hold this grid. One that it cannot hold does not exist."""
    return grid_id != "" and is_key(partition_of(grid_id))


def grid_cursor_after(grid: Grid) -> str:
    """Returns the cursor of the page that begins after a grid."""
    return encode_cursor(json.dumps(grid.order))
