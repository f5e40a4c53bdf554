"""A sweep ends stopped work, and repairs where bucket, table, index and artifacts disagree."""

import pytest

from footnote.contracts import AdmitRequest, ParseRequest, RemoveRequest, SweepRequest
from footnote.errors import (
    ConfigurationError,
    NotFoundError,
    UnavailableError,
    UnreadableError,
)
from footnote.ingest.upkeep.compare import sequencer_above
from footnote.model import Facts, Revision, document_id, pad_sequencer
from footnote.service import Service
from footnote.settings import Settings
from footnote.store import keys
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import OUTAGE, Flaky, Words

KEY = "acme/default/fees.md"
ID = document_id(KEY)
TEXT = b"# Harbour\n\nThe harbour fee for a barge is 84 crowns.\n"
NEWER = b"# Harbour\n\nThe harbour fee for a barge is 97 crowns.\n"
HOUR = 3600.0
NOTHING = dict.fromkeys(
    (
        "requeued",
        "failed",
        "found",
        "gone",
        "expired",
        "reopened",
        "orphans",
        "artifacts",
        "annotated",
        "generations",
        "unreadable",
    ),
    0,
)


class Clock:
    now = 1_790_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pipeline(clock):
    return made(clock, limit=100)


def made(clock, limit):
    settings = Settings(backend="memory", sweep_items=limit)
    return Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words(), clock=clock)


def sweep(pipeline, later=HOUR):
    """Runs a sweep so many seconds later, then all that follows. Returns its counts."""
    pipeline.clock.now += later
    done = step_of("sweep").run(SweepRequest(), pipeline).model_dump()
    pipeline.drain()
    return {name: count for name, count in done.items() if count}


def found(pipeline):
    hits, _ = Service(pipeline, "acme").searches.search("harbour fee barge")
    return [hit.chunk.text.rpartition(" is ")[2].strip() for hit in hits]


def state(pipeline):
    record = pipeline.catalog.get(ID)
    return record.status, record.live_version


def put_without_event(pipeline, body, key=KEY):
    revision = pipeline.uploads.put(key, body)
    pipeline.uploads.take_events()
    return revision


def delete_without_event(pipeline):
    pipeline.uploads.delete(KEY)
    pipeline.uploads.take_events()


def stop_at(pipeline, status):
    """Uploads a file and loses the message that would lead on from this status."""
    revision = put_without_event(pipeline, TEXT)
    pipeline.catalog.receive(revision, len(TEXT))
    for queue in {"CHUNKING": ["parse"], "INDEXING": ["parse", "chunk"]}.get(status, []):
        message = (pipeline.queues.sent[queue] or [ParseRequest(**revision.identity, size=1)]).pop()
        assert step_of(queue).deliver(message.model_dump_json(), pipeline, last=False)
    pipeline.queues.sent["chunk"].clear()
    pipeline.queues.sent["index"].clear()
    if status == "PARSING":
        pipeline.catalog.advance(revision, "PARSING", Facts())
    assert pipeline.catalog.get(ID).status == status


# -- what has stopped ----------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["RECEIVED", "PARSING", "CHUNKING", "INDEXING"])
def test_what_stopped_goes_on_from_what_is_stored(pipeline, status):
    stop_at(pipeline, status)
    if status in {"CHUNKING", "INDEXING"}:  # the upload must not be read again
        pipeline.uploads = Flaky(pipeline.uploads, read=[ConfigurationError("was read")] * 9)
    assert sweep(pipeline, 60) == {}
    assert sweep(pipeline) == {"requeued": 1}
    assert (state(pipeline), found(pipeline)) == (("READY", "v1"), ["84 crowns."])


def test_what_stops_again_has_failed_and_says_what_to_do(pipeline):
    stop_at(pipeline, "INDEXING")
    assert sweep_and_lose(pipeline) == 1
    assert sweep(pipeline, 60) == {}
    assert sweep(pipeline) == {"failed": 1}
    record = pipeline.catalog.get(ID)
    assert (record.status, record.error.code) == ("FAILED", "stuck")
    assert record.error.message.startswith("fees.md is INDEXING since 2026-")
    assert "index step" in record.error.message
    assert "footnote retry" in record.error.action
    assert sweep(pipeline) == {}


def sweep_and_lose(pipeline):
    """Runs a sweep and loses its messages. Returns how many documents it queued again."""
    pipeline.clock.now += HOUR
    result = step_of("sweep").run(SweepRequest(), pipeline)
    for queue in pipeline.queues.sent.values():
        queue.clear()
    return result.requeued


def test_a_retry_of_what_was_stuck_is_looked_after_again(pipeline):
    stop_at(pipeline, "CHUNKING")
    sweep_and_lose(pipeline)
    assert sweep(pipeline) == {"failed": 1}
    again, after = Service(pipeline, "acme").retries.retry_all("stuck")
    assert ([(one.key, one.status, one.requeued) for one in again], after) == (
        [(KEY, "CHUNKING", False)],
        "",
    )
    pipeline.drain()
    assert state(pipeline) == ("READY", "v1")


def test_while_messages_wait_in_its_queue_a_document_is_not_late(pipeline):
    stop_at(pipeline, "INDEXING")
    pipeline.queues.sent["index"] = [object()] * 3
    pipeline.clock.now += HOUR
    assert step_of("sweep").run(SweepRequest(), pipeline).model_dump() == NOTHING
    pipeline.clock.now += 24 * HOUR
    assert step_of("sweep").run(SweepRequest(), pipeline).requeued == 1


def test_while_nothing_is_parsed_a_file_that_waits_is_never_late_and_goes_on_afterwards(pipeline):
    stop_at(pipeline, "PARSING")
    parses = pipeline.settings
    pipeline.settings = parses.model_copy(update={"parse_state": "DISABLED"})
    for _ in range(3):
        pipeline.clock.now += 48 * HOUR
        assert step_of("sweep").run(SweepRequest(), pipeline).model_dump() == NOTHING
    pipeline.settings = parses
    assert sweep(pipeline) == {"requeued": 1}
    assert state(pipeline) == ("READY", "v1")


def test_while_nothing_is_parsed_work_that_has_stopped_later_goes_on(pipeline):
    stop_at(pipeline, "INDEXING")
    pipeline.settings = pipeline.settings.model_copy(update={"parse_state": "DISABLED"})
    assert sweep(pipeline) == {"requeued": 1}
    assert state(pipeline) == ("READY", "v1")


def test_a_document_that_no_list_of_unfinished_ones_has_is_found_in_the_table(
    pipeline, monkeypatch
):
    """An older release does not mark what it works on."""
    stop_at(pipeline, "CHUNKING")
    monkeypatch.setattr(pipeline.catalog, "unfinished", lambda: iter(()))
    assert sweep(pipeline) == {"requeued": 1}
    assert state(pipeline) == ("READY", "v1")
    assert sweep(pipeline) == {}


# -- the bucket and the table --------------------------------------------------------------------


def test_a_file_from_before_deployment_is_found_and_added(pipeline):
    put_without_event(pipeline, TEXT)
    assert sweep(pipeline) == {"found": 1}
    assert (state(pipeline), found(pipeline)) == (("READY", "v1"), ["84 crowns."])
    assert sweep(pipeline) == {}


def test_while_events_wait_in_the_queue_a_file_without_one_is_not_missed(pipeline):
    put_without_event(pipeline, TEXT)
    other = Revision(key="acme/default/other.md", version="v2", sequencer="2")
    pipeline.queues.send("admit", [AdmitRequest(**other.identity)])
    pipeline.clock.now += HOUR
    assert step_of("sweep").run(SweepRequest(), pipeline).found == 0
    pipeline.clock.now += 24 * HOUR
    assert step_of("sweep").run(SweepRequest(), pipeline).found == 1


def test_a_file_whose_event_may_still_come_is_left_alone(pipeline):
    put_without_event(pipeline, TEXT)
    assert sweep(pipeline, 60) == {}


def test_an_overwrite_whose_event_was_lost_is_found(pipeline):
    pipeline.upload(KEY, TEXT)
    put_without_event(pipeline, NEWER)
    assert sweep(pipeline) == {"found": 1}
    assert (state(pipeline), found(pipeline)) == (("READY", "v2"), ["97 crowns."])


def test_a_delete_whose_event_was_lost_is_found(pipeline):
    pipeline.upload(KEY, TEXT)
    delete_without_event(pipeline)
    assert sweep(pipeline) == {"gone": 1}
    assert (state(pipeline), found(pipeline)) == (("DELETED", ""), [])
    assert (pipeline.artifacts.keys("parsed/"), pipeline.artifacts.keys("chunks/")) == ([], [])
    assert sweep(pipeline) == {}


def test_a_file_put_again_after_a_delete_is_found_without_its_event(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    put_without_event(pipeline, NEWER)
    assert sweep(pipeline) == {"found": 1}
    assert found(pipeline) == ["97 crowns."]


def test_the_event_of_a_file_that_was_found_does_nothing_when_it_comes(pipeline):
    revision = put_without_event(pipeline, TEXT)
    sweep(pipeline)
    before = pipeline.catalog.get(ID)
    late = ParseRequest(**revision.identity, size=len(TEXT))
    assert step_of("parse").deliver(late.model_dump_json(), pipeline, last=False)
    assert (pipeline.catalog.get(ID), pipeline.queues.sent["chunk"]) == (before, [])


def test_an_older_event_that_comes_after_a_file_was_found_does_nothing(pipeline):
    older = put_without_event(pipeline, TEXT)
    put_without_event(pipeline, NEWER)
    sweep(pipeline)
    late = ParseRequest(**older.identity, size=len(TEXT))
    assert step_of("parse").deliver(late.model_dump_json(), pipeline, last=False)
    pipeline.drain()
    assert (state(pipeline), found(pipeline)) == (("READY", "v2"), ["97 crowns."])


def test_a_delete_from_before_a_file_was_found_does_nothing(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.uploads.delete(KEY)
    [(deleted, _)] = pipeline.uploads.take_events()
    put_without_event(pipeline, NEWER)
    sweep(pipeline)
    late = RemoveRequest(**deleted.identity)
    assert step_of("remove").deliver(late.model_dump_json(), pipeline, last=False)
    assert (state(pipeline), found(pipeline)) == (("READY", "v3"), ["97 crowns."])


def test_the_removal_of_an_old_version_leaves_the_document_alone(pipeline):
    pipeline.upload(KEY, TEXT)
    expired = RemoveRequest(key=KEY, version="v0", sequencer="F")
    assert step_of("remove").deliver(expired.model_dump_json(), pipeline, last=False)
    assert (state(pipeline), found(pipeline)) == (("READY", "v1"), ["84 crowns."])


def test_an_upload_that_comes_when_its_tombstone_has_expired_stays_deleted(pipeline):
    upload = put_without_event(pipeline, TEXT)
    delete_without_event(pipeline)
    late = ParseRequest(**upload.identity, size=len(TEXT))
    assert step_of("parse").deliver(late.model_dump_json(), pipeline, last=False)
    with pytest.raises(NotFoundError):
        pipeline.catalog.get(ID)


def test_every_later_event_beats_a_file_that_was_found(pipeline):
    put_without_event(pipeline, TEXT)
    sweep(pipeline)
    pipeline.upload(KEY, NEWER)
    assert found(pipeline) == ["97 crowns."]
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    assert (state(pipeline), found(pipeline)) == (("DELETED", ""), [])


def test_a_delete_between_the_listing_and_the_message_is_not_undone(pipeline):
    pipeline.upload(KEY, TEXT)
    put_without_event(pipeline, NEWER)
    pipeline.clock.now += HOUR
    step_of("sweep").run(SweepRequest(), pipeline)
    [message] = pipeline.queues.sent["parse"]
    pipeline.queues.sent["parse"].clear()
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    assert step_of("parse").deliver(message.model_dump_json(), pipeline, last=False)
    pipeline.drain()
    assert (state(pipeline), found(pipeline)) == (("DELETED", ""), [])


def test_a_folder_marker_is_no_document(pipeline):
    put_without_event(pipeline, b"", key="acme/default/folder/")
    assert sweep(pipeline) == {}


def test_a_file_that_belongs_to_nobody_is_found_once_and_refused(pipeline):
    put_without_event(pipeline, TEXT, key="fees.md")
    assert sweep(pipeline) == {"found": 1}
    record = pipeline.catalog.get(document_id("fees.md"))
    assert (record.status, record.error.code) == ("FAILED", "bad_key")
    assert sweep(pipeline) == {}


# -- the index and the artifacts -----------------------------------------------------------------


def test_chunks_that_the_index_has_lost_are_written_again_from_the_artifacts(pipeline):
    record = pipeline.upload(KEY, TEXT)
    pipeline.index.remove(record.revision)
    pipeline.uploads = Flaky(pipeline.uploads, read=[ConfigurationError("was read")] * 9)
    assert (found(pipeline), sweep(pipeline)) == ([], {"reopened": 1})
    assert (state(pipeline), found(pipeline)) == (("READY", "v1"), ["84 crowns."])
    assert sweep(pipeline) == {}


def test_chunks_of_an_event_that_are_too_many_are_written_anew(pipeline):
    record = pipeline.upload(KEY, TEXT)
    [entry] = pipeline.index._get(pipeline.index.ensure()).values()
    double = entry.indexed.chunk.model_copy(update={"id": "double"})
    pipeline.index.write([entry.indexed.model_copy(update={"chunk": double})])
    assert sweep(pipeline) == {"reopened": 1}
    assert pipeline.index.count(record.revision) == 1
    assert (state(pipeline), found(pipeline)) == (("READY", "v1"), ["84 crowns."])
    assert sweep(pipeline) == {}


def test_chunks_of_no_live_version_are_removed(pipeline):
    record = pipeline.upload(KEY, TEXT)
    [entry] = pipeline.index._get(pipeline.index.ensure()).values()
    old = Revision(key=KEY, version="v0", sequencer="0")
    unknown = Revision(key="acme/default/never.md", version="v9", sequencer="9")
    for n, revision in enumerate((old, unknown)):
        chunk = entry.indexed.chunk.model_copy(update={"id": f"orphan{n}"})
        orphan = entry.indexed.model_copy(update={"revision": revision, "chunk": chunk})
        pipeline.index.write([orphan])
    assert sweep(pipeline) == {"orphans": 2}
    counts = pipeline.index.counts(pipeline.index.ensure())
    assert counts == {(record.document_id, "v1"): 1}


def test_chunks_of_work_in_progress_and_of_the_version_before_stay(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.catalog = Flaky(pipeline.catalog, publish=[UnavailableError("table busy")] * OUTAGE)
    pipeline.upload(KEY, NEWER)
    assert (state(pipeline), found(pipeline)) == (("FAILED", "v1"), ["84 crowns."])
    assert sweep(pipeline) == {}
    counts = pipeline.index.counts(pipeline.index.ensure())
    assert counts == {(ID, "v1"): 1, (ID, "v2"): 1}


def test_artifacts_that_serve_no_version_are_removed(pipeline):
    record = pipeline.upload(KEY, TEXT)
    kept = [*pipeline.artifacts.keys("parsed/"), *pipeline.artifacts.keys("chunks/")]
    old = Revision(key=KEY, version="v0", sequencer="0")
    unknown = Revision(key="acme/default/never.md", version="v9", sequencer="9")
    for revision in (old, unknown):
        pipeline.artifacts.put(keys.document_key(revision), b"x")
        pipeline.artifacts.put(keys.chunks_key(revision, 0), b"x")
    assert sweep(pipeline) == {"artifacts": 4}
    left = [*pipeline.artifacts.keys("parsed/"), *pipeline.artifacts.keys("chunks/")]
    assert (left, record.status) == (kept, "READY")


# -- many ----------------------------------------------------------------------------------------


def test_a_large_bucket_is_worked_over_in_several_runs(clock):
    pipeline = made(clock, limit=2)
    for n in range(5):
        put_without_event(pipeline, TEXT, key=f"acme/default/{n}.md")
    clock.now += 48 * HOUR
    runs = [step_of("sweep").run(SweepRequest(), pipeline).found for _ in range(4)]
    assert runs == [2, 2, 1, 0]
    pipeline.drain()
    records, _ = pipeline.catalog.documents("acme")
    assert [record.status for record in records] == ["READY"] * 5


def test_a_run_that_fails_half_way_goes_on_where_it_was(clock):
    pipeline = made(clock, limit=2)
    for n in range(4):
        put_without_event(pipeline, TEXT, key=f"acme/default/{n}.md")
    clock.now += 48 * HOUR
    pipeline.index = Flaky(pipeline.index, revisions=[UnavailableError("index busy")])
    with pytest.raises(UnavailableError):
        step_of("sweep").run(SweepRequest(), pipeline)
    assert step_of("sweep").run(SweepRequest(), pipeline).found == 2
    assert len(pipeline.queues.sent["parse"]) == 4


# -- the sequencer of what no event told ---------------------------------------------------------


@pytest.mark.parametrize("stored", ["", "0055AED6DCD90281E5", "00055F2C6A7B8C9D", "F" * 31])
def test_a_substitute_is_above_what_is_stored_and_below_every_later_event(stored):
    first = sequencer_above(stored)
    second = sequencer_above(first)
    later = f"{int(pad_sequencer(stored), 16) + 1:032X}"
    assert (
        pad_sequencer(stored) < pad_sequencer(first) < pad_sequencer(second) < pad_sequencer(later)
    )


def test_a_removal_by_a_sweep_loses_to_the_upload_that_follows(pipeline):
    pipeline.upload(KEY, TEXT)
    delete_without_event(pipeline)
    pipeline.clock.now += HOUR
    step_of("sweep").run(SweepRequest(), pipeline)
    [message] = pipeline.queues.sent["remove"]
    pipeline.queues.sent["remove"].clear()
    assert isinstance(message, RemoveRequest)
    pipeline.upload(KEY, NEWER)
    assert step_of("remove").deliver(message.model_dump_json(), pipeline, last=False)
    assert found(pipeline) == ["97 crowns."]


def test_what_stopped_between_its_last_part_and_its_publication_is_published(pipeline):
    revision = pipeline.upload(KEY, TEXT).revision
    pipeline.catalog.reopen(revision)
    pipeline.catalog.finish_part(revision, 0)
    assert state(pipeline)[0] == "INDEXING"
    assert sweep(pipeline) == {"requeued": 1}
    assert state(pipeline) == ("READY", revision.version)


# -- records that this release cannot read ---------------------------------------------------------


def test_what_a_newer_release_has_stored_is_left_alone_and_stops_nothing_else(pipeline):
    """Nothing of it counts as useless, and what others have is seen to."""
    other = KEY.replace(".md", "-2.md")
    for key in (KEY, other):
        pipeline.upload(key, TEXT)
        put_without_event(pipeline, NEWER, key)
    catalog = pipeline.catalog

    class Newer:
        def __getattr__(self, name):
            return getattr(catalog, name)

        def get(self, wanted):
            if wanted == ID:
                raise UnreadableError(f"document {wanted} cannot be read")
            return catalog.get(wanted)

    pipeline.catalog = Newer()
    before = {key for key in pipeline.artifacts.keys("", "", 999) if ID in key}
    pipeline.clock.now += HOUR
    done = step_of("sweep").run(SweepRequest(), pipeline)
    assert (done.found, done.orphans, done.artifacts) == (1, 0, 0)
    assert done.unreadable == 4  # its file, chunks, and artifacts in two places
    assert {key for key in pipeline.artifacts.keys("", "", 999) if ID in key} == before
