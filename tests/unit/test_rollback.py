"""The generation that a re-index replaced is kept for a while, and queries may go back to it."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from footnote.errors import ConflictError, NotFoundError
from footnote.ingest.upkeep.generations import roll_back
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import small

DAY = 24 * 3600.0


@pytest.fixture
def pipeline():
    made = small()
    add(made, "harbour", "The harbour has a fee for everybody.")
    return made


def add(pipeline, name, text):
    pipeline.upload(f"acme/default/{name}.md", f"# {name}\n\n{text}\n".encode())


def reindex(pipeline):
    run = pipeline.workflow.reindex("cli", force=True)
    assert pipeline.workflow.reindex_status(run).outcome == "rebuilt"


def sweep(pipeline):
    step = step_of("sweep")
    return step.run(step.request_type(reason="schedule"), pipeline)


def found(pipeline, query):
    hits, _ = Service(pipeline, "acme").searches.search(query)
    return [hit.document for hit in hits]


def back(pipeline):
    return Service(pipeline, "acme").operating.roll_back()


def test_queries_go_back_to_what_stood_before_and_miss_nothing(pipeline):
    before = pipeline.index.ensure()
    reindex(pipeline)
    after = pipeline.index.ensure()
    add(pipeline, "orchard", "The orchard has apples.")
    pipeline.uploads.delete("acme/default/harbour.md")
    pipeline.drain()
    assert back(pipeline) == (before, after)
    assert (pipeline.index.ensure(), found(pipeline, "apples")) == (before, ["orchard.md"])
    assert "harbour.md" not in found(pipeline, "harbour fee")
    assert back(pipeline) == (after, before)  # and forth
    assert found(pipeline, "apples") == ["orchard.md"]


def test_it_is_kept_for_the_hours_that_are_set(pipeline):
    now = pipeline.clock()
    pipeline.clock = lambda: now
    before = pipeline.index.ensure()
    reindex(pipeline)
    pipeline.clock = lambda: now + DAY - 60
    assert sweep(pipeline).generations == 0
    assert before in [each.name for each in pipeline.index.generations()]
    pipeline.clock = lambda: now + DAY + 60
    assert sweep(pipeline).generations == 1
    assert [each.serving for each in pipeline.index.generations()] == [True]
    with pytest.raises(NotFoundError, match="no earlier generation") as caught:
        back(pipeline)
    assert caught.value.code == "no_earlier_generation"


def test_without_hours_none_is_kept(pipeline):
    pipeline.settings = pipeline.settings.model_copy(update={"keep_generation_hours": 0})
    reindex(pipeline)
    assert [each.serving for each in pipeline.index.generations()] == [True]


def test_the_next_reindex_takes_its_room(pipeline):
    first = pipeline.index.ensure()
    reindex(pipeline)
    second = pipeline.index.ensure()
    reindex(pipeline)
    assert {each.name for each in pipeline.index.generations()} == {second, pipeline.index.ensure()}
    assert first not in (second, pipeline.index.ensure())


def test_a_generation_of_another_model_is_refused(pipeline):
    index = MemorySearchIndex("old-model", 3)
    index.ensure()
    index.marks = {**index.marks, "model": "new-model"}
    index.promote(index.create_generation("run"), 1.0)
    with pytest.raises(ConflictError, match="vectors of old-model") as caught:
        roll_back(index, 2.0)
    assert caught.value.code == "other_model"
    assert len(index.generations()) == 2
