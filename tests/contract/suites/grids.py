"""The suite of the port Grids."""

import uuid

import pytest

from footnote.errors import ConfigurationError, NotFoundError
from footnote.model import Cell, Grid, Scope
from footnote.ports import Grids
from tests.contract.suites import new_tenant


def grid_of(tenant: str, created: str = "2026-11-28T10:00:00+00:00", **fields: object) -> Grid:
    return Grid(
        id=uuid.uuid4().hex,
        tenant=tenant,
        questions=("Who signed?", "When does it end?"),
        scope=Scope(tenant=tenant, groups=("staff",)),
        created=created,
        **fields,
    )


def cell(document: str, column: int = 0, **fields: object) -> Cell:
    return Cell(column=column, document_id=document, **fields)


class GridsSuite:
    @pytest.fixture
    def grids(self) -> Grids:
        raise NotImplementedError

    @pytest.fixture
    def tenant(self) -> str:
        return new_tenant()

    @pytest.fixture
    def grid(self, grids, tenant) -> Grid:
        made = grid_of(tenant, name="leases")
        grids.create(made)
        return made

    # -- grids -----------------------------------------------------------------------------------

    def test_a_grid_is_there_for_its_tenant_only(self, grids, tenant, grid):
        assert grids.get(tenant, grid.id) == grid
        with pytest.raises(NotFoundError):
            grids.get(new_tenant(), grid.id)

    @pytest.mark.parametrize("name", ["", "nobody-made-it", "x" * 3_000, "\ud800"])
    def test_a_grid_that_is_not_there_is_not_found(self, grids, tenant, name):
        with pytest.raises(NotFoundError):
            grids.get(tenant, name)

    def test_storing_the_same_grid_again_changes_nothing(self, grids, tenant, grid):
        grids.create(grid)
        assert grids.get(tenant, grid.id) == grid

    def test_a_grid_that_no_item_holds_is_refused(self, grids, tenant):
        long = grid_of(tenant).model_copy(update={"questions": ("q" * 410_000,)})
        with pytest.raises(ConfigurationError, match="DynamoDB takes"):
            grids.create(long)

    def test_the_newest_come_first_page_by_page(self, grids, tenant):
        made = [grid_of(tenant, f"2026-11-28T10:00:0{n}+00:00") for n in range(5)]
        for one in made:
            grids.create(one)
        grids.create(grid_of(new_tenant()))
        first, after = grids.newest(tenant, limit=2)
        second, after = grids.newest(tenant, after, limit=2)
        third, end = grids.newest(tenant, after, limit=2)
        assert first + second + third == made[::-1]
        assert end == ""

    def test_a_tenant_whose_name_has_the_separator_sees_no_other_grids(self, grids, tenant):
        grids.create(grid_of(tenant))
        assert grids.newest(f"#{tenant}") == ([], "")
        assert grids.newest("") == ([], "")

    def test_who_drives_a_grid_is_noted_until_when(self, grids, tenant, grid):
        grids.drive(grid.id, 1_764_000_000.5)
        assert grids.get(tenant, grid.id).driven == 1_764_000_000.5

    def test_nobody_drives_a_grid_that_is_deleted(self, grids, tenant, grid):
        grids.delete(grid.id)
        with pytest.raises(NotFoundError):
            grids.drive(grid.id, 1.0)
        with pytest.raises(NotFoundError):
            grids.get(tenant, grid.id)
        assert grids.newest(tenant) == ([], "")

    # -- cells -----------------------------------------------------------------------------------

    def test_cells_come_by_document_and_column(self, grids, grid):
        cells = [cell(name, column) for name in ("d1", "d2") for column in (0, 1, 10)]
        grids.add(grid.id, cells[::-1])
        assert grids.cells(grid.id) == cells
        assert grids.cells(uuid.uuid4().hex) == []

    def test_many_cells_are_stored_at_once(self, grids, grid):
        cells = [cell(f"d{n:03d}", column) for n in range(40) for column in (0, 1)]
        grids.add(grid.id, cells)
        assert grids.cells(grid.id) == cells

    def test_a_cell_is_changed_once_from_what_it_was(self, grids, grid):
        waiting = cell("d1")
        grids.add(grid.id, [waiting])
        first = waiting.model_copy(update={"status": "RUNNING", "question_id": "q1"})
        second = waiting.model_copy(update={"status": "RUNNING", "question_id": "q2"})
        changed = [grids.change(grid.id, waiting, after) for after in (first, second)]
        assert changed == [True, False]
        assert grids.cells(grid.id) == [first]
        done = first.model_copy(update={"status": "DONE", "text": "é"})
        assert not grids.change(grid.id, second, done)
        assert grids.change(grid.id, first, done)
        assert grids.cells(grid.id) == [done]

    def test_a_cell_that_was_dropped_is_not_changed(self, grids, grid):
        kept, gone = cell("d1"), cell("d2")
        grids.add(grid.id, [kept, gone])
        grids.drop(grid.id, [gone])
        assert not grids.change(grid.id, gone, gone.model_copy(update={"status": "RUNNING"}))
        assert grids.cells(grid.id) == [kept]
