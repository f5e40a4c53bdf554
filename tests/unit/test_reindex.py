"""Re-indexing: the new generation ends up equal, whatever happens while it is built."""

import json
import re
from collections import Counter

import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.contracts import IndexRequest, ParseRequest, PromoteRequest
from footnote.errors import ConflictError, NotFoundError, UnavailableError
from footnote.ingest.upkeep import rebuild as rebuilding
from footnote.ingest.upkeep import reindex
from footnote.ingest.upkeep.marks import chunk_marks
from footnote.ingest.upkeep.reindex import Batches, Share, divide, find_incomplete, load_batch
from footnote.model import Record, ReindexRun, document_id
from footnote.service import Service
from footnote.store.artifacts import dump_nodes
from footnote.store.keys import NODES
from footnote.wiring.local_workflow import LocalWorkflow, step_of
from tests.unit.faces import Flaky, small

NODES_END = f"nodes{NODES}"

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
    found, _ = Service(pipeline, "acme").searches.search(query)
    return [(hit.document, hit.version, hit.chunk.text) for hit in found]


def run(pipeline, verb, **fields):
    step = step_of(verb)
    return step.run(step.request_type(**fields), pipeline)


def prepare(pipeline, name="one", **given):
    return run(pipeline, "prepare", run=name, reason="cli", **{"force": True} | given)


def promote(pipeline, prepared, before=None):
    """Runs one pass of promote, as the machine does after `before`."""
    fields = {"run": prepared.run, "generation": prepared.generation}
    if before is not None:
        fields = before.model_dump(include=set(PromoteRequest.model_fields))
    return run(pipeline, "promote", **fields)


def rebuild(pipeline, listed):
    """Rebuilds the batches that a pass has listed, as the machine's Map does."""
    batches = json.loads(pipeline.artifacts.get(listed.list_key))
    return [run(pipeline, "rebuild", generation=listed.generation, batch=one) for one in batches]


def fill(pipeline, prepared):
    listed = promote(pipeline, prepared)
    return listed, rebuild(pipeline, listed)


def counts(pipeline, generation=None):
    return pipeline.index.counts(generation or pipeline.index.ensure())


# -- the whole -----------------------------------------------------------------------------------


def test_a_reindex_moves_to_a_new_generation_with_the_same_hits(pipeline):
    before, generation = hits(pipeline, "apples for everybody"), pipeline.index.ensure()
    assert reindexed(pipeline) == DONE
    assert pipeline.index.ensure() != generation
    assert hits(pipeline, "apples for everybody") == before
    assert pipeline.index.health()["writing"] == sorted([generation, pipeline.index.ensure()])


DONE = ReindexRun(status="DONE", outcome="rebuilt")
UNCHANGED = ReindexRun(status="DONE", outcome="unchanged")


def reindexed(pipeline, *, force=True):
    workflow = pipeline.workflow
    return workflow.reindex_status(workflow.reindex("cli", force=force))


def test_a_reindex_of_nothing_is_done(pipeline):
    for name in TOPICS:
        pipeline.uploads.delete(f"acme/default/{name}.md")
    pipeline.drain()
    result = promote(pipeline, prepare(pipeline))
    assert (result.promoted, result.list_key, result.batches) == (True, "", 0)


def test_the_steps_count_what_they_do(pipeline):
    prepared = prepare(pipeline)
    listed, [built] = fill(pipeline, prepared)
    assert (listed.missing, listed.batches, listed.attempt, listed.documents) == (3, 1, 1, 0)
    assert (built.start, built.more, built.documents, built.chunks) == (3, False, 3, 3)
    assert promote(pipeline, prepared, listed).model_dump() == {
        "run": "one",
        "generation": prepared.generation,
        "attempt": 1,
        "cursor": "",
        "missing": 0,
        "documents": 3,
        "chunks": 3,
        "promoted": True,
        "list_key": "",
        "batches": 0,
    }


# -- vectors -------------------------------------------------------------------------------------


def vectors(pipeline):
    entries = pipeline.index._generations[pipeline.index.ensure()].values()
    return {one.indexed.chunk.id: one.indexed.vector for one in entries}


class Unable:
    """Implements Embedder: nobody may ask it anything."""

    model, dimensions = "hash", 64

    def embed(self, _texts, _kind):
        raise AssertionError


class Counted:
    """Wraps an embedder and counts the texts."""

    def __init__(self, embedder):
        self.model, self.dimensions, self.texts = embedder.model, embedder.dimensions, 0
        self._embedder = embedder

    def embed(self, texts, kind):
        self.texts += len(texts)
        return self._embedder.embed(texts, kind)


def test_a_reindex_needs_neither_the_model_nor_the_table_of_vectors(pipeline):
    before = vectors(pipeline)
    pipeline.embedder = Unable()  # as long after the table has forgotten all
    assert reindexed(pipeline) == DONE
    assert vectors(pipeline) == before


def test_a_document_from_before_vectors_were_kept_is_embedded_once(pipeline):
    before = vectors(pipeline)
    pipeline.artifacts.delete([key for key in pipeline.artifacts.keys("chunks/") if is_kept(key)])
    counted = pipeline.embedder = Counted(pipeline.encoder)
    assert reindexed(pipeline) == DONE
    assert (counted.texts, vectors(pipeline)) == (3, before)
    assert len([key for key in pipeline.artifacts.keys("chunks/") if is_kept(key)]) == 3
    assert reindexed(pipeline) == DONE
    assert (counted.texts, vectors(pipeline)) == (3, before)


def is_kept(key):
    return key.endswith(".vectors")


def test_vectors_and_nodes_go_with_their_chunks(pipeline):
    add(pipeline, "harbour", "lighthouses")
    delete(pipeline, "orchard")
    run(pipeline, "sweep")
    kept = pipeline.artifacts.keys("chunks/")
    assert Counter(key.rpartition(".")[2] for key in kept) == {"gz": 2, "vectors": 2, NODES_END: 2}
    assert {key.split("/")[1] for key in kept} == {
        document_id(f"acme/default/{name}.md") for name in ("harbour", "railway")
    }


@pytest.mark.parametrize("version", ["", "1"])
def test_a_document_without_nodes_of_this_version_gets_them_when_it_is_rebuilt(pipeline, version):
    add(pipeline, "harbour", "lighthouses " * 5_000)  # of several parts
    before = nodes(pipeline)
    assert {one.node.kind for one in before} == {"page", "document"}
    artifacts = pipeline.artifacts
    kept = [key for key in artifacts.keys("chunks/") if is_node(key)]
    for key in kept if version else ():  # as they were made once: a share of them beside each part
        artifacts.put(f"{key.removesuffix(NODES)}{version}", dump_nodes([before[0].node]))
    artifacts.delete(kept)
    assert reindexed(pipeline) == DONE
    assert nodes(pipeline) == before


def nodes(pipeline):
    generation = pipeline.index._nodes[pipeline.index.ensure()]
    return [generation[name].indexed for name in sorted(generation)]


def is_node(key):
    return key.endswith(NODES_END)


# -- nothing to do -------------------------------------------------------------------------------


def test_a_reindex_that_finds_nothing_to_do_makes_no_generation(pipeline):
    generation = pipeline.index.ensure()
    pipeline.index = Flaky(pipeline.index, create_generation=[AssertionError()])
    assert reindexed(pipeline, force=False) == UNCHANGED
    assert pipeline.index.ensure() == generation


def test_another_mapping_chunker_prompt_or_model_is_something_to_do(pipeline):
    for name in ("mapping", "chunks", "nodes", "lines", "model", "embedding"):
        generation = pipeline.index.ensure()
        pipeline.index.marks |= {name: "another"}
        assert reindexed(pipeline, force=False) == DONE
        assert pipeline.index.ensure() != generation
        assert reindexed(pipeline, force=False) == UNCHANGED


def test_marks_say_who_writes_lines():
    off, on = (chunk_marks(with_lines=one, context_model="m-1") for one in (False, True))
    assert off["lines"] == "off"
    assert on["lines"].startswith("m-1 ")
    assert on["chunks"] == off["chunks"]


@pytest.mark.parametrize("change", ["lost", "doubled"])
def test_a_document_whose_chunks_are_not_all_there_is_something_to_do(pipeline, change):
    chunks = pipeline.index._generations[pipeline.index.ensure()]
    if change == "lost":
        chunks.pop(next(iter(chunks)))
    else:
        chunks["again"] = next(iter(chunks.values()))
    assert reindexed(pipeline, force=False) == DONE
    assert reindexed(pipeline, force=False) == UNCHANGED


def test_a_document_that_is_replaced_while_it_is_compared_is_no_difference(pipeline):
    pipeline.index = Replacing(pipeline.index, lambda: add(pipeline, "harbour", "lighthouses"))
    assert reindexed(pipeline, force=False) == UNCHANGED


class Replacing:
    """Wraps an index. `replace` runs once, just before chunks are counted."""

    def __init__(self, index, replace):
        self._index, self._replace = index, [replace]

    def __getattr__(self, name):
        return getattr(self._index, name)

    def counts(self, generation, documents=None):
        while self._replace:
            self._replace.pop()()
        return self._index.counts(generation, documents)


# -- the disk ------------------------------------------------------------------------------------


def leave_free(pipeline, times):
    """Leaves as much disk free as the index takes, so many times."""
    taken = pipeline.index.room().taken
    pipeline.index.disk = int(taken * (1 + times))


def test_a_reindex_that_the_disk_may_not_hold_makes_nothing_and_says_what_is_short(pipeline):
    leave_free(pipeline, 1.4)
    serving, before = pipeline.index.ensure(), hits(pipeline, "harbour")
    done = reindexed(pipeline)
    assert (done.status, done.error.code) == ("FAILED", "reindex_refused")
    assert re.search(
        r"needs [\d.]+ MB, .* 1.5 times .*, and [\d.]+ MB are free", done.error.message
    )
    assert "OpenSearchVolume" in done.error.action
    assert [one.name for one in pipeline.index.generations()] == [serving]
    assert hits(pipeline, "harbour") == before


def test_a_reindex_goes_on_where_the_disk_holds_what_it_may_take(pipeline):
    leave_free(pipeline, 1.6)
    assert reindexed(pipeline) == DONE


def test_a_full_disk_does_not_matter_where_there_is_nothing_to_build(pipeline):
    leave_free(pipeline, 0)
    assert reindexed(pipeline, force=False) == UNCHANGED


def test_what_a_roll_back_was_kept_for_makes_room_first(pipeline):
    assert reindexed(pipeline) == DONE
    assert len(pipeline.index.generations()) == 2
    leave_free(pipeline, 1.6)
    assert reindexed(pipeline) == DONE


def test_a_prepare_that_runs_again_gets_its_generation_though_the_disk_is_full_now(pipeline):
    prepared = prepare(pipeline)
    leave_free(pipeline, 0)
    assert prepare(pipeline) == prepared


# -- bounds --------------------------------------------------------------------------------------


@pytest.fixture
def impatient(pipeline, monkeypatch):
    """Has each invocation end after one page of one record, one share, one batch."""
    monkeypatch.setattr(reindex, "RECORDS_A_PAGE", 1)
    pipeline.start_timer = lambda: lambda: True
    return pipeline


def test_an_invocation_that_runs_out_of_time_is_gone_on_with(impatient):
    before = hits(impatient, "harbour")
    first = prepare(impatient, force=False)
    assert (first.unchanged, first.generation, bool(first.cursor)) == (False, "", True)
    assert reindexed(impatient, force=False) == UNCHANGED
    assert reindexed(impatient) == DONE
    assert hits(impatient, "harbour") == before
    assert len(counts(impatient)) == 3


def test_a_pass_over_the_table_counts_all_invocations(impatient):
    prepared = prepare(impatient)
    found = promote(impatient, prepared)
    seen = []
    while found.cursor:
        rebuild(impatient, found)
        seen.append((found.attempt, found.missing))
        found = promote(impatient, prepared, found)
    seen.append((found.attempt, found.missing))
    assert [missing for _, missing in seen[:3]] == [1, 2, 3]
    assert (seen[-1], found.promoted) == ((1, 3), False)


def test_a_batch_is_gone_on_with_where_time_was_over(pipeline):
    prepared = prepare(pipeline)
    listed = promote(pipeline, prepared)
    [batch] = json.loads(pipeline.artifacts.get(listed.list_key))
    pipeline.start_timer = lambda: lambda: True
    at, seen = 0, []
    while at < 3:
        done = run(pipeline, "rebuild", generation=prepared.generation, batch=batch, start=at)
        at = done.start
        seen.append((done.start, done.more, done.documents))
    assert seen == [(1, True, 1), (2, True, 1), (3, False, 1)]
    assert promote(pipeline, prepared, listed).promoted


def test_a_long_document_is_divided_and_every_part_of_it_is_built(pipeline, monkeypatch):
    text = "\n\n".join(f"# {n}\n\n" + f"Barge number {n} pays a fee. " * 30 for n in range(200))
    record = pipeline.upload("acme/default/long.md", text.encode())
    assert record.parts > 3
    monkeypatch.setattr(reindex, "_PARTS_A_SHARE", 2)
    monkeypatch.setattr(reindex, "CHUNKS_A_BATCH", 128)
    monkeypatch.setattr(rebuilding, "CHUNKS_A_WRITE", 100)
    before = vectors(pipeline)
    prepared = prepare(pipeline)
    listed, built = fill(pipeline, prepared)
    assert listed.batches >= record.parts / 2
    assert max(one.chunks for one in built) <= 128
    assert sum(one.documents for one in built) == 4
    assert promote(pipeline, prepared, listed).promoted
    assert counts(pipeline)[record.document_id, record.version] == record.chunks
    assert vectors(pipeline) == before


def test_what_the_state_carries_does_not_grow_with_the_documents(pipeline):
    for number in range(40):
        pipeline.upload(f"acme/default/{number}.md", f"Barge number {number}.".encode())
    listed = promote(pipeline, prepare(pipeline))
    assert len(listed.model_dump_json()) < 500


def test_the_memory_of_a_rebuild_is_some_hundred_chunks(pipeline, monkeypatch):
    monkeypatch.setattr(rebuilding, "CHUNKS_A_WRITE", 5)
    for number in range(40):
        pipeline.upload(f"acme/default/{number}.md", f"Barge number {number}.".encode())
    prepared = prepare(pipeline)
    pipeline.index = Sized(pipeline.index)
    fill(pipeline, prepared)
    assert sum(pipeline.index.sizes) == 3 * 43  # each is a chunk, a page and a document
    assert max(pipeline.index.sizes) <= 5 - 1 + 3


class Sized:
    """Wraps an index and notes how much each write has."""

    def __init__(self, index):
        self._index, self.sizes = index, []

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, entries, generation=None):
        self.sizes.append(len(entries))
        self._index.write(entries, generation)


# -- what happens meanwhile ----------------------------------------------------------------------


def test_queries_see_the_old_generation_until_the_new_one_is_promoted(pipeline):
    before = hits(pipeline, "harbour")
    prepared = prepare(pipeline)
    assert hits(pipeline, "harbour") == before
    listed, _ = fill(pipeline, prepared)
    assert hits(pipeline, "harbour") == before
    assert promote(pipeline, prepared, listed).promoted
    assert hits(pipeline, "harbour") == before


def test_a_document_added_while_rebuilding_is_in_both_generations(pipeline):
    prepared = prepare(pipeline)
    added = add(pipeline, "quarry", "granite")
    fill(pipeline, prepared)
    assert hits(pipeline, "quarry granite")[0][0] == "quarry.md"
    assert promote(pipeline, prepared).promoted
    assert hits(pipeline, "quarry granite")[0][0] == "quarry.md"
    assert counts(pipeline)[added.document_id, added.version] == 1


def test_a_document_replaced_while_rebuilding_is_there_once_and_new(pipeline):
    prepared = prepare(pipeline)
    fill(pipeline, prepared)
    replaced = add(pipeline, "harbour", "lighthouses")
    assert promote(pipeline, prepared).promoted
    versions = [version for one, version in counts(pipeline) if one == replaced.document_id]
    assert versions == [replaced.version]
    assert hits(pipeline, "harbour lighthouses")[0][1] == replaced.version


def test_a_document_deleted_before_its_turn_is_not_built(pipeline):
    prepared = prepare(pipeline)
    listed = promote(pipeline, prepared)
    delete(pipeline, "orchard")
    [built] = rebuild(pipeline, listed)
    assert built.documents == 2
    assert promote(pipeline, prepared).promoted
    assert "orchard.md" not in {hit[0] for hit in hits(pipeline, "orchard apples")}


def test_a_document_deleted_while_it_is_written_leaves_no_chunks(pipeline):
    prepared = prepare(pipeline)
    gone = document_id("acme/default/orchard.md")
    pipeline.index = Interrupted(pipeline.index, lambda: delete(pipeline, "orchard"))
    fill(pipeline, prepared)
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
    fill(pipeline, prepared)
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
    fill(pipeline, prepared)
    assert step_of("index").deliver(part.model_dump_json(), pipeline, last=False)
    assert promote(pipeline, prepared).promoted
    assert hits(pipeline, "tortoise")[0][0] == "late.md"


# -- what is missing -----------------------------------------------------------------------------


def test_a_generation_that_misses_a_document_is_not_promoted_but_mended(pipeline):
    before = pipeline.index.ensure()
    prepared = prepare(pipeline)
    listed, _ = fill(pipeline, prepared)
    lost = pipeline.catalog.get(document_id("acme/default/railway.md"))
    pipeline.index._generations[prepared.generation].clear()
    add(pipeline, "quarry", "granite")
    found = promote(pipeline, prepared, listed)
    assert (found.promoted, found.attempt, found.batches, found.missing) == (False, 2, 1, 3)
    assert pipeline.index.ensure() == before
    [batch] = json.loads(pipeline.artifacts.get(found.list_key))
    assert lost.document_id in {one.document_id for one in load_batch(pipeline.artifacts, batch)}
    rebuild(pipeline, found)
    assert promote(pipeline, prepared, found).promoted
    assert len(counts(pipeline)) == 4


def test_a_reindex_that_stays_incomplete_is_abandoned_and_queries_go_on(pipeline):
    before, generation = hits(pipeline, "harbour"), pipeline.index.ensure()
    pipeline.index = Forgetful(pipeline.index)
    found = reindexed(pipeline)
    assert (found.status, found.error.code) == ("FAILED", "incomplete")
    assert pipeline.index.rebuilt == 4
    assert pipeline.index.ensure() == generation
    assert pipeline.index.health()["writing"] == [generation]
    assert hits(pipeline, "harbour") == before


@pytest.mark.parametrize("call", ["create_generation", "write", "promote"])
def test_a_reindex_whose_step_fails_is_abandoned_and_queries_go_on(pipeline, call):
    before, generation = hits(pipeline, "harbour"), pipeline.index.ensure()
    pipeline.index = Flaky(pipeline.index, **{call: [UnavailableError("the index is busy")]})
    found = reindexed(pipeline)
    assert (found.status, found.error.code) == ("FAILED", "unavailable")
    assert found.error.message == "the index is busy"
    assert pipeline.index.health()["writing"] == [generation]
    assert hits(pipeline, "harbour") == before


def test_a_reindex_that_cannot_read_the_table_leaves_no_generation(pipeline):
    generation = pipeline.index.ensure()
    pipeline.catalog = Flaky(pipeline.catalog, page=[UnavailableError("throttled")])
    found = reindexed(pipeline)
    assert (found.status, found.error.code) == ("FAILED", "unavailable")
    assert pipeline.index.health()["writing"] == [generation]


class Forgetful:
    """Wraps an index. It loses what is written of one document into a generation."""

    def __init__(self, index):
        self._index, self.rebuilt = index, 0

    def __getattr__(self, name):
        return getattr(self._index, name)

    def write(self, chunks, generation=None):
        if generation is None:
            self._index.write(chunks)
        else:
            kept = [one for one in chunks if "harbour" not in one.revision.key]
            self._index.write(kept, generation)
            self.rebuilt += len(kept) < len(chunks)


def test_abandoning_drops_the_new_generation_only(pipeline):
    prepared = prepare(pipeline)
    assert run(pipeline, "abandon", run="another").dropped == ""
    assert run(pipeline, "abandon", run="one").dropped == prepared.generation
    assert run(pipeline, "abandon", run="one").dropped == ""
    assert pipeline.index.health()["writing"] == [pipeline.index.ensure()]
    with pytest.raises(NotFoundError):
        counts(pipeline, prepared.generation)


def test_a_rebuild_that_fails_raises_for_the_state_machine_to_try_again(pipeline):
    prepared = prepare(pipeline)
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")])
    listed = promote(pipeline, prepared)
    with pytest.raises(UnavailableError):
        rebuild(pipeline, listed)
    rebuild(pipeline, listed)
    assert promote(pipeline, prepared, listed).promoted


@pytest.mark.parametrize("at_once", [1, 512])
def test_a_rebuild_into_a_generation_that_is_gone_fails(pipeline, monkeypatch, at_once):
    monkeypatch.setattr(rebuilding, "CHUNKS_A_WRITE", at_once)
    listed = promote(pipeline, prepare(pipeline))
    run(pipeline, "abandon", run="one")
    with pytest.raises(NotFoundError, match="no index generation"):
        rebuild(pipeline, listed)


def test_a_document_whose_artifacts_are_gone_does_not_stop_the_others(pipeline):
    lost = pipeline.catalog.get(document_id("acme/default/harbour.md"))
    pipeline.artifacts.delete(pipeline.artifacts.keys(f"chunks/{lost.document_id}/"))
    generation = pipeline.index.ensure()
    found = reindexed(pipeline)
    assert (found.status, found.error.code) == ("FAILED", "incomplete")
    assert [one.name for one in pipeline.index.generations()] == [generation]


# -- other runs ----------------------------------------------------------------------------------


class Others:
    """Implements what a step asks of Workflow: some runs are at work, all others are unknown."""

    def __init__(self, *running):
        self._running = running

    def reindex_status(self, reindex_id):
        if reindex_id not in self._running:
            raise NotFoundError(reindex_id)
        return ReindexRun(status="RUNNING")


def test_a_step_that_is_tried_again_makes_no_second_generation(pipeline):
    first, again = prepare(pipeline), prepare(pipeline)
    assert first == again
    assert len(pipeline.index.generations()) == 2


def test_two_reindexes_never_run_at_once(pipeline):
    pipeline.workflow = Others("one")
    first = prepare(pipeline)
    with pytest.raises(ConflictError, match="re-index one is running"):
        prepare(pipeline, "two")
    assert run(pipeline, "abandon", run="two").dropped == ""
    fill(pipeline, first)
    assert promote(pipeline, first).promoted


@pytest.mark.parametrize("tidy", ["prepare", "sweep"])
def test_what_a_stopped_run_has_left_is_dropped_by_the_next_and_by_a_sweep(pipeline, tidy):
    serving = pipeline.index.ensure()
    left = prepare(pipeline, "stopped").generation
    pipeline.workflow = Others()
    if tidy == "sweep":
        assert run(pipeline, "sweep").generations == 1
        assert run(pipeline, "sweep").generations == 0
        assert [one.name for one in pipeline.index.generations()] == [serving]
    else:
        made = prepare(pipeline, "two").generation
        assert {one.name for one in pipeline.index.generations()} == {serving, made}
        assert made != left


def test_a_sweep_spares_what_a_running_reindex_fills(pipeline):
    pipeline.workflow = Others("one")
    prepared = prepare(pipeline)
    assert run(pipeline, "sweep").generations == 0
    fill(pipeline, prepared)
    assert promote(pipeline, prepared).promoted
    assert run(pipeline, "sweep").generations == 0


def test_the_old_generation_is_swept_if_the_run_that_replaced_it_could_not_drop_it(pipeline):
    old = pipeline.index.ensure()
    kept = pipeline.index._generations[old], pipeline.index._known[old]
    assert reindexed(pipeline) == DONE
    pipeline.index._generations[old], pipeline.index._known[old] = kept
    assert run(pipeline, "sweep").generations == 1
    assert [one.name for one in pipeline.index.generations()] == [pipeline.index.ensure()]


def test_a_run_that_has_promoted_abandons_nothing(pipeline):
    prepared = prepare(pipeline)
    listed, _ = fill(pipeline, prepared)
    assert promote(pipeline, prepared, listed).promoted
    assert run(pipeline, "abandon", run="one").dropped == ""
    assert pipeline.index.ensure() == prepared.generation


# -- killed --------------------------------------------------------------------------------------


class KilledError(BaseException):
    """Ends the whole run, as a machine that is stopped does: nobody catches it, nobody tidies."""


class Mortal:
    """Wraps a port. The call that brings `left` down to 0 ends the run, before it or after it."""

    def __init__(self, port, left, when):
        self._port, self._left, self._when = port, left, when

    def __getattr__(self, name):
        found = getattr(self._port, name)
        if not callable(found):
            return found

        def call(*args, **given):
            self._left[0] -= 1
            if self._left[0] == 0 and self._when == "before":
                raise KilledError(name)
            result = found(*args, **given)
            if self._left[0] == 0:
                raise KilledError(name)
            return result

        return call


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_run_that_is_killed_at_any_call_leaves_nothing_over_and_the_next_succeeds(pipeline, when):
    before = hits(pipeline, "harbour")
    ports = {name: getattr(pipeline, name) for name in ("index", "catalog", "artifacts")}
    for kill_at in range(1, 200):
        left = [kill_at]
        for name, port in ports.items():
            setattr(pipeline, name, Mortal(port, left, when))
        killed = not ended(pipeline)
        for name, port in ports.items():
            setattr(pipeline, name, port)
        assert hits(pipeline, "harbour") == before
        pipeline.workflow = LocalWorkflow(pipeline)  # it knows of no run, as after 90 days
        run(pipeline, "sweep")
        others = [one.serving for one in pipeline.index.generations() if not one.retired]
        assert others == [True], kill_at
        assert hits(pipeline, "harbour") == before
        if not killed:
            break
    assert kill_at > 30
    assert reindexed(pipeline) == DONE


def ended(pipeline):
    """Runs a re-index. Tells whether it came to its end."""
    try:
        return reindexed(pipeline) == DONE
    except KilledError:
        return False


# -- batches and counts --------------------------------------------------------------------------


def test_shares_are_stored_in_batches_and_these_in_a_list():
    artifacts = MemoryBlobStore()
    batches = Batches(artifacts, "reindex/one/0-x")
    shares = [Share(f"d{n}", "v1", 0, 1) for n in range(2 * reindex.DOCUMENTS_A_BATCH + 1)]
    for share in shares:
        batches.add(share, 1)
    key = batches.close()
    keys = json.loads(artifacts.get(key))
    assert (key, keys) == (
        "reindex/one/0-x/list.json",
        [f"reindex/one/0-x/0000{n}.json" for n in range(3)],
    )
    assert [one for key in keys for one in load_batch(artifacts, key)] == shares
    assert load_batch(artifacts, keys[2]) == shares[-1:]
    assert Batches(artifacts, "reindex/one/1-x").close() == ""


def test_a_batch_has_no_more_chunks_than_one_invocation_writes():
    artifacts = MemoryBlobStore()
    batches = Batches(artifacts, "reindex/one/0-x")
    for n in range(5):
        batches.add(Share(f"d{n}", "v1", 0, 16), reindex.CHUNKS_A_BATCH // 2)
    batches.close()
    sizes = [len(load_batch(artifacts, key)) for key in batches.keys]
    assert sizes == [2, 2, 1]


@pytest.mark.parametrize(
    ("chunks", "shares"),
    [
        (1, [(0, 1, 1)]),
        (64 * 31, [(0, 31, 1984)]),
        (64 * 31 + 1, [(0, 31, 1984), (31, 32, 1)]),
        (8_001, [(0, 31, 1984), (31, 62, 1984), (62, 93, 1984), (93, 124, 1984), (124, 126, 65)]),
    ],
)
def test_a_document_is_divided_by_its_chunks(chunks, shares):
    record = the_record("READY", "v1", chunks, parts=-(-chunks // 64))
    found = [(one.first, one.end, count) for one, count in divide(MemoryBlobStore(), record)]
    assert found == shares


def the_record(status, version, chunks, parts=1):
    return Record(
        document_id="d1",
        key="acme/default/a.md",
        version=version,
        sequencer="1",
        live_version="v1",
        status=status,
        chunks=chunks,
        parts=parts,
    )


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
    record = the_record(*newest)
    found = find_incomplete([record], {("d1", "v1"): serving}, {("d1", "v1"): built})
    assert found == ([record] if missing else [])
