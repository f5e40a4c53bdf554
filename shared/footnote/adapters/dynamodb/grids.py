"""Grids in the questions table: a grid's record and its cells, under one partition key.

The index `by-session` lists the grids of a tenant. It follows the table within moments.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.records import readable, reading
from footnote.adapters.dynamodb.trace import IF_NEW, QuestionItems
from footnote.adapters.dynamodb.turns import cut_page
from footnote.adapters.dynamodb.values import (
    attributes,
    delete_batches,
    names,
    plain_item,
    put_batches,
    values,
)
from footnote.adapters.rules.grids import (
    CELL,
    GRID,
    cell_item,
    grid_cursor_after,
    grid_item,
    is_grid_id,
    listing_key,
    must_be_new,
    partition_of,
    sort_key_of,
    state_of,
)
from footnote.adapters.rules.limits import PlainValue, is_key
from footnote.adapters.rules.questions import decode_turn_cursor
from footnote.errors import ConflictError, NotFoundError
from footnote.model import Cell, Grid

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoGrids:
    """Implements the port Grids. Grids and cells expire after `days`."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        days: int = 30,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._items = QuestionItems(client, table, days, clock)

    def create(self, grid: Grid) -> None:
        try:
            self._items.put(partition_of(grid.id), grid_item(grid), IF_NEW)
        except ConflictError:  # also when the SDK retried because a reply was lost
            must_be_new(grid, self.get(grid.tenant, grid.id))

    def get(self, tenant: str, grid_id: str) -> Grid:
        stored: Mapping[str, PlainValue] = {}
        if is_grid_id(grid_id):
            with translate_errors("get", f"{self._items.table}/grid {grid_id}"):
                reply = self._items.client.get_item(
                    TableName=self._items.table, Key=_key(grid_id, GRID), ConsistentRead=True
                )
            stored = plain_item(reply.get("Item", {}))
        if stored.get("tenant") != tenant:
            raise NotFoundError(f"no grid {grid_id[:100]}")
        return grid_of(stored)

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Grid], str]:
        place = decode_turn_cursor(after) if after else None
        listing = {"session_key": listing_key(tenant)}
        if not (tenant and is_key(listing["session_key"])):
            return [], ""
        start: Any = {}
        if place:
            last = {"created": place[0], "question_id": partition_of(place[1]), "item": GRID}
            start = {"ExclusiveStartKey": attributes({**listing, **last})}
        with translate_errors("query", self._items.table):
            reply = self._items.client.query(
                TableName=self._items.table,
                IndexName="by-session",
                KeyConditionExpression="#session_key = :session_key",
                ExpressionAttributeNames=names("#session_key"),
                ExpressionAttributeValues=values(listing),
                ScanIndexForward=False,
                Limit=limit + 1,
                **start,
            )
        grids = list(readable(grid_of, map(plain_item, reply["Items"])))
        return cut_page(grids, limit, grid_cursor_after)

    def drive(self, grid_id: str, until: float) -> None:
        change, condition = "SET #driven = :driven", "attribute_exists(#question_id)"
        try:
            with translate_errors("drive", f"{self._items.table}/grid {grid_id}"):
                self._items.client.update_item(
                    TableName=self._items.table,
                    Key=_key(grid_id, GRID),
                    UpdateExpression=change,
                    ConditionExpression=condition,
                    ExpressionAttributeNames=names(change, condition),
                    ExpressionAttributeValues=values({"driven": until}),
                )
        except ConflictError:
            raise NotFoundError(f"no grid {grid_id[:100]}") from None

    def delete(self, grid_id: str) -> None:
        delete_batches(self._items.client, self._items.table, [_key(grid_id, GRID)])

    def cells(self, grid_id: str) -> list[Cell]:
        condition = "#question_id = :question_id AND begins_with(#item, :cell)"
        operands = {"question_id": partition_of(grid_id), "cell": CELL}
        items = self._items.query(
            KeyConditionExpression=condition,
            ExpressionAttributeNames=names(condition),
            ExpressionAttributeValues=values(operands),
            ConsistentRead=True,
        )
        return list(readable(cell_of, items))

    def add(self, grid_id: str, cells: Sequence[Cell]) -> None:
        partition = partition_of(grid_id)
        items = [self._items.expiring(partition, cell_item(cell)) for cell in cells]
        put_batches(self._items.client, self._items.table, items)

    def change(self, grid_id: str, before: Cell, after: Cell) -> bool:
        with suppress(ConflictError):
            condition, was = "#state = :was", state_of(before)
            self._items.put(partition_of(grid_id), cell_item(after), condition, was=was)
            return True
        return False

    def drop(self, grid_id: str, cells: Sequence[Cell]) -> None:
        keys = [_key(grid_id, sort_key_of(cell)) for cell in cells]
        delete_batches(self._items.client, self._items.table, keys)


def _key(grid_id: str, item: str) -> Any:
    return attributes({"question_id": partition_of(grid_id), "item": item})


def grid_of(stored: Mapping[str, PlainValue]) -> Grid:
    """Reads a grid. Raises UnreadableError for one that this release cannot read."""
    with reading(f"grid {stored.get('question_id')}"):
        grid = Grid.model_validate_json(str(stored["grid"]))
        return grid.model_copy(update={"driven": float(str(stored["driven"]))})


def cell_of(stored: Mapping[str, PlainValue]) -> Cell:
    """Reads a cell. Raises UnreadableError for one that this release cannot read."""
    with reading(f"a cell of grid {stored.get('question_id')}"):
        return Cell.model_validate_json(str(stored["cell"]))
