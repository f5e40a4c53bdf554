"""Fills a grid, a turn at a time: notes what became of its questions, then asks some more.

Whatever stops between two turns loses nothing: each cell says where it is. A cell is claimed before
it is asked, so of two who fill the same grid one asks it.
"""

import uuid
from typing import NamedTuple

from footnote.ask.grid.summary import cell_after
from footnote.errors import (
    ConflictError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import Caller, Cell, Grid, Problem, Record, may_read
from footnote.service.question_service import QuestionService
from footnote.store.keys import question_folder
from footnote.wiring.services import Services

AT_ONCE = 5  # cells of one grid that are asked at a time
LEASE = 180.0  # seconds for which a turn is taken to go on; its function has less
CLAIMED = 60.0  # seconds after which a claimed cell without a question waits again
LAST_TURN = 2_000  # of an execution of the machine, which may have 25,000 events
GONE = Problem(
    code="unknown_document",
    message="the document is not there any more",
    action="Fill the grid again once it has been added.",
)


class Turn(NamedTuple):
    """What is left after a turn."""

    waiting: int
    running: int


class Filling:
    """Fills one grid. It acts with the rights of who made it, and each cell's person pays."""

    def __init__(self, services: Services, grid: Grid) -> None:
        self._services = services
        self._grids = services.grids
        self._grid = grid

    def turn(self) -> Turn:
        """Settles cells whose question has ended and asks waiting ones. Returns what is left.

        Raises NotFoundError where the grid was deleted.
        """
        self._grids.drive(self._grid.id, self._services.clock() + LEASE)
        cells = [self._settle(cell) for cell in self._grids.cells(self._grid.id)]
        running = sum(cell.status == "RUNNING" for cell in cells)
        waiting = [cell for cell in cells if cell.status == "WAITING"]
        asked = waiting[: max(0, AT_ONCE - running)]
        known = self._services.catalog.records([*{cell.document_id for cell in asked}])
        records = {record.document_id: record for record in known}
        for cell in asked:
            self._ask(cell, records.get(cell.document_id))
        if running or waiting:
            return Turn(len(waiting) - len(asked), running + len(asked))
        return self._end()

    def _end(self) -> Turn:
        """Says that nobody works on the grid any more, and looks whether there is new work.

        Who adds cells looks first whether somebody works on it: either sees the other.
        """
        self._grids.drive(self._grid.id, 0.0)
        cells = self._grids.cells(self._grid.id)
        open_cells = [cell.status for cell in cells if not cell.has_ended]
        if open_cells:
            self._grids.drive(self._grid.id, self._services.clock() + LEASE)
        return Turn(open_cells.count("WAITING"), open_cells.count("RUNNING"))

    # -- settle ----------------------------------------------------------------------------------

    def _settle(self, cell: Cell) -> Cell:
        """Returns a cell with what became of its question, if that has ended."""
        if cell.status != "RUNNING":
            return cell
        try:
            record = self._questions(cell.person).get(cell.question_id)
        except NotFoundError:
            if self._services.clock() - cell.asked < CLAIMED:
                return cell
            after = cell.again(cell.person)  # whoever claimed it was killed before it asked
        else:
            if record.status == "RUNNING":
                return cell
            after = cell_after(cell, record)
        self._grids.change(self._grid.id, cell, after)
        return after

    # -- ask -------------------------------------------------------------------------------------

    def _ask(self, cell: Cell, record: Record | None) -> None:
        groups = self._grid.scope.groups
        if record is None or not record.live_version or not may_read(record.sidecar.acl, groups):
            self._fail(cell, GONE)
            return
        claimed = cell.model_copy(
            update={
                "status": "RUNNING",
                "question_id": uuid.uuid4().hex,
                "version": record.live_version,
                "asked": self._services.clock(),
            }
        )
        if not self._grids.change(self._grid.id, cell, claimed):
            return
        if cell.question_id:
            delete_question(self._services, self._grid.tenant, cell.question_id)
        scope = self._grid.scope.model_copy(
            update={"document_ids": {cell.document_id: record.revision.path}, "collection": None}
        )
        try:
            question = self._grid.questions[cell.column]
            self._questions(cell.person).ask_alone(
                claimed.question_id, question, scope, self._grid.options
            )
        except UnavailableError:
            self._grids.change(self._grid.id, claimed, claimed.again(cell.person))
            raise
        except FootnoteError as error:
            self._fail(claimed, error.problem)

    def _fail(self, cell: Cell, problem: Problem) -> None:
        failed = cell.model_copy(update={"status": "FAILED", "error": problem})
        self._grids.change(self._grid.id, cell, failed)

    def _questions(self, person: str) -> QuestionService:
        grid = self._grid
        who = Caller(tenant=grid.tenant, groups=grid.scope.groups, person=person)
        return QuestionService(self._services, who)


def delete_question(services: Services, tenant: str, question_id: str) -> None:
    """Deletes a cell's question, if there is one. One that is being answered is left to expire."""
    if not question_id:
        return
    services.artifacts.delete(services.artifacts.keys(question_folder(question_id)))
    try:
        services.questions.delete(tenant, question_id)
    except ConflictError:
        return
