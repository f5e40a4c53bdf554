"""Measures page recall@5 of searches in real documents. `-s` prints the figures.

They are macro averages over three sets: FinanceBench and MMLongBench-Doc in the whole corpus, and
MMLongBench-Doc in the given document. Differences under .03 are noise.
"""

import json
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from evals.caches import FileCache, FileVectors
from footnote.adapters.embedding.minilm import MiniLM
from footnote.adapters.embedding.minilm_tokenizer import MiniLMTokenizer
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.ask.find.ports import Ports
from footnote.ask.find.search import search
from footnote.ask.query.reading import read_query
from footnote.errors import BadDocumentError
from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.index.embed import CachedEmbedder, to_indexed
from footnote.ingest.parse import parse
from footnote.model import Annotation, Chunk, Hit, Revision, Scope, SearchQuery, Strategy
from local.paths import HOME, TOOLS
from tests.stack import find_stack

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"
MODEL = TOOLS / "model"
PART = 200

pytestmark = [
    pytest.mark.skipif(not DATA.exists(), reason="the evaluation documents are not here"),
    pytest.mark.skipif(not MODEL.exists(), reason="no embedding model; run `make setup`"),
    pytest.mark.timeout(1200),
]

# The measured macro page recall@5 less the noise; see the module's docstring.
FLOORS: dict[Strategy, float] = {"lexical": 0.47, "semantic": 0.47, "hybrid": 0.52}


def chunks_of(file: Path) -> list[Chunk]:
    revision = Revision(key=f"bench/docs/{file.name}", version="v1", sequencer="1")
    try:
        document = parse(file.read_bytes(), file.name).document
    except BadDocumentError:  # the scan
        return []
    return chunk(document, revision, MiniLMTokenizer(MODEL).count)


@pytest.fixture(scope="module")
def opensearch_url() -> str:
    return os.environ.get("FOOTNOTE_OPENSEARCH_URL") or find_stack()["opensearch_url"]


@pytest.fixture(scope="module")
def embedder() -> Iterator[CachedEmbedder]:
    cache = FileCache(HOME / "bench" / "vectors.sqlite")
    yield CachedEmbedder(MiniLM(MODEL), FileVectors(cache))
    cache.close()


@pytest.fixture(scope="module")
def index(opensearch_url: str, embedder: CachedEmbedder) -> OpenSearchIndex:
    index = OpenSearchIndex(opensearch_url, embedder.model, embedder.dimensions, prefix="bench")
    generation = index.create_generation()
    files = sorted((DATA / "docs").glob("*.pdf"), key=lambda file: -file.stat().st_size)
    seconds = []
    with ProcessPoolExecutor(2) as pool:
        for file, chunks in zip(files, pool.map(chunks_of, files), strict=True):
            revision = Revision(key=f"bench/docs/{file.name}", version="v1", sequencer="1")
            for start in range(0, len(chunks), PART):
                some = chunks[start : start + PART]
                vectors = embedder.embed([chunk.indexed_text for chunk in some], "document")
                part = to_indexed(some, vectors, revision, Annotation())
                started = time.perf_counter()
                index.write(part, generation=generation)
                seconds.append(time.perf_counter() - started)
    index.promote(generation)
    index.ensure()
    print(f"\n{index.health()}; a part of {PART} is written in {statistics.median(seconds):.2f} s")
    return index  # it is kept for inspection; the next run replaces it


@pytest.fixture(scope="module")
def catalog() -> MemoryCatalog:
    """Returns a table in which every document is searchable."""
    catalog = MemoryCatalog()
    for file in (DATA / "docs").glob("*.pdf"):
        revision = Revision(key=f"bench/docs/{file.name}", version="v1", sequencer="1")
        catalog.receive(revision, file.stat().st_size)
        catalog.publish(revision)
    return catalog


@pytest.fixture(scope="module")
def questions(embedder: CachedEmbedder) -> list[tuple[str, SearchQuery, set[tuple[str, int]]]]:
    """Returns (set, query, gold pages) for each question whose evidence is pages of PDFs."""
    asked = []
    for line in (DATA / "qa.jsonl").read_text().splitlines():
        entry = json.loads(line)
        gold = {(each["doc"], each["page"]) for each in entry.get("evidence", ())}
        if not entry["answerable"] or not gold or not all(d.endswith(".pdf") for d, _ in gold):
            continue
        (vector,) = embedder.embed([entry["question"]], "query")
        ask = partial(SearchQuery, text=entry["question"], k=50, vector=vector)
        asked.append((entry["source"], ask(scope=Scope(tenant="bench")), gold))
        if entry["source"] == "MMLongBench-Doc":
            scope = Scope(tenant="bench", documents=(entry["doc"],))
            asked.append(("MMLongBench-Doc, document given", ask(scope=scope), gold))
    return asked


def first_pages(hits: Sequence[Hit], limit: int = 5) -> set[tuple[str, int]]:
    pages = [(hit.document, page) for hit in hits for page in hit.chunk.pages]
    return set(list(dict.fromkeys(pages))[:limit])


@pytest.mark.parametrize("strategy", FLOORS)
def test_the_right_pages_are_among_the_first_five(
    index: OpenSearchIndex,
    embedder: CachedEmbedder,
    catalog: MemoryCatalog,
    questions: list[tuple[str, SearchQuery, set[tuple[str, int]]]],
    strategy: Strategy,
) -> None:
    recalls, seconds = defaultdict(list), []
    for name, query, gold in questions:
        started = time.perf_counter()
        asked = query.model_copy(update={"strategy": strategy})
        hits = search(read_query(asked), Ports(index, embedder, catalog))
        seconds.append(time.perf_counter() - started)
        recalls[name].append(len(gold & first_pages(hits)) / len(gold))
    means = {name: round(statistics.mean(each), 3) for name, each in recalls.items()}
    macro = statistics.mean(means.values())
    p50 = statistics.median(seconds) * 1000
    print(f"\n{strategy}: page recall@5 {macro:.3f} {means}, search p50 {p50:.1f} ms")
    assert macro >= FLOORS[strategy]
