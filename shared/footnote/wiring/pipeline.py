"""Runs both flows in this process with the deployed steps: for tests, evals and trials.

A loop does the work of SQS, Lambda and Step Functions. The steps are the `.run` of each
`functions/<verb>/app.py`, on memory adapters.
"""

import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from footnote.adapters.memory.buckets import MemoryBlobStore, MemoryUploads
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.grids import MemoryGrids
from footnote.adapters.memory.outgoing import (
    MemoryAnnouncer,
    MemoryAudit,
    MemoryDeliveries,
    MemoryMetrics,
    MemoryWebhook,
)
from footnote.adapters.memory.questions import MemoryQuestions
from footnote.adapters.memory.repeats import MemoryRepeats
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.memory.small import (
    MemoryCounters,
    MemoryQueues,
    MemoryReplies,
    MemoryTenants,
    MemoryToolServers,
    MemoryVectors,
    MemoryWeb,
    MemoryWebSearch,
)
from footnote.contracts import AdmitRequest, RemoveRequest
from footnote.ingest.index.embed import CachedEmbedder
from footnote.ingest.parse.ocr.engines import installed_engines
from footnote.model import QUEUE_NAMES, Fingerprint, Record, Revision
from footnote.ports import LLM, Embedder, PageReader, Reranker, Tokenizer
from footnote.settings import Settings
from footnote.wiring.errands import DirectErrands
from footnote.wiring.local_models import MULTILINGUAL, load_encoder, load_reader, load_tokenizer
from footnote.wiring.local_workflow import LocalWorkflow, step_of
from footnote.wiring.services import Services

_TOOLS = Path(__file__).resolve().parents[3] / ".footnote" / "tools"
MODEL = _TOOLS / "model"
MODELS = {MULTILINGUAL: _TOOLS / "multilingual"}  # models that set-up does not put into MODEL


class Pipeline(Services):
    """Runs footnote in one process, on memory adapters.

    By default `embedder` and `tokenizer` are those of the real model, and there is no `llm`.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        llm: LLM | None = None,
        embedder: Embedder | None = None,
        tokenizer: Tokenizer | None = None,
        reranker: Reranker | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(settings or Settings(backend="memory"), clock)
        self._given = (llm, embedder, tokenizer, reranker)
        self.receives: dict[tuple[str, str], int] = {}

    @cached_property
    def uploads(self) -> MemoryUploads:
        return MemoryUploads(self.clock)

    @cached_property
    def artifacts(self) -> MemoryBlobStore:
        return MemoryBlobStore()

    @cached_property
    def queues(self) -> MemoryQueues:
        return MemoryQueues()

    @cached_property
    def catalog(self) -> MemoryCatalog:
        return MemoryCatalog(self.clock)

    @cached_property
    def questions(self) -> MemoryQuestions:
        return MemoryQuestions()

    @cached_property
    def grids(self) -> MemoryGrids:
        return MemoryGrids()

    @cached_property
    def tenants(self) -> MemoryTenants:
        return MemoryTenants({})

    @cached_property
    def key_tags(self) -> MemoryTenants:
        return MemoryTenants({})

    @cached_property
    def announcer(self) -> MemoryAnnouncer:
        return MemoryAnnouncer()

    @cached_property
    def metrics(self) -> MemoryMetrics:
        return MemoryMetrics()

    @cached_property
    def audit_log(self) -> MemoryAudit:
        return MemoryAudit()

    @cached_property
    def webhook(self) -> MemoryWebhook:
        return MemoryWebhook()

    @cached_property
    def deliveries(self) -> MemoryDeliveries:
        return MemoryDeliveries()

    def webhook_secret(self) -> str:
        return "of this process"

    @cached_property
    def errands(self) -> DirectErrands:
        return DirectErrands(self)

    @cached_property
    def web(self) -> MemoryWeb:
        return MemoryWeb()

    @cached_property
    def web_search(self) -> MemoryWebSearch:
        return MemoryWebSearch()

    @cached_property
    def tool_servers(self) -> MemoryToolServers:
        return MemoryToolServers()

    def pause(self, seconds: float) -> None:  # noqa: ARG002 - nobody works while it sleeps
        """Does meanwhile what other functions would."""
        self.drain()

    @cached_property
    def counters(self) -> MemoryCounters:
        return MemoryCounters()

    @cached_property
    def workflow(self) -> LocalWorkflow:
        return LocalWorkflow(self)

    @cached_property
    def llm(self) -> LLM | None:
        return self._given[0]

    @cached_property
    def context_llm(self) -> LLM:
        if (llm := self._given[0]) is None:
            return super().context_llm
        return self.masked(llm, "of this process")

    @cached_property
    def fingerprint(self) -> Fingerprint:
        embedder = self._given[1]
        if embedder is None:
            return super().fingerprint
        return Fingerprint(model=embedder.model, dimensions=embedder.dimensions, bound=True)

    @cached_property
    def encoder(self) -> Embedder:
        embedder = self._given[1]
        if embedder is None and self.settings.embedding_provider != "local":
            embedder = super().encoder
        if embedder is None:
            name = self.settings.embedding_model
            embedder = load_encoder(name, MODELS.get(name, MODEL))
        return embedder

    @cached_property
    def embedder(self) -> Embedder:
        return CachedEmbedder(self.encoder, self.vector_cache, self.put_metrics)

    @cached_property
    def vector_cache(self) -> MemoryVectors:
        return MemoryVectors()

    @cached_property
    def reader(self) -> Reranker | None:
        """Returns None if the caller gave an embedder: then only that should decide the results."""
        if self._given[1] is not None or self.settings.embedding_provider != "local":
            return None
        name = self.settings.embedding_model
        return load_reader(name, MODELS.get(name, MODEL))

    @cached_property
    def reranker(self) -> Reranker | None:
        return self._given[3] or super().reranker

    @cached_property
    def tokenizer(self) -> Tokenizer:
        tokenizer = self._given[2]
        if tokenizer is None:
            name = self.settings.embedding_model
            tokenizer = load_tokenizer(name, MODELS.get(name, MODEL))
        return tokenizer

    @cached_property
    def repeats(self) -> MemoryRepeats:
        return MemoryRepeats()

    @cached_property
    def replies(self) -> MemoryReplies:
        return MemoryReplies()

    @cached_property
    def ocr_engines(self) -> Sequence[PageReader]:
        return installed_engines()

    @cached_property
    def index(self) -> MemorySearchIndex:
        embedder = self.embedder
        marks = self._marks()
        return MemorySearchIndex(embedder.model, embedder.dimensions, marks, self.clock)

    # -- add -------------------------------------------------------------------------------------

    def upload(self, key: str, body: bytes) -> Record:
        """Puts a file in the bucket, runs all steps that follow, returns the document's record."""
        revision = self.uploads.put(key, body)
        self.drain()
        return self.catalog.get(revision.document_id)

    def drain(self) -> None:
        """Delivers messages until every queue is empty.

        A message that fails is delivered up to `max_receives` times. One delivery more buries it.
        """
        self._notify()
        while waiting := [queue for queue in QUEUE_NAMES if self.queues.sent[queue]]:
            queue = waiting[0]
            self._deliver(queue, self.queues.sent[queue].pop(0))

    def _notify(self) -> None:
        """Queues the bucket's events, as S3 does."""
        for revision, size in self.uploads.take_events():
            if size is None:
                self.queues.send("remove", [RemoveRequest(**revision.identity)])
            else:
                self.queues.send("admit", [AdmitRequest(**revision.identity, size=size)])

    def _deliver(self, queue: str, message: Revision) -> None:
        body = message.model_dump_json()
        count = self.receives.pop((queue, body), 0) + 1
        if not step_of(queue).receive(body, self, count) and count <= self.settings.max_receives:
            self.receives[queue, body] = count
            self.queues.sent[queue].append(message)
