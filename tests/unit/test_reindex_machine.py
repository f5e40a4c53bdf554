"""The re-index's state machine as it is written, on the steps as they are, in this process."""

import json

import pytest

from footnote.errors import UnavailableError
from footnote.ingest.upkeep import reindex
from footnote.model import ReindexRun
from footnote.wiring.local_workflow import MAX_PASSES, step_of
from tests.conftest import ROOT
from tests.machine import Machine, MachineError
from tests.unit.faces import Flaky, small

DEFINITION = json.loads((ROOT / "statemachines" / "reindex.asl.json").read_text())
STATES = DEFINITION["States"]
GIVEN = {"reason": "schedule", "force": True}
VERBS = ("Prepare", "Promote", "Rebuild", "Abandon")


@pytest.fixture
def pipeline():
    made = small()
    for number in range(5):
        made.upload(f"acme/default/{number}.md", f"# {number}\n\nBarge {number}.\n".encode())
    return made


def machine(pipeline, name="one", **others):
    """Returns the machine on the steps, or on `others` by the name of their state."""

    def task(verb):
        step = step_of(verb.lower())
        return lambda given: step.run(step.request_type.model_validate(given), pipeline).model_dump(
            mode="json"
        )

    tasks = {verb: task(verb) for verb in VERBS} | others
    return Machine(DEFINITION, tasks, pipeline.artifacts.get, name)


def generations(pipeline):
    """Returns those that serve or are filled, not what is kept for a roll-back."""
    return [(one.name, one.serving) for one in pipeline.index.generations() if not one.retired]


def test_it_ends_with_a_new_generation(pipeline):
    found = machine(pipeline).run(GIVEN)
    assert (found["promoted"], found["documents"], found["attempt"]) == (True, 5, 1)
    assert generations(pipeline) == [("footnote-hash-2", True)]


def test_it_ends_at_once_where_there_is_nothing_to_do(pipeline):
    ran = machine(pipeline)
    assert ran.run(GIVEN | {"force": False})["unchanged"]
    assert ran.entered == ["Begin", "Prepare", "AnythingToDo", "Unchanged"]
    assert generations(pipeline) == [("footnote-hash-1", True)]


def test_every_state_is_entered_when_time_and_lists_are_short(pipeline, monkeypatch):
    monkeypatch.setattr(reindex, "RECORDS_A_PAGE", 2)
    monkeypatch.setattr(reindex, "DOCUMENTS_A_BATCH", 1)
    pipeline.start_timer = lambda: lambda: True
    compared = machine(pipeline)
    assert compared.run(GIVEN | {"force": False})["unchanged"]
    assert compared.entered.count("Prepare") == 3
    monkeypatch.setattr(reindex, "DOCUMENTS_A_BATCH", 2)
    ran = machine(pipeline, "two")
    assert ran.run(GIVEN)["documents"] == 5
    assert ran.entered.count("Batches") == 3
    assert ran.entered.count("GoOn") == 2
    assert generations(pipeline) == [("footnote-hash-2", True)]


def test_the_state_does_not_grow_with_the_documents(pipeline):
    few = machine(pipeline)
    few.run(GIVEN)
    for number in range(5, 100):
        pipeline.upload(f"acme/default/{number}.md", f"Barge {number}.".encode())
    many = machine(pipeline, "two")
    many.run(GIVEN)
    assert many.largest < few.largest + 10 < 500


@pytest.mark.parametrize("verb", ["Prepare", "Promote", "Rebuild"])
@pytest.mark.parametrize("error", ["UnavailableError", "Sandbox.Timedout", "Runtime.ExitError"])
def test_a_step_that_fails_once_is_tried_again(pipeline, verb, error):
    step, left = step_of(verb.lower()), [1]

    def flaky(given):
        if left:
            left.pop()
            raise type(error, (Exception,), {})
        return step.run(step.request_type.model_validate(given), pipeline).model_dump(mode="json")

    assert machine(pipeline, **{verb: flaky}).run(GIVEN)["promoted"]


@pytest.mark.parametrize("verb", ["Prepare", "Promote", "Rebuild"])
@pytest.mark.parametrize("kind", [UnavailableError, KeyError])
def test_a_step_that_fails_for_good_drops_what_was_made_and_says_why(pipeline, verb, kind):
    step = step_of(verb.lower())

    def fails(given):
        if verb == "Prepare":  # after it has made the generation
            step.run(step.request_type.model_validate(given), pipeline)
        raise kind("it is down")

    with pytest.raises(MachineError) as failed:
        machine(pipeline, **{verb: fails}).run(GIVEN)
    if verb != "Rebuild":
        assert failed.value.error == kind.__name__
        assert "it is down" in failed.value.cause
    assert generations(pipeline) == [("footnote-hash-1", True)]


def test_a_batch_that_failed_for_good_is_found_by_the_next_pass(pipeline, monkeypatch):
    monkeypatch.setattr(reindex, "DOCUMENTS_A_BATCH", 1)
    for number in range(5, 30):
        pipeline.upload(f"acme/default/{number}.md", f"Barge {number}.".encode())
    step, failing = step_of("rebuild"), [True]

    def rebuild(given):
        if failing and given["batch"].endswith("00007.json"):
            failing.pop()
            raise KeyError
        return step.run(step.request_type.model_validate(given), pipeline).model_dump(mode="json")

    found = machine(pipeline, Rebuild=rebuild).run(GIVEN)
    assert (found["promoted"], found["attempt"], found["documents"]) == (True, 2, 30)


def test_it_gives_up_after_as_many_passes_as_the_workflow_in_process(pipeline):
    pipeline.index = Deaf(pipeline.index)
    ran = machine(pipeline)
    with pytest.raises(MachineError, match=r"ReindexFailed: .* five passes"):
        ran.run(GIVEN)
    assert ran.entered.count("Promote") == MAX_PASSES + 1
    assert generations(pipeline) == [("footnote-hash-1", True)]


class Deaf:
    """Wraps an index. It loses what is written into one generation."""

    def __init__(self, index):
        self._index = index

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, chunks, generation=None):
        if generation is None:
            self._index.write(chunks)


def test_a_second_run_fails_and_leaves_the_first_alone(pipeline):
    pipeline.workflow._runs["one"] = ReindexRun(status="RUNNING")
    step = step_of("prepare")
    request = step.request_type(run="one", reason="api", force=True)
    made = step.run(request, pipeline).generation
    with pytest.raises(MachineError, match=r"ConflictError: .*re-index one is running"):
        machine(pipeline, "two").run(GIVEN)
    assert (made, False) in generations(pipeline)


def test_abandoning_that_fails_leaves_the_rest_to_the_next_run(pipeline):
    pipeline.index = Flaky(pipeline.index, abandon=[UnavailableError("down")] * 9)

    def fails(_given):
        raise KeyError

    with pytest.raises(MachineError, match="UnavailableError"):
        machine(pipeline, Promote=fails).run(GIVEN)
    pipeline.index = pipeline.index._port
    assert len(generations(pipeline)) == 2
    assert machine(pipeline, "two").run(GIVEN)["promoted"]
    assert len(generations(pipeline)) == 1
