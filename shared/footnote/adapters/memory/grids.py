"""The Grids port in memory."""

import threading
from collections.abc import Sequence

from footnote.adapters.rules.grids import (
    cell_item,
    grid_cursor_after,
    grid_item,
    must_be_new,
    state_of,
)
from footnote.adapters.rules.questions import decode_turn_cursor
from footnote.errors import NotFoundError
from footnote.model import Cell, Grid


class MemoryGrids:
    """Keeps grids, and the cells of each by their places. Threads may share it."""

    def __init__(self) -> None:
        self._grids: dict[str, Grid] = {}
        self._cells: dict[str, dict[tuple[str, int], Cell]] = {}
        self._one = threading.Lock()

    def create(self, grid: Grid) -> None:
        grid_item(grid)
        with self._one:
            must_be_new(grid, self._grids.setdefault(grid.id, grid))

    def get(self, tenant: str, grid_id: str) -> Grid:
        grid = self._grids.get(grid_id)
        if grid is None or grid.tenant != tenant:
            raise NotFoundError(f"no grid {grid_id[:100]}")
        return grid

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Grid], str]:
        mine = [grid for grid in self._grids.values() if grid.tenant == tenant]
        mine.sort(key=lambda grid: grid.order, reverse=True)
        if after:
            last = decode_turn_cursor(after)
            mine = [grid for grid in mine if grid.order < last]
        page = mine[:limit]
        return page, grid_cursor_after(page[-1]) if len(mine) > limit else ""

    def drive(self, grid_id: str, until: float) -> None:
        with self._one:
            if grid_id not in self._grids:
                raise NotFoundError(f"no grid {grid_id[:100]}")
            self._grids[grid_id] = self._grids[grid_id].model_copy(update={"driven": until})

    def delete(self, grid_id: str) -> None:
        self._grids.pop(grid_id, None)

    def cells(self, grid_id: str) -> list[Cell]:
        with self._one:
            return sorted(self._cells.get(grid_id, {}).values(), key=lambda cell: cell.place)

    def add(self, grid_id: str, cells: Sequence[Cell]) -> None:
        for cell in cells:
            cell_item(cell)
        with self._one:
            places = self._cells.setdefault(grid_id, {})
            places.update({cell.place: cell for cell in cells})

    def change(self, grid_id: str, before: Cell, after: Cell) -> bool:
        cell_item(after)
        with self._one:
            places = self._cells.get(grid_id, {})
            stored = places.get(before.place)
            if stored is None or state_of(stored) != state_of(before):
                return False
            places[before.place] = after
            return True

    def drop(self, grid_id: str, cells: Sequence[Cell]) -> None:
        with self._one:
            for cell in cells:
                self._cells.get(grid_id, {}).pop(cell.place, None)
