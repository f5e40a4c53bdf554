"""The onlooker of a history notices each thing that nobody may find."""

import random

import pytest

from footnote.model import Facts, document_id
from tests.chaos.bucket import SUFFIX, Bucket
from tests.chaos.onlooker import Onlooker
from tests.chaos.sidecars import CLOSED, Meaning, meaning
from tests.chaos.world import PADDING, TENANTS, sentences
from tests.unit.faces import small

KEY = f"{TENANTS[0]}/docs/a.md"
CLOSING = b'{"acl": ["board"]}'


def body(number, sections=2):
    return "".join(
        f"# Part {n}\n\nVersion {number} of {KEY} tells of lighthouse {n}. {PADDING}\n\n"
        for n in range(sections)
    ).encode()


@pytest.fixture
def pipeline():
    pipeline = small()
    pipeline.uploads = Bucket(random.Random(1), pipeline.clock)
    return pipeline


@pytest.fixture
def onlooker(pipeline):
    bodies = pipeline.uploads.bodies
    return Onlooker(
        pipeline,
        pipeline.uploads,
        TENANTS,
        random.Random(2),
        lambda version: sentences(bodies[version]),
    )


def look(onlooker):
    for _ in range(40):
        onlooker.look()
    return {fault for fault, count in onlooker.found.items() if count}


def test_what_is_as_it_should_be_is_no_fault(pipeline, onlooker):
    pipeline.uploads.put(KEY + SUFFIX, CLOSING)
    pipeline.upload(KEY, body(1))
    assert look(onlooker) == set()
    assert onlooker.looked == 40
    assert list(onlooker.unlike(KEY)) == []


def test_a_document_that_lost_its_acl_is_leaked(pipeline, onlooker):
    pipeline.uploads.put(KEY + SUFFIX, CLOSING)
    pipeline.upload(KEY, body(1))
    records = pipeline.catalog._records
    record = records[document_id(KEY)]
    records[document_id(KEY)] = record.model_copy(
        update={"sidecar": record.sidecar.model_copy(update={"acl": None})}
    )
    assert look(onlooker) == set()  # the index still knows
    _annotate_all(pipeline, acl=None)
    assert look(onlooker) == {"leaked"}
    assert set(onlooker.unlike(KEY)) == {"leaked"}


def test_the_earlier_acl_serves_until_the_new_one_is_noted_and_no_longer(pipeline, onlooker):
    pipeline.upload(KEY, body(1))
    pipeline.uploads.put(KEY + SUFFIX, CLOSING)
    assert look(onlooker) == set()
    onlooker.note_sidecar(KEY, pipeline.uploads.moment)
    assert look(onlooker) == {"leaked"}


def test_a_file_is_seen_no_more_once_its_removal_was_worked_off(pipeline, onlooker):
    pipeline.upload(KEY, body(1))
    pipeline.uploads.delete(KEY)
    assert look(onlooker) == set()
    onlooker.note_removal(KEY, pipeline.uploads.moment)
    assert look(onlooker) == {"seen after removal"}
    assert "seen after removal" in set(onlooker.unlike(KEY))


def test_an_older_version_is_not_seen_again(pipeline, onlooker):
    first = pipeline.upload(KEY, body(1))
    pipeline.upload(KEY, body(2))
    assert look(onlooker) == set()
    records = pipeline.catalog._records
    older = {"live_version": first.version, "version": first.version}
    records[document_id(KEY)] = records[document_id(KEY)].model_copy(update=older)
    for entry in list(pipeline.index._get(pipeline.index.ensure()).values()):
        revision = entry.indexed.revision.model_copy(update={"version": first.version})
        pipeline.index.write([entry.indexed.model_copy(update={"revision": revision})])
    assert look(onlooker) == {"seen again", "false text"}


def test_a_file_that_was_found_and_is_not_deleted_must_be_found_again(pipeline, onlooker):
    first = pipeline.upload(KEY, body(1))
    assert look(onlooker) == set()
    pipeline.uploads.put(KEY, body(2))  # the version before serves until this one is read
    assert look(onlooker) == set()
    pipeline.index.remove(first.revision)
    assert look(onlooker) == {"vanished"}


@pytest.mark.parametrize("purged", [True, False])
def test_a_file_that_was_deleted_has_not_vanished(pipeline, onlooker, purged):
    first = pipeline.upload(KEY, body(1))
    assert look(onlooker) == set()
    if purged:
        pipeline.uploads.delete_version(KEY, first.version)
    else:
        pipeline.uploads.delete(KEY)
    pipeline.index.remove(first.revision)
    assert look(onlooker) == set()


def test_another_tenants_document_is_foreign(pipeline, onlooker):
    pipeline.upload(KEY, body(1))
    for entry in list(pipeline.index._get(pipeline.index.ensure()).values()):
        key = KEY.replace(TENANTS[0], TENANTS[1])
        revision = entry.indexed.revision.model_copy(update={"key": key})
        pipeline.index.write([entry.indexed.model_copy(update={"revision": revision})])
    pipeline.catalog.receive(revision, 1)
    pipeline.catalog.advance(revision, "INDEXING", Facts())
    pipeline.catalog.publish(revision)
    assert look(onlooker) == {"foreign"}


def test_a_document_that_is_not_found_whole_is_told_at_rest(pipeline, onlooker):
    pipeline.upload(KEY, body(1))
    chunks = pipeline.index._get(pipeline.index.ensure())
    chunks.pop(next(iter(chunks)))
    assert set(onlooker.unlike(KEY)) == {"not found"}


@pytest.mark.parametrize("said", [{"edition": 3, "of": "barges"}, {"edition": 4}, {}])
def test_attributes_that_nobody_gave_or_that_are_missing_are_told_at_rest(pipeline, onlooker, said):
    pipeline.uploads.put(KEY + SUFFIX, b'{"metadataAttributes": {"edition": 3}}')
    pipeline.upload(KEY, body(1))
    assert list(onlooker.unlike(KEY)) == []
    _annotate_all(pipeline, metadata=said)
    assert set(onlooker.unlike(KEY)) == {"attributes"}


def _annotate_all(pipeline, **changes):
    for entry in list(pipeline.index._get(pipeline.index.ensure()).values()):
        annotation = entry.indexed.annotation.model_copy(update=changes)
        pipeline.index.write([entry.indexed.model_copy(update={"annotation": annotation})])


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (b"", Meaning()),
        (b"{", CLOSED),
        (b'{"acl": "board"}', CLOSED),
        (b'{"metadataAttributes": {"year": null}}', CLOSED),
        (b" " * 11_000, CLOSED),
        (b'{"acl": []}', CLOSED),
        (CLOSING, Meaning(frozenset(["board"]))),
        (b'{"metadataAttributes": {"edition": 3}}', Meaning(None, {"edition": 3})),
    ],
)
def test_the_judges_own_reading_of_sidecars(said, wanted):
    assert meaning(said) == wanted
