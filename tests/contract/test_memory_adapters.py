"""Runs the ports' suites on the memory adapters."""

import pytest

from footnote.adapters.memory import (
    MemoryBlobStore,
    MemoryQuestions,
    MemoryQueues,
    MemoryReplies,
    MemoryTenants,
    MemoryUploads,
    MemoryVectors,
)
from footnote.adapters.memory_catalog import MemoryCatalog
from tests.contract.suites.blobs import BlobStoreSuite
from tests.contract.suites.catalog import CatalogSuite
from tests.contract.suites.questions import QuestionsSuite
from tests.contract.suites.queues import QueuesSuite
from tests.contract.suites.replies import ReplyCacheSuite
from tests.contract.suites.tenants import TenantsSuite
from tests.contract.suites.uploads import UploadsSuite
from tests.contract.suites.vectors import VectorCacheSuite


class TestMemoryBlobStore(BlobStoreSuite):
    @pytest.fixture
    def blobs(self):
        return MemoryBlobStore()


class TestMemoryUploads(UploadsSuite):
    @pytest.fixture
    def uploads(self):
        return MemoryUploads()

    @pytest.fixture
    def put(self, uploads):
        return uploads.put

    def test_sequencers_rise(self, uploads):
        events = [uploads.put("acme/docs/a", b"x").sequencer for _ in range(20)]
        assert events == sorted(set(events))


class TestMemoryQueues(QueuesSuite):
    @pytest.fixture
    def queues(self):
        return MemoryQueues()

    @pytest.fixture
    def sent(self, queues):
        return lambda _: queues.sent["chunk"]


class TestMemoryCatalog(CatalogSuite):
    @pytest.fixture
    def catalog(self):
        return MemoryCatalog()


class TestMemoryVectors(VectorCacheSuite):
    @pytest.fixture
    def vectors(self):
        return MemoryVectors()


class TestMemoryReplies(ReplyCacheSuite):
    @pytest.fixture
    def replies(self):
        return MemoryReplies()


class TestMemoryQuestions(QuestionsSuite):
    @pytest.fixture
    def questions(self):
        return MemoryQuestions()

    @pytest.fixture
    def another(self, questions):
        return questions  # no other process can reach this memory


class TestMemoryTenants(TenantsSuite):
    @pytest.fixture
    def known(self):
        return {}, {}

    @pytest.fixture
    def key(self, known):
        def make(tenant, groups=()):
            api_key_id = f"key{len(known[0])}"
            known[0][api_key_id], known[1][api_key_id] = tenant, groups
            return api_key_id

        return make

    @pytest.fixture
    def tenants(self, known):
        return MemoryTenants(*known)
