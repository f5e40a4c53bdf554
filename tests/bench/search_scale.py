"""`make bench-search`: what a search and the index cost with more and more chunks.

usage: python -m tests.bench.search_scale [--chunks 10000,100000] [--output search.json]

Chunks are made up: as long as real ones (130 words of a vocabulary whose frequencies fall as those
of a language do), with vectors in clusters. A document has 40 of them on eight pages. Five are
tables, one of which is a balance sheet. So it has 14 nodes, which the real code makes: as many to a
chunk as the documents of the shared set have. All are written by the real index adapter to an
OpenSearch of its own, and asked through the API's function with the real model. Every strategy is
asked questions of made-up words, and `hybrid` also for a figure of a balance sheet.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import batched
from pathlib import Path

import numpy as np

from evals.caches import FileCache
from evals.intervals import medians
from evals.library import TENANT, BatchedIndex, Library, open_library
from evals.node import start_node
from evals.retrieval import CACHE
from footnote.accounting.statements import ROWS
from footnote.adapters.opensearch.client import connect
from footnote.errors import UnavailableError
from footnote.ingest.chunk.nodes import make_nodes
from footnote.model import (
    CELL,
    STRATEGIES,
    Chunk,
    Document,
    Indexed,
    IndexedChunk,
    IndexedNode,
    Page,
    Revision,
    Table,
    Vector,
    digest,
)
from footnote.wire import Json
from footnote.wiring import bootstrap
from footnote.wiring.pipeline import Pipeline

WORDS = 130  # in a chunk of 180 tokens, which is what shared documents have on average
A_DOCUMENT = 40  # chunks
A_PAGE = 5  # chunks
TABLES_EACH = 8  # chunks to one that is a table
TABLE_ROWS = 30  # of four words: as long as a chunk of text
STATEMENT = tuple(kind[0] for kind in ROWS["balance_sheet"])
VOCABULARY = 50_000
CLUSTERS = 500
SPREAD = 0.9  # length of the noise around a cluster's middle, whose own is 1: cosines of .3 to .7
QUESTIONS = 100
FIRST = 500  # searches by `hybrid` that are not counted: OpenSearch compiles what is asked often
WARM = 10  # searches by each strategy that are not counted either
K = 10
SEED = 12
MERGING = 600  # seconds until what was written should be merged
PAUSES = (5, 10, 20, 40)  # seconds; merging segments of vectors may hold up a refresh


class Maker:
    """Makes words, chunks and questions; the same ones in each run."""

    def __init__(self, dimensions: int) -> None:
        self._random = random.Random(SEED)
        self._numbers = np.random.default_rng(SEED)
        letters = "aeioubcdfghlmnprst"
        made = {
            "".join(self._random.choices(letters, k=self._random.randint(3, 11))): None
            for _ in range(VOCABULARY)
        }
        self._words = list(made)
        # Zipf 1935: the n-th word of a language is 1/n as frequent as the first
        rank = np.arange(1, len(self._words) + 1)
        self._share = np.cumsum(1 / rank) / np.sum(1 / rank)
        self._dimensions = dimensions
        self._middles = self._unit((CLUSTERS, dimensions))

    def _unit(self, shape: tuple[int, int]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
        drawn = self._numbers.normal(size=shape)
        return drawn / np.linalg.norm(drawn, axis=1, keepdims=True)

    def text(self, words: int) -> str:
        at = np.searchsorted(self._share, self._numbers.random(words))
        return " ".join(self._words[n] for n in at)

    def vectors(self, count: int) -> list[Vector]:
        middles = self._middles[self._numbers.integers(0, CLUSTERS, count)]
        found = middles + SPREAD * self._unit((count, self._dimensions))
        return (found / np.linalg.norm(found, axis=1, keepdims=True)).round(6).tolist()

    def rows(self, labels: Sequence[str] = ()) -> tuple[tuple[str, ...], ...]:
        """Returns rows of a table: a label, and its figure in each of two years."""
        made = [*labels, *(self.text(2) for _ in range(TABLE_ROWS - len(labels)))]
        return tuple((label, self._figure(), self._figure()) for label in made)

    def _figure(self) -> str:
        return f"{self._random.randrange(100_000):,}"

    def document(self, number: int) -> list[Indexed]:
        """Returns a document's chunks and its nodes."""
        key = f"{TENANT}/made/{number:07d}.txt"
        revision = Revision(key=key, version="v1", sequencer="1")
        title = self.text(4)
        chunks: list[Chunk] = []
        tables: list[Table] = []
        at = 0
        for ordinal in range(A_DOCUMENT):
            text = self.text(WORDS)
            if ordinal % TABLES_EACH == TABLES_EACH - 1:
                rows = self.rows(() if tables else STATEMENT)
                text = "\n".join(CELL.join(row) for row in rows)
                tables.append(Table(start=at, end=at + len(text), rows=rows, header_rows=0))
            chunks.append(
                Chunk(
                    id=digest(revision.key, str(ordinal)),
                    ordinal=ordinal,
                    text=text,
                    start=at,
                    end=at + len(text),
                    pages=(ordinal // A_PAGE + 1,),
                    title=title,
                    context=f"[{title}]",
                )
            )
            at += len(text) + 1
        document = Document(
            title=title,
            media_type="text/plain",
            text="\n".join(chunk.text for chunk in chunks),
            pages=tuple(
                Page(number=n, start=some[0].start, end=some[-1].end)
                for n, some in enumerate(batched(chunks, A_PAGE, strict=True), 1)
            ),
            tables=tuple(tables),
        )
        vectors = zip(chunks, self.vectors(A_DOCUMENT), strict=True)
        return [
            *(IndexedChunk(revision=revision, chunk=one, vector=vector) for one, vector in vectors),
            *(IndexedNode(revision=revision, node=one) for one in make_nodes(document, revision)),
        ]


def add(library: Library, maker: Maker, first: int, last: int) -> Json:
    """Adds documents so that the API finds them. Returns what writing them took."""
    pipeline = bootstrap.services()
    if not isinstance(pipeline, Pipeline) or not isinstance(pipeline.index, BatchedIndex):
        raise TypeError("the library runs in another process")
    seconds = 0.0
    for number in range(first, last):
        entries = maker.document(number)
        revision = entries[0].revision
        pipeline.catalog.receive(revision, 1)
        started = time.perf_counter()
        write(pipeline.index, entries)
        seconds += time.perf_counter() - started
        pipeline.catalog.publish(revision)
    pipeline.index.flush()
    library.take_cost()
    count = (last - first) * A_DOCUMENT
    return {"written": count, "chunks_a_second": round(count / max(seconds, 0.001))}


def write(index: BatchedIndex, entries: list[Indexed]) -> None:
    """Writes as a queue does: what the index has no time for comes again."""
    try:
        index.write(entries)
    except UnavailableError:
        for pause in PAUSES:
            time.sleep(pause)
            with suppress(UnavailableError):
                return index.flush()
        raise


def ask(library: Library, maker: Maker) -> Json:
    """Asks made-up questions by each strategy. Returns ms of wall clock and of the API's CPU."""
    time_each(library, [maker.text(8) for _ in range(FIRST)], "hybrid")
    questions = [maker.text(8) for _ in range(WARM + QUESTIONS)]
    found: Json = {each: time_each(library, questions, each) for each in STRATEGIES}
    figures = [f"What are the total assets of {maker.text(4)}?" for _ in questions]
    return {**found, "hybrid, a figure": time_each(library, figures, "hybrid")}


def time_each(library: Library, questions: list[str], strategy: str) -> Json:
    """Asks each question once; says also how many searches the index had no time for."""
    took: list[float] = []
    cpu: list[float] = []
    late = 0
    for number, question in enumerate(questions):
        library.take_cost()
        try:
            reply = library.client.search(question, strategy=strategy, k=K)
        except UnavailableError:
            late += 1
            continue
        spent, _ = library.take_cost()
        if number >= WARM:
            took.append(reply["took_ms"])
            cpu += spent
    found: Json = {"late": late} if late else {}
    if took:
        found["took_ms"] = [round(one, 1) for one in medians(took)]
        found["cpu_ms"] = [round(one, 1) for one in medians(cpu)]
    return found


def weigh(url: str, prefix: str) -> Json:
    """Returns the size of the index on disk and the memory of the server, in MB."""
    client = connect(url, None)
    client.indices.flush(index=f"{prefix}-*", request_timeout=MERGING)
    until = time.monotonic() + MERGING
    # segments that are being merged lie on disk twice
    while client.indices.stats(index=f"{prefix}-*")["_all"]["total"]["merges"]["current"]:
        if time.monotonic() > until:
            raise TimeoutError(f"OpenSearch still merges segments after {MERGING} s")
        time.sleep(1)
    total = client.indices.stats(index=f"{prefix}-*")["_all"]["total"]
    (node,) = client.nodes.stats(metric="jvm,process")["nodes"].values()
    (described,) = client.nodes.info(metric="process")["nodes"].values()
    status = Path(f"/proc/{described['process']['id']}/status").read_text(encoding="utf-8")
    resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "entries": total["docs"]["count"],  # chunks and nodes
        "segments": total["segments"]["count"],
        "disk_mb": math.ceil(total["store"]["size_in_bytes"] / 1e6),
        "heap_mb": math.ceil(node["jvm"]["mem"]["heap_used_in_bytes"] / 1e6),
        "resident_mb": math.ceil(int(resident.split()[1]) / 1000),
    }


def steps(cache: FileCache, url: str, counts: list[int]) -> Iterator[Json]:
    """Yields a row for each count, the smallest first: what is there is added to."""
    prefix = "bench-search"
    library = open_library(cache, url, prefix)
    maker = Maker(bootstrap.services().encoder.dimensions)
    there = 0
    for count in sorted(counts):
        documents = count // A_DOCUMENT
        written = add(library, maker, there, documents)
        there = documents
        yield {
            "chunks": documents * A_DOCUMENT,
            **weigh(url, prefix),
            **written,
            "search": ask(library, maker),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--chunks", default="10000,100000")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    counts = [int(word) for word in options.chunks.split(",")]
    cache = FileCache(CACHE)
    rows = []
    with start_node() as url:
        for row in steps(cache, url, counts):
            print(json.dumps(row), flush=True)
            rows.append(row)
            if options.output:
                options.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    cache.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
