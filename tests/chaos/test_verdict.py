"""The judge of both chaos runs detects each kind of fault."""

import json

import pytest

from footnote.contracts import SweepRequest
from footnote.metadata.attributes import SUFFIX
from footnote.model import Facts, Revision, document_id
from footnote.store import keys
from footnote.wiring.local_workflow import step_of
from tests.chaos.bucket import BucketLog
from tests.chaos.verdict import verdict
from tests.chaos.world import PADDING, TENANTS, sentences
from tests.unit.faces import small

TENANT = TENANTS[0]
KEY = f"{TENANT}/docs/a.md"
ID = document_id(KEY)
FINE = dict.fromkeys(
    [
        "lost",
        "said wrong",
        "duplicate chunks",
        "orphans",
        "left artifacts",
        "resurrected",
        "stuck",
    ],
    0,
)
SIDECAR = json.dumps({"metadataAttributes": {"edition": 3}, "acl": ["board"]}).encode()
BODY = "".join(
    f"# Part {n}\n\nVersion 1 of {KEY} tells of lighthouse {n}. {PADDING}\n\n" for n in range(3)
).encode()


@pytest.fixture
def pipeline():
    return small()


@pytest.fixture
def record(pipeline):
    return pipeline.upload(KEY, BODY)


def log_of(pipeline):
    """Returns the log of what is in the bucket now."""
    log, after = BucketLog(), ""
    while page := pipeline.uploads.listing(after, 100):
        for one in page:
            log.note_put(one.key, one.version, pipeline.uploads.read(one.key, one.version))
        after = page[-1].key
    return log


def judge(pipeline, said=None):
    said = said or {"v1": sentences(BODY), "v2": sentences(BODY)}
    found = verdict(pipeline, TENANT, said, log_of(pipeline))
    return {name: count for name, count in found.items() if count}


def test_what_is_as_it_should_be_counts_nothing(pipeline, record):
    assert verdict(pipeline, TENANT, {"v1": sentences(BODY)}, log_of(pipeline)) == FINE
    assert record.chunks == 3


def test_another_tenants_documents_are_not_judged(pipeline, record):
    pipeline.uploads.put("other/docs/a.md", BODY)
    assert judge(pipeline) == {}


def test_a_file_that_the_table_does_not_know_is_lost(pipeline):
    pipeline.uploads.put(KEY, BODY)
    assert judge(pipeline) == {"lost": 1}


def test_a_file_whose_newer_version_is_not_known_is_lost(pipeline, record):
    pipeline.uploads.put(KEY, BODY)
    assert judge(pipeline) == {"lost": 1}


def test_a_file_whose_text_is_not_found_whole_is_lost(pipeline):
    pipeline.upload(KEY, BODY.replace(b"lighthouse 2", b"lighthouse two"))
    assert judge(pipeline) == {"lost": 1}


def test_a_file_without_a_node_is_lost(pipeline, record):
    pipeline.index._nodes[pipeline.index.ensure()].clear()
    assert judge(pipeline) == {"lost": 1}


def test_a_node_of_an_earlier_version_is_an_orphan(pipeline, record):
    nodes = pipeline.index._nodes[pipeline.index.ensure()]
    for entry in list(nodes.values()):
        node = entry.indexed.node.model_copy(update={"id": f"{entry.indexed.node.id}-old"})
        revision = entry.indexed.revision.model_copy(update={"version": "v0"})
        pipeline.index.write(
            [entry.indexed.model_copy(update={"revision": revision, "node": node})]
        )
    assert judge(pipeline) == {"orphans": 1}


def test_a_file_that_is_not_ready_is_lost_and_stuck(pipeline, record):
    pipeline.catalog.reopen(record.revision)
    assert judge(pipeline) == {"lost": 1, "stuck": 1}


def test_a_file_of_which_a_part_is_not_stored_is_lost(pipeline, record):
    pipeline.artifacts.delete([keys.chunks_key(record.revision, 0)])
    assert judge(pipeline) == {"lost": 1}


def test_a_file_that_cannot_be_read_is_lost_unless_it_has_failed(pipeline, record):
    assert judge(pipeline, {"v1": frozenset()}) == {"lost": 1}


def test_a_sidecar_that_was_noted_everywhere_is_no_fault(pipeline):
    pipeline.uploads.put(KEY + SUFFIX, SIDECAR)
    pipeline.upload(KEY, BODY)
    assert judge(pipeline) == {}


def test_a_sidecar_that_the_table_does_not_know_is_said_wrong(pipeline, record):
    pipeline.uploads.put(KEY + SUFFIX, SIDECAR)
    assert judge(pipeline) == {"said wrong": 1}


@pytest.mark.parametrize(
    "changed",
    [{"acl": None}, {"acl": ("legal",)}, {"metadata": {"edition": 2}}, {"metadata": {}}],
    ids=str,
)
def test_a_chunk_that_says_other_than_the_sidecar_is_said_wrong(pipeline, changed):
    pipeline.uploads.put(KEY + SUFFIX, SIDECAR)
    pipeline.upload(KEY, BODY)
    [entry, *_] = pipeline.index._get(pipeline.index.ensure()).values()
    other = entry.indexed.annotation.model_copy(update=changed)
    pipeline.index.write([entry.indexed.model_copy(update={"annotation": other})])
    assert judge(pipeline) == {"said wrong": 1}


def test_chunks_written_twice_under_two_events_are_duplicates(pipeline, record):
    [entry, *_] = pipeline.index._get(pipeline.index.ensure()).values()
    other = entry.indexed.revision.model_copy(update={"sequencer": "0" * 31 + "1"})
    chunk = entry.indexed.chunk.model_copy(update={"id": "again"})
    pipeline.index.write([entry.indexed.model_copy(update={"revision": other, "chunk": chunk})])
    assert judge(pipeline) == {"lost": 1, "duplicate chunks": 1}


def test_a_file_whose_vectors_are_not_kept_is_lost(pipeline, record):
    pipeline.artifacts.delete([keys.vectors_key(keys.chunks_key(record.revision, 0))])
    assert judge(pipeline) == {"lost": 1}


def test_chunks_and_artifacts_of_no_version_are_orphans(pipeline, record):
    [entry, *_] = pipeline.index._get(pipeline.index.ensure()).values()
    never = Revision(key=f"{TENANT}/docs/never.md", version="v9", sequencer="9")
    chunk = entry.indexed.chunk.model_copy(update={"id": "never"})
    pipeline.index.write([entry.indexed.model_copy(update={"revision": never, "chunk": chunk})])
    pipeline.artifacts.put(keys.chunks_key(never, 0), b"x")
    assert judge(pipeline) == {"orphans": 2}


def test_what_an_earlier_event_has_stored_beside_the_live_one_is_left(pipeline, record):
    earlier = record.revision.model_copy(update={"version": "v0", "sequencer": "0"})
    pipeline.artifacts.put(keys.chunks_key(earlier, 0), b"x")
    assert judge(pipeline) == {"left artifacts": 1}


def test_a_deleted_file_that_is_still_there_is_resurrected(pipeline, record):
    pipeline.uploads.delete(KEY)
    pipeline.uploads.take_events()
    assert judge(pipeline) == {"resurrected": 1}


def test_what_was_given_up_without_a_reason_is_stuck(pipeline, record):
    pipeline.catalog.reopen(record.revision)
    for _ in range(2):
        pipeline.clock = lambda: 4e9
        step_of("sweep").run(SweepRequest(), pipeline)
    pipeline.queues.sent["index"].clear()
    assert pipeline.catalog.get(ID).error.code == "stuck"
    assert judge(pipeline) == {"lost": 1, "stuck": 1}
    pipeline.catalog.advance(record.revision, "PARSING", Facts())
    assert judge(pipeline) == {"lost": 1, "stuck": 1}
