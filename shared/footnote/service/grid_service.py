"""Grids as one caller sees them: make, look, fill, ask cells again, stop, delete, export."""

import uuid
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import batched
from typing import NamedTuple

from footnote.ask.export.export import LINK_SECONDS, Exported
from footnote.ask.grid.sheets import to_csv, to_xlsx
from footnote.ask.grid.table import Row, rows_of
from footnote.ask.question.bounds import check_text
from footnote.ask.question.stop import STOPPED
from footnote.clock import iso
from footnote.errors import BadRequestError, NotFoundError
from footnote.metadata.conditions import parse_filters
from footnote.model import (
    AnswerOptions,
    Caller,
    Cell,
    Estimate,
    Grid,
    LinkHeaders,
    Record,
    Scope,
    covers,
    digest,
)
from footnote.ports import Grids
from footnote.service.document_service import MAX_LOOKUPS, DocumentService
from footnote.service.grid_filling import LEASE, delete_question
from footnote.service.grid_rows import documents_in, too_many
from footnote.service.named_documents import find_named
from footnote.service.question_service import QuestionService
from footnote.store.keys import export_key, question_folder
from footnote.text.characters import replace_surrogates
from footnote.wiring.audit import note
from footnote.wiring.services import Services

MAX_COLUMNS = 20
MAX_CELLS = 5_000
MAX_NAME = 200
MAX_CHANGED = 100  # cells that one call stops or deletes; the caller calls again
CSV_TYPE = "text/csv"
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Wanted(NamedTuple):
    """What a grid is made of, as its maker names it."""

    questions: Sequence[str]
    collection: str | None = None
    documents: Sequence[str] = ()
    filters: Mapping[str, object] | None = None
    options: AnswerOptions = AnswerOptions()


class GridService:
    """The grids of a tenant that a caller may read: those whose maker had no more groups."""

    def __init__(
        self,
        services: Services,
        who: Caller,
        documents: DocumentService,
        questions: QuestionService,
    ) -> None:
        self._services = services
        self._who = who
        self._documents = documents
        self._questions = questions

    @property
    def _grids(self) -> Grids:
        return self._services.grids

    # -- make ------------------------------------------------------------------------------------

    def estimate(self, wanted: Wanted) -> tuple[int, Estimate]:
        """Returns how many documents a grid would have, and the expected cost of its cells.

        Raises BadRequestError for a grid that is too large. Asks, stores and pays nothing.
        """
        _, records, expected = self._expect(wanted)
        return len(records), expected

    def create(self, wanted: Wanted, name: str = "", usd: float | None = None) -> Grid:
        """Makes a grid and begins to ask its cells.

        Raises BadRequestError, before anything is stored or paid, for a grid that is too large, and
        where its cells are expected to cost more than `usd` together.
        """
        scope, records, expected = self._expect(wanted)
        if usd is not None and expected.priced and expected.usd > usd:
            raise BadRequestError(
                f"the grid is expected to cost ${expected.usd:.4f}, and `budget.usd` is ${usd:g}:"
                " nothing was asked or paid",
                code="over_budget",
                action="Raise the budget, or ask fewer questions of fewer documents.",
            )
        grid = Grid(
            id=uuid.uuid4().hex,
            tenant=self._who.tenant,
            name=replace_surrogates(name.strip())[:MAX_NAME],
            questions=tuple(replace_surrogates(text.strip()) for text in wanted.questions),
            scope=scope,
            options=wanted.options,
            estimate=expected,
            created=iso(self._services.clock()),
        )
        self._grids.create(grid)
        self._grids.add(grid.id, self._cells(grid, records))
        self._start(grid)
        note(grid=grid.id)
        return grid

    def _expect(self, wanted: Wanted) -> tuple[Scope, list[Record], Estimate]:
        if not 1 <= len(wanted.questions) <= MAX_COLUMNS:
            raise too_many(f"{len(wanted.questions)} questions; it takes 1 to {MAX_COLUMNS}")
        for question in wanted.questions:
            check_text(question, "question")
        scope = self._scope(wanted)
        records = documents_in(self._services.catalog, scope)
        if not records:
            raise NotFoundError(
                "there is no document in the grid's scope that can be searched",
                code="no_documents",
                action="Wait until documents are READY, or name others.",
            )
        check_size(len(records), len(wanted.questions))
        cell = scope.model_copy(update={"document_ids": _typical(records)})
        each = [
            self._questions.estimate(question, scope=cell, options=wanted.options)
            for question in wanted.questions
        ]
        return scope, records, _times(len(records), each)

    def _scope(self, wanted: Wanted) -> Scope:
        who, collection = self._who, wanted.collection
        if collection is not None and not wanted.documents:
            self._documents.must_have(collection)
        named = find_named(
            self._documents, self._services.catalog, who.tenant, wanted.documents, collection
        )
        return Scope(
            tenant=who.tenant,
            groups=who.groups,
            collection=collection,
            document_ids={one.document_id: one.path for one in named.values()},
            **dict(parse_filters(wanted.filters or {})),
        )

    def _cells(self, grid: Grid, records: Sequence[Record]) -> list[Cell]:
        """Returns a new cell for each document and question."""
        return [
            Cell(column=column, document_id=record.document_id, person=self._who.person)
            for record in records
            for column in range(len(grid.questions))
        ]

    def _start(self, grid: Grid) -> None:
        """Has the waiting cells asked, unless somebody is at it.

        The cells are stored before. Who is at it looks for more once it has said that it is not.
        """
        now = self._services.clock()
        if self._grids.get(grid.tenant, grid.id).driven > now:
            return
        self._grids.drive(grid.id, now + LEASE)
        with ExitStack() as undo:
            undo.callback(self._grids.drive, grid.id, 0.0)
            self._services.workflow.fill(grid.tenant, grid.id)
            undo.pop_all()

    # -- look ------------------------------------------------------------------------------------

    def newest(self, after: str = "") -> tuple[list[Grid], str]:
        """Returns a page of grids, newest first, and the cursor of the next; it may be short."""
        grids, cursor = self._grids.newest(self._who.tenant, after)
        return [grid for grid in grids if covers(self._who.groups, grid.scope.groups)], cursor

    def get(self, grid_id: str) -> tuple[Grid, list[Row]]:
        """Returns a grid with a row for each of its documents that the caller may read now.

        Raises NotFoundError, also where the caller lacks a group of who made it.
        """
        grid = self._load(grid_id)
        return grid, self._rows(grid)

    @property
    def now(self) -> float:
        return self._services.clock()

    def _load(self, grid_id: str) -> Grid:
        grid = self._grids.get(self._who.tenant, grid_id)
        if not covers(self._who.groups, grid.scope.groups):
            raise NotFoundError(f"no grid {grid_id[:100]}")
        note(grid=grid.id)
        return grid

    def _rows(self, grid: Grid) -> list[Row]:
        cells = self._grids.cells(grid.id)
        ids = dict.fromkeys(cell.document_id for cell in cells)
        records = [
            record
            for some in batched(ids, MAX_LOOKUPS, strict=False)
            for record in self._documents.statuses(some)
            if record.status != "DELETED"
        ]
        return rows_of(grid, cells, records)

    def export(self, grid_id: str, form: str) -> Exported:
        """Returns a grid as a file: `csv` as text, `xlsx` by a link."""
        grid, rows = self.get(grid_id)
        name = f"grid-{grid.id[:8]}.{form}"
        if form == "csv":
            return Exported(name, CSV_TYPE, text=to_csv(grid, rows))
        artifacts, body = self._services.artifacts, to_xlsx(grid, rows)
        key = export_key(folder_name(grid.id), digest(body.hex()), form)
        artifacts.put(key, body)
        headers = LinkHeaders(media_type=XLSX_TYPE, name=name, attachment=True)
        return Exported(name, XLSX_TYPE, url=artifacts.link(key, LINK_SECONDS, headers))

    # -- change ----------------------------------------------------------------------------------

    def fill(self, grid_id: str) -> Grid:
        """Makes a grid whole: documents that came into its scope since get rows, and cells that
        FAILED or whose document was replaced are asked again.
        """
        grid, rows = self.get(grid_id)
        there = {row.record.document_id for row in rows}
        found = documents_in(self._services.catalog, grid.scope)
        records = [record for record in found if record.document_id not in there]
        check_size(len(rows) + len(records), len(grid.questions))
        missing = [
            Cell(column=column, document_id=row.record.document_id, person=self._who.person)
            for row in rows
            for column, cell in enumerate(row.cells)
            if cell is None
        ]
        self._grids.add(grid.id, [*missing, *self._cells(grid, records)])
        old = [
            cell
            for row in rows
            for cell in filter(None, row.cells)
            if cell.status == "FAILED" or row.is_stale(cell)
        ]
        return self._again(grid, old)

    def ask_again(self, grid_id: str, places: Sequence[tuple[str, int]]) -> Grid:
        """Asks cells again, each named by its document (id or path) and its column from 0.

        A cell that is being asked stays. Raises NotFoundError for one that is not there.
        """
        grid, rows = self.get(grid_id)
        by_name: dict[str, Row] = {}
        for row in rows:
            by_name |= {row.record.revision.path: row, row.record.document_id: row}
        cells = []
        for name, column in places:
            named = by_name.get(name)
            cell = named.cells[column] if named and column < len(named.cells) else None
            if cell is None:
                raise NotFoundError(
                    f"the grid has no cell of question {column + 1} and document {name[:200]!r}",
                    code="unknown_cell",
                    action="Look at the grid for its documents and questions.",
                )
            cells.append(cell)
        return self._again(grid, cells)

    def _again(self, grid: Grid, cells: Sequence[Cell]) -> Grid:
        for cell in cells:
            if cell.has_ended:
                self._grids.change(grid.id, cell, cell.again(self._who.person))
        if not all(cell.has_ended for cell in self._grids.cells(grid.id)):
            self._start(grid)
        return self._load(grid.id)

    def stop(self, grid_id: str) -> tuple[int, bool]:
        """Stops cells that wait or are asked. Returns how many, and whether there are more."""
        grid = self._load(grid_id)
        open_cells = [cell for cell in self._grids.cells(grid.id) if not cell.has_ended]
        for cell in open_cells[:MAX_CHANGED]:
            self._stop(grid, cell)
        return len(open_cells[:MAX_CHANGED]), len(open_cells) > MAX_CHANGED

    def _stop(self, grid: Grid, cell: Cell) -> None:
        stopped = cell.model_copy(update={"status": "FAILED", "error": STOPPED})
        if self._grids.change(grid.id, cell, stopped) and cell.status == "RUNNING":
            try:
                self._questions.stop(cell.question_id)
            except NotFoundError:  # claimed this moment, and not asked yet
                return

    def delete(self, grid_id: str) -> tuple[int, bool]:
        """Stops a grid, then deletes its cells with their questions, some at a time.

        Returns how many, and whether there are more: then the caller calls again. The grid itself
        goes last.
        """
        grid = self._load(grid_id)
        stopped, more = self.stop(grid.id)
        if more:
            return stopped, True
        cells = self._grids.cells(grid.id)
        ended = [cell for cell in cells if cell.has_ended][:MAX_CHANGED]
        for cell in ended:
            delete_question(self._services, grid.tenant, cell.question_id)
        self._grids.drop(grid.id, ended)
        if len(ended) < len(cells):
            return len(ended), True
        artifacts = self._services.artifacts
        artifacts.delete(artifacts.keys(question_folder(folder_name(grid.id))))
        self._grids.delete(grid.id)
        return len(ended), False


def folder_name(grid_id: str) -> str:
    """Returns the name under which a grid's files lie among those of questions."""
    return f"grid-{grid_id}"


def check_size(documents: int, questions: int) -> None:
    """Raises BadRequestError for more cells than a grid may have."""
    if (cells := documents * questions) > MAX_CELLS:
        raise too_many(
            f"{questions} questions of {documents} documents are {cells:,} cells; it may have"
            f" {MAX_CELLS:,}"
        )


def _typical(records: Sequence[Record]) -> dict[str, str]:
    """Returns id and path of the document whose size is nearest to the mean."""
    mean = sum(record.tokens for record in records) / len(records)
    one = min(records, key=lambda record: abs(record.tokens - mean))
    return {one.document_id: one.revision.path}


def _times(documents: int, each: Sequence[Estimate]) -> Estimate:
    """Returns the expected cost of asking each question of so many documents."""
    return Estimate(
        mode=each[0].mode,
        tokens=documents * sum(one.tokens for one in each),
        least_tokens=documents * sum(one.least_tokens for one in each),
        most_tokens=documents * sum(one.most_tokens for one in each),
        usd=round(documents * sum(one.usd for one in each), 6),
        priced=all(one.priced for one in each),
        notes=each[0].notes,
    )
