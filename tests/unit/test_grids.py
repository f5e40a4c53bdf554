"""Grids: rows, cells, what is asked when, who sees and pays, and what stops or goes on."""

import pytest

from footnote.adapters.memory.small import MemoryCounters
from footnote.ask.grid.table import count_cells, say_cell, status_of
from footnote.contracts import FillRequest
from footnote.errors import BadRequestError, NotFoundError, UnavailableError
from footnote.service import Service, grid_filling, grid_rows, grid_service
from footnote.service.grid_filling import AT_ONCE, CLAIMED, LEASE, Filling
from footnote.service.grid_service import Wanted
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import Flaky, small

FEE, CLUB, END = (
    "What is the harbour fee for a barge?",
    "Which club rents the berth?",
    "When does the lease end?",
)
CLUBS = {"a-marten.md": 84, "b-otis.md": 97, "c-pell.md": 12}


def lease(club, fee):
    text = f"# Lease\n\nThe {club} Rowing Club rents the berth.\n\n"
    return f"{text}The harbour fee for a barge is {fee} crowns.\n".encode()


def upload(pipeline, path, fee, collection="leases"):
    return pipeline.upload(f"acme/{collection}/{path}", lease(path[2:-3].title(), fee))


@pytest.fixture
def pipeline():
    made = small()
    for path, fee in CLUBS.items():
        upload(made, path, fee)
    made.upload("acme/leases/d-menu.md", b"# Menu\n\nThe soup of the day is leek.\n")
    upload(made, "e-other.md", 5, "elsewhere")
    return made


@pytest.fixture
def ann(pipeline):
    return Service(pipeline, "acme", ("@all",), "ann")


class Held:
    """A workflow that starts nothing: a test takes the turns itself."""

    def __init__(self):
        self.filled = []

    def ask(self, tenant, question_id):
        pass

    def fill(self, _, grid_id):
        self.filled.append(grid_id)


def table(service, grid):
    """Returns the cells in words by document."""
    _, rows = service.grids.get(grid.id)
    return {
        row.record.revision.path: [
            say_cell(cell, row.record.revision.path, stale=bool(cell) and row.is_stale(cell))
            for cell in row.cells
        ]
        for row in rows
    }


def statuses(pipeline, grid):
    return [cell.status for cell in pipeline.grids.cells(grid.id)]


def take_turn(pipeline, grid):
    return Filling(pipeline, pipeline.grids.get("acme", grid.id)).turn()


# -- what a cell says ------------------------------------------------------------------------------


def test_each_question_is_asked_of_each_document(ann):
    grid = ann.grids.create(Wanted((FEE, CLUB, END), "leases"))
    found = table(ann, grid)
    assert list(found) == [*CLUBS, "d-menu.md"]
    for path, fee in CLUBS.items():
        club = path[2:-3].title()
        assert found[path][:2] == [
            f"The harbour fee for a barge is {fee} crowns.",
            f"The {club} Rowing Club rents the berth.",
        ]
        assert found[path][2].startswith(("no answer, nearest: ", "no passage with these words"))
    assert found["d-menu.md"][:2] == ["no passage with these words"] * 2


def test_a_cell_leads_to_its_question_which_looked_into_one_document(ann):
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    for row in ann.grids.get(grid.id)[1]:
        [cell] = row.cells
        asked = ann.questions.get(cell.question_id)
        assert dict(asked.scope.document_ids) == {row.record.document_id: row.record.revision.path}
        assert {one.document_id for one in asked.answer.citations} <= {row.record.document_id}
    assert ann.sessions.newest() == ([], "")


def test_documents_are_chosen_by_name_and_by_attribute(pipeline, ann):
    path = "acme/leases/b-otis.md.metadata.json"
    pipeline.uploads.put(path, b'{"metadataAttributes": {"kind": "lease", "year": 2025}}')
    pipeline.drain()
    by_attribute = Wanted((FEE,), filters={"year": {"gte": 2024}, "kind": "lease"})
    assert list(table(ann, ann.grids.create(by_attribute))) == ["b-otis.md"]
    by_name = Wanted((FEE,), documents=("c-pell.md", "e-other.md"))
    assert list(table(ann, ann.grids.create(by_name))) == ["e-other.md", "c-pell.md"]
    by_field = Wanted((FEE,), filters={"not": {"document": ["a-marten.md", "d-menu.md"]}})
    assert list(table(ann, ann.grids.create(by_field))) == ["e-other.md", "b-otis.md", "c-pell.md"]


# -- bounds ----------------------------------------------------------------------------------------


def test_a_grid_that_is_too_large_is_refused_before_anything_is_stored(pipeline, ann, monkeypatch):
    monkeypatch.setattr(grid_service, "MAX_CELLS", 7)
    with pytest.raises(BadRequestError) as refused:
        ann.grids.create(Wanted((FEE, CLUB), "leases"))
    assert refused.value.code == "grid_too_large"
    assert "2 questions of 4 documents are 8 cells" in refused.value.message
    monkeypatch.setattr(grid_rows, "MAX_DOCUMENTS", 3)
    with pytest.raises(BadRequestError, match="more than 3 documents"):
        ann.grids.create(Wanted((FEE,), "leases"))
    with pytest.raises(BadRequestError, match="21 questions"):
        ann.grids.create(Wanted((FEE,) * 21, "leases"))
    assert ann.grids.newest() == ([], "")


@pytest.mark.parametrize("questions", [("",), (FEE, " "), ("q" * 4_001,)])
def test_an_empty_or_long_question_is_refused(ann, questions):
    with pytest.raises(BadRequestError):
        ann.grids.create(Wanted(questions, "leases"))


def test_a_scope_without_a_document_is_refused(pipeline, ann):
    with pytest.raises(NotFoundError, match="no collection"):
        ann.grids.create(Wanted((FEE,), "nowhere"))
    with pytest.raises(NotFoundError) as refused:
        ann.grids.create(Wanted((FEE,), "leases", filters={"year": 1999}))
    assert refused.value.code == "no_documents"


def test_an_estimate_counts_cells_and_asks_nothing(pipeline, ann):
    documents, expected = ann.grids.estimate(Wanted((FEE, CLUB), "leases"))
    assert (documents, expected.mode, expected.usd) == (4, "extractive", 0.0)
    assert ann.grids.newest() == ([], "")
    assert ann.limits()[1].questions == 0


# -- turns -----------------------------------------------------------------------------------------


def test_a_few_cells_are_asked_at_a_time(pipeline, ann):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE, CLUB, END), "leases"))
    assert pipeline.workflow.filled == [grid.id]
    assert take_turn(pipeline, grid) == (12 - AT_ONCE, AT_ONCE)
    assert take_turn(pipeline, grid) == (12 - AT_ONCE, AT_ONCE)  # none has ended
    assert statuses(pipeline, grid).count("RUNNING") == AT_ONCE
    for cell in pipeline.grids.cells(grid.id):
        if cell.status == "RUNNING":
            ann.questions.stop(cell.question_id)
    assert take_turn(pipeline, grid) == (12 - 2 * AT_ONCE, AT_ONCE)
    assert statuses(pipeline, grid).count("FAILED") == AT_ONCE


def test_the_machine_ends_when_no_cell_is_left(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    record, rows = ann.grids.get(grid.id)
    assert status_of(record, rows, ann.grids.now) == "DONE"
    result = step_of("fill").run(FillRequest(tenant="acme", grid_id=grid.id, turn=7), pipeline)
    assert (result.more, result.turn, result.waiting, result.running) == (False, 8, 0, 0)


def test_an_execution_with_a_long_history_hands_over_to_another(pipeline, ann, monkeypatch):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE, CLUB, END), "leases"))
    last = FillRequest(tenant="acme", grid_id=grid.id, turn=grid_filling.LAST_TURN)
    result = step_of("fill").run(last, pipeline)
    assert (result.more, pipeline.workflow.filled) == (False, [grid.id, grid.id])
    before = last.model_copy(update={"turn": grid_filling.LAST_TURN - 1})
    assert step_of("fill").run(before, pipeline).more
    assert len(pipeline.workflow.filled) == 2


def test_two_who_fill_the_same_grid_ask_each_cell_once(pipeline, ann):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    first, second = (Filling(pipeline, pipeline.grids.get("acme", grid.id)) for _ in range(2))
    waiting = pipeline.grids.cells(grid.id)
    records = {
        one.document_id: one for one in pipeline.catalog.records([c.document_id for c in waiting])
    }
    for cell in waiting:
        first._ask(cell, records[cell.document_id])
        second._ask(cell, records[cell.document_id])
    assert ann.limits()[1].questions == len(waiting)


def test_a_cell_whose_asker_was_killed_is_asked_again(pipeline, ann):
    pipeline.workflow = Held()
    now = [1_764_000_000.0]
    pipeline.clock = lambda: now[0]
    grid = ann.grids.create(Wanted((FEE,), "leases", ("a-marten.md",)))
    [cell] = pipeline.grids.cells(grid.id)
    claimed = {"status": "RUNNING", "question_id": "f" * 32, "asked": now[0]}
    assert pipeline.grids.change(grid.id, cell, cell.model_copy(update=claimed))
    now[0] += CLAIMED - 1
    assert take_turn(pipeline, grid) == (0, 1)
    now[0] += 2
    take_turn(pipeline, grid)
    [cell] = pipeline.grids.cells(grid.id)
    assert (cell.status, cell.question_id != "f" * 32) == ("RUNNING", True)


def test_work_that_came_while_the_last_turn_ended_is_seen(pipeline, ann):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE,), "leases", ("a-marten.md",)))
    [cell] = pipeline.grids.cells(grid.id)
    done = cell.model_copy(update={"status": "DONE"})
    pipeline.grids.change(grid.id, cell, done)
    grids, drive = pipeline.grids, pipeline.grids.drive

    def drive_and_meanwhile(grid_id, until):
        if until == 0.0:  # just before the driver lets go, somebody has asked a cell again
            grids.change(grid_id, done, done.again("ann"))
        drive(grid_id, until)

    grids.drive = drive_and_meanwhile
    assert take_turn(pipeline, grid) == (1, 0)
    assert grids.get("acme", grid.id).driven > ann.grids.now


def test_a_machine_that_could_not_be_started_leaves_the_grid_stopped(pipeline, ann):
    workflow = pipeline.workflow
    pipeline.workflow = Flaky(workflow, fill=[UnavailableError("throttled")])
    with pytest.raises(UnavailableError):
        ann.grids.create(Wanted((FEE,), "leases"))
    [grid], _ = ann.grids.newest()
    record, rows = ann.grids.get(grid.id)
    assert status_of(record, rows, ann.grids.now) == "STOPPED"
    ann.grids.fill(grid.id)
    assert set(statuses(pipeline, grid)) == {"DONE"}


def test_a_dead_machine_is_noticed_and_filling_goes_on(pipeline, ann):
    now = [1_764_000_000.0]
    pipeline.clock = lambda: now[0]
    workflow, pipeline.workflow = pipeline.workflow, Held()
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    ann.grids.fill(grid.id)
    assert pipeline.workflow.filled == [grid.id]  # somebody is at it
    now[0] += LEASE + 1
    assert status_of(*ann.grids.get(grid.id), now[0]) == "STOPPED"
    pipeline.workflow = workflow
    ann.grids.fill(grid.id)
    assert set(statuses(pipeline, grid)) == {"DONE"}


def test_a_service_that_is_down_leaves_a_cell_waiting(pipeline, ann):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    pipeline.workflow = Flaky(Held(), ask=[UnavailableError("throttled")])
    with pytest.raises(UnavailableError):
        take_turn(pipeline, grid)
    assert statuses(pipeline, grid) == ["WAITING"] * 4
    assert take_turn(pipeline, grid) == (0, 4)


def test_a_limit_that_is_used_up_ends_the_cells_and_filling_goes_on_later(pipeline, ann):
    pipeline.settings = pipeline.settings.model_copy(update={"questions_per_day": 2})
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    codes = [cell.error.code for cell in pipeline.grids.cells(grid.id) if cell.error]
    assert codes == ["limited"] * 2
    assert ann.limits()[1].questions == 2
    pipeline.counters = MemoryCounters()
    del pipeline.usage_limits
    pipeline.settings = pipeline.settings.model_copy(update={"questions_per_day": 0})
    ann.grids.fill(grid.id)
    assert set(statuses(pipeline, grid)) == {"DONE"}


# -- later -----------------------------------------------------------------------------------------


def test_documents_that_came_later_get_rows_when_it_is_filled(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE, CLUB), "leases"))
    before = {cell.question_id for cell in pipeline.grids.cells(grid.id)}
    upload(pipeline, "z-quill.md", 41)
    assert "z-quill.md" not in table(ann, grid)
    ann.grids.fill(grid.id)
    assert table(ann, grid)["z-quill.md"] == [
        "The harbour fee for a barge is 41 crowns.",
        "The Quill Rowing Club rents the berth.",
    ]
    assert before <= {cell.question_id for cell in pipeline.grids.cells(grid.id)}


def test_a_replaced_document_makes_its_cells_stale_until_they_are_asked_again(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    old = {cell.document_id: cell.question_id for cell in pipeline.grids.cells(grid.id)}
    changed = upload(pipeline, "a-marten.md", 85).document_id
    [shown] = table(ann, grid)["a-marten.md"]
    assert shown == "The harbour fee for a barge is 84 crowns. [an earlier version of the document]"
    assert count_cells(ann.grids.get(grid.id)[1])["stale"] == 1
    ann.grids.fill(grid.id)
    assert table(ann, grid)["a-marten.md"] == ["The harbour fee for a barge is 85 crowns."]
    new = {cell.document_id: cell.question_id for cell in pipeline.grids.cells(grid.id)}
    assert {name for name in old if old[name] != new[name]} == {changed}
    with pytest.raises(NotFoundError):  # the earlier answer is gone
        ann.questions.get(old[changed])


def test_one_cell_is_asked_again_by_path_or_id(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE, CLUB), "leases"))
    before = pipeline.grids.cells(grid.id)
    ann.grids.ask_again(grid.id, [("a-marten.md", 1), (before[0].document_id, 0)])
    after = pipeline.grids.cells(grid.id)
    assert (
        sum(one.question_id != two.question_id for one, two in zip(before, after, strict=True)) == 2
    )
    for name, column in (("nothing.md", 0), ("a-marten.md", 2)):
        with pytest.raises(NotFoundError) as refused:
            ann.grids.ask_again(grid.id, [(name, column)])
        assert refused.value.code == "unknown_cell"


def test_a_deleted_document_has_no_row(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    ann.documents.remove("b-otis.md", "leases")
    pipeline.drain()
    assert list(table(ann, grid)) == ["a-marten.md", "c-pell.md", "d-menu.md"]
    ann.grids.fill(grid.id)
    assert list(table(ann, grid)) == ["a-marten.md", "c-pell.md", "d-menu.md"]


def test_a_document_that_goes_before_it_is_asked_fails_its_cell(pipeline, ann):
    workflow, pipeline.workflow = pipeline.workflow, Held()
    grid = ann.grids.create(Wanted((FEE,), "leases", ("b-otis.md",)))
    ann.documents.remove("b-otis.md", "leases")
    pipeline.drain()
    pipeline.workflow = workflow
    take_turn(pipeline, grid)
    [cell] = pipeline.grids.cells(grid.id)
    assert (cell.status, cell.error.code) == ("FAILED", "unknown_document")


# -- who -------------------------------------------------------------------------------------------


def test_a_grid_is_of_its_tenant_and_of_its_makers_groups(pipeline):
    staff = Service(pipeline, "acme", ("staff",), "ann")
    grid = staff.grids.create(Wanted((FEE,), "leases"))
    for groups in (("staff",), ("staff", "board"), ("@all",)):
        assert Service(pipeline, "acme", groups).grids.get(grid.id)[0].id == grid.id
    for tenant, groups in (("acme", ("board",)), ("acme", ()), ("other", ("@all",))):
        other = Service(pipeline, tenant, groups)
        assert other.grids.newest() == ([], "")
        for call in (other.grids.get, other.grids.fill, other.grids.stop, other.grids.delete):
            with pytest.raises(NotFoundError):
                call(grid.id)


def test_who_may_not_read_a_document_sees_no_row_of_it(pipeline):
    pipeline.uploads.put(
        "acme/leases/a-marten.md.metadata.json", b'{"acl": ["board"], "metadataAttributes": {}}'
    )
    pipeline.drain()
    staff = Service(pipeline, "acme", ("staff",), "ann")
    grid = staff.grids.create(Wanted((FEE,), "leases"))
    assert list(table(staff, grid)) == ["b-otis.md", "c-pell.md", "d-menu.md"]
    pipeline.uploads.put(
        "acme/leases/b-otis.md.metadata.json", b'{"acl": ["board"], "metadataAttributes": {}}'
    )
    pipeline.drain()  # closed since
    assert list(table(staff, grid)) == ["c-pell.md", "d-menu.md"]
    assert "Otis" not in staff.grids.export(grid.id, "csv").text


def test_whoever_asks_a_cell_pays_for_it(pipeline, ann):
    grid = ann.grids.create(Wanted((FEE,), "leases"))
    bob = Service(pipeline, "acme", ("@all",), "bob")
    bob.grids.ask_again(grid.id, [("a-marten.md", 0)])
    assert (ann.limits()[1].questions, bob.limits()[1].questions) == (4, 1)


# -- stop and delete -------------------------------------------------------------------------------


def test_a_stopped_grid_asks_no_more_and_keeps_what_it_has(pipeline, ann):
    workflow, pipeline.workflow = pipeline.workflow, Held()
    grid = ann.grids.create(Wanted((FEE, CLUB), "leases"))
    take_turn(pipeline, grid)
    assert ann.grids.stop(grid.id) == (8, False)
    assert take_turn(pipeline, grid) == (0, 0)
    cells = pipeline.grids.cells(grid.id)
    assert {cell.error.code for cell in cells} == {"stopped"}
    asked = [ann.questions.get(cell.question_id) for cell in cells if cell.question_id]
    assert [record.error.code for record in asked] == ["stopped"] * AT_ONCE
    pipeline.workflow = workflow
    ann.grids.fill(grid.id)
    assert set(statuses(pipeline, grid)) == {"DONE"}


def test_a_deleted_grid_leaves_nothing(pipeline, ann, monkeypatch):
    monkeypatch.setattr(grid_service, "MAX_CHANGED", 5)
    grid = ann.grids.create(Wanted((FEE, CLUB), "leases"))
    asked = [cell.question_id for cell in pipeline.grids.cells(grid.id)]
    ann.grids.export(grid.id, "xlsx")
    assert ann.grids.delete(grid.id) == (5, True)
    assert ann.grids.delete(grid.id) == (3, False)
    assert pipeline.grids.cells(grid.id) == []
    assert pipeline.artifacts.keys("questions/") == []
    for question in asked:
        with pytest.raises(NotFoundError):
            ann.questions.get(question)
    with pytest.raises(NotFoundError):
        ann.grids.get(grid.id)
    result = step_of("fill").run(FillRequest(tenant="acme", grid_id=grid.id), pipeline)
    assert not result.more


def test_a_grid_that_is_being_asked_is_stopped_before_it_is_deleted(pipeline, ann):
    pipeline.workflow = Held()
    grid = ann.grids.create(Wanted((FEE, CLUB), "leases"))
    take_turn(pipeline, grid)
    assert ann.grids.delete(grid.id) == (8, False)
    assert ann.grids.newest() == ([], "")
