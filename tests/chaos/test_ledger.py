"""The ledger notices work that begins though nobody asked for it."""

import random

import pytest

from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.errors import SupersededError
from footnote.model import Facts, Revision
from tests.chaos.bucket import Bucket
from tests.chaos.ledger import Ledger, LedgerCatalog

FIRST = Revision(key="acme/docs/a.md", version="v1", sequencer="A1")
SECOND = Revision(key="acme/docs/a.md", version="v2", sequencer="A2")


@pytest.fixture
def catalog():
    bucket = Bucket(random.Random(1), lambda: 0.0)
    for version in ("v1", "v2"):
        bucket.note_put(FIRST.key, version, b"")
    catalog = LedgerCatalog(MemoryCatalog(), Ledger(bucket))
    catalog.receive(FIRST, 1)
    return catalog


def test_an_event_that_is_worked_off_once_is_no_fault(catalog):
    catalog.receive(FIRST, 1)
    catalog.advance(FIRST, "INDEXING", Facts())
    catalog.publish(FIRST)
    with pytest.raises(SupersededError):
        catalog.receive(FIRST, 1)
    catalog.reopen(FIRST)
    catalog.receive(SECOND, 1)
    assert catalog._ledger.begun_again == 0


def _at(catalog, revision, status):
    records = catalog._catalog._records
    record = records[revision.document_id]
    records[revision.document_id] = record.model_copy(
        update={"status": status, "version": revision.version, "sequencer": revision.sequencer}
    )


class Careless(MemoryCatalog):
    """A catalog without a fence: it does what it is told."""

    def receive(self, revision, size, *_):
        self._event(revision, status="RECEIVED", size=size)

    def advance(self, revision, status, _facts):
        return self._change(self.get(revision.document_id), status=status)

    def reopen(self, revision, status="INDEXING"):
        return self._change(self.get(revision.document_id), status=status)


@pytest.fixture
def careless(catalog):
    unfenced = Careless()
    unfenced._records = catalog._catalog._records
    return LedgerCatalog(unfenced, catalog._ledger)


@pytest.mark.parametrize("status", ["PARSING", "INDEXING", "READY", "DELETED"])
def test_an_event_that_is_received_again_is_begun_again(careless, status):
    _at(careless, FIRST, status)
    careless.receive(FIRST.model_copy(update={"sequencer": "a100"}), 1)
    assert careless._ledger.begun_again == 1


def test_a_version_that_comes_by_another_event_is_begun_again(careless):
    _at(careless, FIRST, "READY")
    careless.receive(FIRST.model_copy(update={"sequencer": "A3"}), 1)
    assert careless._ledger.begun_again == 1


@pytest.mark.parametrize("status", ["READY", "DELETED"])
def test_a_finished_event_that_goes_on_is_begun_again(careless, status):
    _at(careless, FIRST, status)
    careless.advance(FIRST, "CHUNKING", Facts())
    assert careless._ledger.begun_again == 1


@pytest.mark.parametrize("status", ["CHUNKING", "DELETED"])
def test_reopening_what_is_at_work_or_deleted_is_a_fault(careless, status):
    _at(careless, FIRST, status)
    careless.reopen(FIRST)
    assert careless._ledger.begun_again == 1
