"""A removal is only a reason to look: what follows from what the bucket and the table hold."""

import pytest

from footnote.adapters.memory.buckets import MemoryUploads
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.contracts import ParseRequest, RemoveRequest
from footnote.ingest.upkeep.settle import settle
from footnote.model import Facts

KEY = "acme/default/fees.md"


@pytest.fixture
def uploads():
    return MemoryUploads()


@pytest.fixture
def catalog():
    return MemoryCatalog()


def removal_of(uploads, key=KEY):
    """Deletes a file and then its delete marker. Returns the request of the second event."""
    uploads.delete(key)
    [(marker, _)] = uploads.take_events()[-1:]
    uploads.delete_version(key, marker.version)
    [(gone, _)] = uploads.take_events()
    return RemoveRequest(**gone.identity)


@pytest.mark.parametrize("status", ["RECEIVED", "PARSING", "CHUNKING", "INDEXING"])
def test_a_file_that_is_back_is_handed_on_as_whoever_worked_on_it_may_have_stopped(
    uploads, catalog, status
):
    revision = uploads.put(KEY, b"text")
    catalog.receive(revision, 4)
    catalog.advance(revision, status, Facts())
    record, following = settle(uploads, catalog, removal_of(uploads))
    assert record.status == status
    assert following == [ParseRequest(**revision.identity, size=4)]


@pytest.mark.parametrize("end", ["READY", "FAILED", "UNSUPPORTED"])
def test_a_file_that_is_back_and_whose_work_has_ended_is_left_alone(uploads, catalog, end):
    revision = uploads.put(KEY, b"text")
    catalog.receive(revision, 4)
    if end == "READY":
        catalog.publish(revision)
    else:
        catalog.advance(revision, end, Facts())
    record, following = settle(uploads, catalog, removal_of(uploads))
    assert (record.status, following) == (end, [])
