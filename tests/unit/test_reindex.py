"""Re-indexing: the new generation ends up equal, whatever happens while it is built."""

import json

import pytest

from footnote.adapters.memory import MemoryBlobStore
from footnote.contracts import (
    AbandonRequest,
    IndexRequest,
    ParseRequest,
    PrepareRequest,
    PromoteRequest,
    RebuildRequest,
)
from footnote.errors import NotFoundError, UnavailableError
from footnote.ingest.upkeep.reindex import (
    DOCUMENTS_A_BATCH,
    find_incomplete,
    load_batch,
    store_batches,
)
from footnote.model import Record, document_id
from footnote.service import Service
from footnote.wiring.pipeline import step_of
from tests.unit.faces import Flaky, small

TOPICS = {"harbour": "fee", "orchard": "apples", "railway": "tickets"}


@pytest.fixture
def pipeline():
    made = small()
    for name, topic in TOPICS.items():
        add(made, name, topic)
    return made


def add(pipeline, name, topic):
    body = f"# {name.title()}\n\nThe {name} has {topic} for everybody.\n".encode()
    return pipeline.upload(f"acme/default/{name}.md", body)


def hits(pipeline, query):
    found, _ = Service(pipeline, "acme").search(query)
    return [(hit.document, hit.version, hit.chunk.text) for hit in found]


def run(pipeline, verb, **fields):
    step = step_of(verb)
    return step.run(step.request_type(**fields), pipeline)


def prepare(pipeline):
    return run(pipeline, "prepare", reason="cli")


def rebuild(pipeline, prepared):
    return [
        run(pipeline, "rebuild", generation=prepared.generation, batch=batch)
        for batch in prepared.batches
    ]


def promote(pipeline, prepared, attempt=0):
    return run(pipeline, "promote", generation=prepared.generation, attempt=attempt)


def counts(pipeline, generation=None):
    return pipeline.index.counts(generation or pipeline.index.ensure())


# -- the whole -----------------------------------------------------------------------------------


def test_a_reindex_moves_to_a_new_generation_with_the_same_hits(pipeline):
    before, generation = hits(pipeline, "apples for everybody"), pipeline.index.ensure()
    run_id = pipeline.workflow.reindex("cli")
    assert pipeline.workflow.reindex_status(run_id) == ("DONE", None)
    assert pipeline.index.ensure() != generation
    assert hits(pipeline, "apples for everybody") == before
    assert pipeline.index.health()["writing"] == [pipeline.index.ensure()]


def test_a_reindex_of_nothing_is_done(pipeline):
    for name in TOPICS:
        pipeline.uploads.delete(f"acme/default/{name}.md")
    pipeline.drain()
    prepared = prepare(pipeline)
    assert (prepared.batches, prepared.documents) == ((), 0)
    assert promote(pipeline, prepared).promoted


def test_the_steps_count_what_they_do(pipeline):
    prepared = prepare(pipeline)
    assert (len(prepared.batches), prepared.documents) == (1, 3)
    [built] = rebuild(pipeline, prepared)
    assert (built.documents, built.chunks) == (3, 3)
    result = promote(pipeline, prepared)
    assert result.model_dump() == {
        "generation": prepared.generation,
        "promoted": True,
        "attempt": 1,
        "batches": (),
        "documents": 3,
        "chunks": 3,
    }


# -- what happens meanwhile ----------------------------------------------------------------------


def test_queries_see_the_old_generation_until_the_new_one_is_promoted(pipeline):
    before = hits(pipeline, "harbour")
    prepared = prepare(pipeline)
    assert hits(pipeline, "harbour") == before
    rebuild(pipeline, prepared)
    assert hits(pipeline, "harbour") == before
    promote(pipeline, prepared)
    assert hits(pipeline, "harbour") == before


def test_a_document_added_while_rebuilding_is_in_both_generations(pipeline):
    prepared = prepare(pipeline)
    added = add(pipeline, "quarry", "granite")
    rebuild(pipeline, prepared)
    assert hits(pipeline, "quarry granite")[0][0] == "quarry.md"
    assert promote(pipeline, prepared).promoted
    assert hits(pipeline, "quarry granite")[0][0] == "quarry.md"
    assert counts(pipeline)[added.document_id, added.version] == 1


def test_a_document_replaced_while_rebuilding_is_there_once_and_new(pipeline):
    prepared = prepare(pipeline)
    rebuild(pipeline, prepared)
    replaced = add(pipeline, "harbour", "lighthouses")
    assert promote(pipeline, prepared).promoted
    versions = [version for one, version in counts(pipeline) if one == replaced.document_id]
    assert versions == [replaced.version]
    assert hits(pipeline, "harbour lighthouses")[0][1] == replaced.version


def test_a_document_deleted_before_its_turn_is_not_built(pipeline):
    prepared = prepare(pipeline)
    pipeline.uploads.delete("acme/default/orchard.md")
    pipeline.drain()
    [built] = rebuild(pipeline, prepared)
    assert built.documents == 2
    assert promote(pipeline, prepared).promoted
    assert "orchard.md" not in {hit[0] for hit in hits(pipeline, "orchard apples")}


def test_a_document_deleted_while_it_is_written_leaves_no_chunks(pipeline):
    prepared = prepare(pipeline)
    gone = document_id("acme/default/orchard.md")
    pipeline.index = Interrupted(pipeline.index, lambda: delete(pipeline, "orchard"))
    [built] = rebuild(pipeline, prepared)
    assert built.documents == 2
    assert gone not in {one for one, _ in counts(pipeline, prepared.generation)}


def delete(pipeline, name):
    pipeline.uploads.delete(f"acme/default/{name}.md")
    pipeline.drain()


class Interrupted:
    """Wraps an index. `interrupt` runs just before it writes the orchard to a generation."""

    def __init__(self, index, interrupt):
        self._index, self._interrupt = index, interrupt

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, chunks, generation=None):
        if generation and any("orchard" in chunk.revision.key for chunk in chunks):
            self._interrupt()
        self._index.write(chunks, generation)


def test_a_document_whose_newer_version_is_on_its_way_is_built_as_queries_see_it(pipeline):
    old = pipeline.catalog.get(document_id("acme/default/harbour.md"))
    revision = pipeline.uploads.put(old.key, b"# Harbour\n\nTen thousand lanterns.\n")
    pipeline.uploads.take_events()
    pipeline.catalog.receive(revision, 40)
    prepared = prepare(pipeline)
    rebuild(pipeline, prepared)
    assert promote(pipeline, prepared).promoted
    assert counts(pipeline)[old.document_id, old.version] == 1
    pipeline.queues.send("parse", [ParseRequest(**revision.identity, size=40)])
    pipeline.drain()
    assert hits(pipeline, "harbour lanterns")[0][1] == revision.version


def test_a_late_part_is_in_the_new_generation_too(pipeline):
    revision = pipeline.uploads.put("acme/default/late.md", b"# Late\n\nThe tortoise arrived.\n")
    pipeline.uploads.take_events()
    parse = ParseRequest(**revision.identity, size=30)
    assert step_of("parse").deliver(parse.model_dump_json(), pipeline, last=False)
    chunk = pipeline.queues.sent["chunk"].pop()
    assert step_of("chunk").deliver(chunk.model_dump_json(), pipeline, last=False)
    part = pipeline.queues.sent["index"].pop()
    assert type(part) is IndexRequest
    prepared = prepare(pipeline)
    rebuild(pipeline, prepared)
    assert step_of("index").deliver(part.model_dump_json(), pipeline, last=False)
    assert promote(pipeline, prepared).promoted
    assert hits(pipeline, "tortoise")[0][0] == "late.md"


# -- what is missing -----------------------------------------------------------------------------


def test_a_generation_that_misses_a_document_is_not_promoted_but_mended(pipeline):
    before = pipeline.index.ensure()
    prepared = prepare(pipeline)
    rebuild(pipeline, prepared)
    lost = pipeline.catalog.get(document_id("acme/default/railway.md"))
    pipeline.index._generations[prepared.generation].clear()
    add(pipeline, "quarry", "granite")
    first = promote(pipeline, prepared)
    assert (first.promoted, first.attempt, len(first.batches)) == (False, 1, 1)
    assert pipeline.index.ensure() == before
    assert lost.document_id in load_batch(pipeline.artifacts, first.batches[0])
    run(pipeline, "rebuild", generation=prepared.generation, batch=first.batches[0])
    assert promote(pipeline, prepared, attempt=1).promoted
    assert len(counts(pipeline)) == 4


def test_a_reindex_that_stays_incomplete_is_abandoned_and_queries_go_on(pipeline):
    before, generation = hits(pipeline, "harbour"), pipeline.index.ensure()
    pipeline.index = Forgetful(pipeline.index)
    run_id = pipeline.workflow.reindex("cli")
    status, problem = pipeline.workflow.reindex_status(run_id)
    assert (status, problem.code) == ("FAILED", "incomplete")
    assert pipeline.index.rebuilt == 4
    assert pipeline.index.ensure() == generation
    assert pipeline.index.health()["writing"] == [generation]
    assert hits(pipeline, "harbour") == before


@pytest.mark.parametrize("call", ["create_generation", "write", "promote"])
def test_a_reindex_whose_step_fails_is_abandoned_and_queries_go_on(pipeline, call):
    before, generation = hits(pipeline, "harbour"), pipeline.index.ensure()
    pipeline.index = Flaky(pipeline.index, **{call: [UnavailableError("the index is busy")]})
    status, problem = pipeline.workflow.reindex_status(pipeline.workflow.reindex("cli"))
    assert (status, problem.code, problem.message) == ("FAILED", "unavailable", "the index is busy")
    assert pipeline.index.health()["writing"] == [generation]
    assert hits(pipeline, "harbour") == before


class Forgetful:
    """Wraps an index. It loses what is written of one document into a generation."""

    def __init__(self, index):
        self._index, self.rebuilt = index, 0

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, chunks, generation=None):
        if generation is None:
            self._index.write(chunks)
        elif "harbour" in chunks[0].revision.key:
            self.rebuilt += 1


def test_abandoning_drops_the_new_generation_only(pipeline):
    prepared = prepare(pipeline)
    assert run(pipeline, "abandon", generation=prepared.generation).generation == (
        prepared.generation
    )
    assert pipeline.index.health()["writing"] == [pipeline.index.ensure()]
    with pytest.raises(NotFoundError):
        counts(pipeline, prepared.generation)


def test_a_rebuild_that_fails_raises_for_the_state_machine_to_try_again(pipeline):
    prepared = prepare(pipeline)
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")])
    with pytest.raises(UnavailableError):
        rebuild(pipeline, prepared)
    rebuild(pipeline, prepared)
    assert promote(pipeline, prepared).promoted


# -- batches and counts --------------------------------------------------------------------------


def test_documents_are_stored_in_batches_that_a_map_can_take():
    artifacts = MemoryBlobStore()
    ids = [f"d{n}" for n in range(2 * DOCUMENTS_A_BATCH + 1)]
    keys = store_batches(artifacts, "g-2", 1, ids)
    assert keys == (
        "reindex/g-2/1-00000.json",
        "reindex/g-2/1-00001.json",
        "reindex/g-2/1-00002.json",
    )
    assert [one for key in keys for one in load_batch(artifacts, key)] == ids
    assert json.loads(artifacts.get(keys[2])) == ["d40"]
    assert store_batches(artifacts, "g-2", 1, []) == ()


READY, COMING, FAILED = ("READY", "v1", 3), ("INDEXING", "v2", 9), ("FAILED", "v2", 0)
"""The status, the newest version and the number of its chunks. v1 is live."""


@pytest.mark.parametrize(
    ("newest", "serving", "built", "missing"),
    [
        (READY, 3, 3, False),
        (READY, 3, 2, True),
        (READY, 3, 4, True),
        (READY, 1, 3, False),  # the old generation had lost some
        (READY, 3, 0, True),
        (COMING, 3, 3, False),
        (COMING, 3, 9, True),
        (FAILED, 3, 3, False),
    ],
)
def test_a_document_is_missing_when_its_chunks_are_not_all_there(newest, serving, built, missing):
    status, version, chunks = newest
    record = Record(
        document_id="d1",
        key="acme/default/a.md",
        version=version,
        sequencer="1",
        live_version="v1",
        status=status,
        chunks=chunks,
    )
    found = find_incomplete([record], {("d1", "v1"): serving}, {("d1", "v1"): built})
    assert found == (["d1"] if missing else [])


def test_the_contracts_of_the_steps_are_those_of_the_state_machine():
    kinds = {verb: step_of(verb).request_type for verb in ("prepare", "promote", "abandon")}
    assert kinds == {
        "prepare": PrepareRequest,
        "promote": PromoteRequest,
        "abandon": AbandonRequest,
    }
    assert step_of("rebuild").request_type is RebuildRequest
