"""Runs the ports' suites on the memory adapters, and on the fakes that tests use."""

from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore, MemoryUploads
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.grids import MemoryGrids
from footnote.adapters.memory.questions import MemoryQuestions
from footnote.adapters.memory.repeats import MemoryRepeats
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.adapters.memory.small import (
    MemoryCounters,
    MemoryQueues,
    MemoryReplies,
    MemoryTenants,
    MemoryVectors,
)
from footnote.errors import UnavailableError
from footnote.service import Service
from footnote.wiring.local_workflow import LocalWorkflow
from tests.contract.suites.blobs import BlobStoreSuite
from tests.contract.suites.catalog import CatalogSuite
from tests.contract.suites.counters import CountersSuite
from tests.contract.suites.embedder import EmbedderSuite
from tests.contract.suites.grids import GridsSuite
from tests.contract.suites.llm import LLMSuite, scripted_calls, scripted_failure
from tests.contract.suites.questions import QuestionsSuite
from tests.contract.suites.queues import QueuesSuite
from tests.contract.suites.repeats import RepeatsSuite
from tests.contract.suites.replies import ReplyCacheSuite
from tests.contract.suites.tenants import TenantsSuite
from tests.contract.suites.tokenizer import TokenizerSuite
from tests.contract.suites.uploads import UploadsSuite
from tests.contract.suites.vectors import VectorCacheSuite
from tests.contract.suites.workflow import WorkflowSuite
from tests.corpus import HashEmbedder
from tests.unit.faces import Flaky, Words, small


def followed(url, read):
    """Returns what is at a link of a memory adapter, as the bucket would answer."""
    parts = urlsplit(url)
    said = dict(parse_qsl(parts.query))
    body = read(unquote(parts.path.removeprefix("/")), said.get("version", ""))
    return body, said["type"], said["disposition"]


class TestMemoryBlobStore(BlobStoreSuite):
    @pytest.fixture
    def blobs(self):
        return MemoryBlobStore()

    @pytest.fixture
    def follow(self, blobs):
        return lambda url: followed(url, lambda key, _: blobs.get(key))


class TestMemoryUploads(UploadsSuite):
    @pytest.fixture
    def uploads(self):
        return MemoryUploads()

    @pytest.fixture
    def put(self, uploads):
        return uploads.put

    @pytest.fixture
    def follow(self, uploads):
        return lambda url: followed(url, uploads.read)

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

    @pytest.fixture
    def short_sighted(self):
        return MemoryCatalog(examine=10)


class TestMemoryVectors(VectorCacheSuite):
    @pytest.fixture
    def vectors(self):
        return MemoryVectors()


class TestMemoryReplies(ReplyCacheSuite):
    @pytest.fixture
    def replies(self):
        return MemoryReplies()


class TestMemoryRepeats(RepeatsSuite):
    @pytest.fixture
    def repeats(self, now):
        return MemoryRepeats(lambda: now[0])


class TestMemoryQuestions(QuestionsSuite):
    @pytest.fixture
    def questions(self):
        return MemoryQuestions()

    @pytest.fixture
    def another(self, questions):
        return questions  # no other process can reach this memory


class TestMemoryGrids(GridsSuite):
    @pytest.fixture
    def grids(self):
        return MemoryGrids()


class TestMemoryCounters(CountersSuite):
    @pytest.fixture
    def counters(self):
        return MemoryCounters()


class TestMemoryTenants(TenantsSuite):
    @pytest.fixture
    def known(self):
        return {}, {}, {}

    @pytest.fixture
    def key(self, known):
        def make(tenant, groups=(), expires=None):
            api_key_id = f"key{len(known[0])}"
            known[0][api_key_id], known[1][api_key_id] = tenant, groups
            known[2][api_key_id] = expires
            return api_key_id

        return make

    @pytest.fixture
    def tenants(self, known):
        return MemoryTenants(*known)


class TestScriptedLLM(LLMSuite):
    @pytest.fixture
    def saying(self):
        return lambda text: ScriptedLLM(
            [text] * 9, judge=[text] * 9, repair=[text] * 9, extract=[text] * 9
        )

    @pytest.fixture
    def calling(self):
        return scripted_calls

    @pytest.fixture
    def failing(self):
        return scripted_failure


class TestHashEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self):
        return HashEmbedder()


class TestWords(TokenizerSuite):
    @pytest.fixture
    def tokenizer(self):
        return Words()


class TestLocalWorkflow(WorkflowSuite):
    @pytest.fixture
    def pipeline(self):
        made = small()
        made.upload("acme/default/harbour.md", b"The harbour fee for a barge is 84 crowns.")
        return made

    @pytest.fixture
    def workflow(self, pipeline):
        return LocalWorkflow(pipeline)

    @pytest.fixture
    def question(self, pipeline):
        def make():
            pipeline.workflow = Idle()
            record = Service(pipeline, "acme").questions.ask("What is the harbour fee for a barge?")
            return record.tenant, record.question_id

        return make

    @pytest.fixture
    def has_ended(self, pipeline):
        return lambda *asked: pipeline.questions.get(*asked).status == "DONE"

    @pytest.fixture
    def failing(self, pipeline):
        busy = [UnavailableError("the index is busy")] * 9
        pipeline.index = Flaky(pipeline.index, write=busy)
        return LocalWorkflow(pipeline)

    @pytest.fixture
    def unchanged(self, workflow):
        return workflow

    @pytest.fixture
    def meanwhile(self, pipeline, workflow):
        def run(look):
            pipeline.index = Watched(pipeline.index, lambda: look(workflow))
            workflow.reindex("cli", force=True)
            return pipeline.index.seen

        return run


class Idle:
    """A workflow that starts and never does anything."""

    def ask(self, tenant, question_id):
        pass


class Watched:
    """An index that has somebody look before it makes a generation; `seen`: what that one saw."""

    def __init__(self, index, look):
        self._index = index
        self._look = look
        self.seen = None

    def __getattr__(self, name):
        return getattr(self._index, name)

    def create_generation(self, run=""):
        self.seen = self._look()
        return self._index.create_generation(run)
