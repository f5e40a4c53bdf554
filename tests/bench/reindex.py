"""Re-indexes many made-up documents in one process, on adapters that keep everything in a file.

python -m tests.bench.reindex make FILE DOCUMENTS CHUNKS    stores so many, of so many chunks each
python -m tests.bench.reindex STEP FILE                     prints {"seconds", "cpu", "peak_mb", …}

STEP is `reindex` (all of it), `unchanged` (nothing to do), `rebuild`, `promote` or `sweep`. The
artifacts are what the steps of adding store, key for key and byte for byte but for the vectors,
which are random. The index keeps which chunks it was given; what OpenSearch takes is not measured.
"""

import json
import random
import resource
import sqlite3
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from footnote.adapters.memory.buckets import MemoryBlobStore, MemoryUploads
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.search import MemorySearchIndex
from footnote.adapters.memory.small import MemoryQueues
from footnote.contracts import PromoteRequest, RebuildRequest, SweepRequest
from footnote.errors import NotFoundError
from footnote.ingest.upkeep.reindex import BATCHES_A_LIST, CHUNKS_A_BATCH, DOCUMENTS_A_BATCH
from footnote.model import (
    Chunk,
    Generation,
    Indexed,
    IndexedChunk,
    Record,
    Revision,
    Status,
    Upload,
    Vector,
    digest,
)
from footnote.ports import Embedder
from footnote.settings import Settings
from footnote.store import keys
from footnote.store.artifacts import CHUNKS_A_PART, dump_chunks, dump_metadata
from footnote.store.vectors import dump_vectors
from footnote.wiring.local_workflow import LocalWorkflow, step_of
from footnote.wiring.services import Services
from tests.bench.large import line, peak_mb

MODEL, DIMENSIONS = "bench", 384
STORED = "2026-01-01T00:00:00+00:00"
TABLES = """
CREATE TABLE blobs (key TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;
CREATE TABLE records (id TEXT PRIMARY KEY, key TEXT, body TEXT) WITHOUT ROWID;
CREATE INDEX by_key ON records (key);
CREATE TABLE generations (name TEXT PRIMARY KEY, run TEXT, serving INT);
CREATE TABLE chunks (generation TEXT, document TEXT, version TEXT, chunk TEXT,
    PRIMARY KEY (generation, document, version, chunk)) WITHOUT ROWID;
"""


class Blobs(MemoryBlobStore):
    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__()
        self._file = file

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        assert span is None
        found = self._file.execute("SELECT body FROM blobs WHERE key = ?", [key]).fetchone()
        if found is None:
            raise NotFoundError(key)
        return bytes(found[0])

    def put(self, key: str, body: bytes) -> None:
        self._file.execute("INSERT OR REPLACE INTO blobs VALUES (?, ?)", (key, body))

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        found = self._file.execute(
            "SELECT key FROM blobs WHERE key > ? AND key >= ? AND key < ? ORDER BY key LIMIT ?",
            (after, prefix, f"{prefix}\uffff", -1 if limit is None else limit),
        )
        return [key for (key,) in found]

    def delete(self, keys: Sequence[str]) -> None:
        assert not keys


class Records(MemoryCatalog):
    """The documents table: each document is READY."""

    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__()
        self._file = file

    def get(self, document_id: str) -> Record:
        query = "SELECT body FROM records WHERE id = ?"
        [body] = self._file.execute(query, [document_id]).fetchone()
        return Record.model_validate_json(body)

    def page(
        self,
        after: str,
        limit: int,
        *,
        whole: bool = True,  # noqa: ARG002  # all of these can be read
    ) -> tuple[list[Record], str]:
        query = "SELECT body FROM records WHERE id > ? ORDER BY id LIMIT ?"
        bodies = self._file.execute(query, (after, limit))
        found = [Record.model_validate_json(body) for (body,) in bodies]
        return found, found[-1].document_id if len(found) == limit else ""

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        return dict.fromkeys(document_ids, "v1")


class Files(MemoryUploads):
    """The bucket: the file of each document is there."""

    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__()
        self._file = file

    def listing(self, after: str, limit: int) -> list[Upload]:
        query = "SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?"
        return [upload(key) for (key,) in self._file.execute(query, (after, limit))]

    def current(self, key: str) -> Upload | None:
        return None if key.endswith(".metadata.json") else upload(key)


class Index(MemorySearchIndex):
    def __init__(self, file: sqlite3.Connection) -> None:
        super().__init__(MODEL, DIMENSIONS)
        self._file = file

    def ensure(self) -> str:
        [name] = self._file.execute("SELECT name FROM generations WHERE serving").fetchone()
        return str(name)

    def generations(self) -> list[Generation]:
        found = self._file.execute("SELECT name, run, serving FROM generations")
        return [
            Generation(name=name, run=run, marks=self.marks, serving=bool(serving))
            for name, run, serving in found
        ]

    def create_generation(self, run: str = "") -> str:
        name = f"bench-{time.time_ns()}"
        self._file.execute("INSERT INTO generations VALUES (?, ?, 0)", (name, run))
        return name

    def write(self, entries: Sequence[Indexed], generation: str | None = None) -> None:
        chunks = [each for each in entries if isinstance(each, IndexedChunk)]
        assert all(len(each.vector) == DIMENSIONS for each in chunks)
        self._file.executemany(
            "INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)",
            (
                (generation, each.revision.document_id, each.revision.version, each.chunk.id)
                for each in chunks
            ),
        )

    def counts(
        self, generation: str, documents: Sequence[str] | None = None
    ) -> dict[tuple[str, str], int]:
        assert documents is not None
        query = (
            "SELECT document, version, count(*) FROM chunks WHERE generation = ? AND document IN"
            " (SELECT value FROM json_each(?)) GROUP BY document, version"
        )
        found = self._file.execute(query, [generation, json.dumps(documents)])
        return {(document, version): count for document, version, count in found}

    def count(self, revision: Revision, annotation: int | None = None) -> int:
        assert annotation is None
        return self.counts(self.ensure(), [revision.document_id])[revision.document_id, "v1"]

    def revisions(self, after: str, limit: int) -> tuple[list[tuple[Revision, int]], str]:
        query = "SELECT id, key FROM records WHERE id > ? ORDER BY id LIMIT ?"
        found = list(self._file.execute(query, (after, limit)))
        page = [(revision_of(key), 1) for _, key in found]
        return page, found[-1][0] if len(found) == limit else ""

    def promote(self, generation: str, retired: float = 0.0) -> None:  # noqa: ARG002 - keeps none
        self._file.execute("UPDATE generations SET serving = (name = ?)", [generation])
        for table, name in (("chunks", "generation"), ("generations", "name")):
            self._file.execute(f"DELETE FROM {table} WHERE {name} <> ?", [generation])  # noqa: S608

    def abandon(self, generation: str) -> None:
        for table, name in (("chunks", "generation"), ("generations", "name")):
            self._file.execute(f"DELETE FROM {table} WHERE {name} = ?", [generation])  # noqa: S608


class Bench(Services):
    """The services of the steps, on a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(Settings(backend="memory"))
        self.file = sqlite3.connect(path, isolation_level=None)
        self.file.execute("PRAGMA synchronous = OFF")
        self.file.execute("PRAGMA journal_mode = MEMORY")

    @cached_property
    def vectors(self) -> list[Vector]:
        """Returns some hundred vectors of six decimals, as the model makes them."""
        numbers = range(200 * DIMENSIONS)
        made = [round(random.uniform(-0.2, 0.2), 6) for _ in numbers]
        return [made[n : n + DIMENSIONS] for n in range(0, len(made), DIMENSIONS)]

    @cached_property
    def artifacts(self) -> Blobs:
        return Blobs(self.file)

    @cached_property
    def catalog(self) -> Records:
        return Records(self.file)

    @cached_property
    def uploads(self) -> Files:
        return Files(self.file)

    @cached_property
    def index(self) -> Index:
        return Index(self.file)

    @cached_property
    def queues(self) -> MemoryQueues:
        return MemoryQueues()

    @cached_property
    def workflow(self) -> LocalWorkflow:
        return LocalWorkflow(self)

    @property
    def embedder(self) -> Embedder:
        raise AssertionError


def upload(key: str) -> Upload:
    return Upload(key=key, version="v1", size=1, modified=STORED)


def revision_of(key: str) -> Revision:
    return Revision(key=key, version="v1", sequencer="01")


def make(services: Bench, documents: int, chunks: int) -> None:
    """Stores so many documents of so many chunks each, all of them in the serving generation."""
    services.file.executescript(TABLES)
    services.file.execute("INSERT INTO generations VALUES ('bench-1', '', 1)")
    random.seed(1)
    for number in range(documents):
        if number % 1000 == 0:
            services.file.execute("BEGIN")
        revision = revision_of(f"bench/small/{number:07d}.txt")
        made = [chunk_of(revision, number, ordinal) for ordinal in range(chunks)]
        store(services, revision, made)
        if number % 1000 == 999 or number == documents - 1:
            services.file.execute("COMMIT")


def chunk_of(revision: Revision, number: int, ordinal: int) -> Chunk:
    text = " ".join(line(number * 7 + ordinal * 3 + n) for n in range(9))
    return Chunk(
        id=digest(revision.document_id, revision.version, str(ordinal)),
        ordinal=ordinal,
        text=text,
        start=ordinal * 900,
        end=ordinal * 900 + len(text),
        title=f"Document {number}",
        context=f"[Document {number} > Section {ordinal}]",
    )


def store(services: Bench, revision: Revision, chunks: Sequence[Chunk]) -> None:
    blobs = services.artifacts
    parts = range(0, len(chunks), CHUNKS_A_PART)
    for part, start in enumerate(parts):
        some = chunks[start : start + CHUNKS_A_PART]
        key = keys.chunks_key(revision, part)
        blobs.put(key, dump_chunks(some))
        texts = [chunk.indexed_text for chunk in some]
        vectors = [random.choice(services.vectors) for _ in some]
        blobs.put(keys.vectors_key(key), dump_vectors(vectors, MODEL, texts))
    blobs.put(keys.metadata_key(revision), dump_metadata({}))
    status: Status = "READY"
    record = Record(
        document_id=revision.document_id,
        **revision.identity,
        live_version="v1",
        status=status,
        title=chunks[0].title,
        chunks=len(chunks),
        parts=len(parts),
        received=STORED,
        updated=STORED,
    )
    services.file.execute(
        "INSERT INTO records VALUES (?, ?, ?)",
        (record.document_id, record.key, record.model_dump_json()),
    )
    services.file.executemany(
        "INSERT INTO chunks VALUES ('bench-1', ?, 'v1', ?)",
        ((record.document_id, chunk.id) for chunk in chunks),
    )


def reindex(services: Bench) -> str:
    found = services.workflow.reindex_status(services.workflow.reindex("bench", force=True))
    assert found.outcome == "rebuilt", found
    return found.outcome


def find_unchanged(services: Bench) -> str:
    found = services.workflow.reindex_status(services.workflow.reindex("bench"))
    assert found.outcome == "unchanged", found
    return found.outcome


def rebuild(services: Bench) -> str:
    """Runs rebuild on every batch, as a warm function does. What is listed comes first."""
    generation = services.index.create_generation("bench")
    batches = 0
    request = PromoteRequest(run="bench", generation=generation)
    while True:
        listed = step_of("promote").run(request, services)
        for batch in json.loads(services.artifacts.get(listed.list_key)):
            batches += 1
            step_of("rebuild").run(RebuildRequest(generation=generation, batch=batch), services)
        if not listed.cursor:
            services.index.abandon(generation)
            return f"{batches} batches"
        request = PromoteRequest(**listed.model_dump(include=set(PromoteRequest.model_fields)))


def promote(services: Bench) -> str:
    """Runs a pass that finds everything there. The serving generation is promoted again."""
    request = PromoteRequest(run="bench", generation=services.index.ensure())
    while not (found := step_of("promote").run(request, services)).promoted:
        request = PromoteRequest(**found.model_dump(include=set(PromoteRequest.model_fields)))
    return f"{found.documents:,} documents, {found.chunks:,} chunks"


def sweep(services: Bench) -> str:
    """Sweeps until every comparison has come to its end at least once."""
    runs, ended, names = 0, set[str](), {""}
    while ended != names:
        found = step_of("sweep").run(SweepRequest(), services)
        assert not any(found.model_dump().values()), found
        cursors = json.loads(services.artifacts.get("sweep/cursors.json"))
        names, runs = set(cursors), runs + 1
        ended |= {name for name in names if not cursors[name]}
    return f"{runs} runs"


WRITTEN_A_SECOND = 1_000  # chunks by OpenSearch: between the 650 and 1,550 that were measured
COMPARED_A_SECOND = 4_000  # records: read from the table, their chunks counted; a page in .12 s
PARALLEL = 4  # rebuilds at a time, as in statemachines/reindex.asl.json
DOLLARS = {
    "transition": 25e-6,
    "gb_second": 1.66667e-5,
    "invocation": 0.2e-6,
    "s3_put": 5e-6,
    "s3_get": 0.4e-6,
    "dynamodb_read": 0.125e-6,
}
"""List prices as in docs/costs.md. A read is of 4 KB, consistent; a scan takes half of one."""


def plan(documents: int, chunks: int) -> dict[str, float]:
    """Works out what a re-index of so many documents, of so many chunks each, takes on AWS.

    Records are taken as 2 KB.
    """
    per_batch = min(DOCUMENTS_A_BATCH, CHUNKS_A_BATCH // chunks)
    batches = -(-documents // per_batch)
    lists = -(-batches // BATCHES_A_LIST)
    passes = 2 * -(-documents // (Settings().reindex_seconds * COMPARED_A_SECOND)) + lists
    written, compared = documents * chunks / WRITTEN_A_SECOND, documents / COMPARED_A_SECOND
    states = 8 + 2 * passes + lists + 3 * batches
    scans = 2 * documents * 2 / 4 / 2  # two passes, 2 KB each, half a read for 4 KB
    prices = {
        "transition": states,
        "gb_second": PARALLEL * written * 1.0 + 2 * compared * 0.5,
        "invocation": batches + passes,
        "s3_put": batches + lists,
        "s3_get": 3 * documents + batches,  # chunks, vectors, metadata
        "dynamodb_read": scans + 3 * documents,  # before writing, after it, and is it live
    }
    nothing = {
        "transition": 4 + 2 * passes / 2,
        "gb_second": compared * 0.5,
        "dynamodb_read": scans / 2,
    }
    return {
        "batches": batches,
        "lists": lists,
        "states": states,
        "write_minutes": round(written / 60, 1),
        "compare_minutes": round(2 * compared / 60, 2),
        "vectors_gb": round(documents * chunks * DIMENSIONS * 4 / 1e9, 2),
        "dollars": round(sum(DOLLARS[name] * count for name, count in prices.items()), 2),
        "unchanged_seconds": round(compared),
        "unchanged_dollars": round(sum(DOLLARS[name] * n for name, n in nothing.items()), 3),
    }


STEPS: Mapping[str, Callable[[Bench], str]] = {
    "reindex": reindex,
    "unchanged": find_unchanged,
    "rebuild": rebuild,
    "promote": promote,
    "sweep": sweep,
}


def main() -> None:
    step, path = sys.argv[1], Path(sys.argv[2])
    services = Bench(path)
    if step == "make":
        make(services, int(sys.argv[3]), int(sys.argv[4]))
        return
    for verb in ("prepare", "promote", "rebuild", "sweep"):
        step_of(verb)  # imports count as before
    before, started = peak_mb(), time.perf_counter()
    note = STEPS[step](services)
    seconds = time.perf_counter() - started
    spent = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "seconds": round(seconds, 1),
                "cpu": round(spent.ru_utime + spent.ru_stime, 1),
                "before_mb": before,
                "peak_mb": peak_mb(),
                "note": note,
            }
        )
    )


if __name__ == "__main__":
    main()
