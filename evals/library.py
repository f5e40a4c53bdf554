"""Documents of an eval, added by the real steps, and the API that searches them.

`Library` runs in this process: `Pipeline` with the real embedding and OpenSearch, the API's
function behind `Gateway`. `Deployed` is a running footnote. Both are asked through their client.
"""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import batched
from pathlib import Path
from typing import Literal, Protocol

from evals.caches import FileCache, FileReplies, FileVectors
from evals.gateway import KEY_ID, Gateway
from evals.questions import File
from footnote.adapters.memory.small import MemoryTenants
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.client import Client
from footnote.ingest.index.embed import CachedEmbedder
from footnote.ingest.parse.ocr.engines import installed_engines
from footnote.ingest.read.page_cache import CachedReader
from footnote.model import Document, Indexed, Vector
from footnote.ports import Embedder, VectorCache
from footnote.store.artifacts import load_document
from footnote.store.keys import document_key
from footnote.wire import Json
from footnote.wiring import bootstrap, logs
from footnote.wiring.pipeline import Pipeline
from local.paths import ROOT

TENANT = "eval"
BATCH = 500  # chunks and nodes, with which a request to OpenSearch stays below its 4 MB
OCR = ROOT / "layers" / "ocr"  # the layer with the language data of OCR, which functions import
UPLOADS = 200  # files between two waits for a deployed footnote

type Seen = Callable[[File, Document], None]
type Added = Counter[str]
"""How many files ended how: READY, or the code of an error."""


class Counted(Protocol):
    def take_cost(self) -> tuple[list[float], int]:
        """Returns the ms of processor of each request since the last call, and queries embedded."""
        ...


class Asked(Counted, Protocol):
    """What an eval needs: a place for files, and a client that searches them."""

    @property
    def client(self) -> Client: ...

    def add(self, files: Iterable[File], seen: Seen) -> Added: ...


class BatchedIndex(OpenSearchIndex):
    """Writes the chunks of many small documents together: one refresh for some hundred of them.

    A refresh takes longer than all other work on a document of a few lines. What is written, and
    by which code, is the same.
    """

    def __init__(self, url: str, embedder: Embedder, prefix: str) -> None:
        super().__init__(url, embedder.model, embedder.dimensions, prefix=prefix)
        self._waiting: list[Indexed] = []

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        if generation:
            super().write(entries, generation)
            return
        self._waiting += entries
        if len(self._waiting) >= BATCH:
            self.flush()

    def flush(self) -> None:
        super().write(self._waiting)
        self._waiting = []


class QueryCount:
    """An `Embedder` that counts the queries that it embeds.

    Documents go through the cache. Queries do not: the second strategy would be asked for nothing.
    """

    def __init__(self, encoder: Embedder, cached: Embedder) -> None:
        self._encoder = encoder
        self._cached = cached
        self.queries = 0

    @property
    def model(self) -> str:
        return self._encoder.model

    @property
    def dimensions(self) -> int:
        return self._encoder.dimensions

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        if kind == "document":
            return self._cached.embed(texts, kind)
        self.queries += len(texts)
        return self._encoder.embed(texts, kind)


class Library:
    """Adds files to this process's pipeline, and asks its API."""

    def __init__(self, pipeline: Pipeline, gateway: Gateway, queries: QueryCount) -> None:
        self.pipeline = pipeline
        self._gateway = gateway
        self._queries = queries
        self._client = gateway.connect()
        self._chunks = 0  # of all files added

    @property
    def client(self) -> Client:
        return self._client

    def add(self, files: Iterable[File], seen: Seen) -> Added:
        """Adds files one by one and calls `seen` with the document that each was read as.

        Raises LookupError where the index does not hold all their chunks: figures of a part of the
        documents would look like those of a worse search.
        """
        added: Added = Counter()
        for file in files:
            record = self.pipeline.upload(f"{TENANT}/{file.collection}/{file.name}", file.body)
            added[record.error.code if record.error else record.status] += 1
            if record.status == "READY":
                self._chunks += record.chunks
                body = self.pipeline.artifacts.get(document_key(record.revision))
                seen(file, load_document(body))
        if isinstance(self.pipeline.index, BatchedIndex):
            self.pipeline.index.flush()
        if (held := self.pipeline.index.health()["chunks"]) != self._chunks:
            raise LookupError(f"the index holds {held} chunks of {self._chunks} that were added")
        return added

    def take_cost(self) -> tuple[list[float], int]:
        spent, count = self._gateway.cpu_ms, self._queries.queries
        self._gateway.cpu_ms, self._queries.queries = [], 0
        return spent, count


class Deployed:
    """Adds files to a running footnote, in collections of the questions' names, and asks that."""

    def __init__(self, client: Client) -> None:
        self._client = client

    @property
    def client(self) -> Client:
        return self._client

    def add(self, files: Iterable[File], seen: Seen) -> Added:  # noqa: ARG002 - no document to show
        added: Added = Counter()
        for some in batched(files, UPLOADS, strict=False):
            with tempfile.TemporaryDirectory() as folder:
                for record in self._client.wait(list(self._upload(some, folder)), lambda _: None):
                    problem = record["error"]
                    added[problem["code"] if problem else record["status"]] += 1
        return added

    def _upload(self, files: Iterable[File], folder: str) -> Iterator[Json]:
        for file in files:
            path = Path(folder) / file.name
            path.write_bytes(file.body)
            yield self._client.add(path, file.name, file.collection)

    def take_cost(self) -> tuple[list[float], int]:
        return [], 0


def open_library(cache: FileCache, url: str, prefix: str) -> Library:
    """Returns an empty library with the real model, its index on OpenSearch at `url`."""
    os.environ["FOOTNOTE_BACKEND"] = "memory"
    sys.path += [str(OCR)] * (str(OCR) not in sys.path)
    bootstrap.services.cache_clear()
    pipeline = bootstrap.services()
    if not isinstance(pipeline, Pipeline):
        raise TypeError(f"FOOTNOTE_BACKEND=memory made no Pipeline but {type(pipeline).__name__}")
    index = BatchedIndex(url, pipeline.encoder, prefix)
    index.ensure()
    ocr_engines = [CachedReader(one, FileReplies(cache)) for one in installed_engines()]
    vars(pipeline).update(index=index, ocr_engines=ocr_engines)
    return fit(pipeline, FileVectors(cache), Gateway())


def fit(pipeline: Pipeline, vectors: VectorCache, gateway: Gateway) -> Library:
    """Makes a library of the services of this process, which its API's function uses too.

    Cached properties of `Services` are replaced where Python keeps them, in the instance.
    """
    logs.logger.setLevel("ERROR")  # the steps share it, and log each document
    queries = QueryCount(pipeline.encoder, CachedEmbedder(pipeline.encoder, vectors))
    vars(pipeline).update(embedder=queries, tenants=MemoryTenants({KEY_ID: TENANT}))
    return Library(pipeline, gateway, queries)
