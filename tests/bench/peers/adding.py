"""Adds PDFs in this process with one tool and prints what it took; runs in the tool's environment.

    python adding.py TOOL MODEL TEXTS SAMPLE FILE…

TOOL is a peer of `retrievers.py`, or footnote: `footnote` without OCR, `footnote-ocr` as it is
deployed, `footnote-opensearch` into the node that FOOTNOTE_OPENSEARCH_URL names. MODEL is the
folder of its model. SAMPLE is added first, to a place of its own: imports and loading the model
are the start, and not the adding. A question ends the adding, as some make their index of words
with the first. The texts that the model is given go to the file TEXTS, a JSON list a line.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from tests.bench.peers.retrievers import PEERS, Added, count, keep_quiet

THREADS = 2
QUESTION = "How did revenue change?"
TENANT = "bench"

type Log = Callable[[Sequence[str]], None]
type Vectors = list[list[float]]


class Tool(Protocol):
    def add(self, paths: Sequence[Path]) -> None:
        """Adds to a new, empty place, and asks it one question."""
        ...

    def added(self) -> Added: ...


class Beside:
    """A peer, embedding as its documentation shows: sentence-transformers in its own batches."""

    def __init__(self, name: str, model: Path, log: Log) -> None:
        from tests.bench.peers.sentence_vectors import load_model

        self._make = PEERS[name]
        self._sentences = load_model(str(model), THREADS)
        self._log = log

    def _embed(self, texts: Sequence[str]) -> Vectors:
        self._log(texts)
        vectors = self._sentences.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        found: Vectors = vectors.tolist()
        return found

    def add(self, paths: Sequence[Path]) -> None:
        self._peer = self._make(self._embed)
        self._added = self._peer.add_files(paths)
        if not self._peer.search(QUESTION, 10, ""):
            raise LookupError("the question found nothing")

    def added(self) -> Added:
        return self._added


class Footnote:
    """The steps that are deployed, on memory adapters, with the real model."""

    def __init__(self, name: str, model: Path, log: Log) -> None:
        from footnote.adapters.embedding.minilm import MiniLM

        class Logged(MiniLM):
            def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> Vectors:
                log(texts)
                return super().embed(texts, kind)

        self._name = name
        self._embedder = Logged(model)

    def add(self, paths: Sequence[Path]) -> None:
        from footnote.service import Service
        from footnote.wiring.pipeline import Pipeline

        self._pipeline = Pipeline(embedder=self._embedder)
        if self._name != "footnote-ocr":
            vars(self._pipeline)["ocr_engines"] = ()
        if self._name == "footnote-opensearch":
            vars(self._pipeline)["index"] = self._opensearch(f"adding-{len(paths)}")
        self._records = [
            self._pipeline.upload(f"{TENANT}/docs/{path.name}", path.read_bytes()) for path in paths
        ]
        hits, _ = Service(self._pipeline, TENANT).searches.search(QUESTION)
        if not hits:
            raise LookupError("the question found nothing")

    def _opensearch(self, prefix: str) -> Any:
        from footnote.adapters.opensearch.index import OpenSearchIndex

        url, embedder = os.environ["FOOTNOTE_OPENSEARCH_URL"], self._embedder
        return OpenSearchIndex(url, embedder.model, embedder.dimensions, prefix=prefix)

    def added(self) -> Added:
        from footnote.store.artifacts import load_chunks
        from footnote.store.keys import chunks_keys

        stored = self._pipeline.artifacts
        return count(
            {"document": record.key, "pages": chunk.pages}
            for record in self._records
            for key in chunks_keys(stored, record.revision)
            for chunk in load_chunks(stored.get(key))
        )


def spent() -> float:
    """Returns the processor seconds of this process and of its children that have ended."""
    return sum(os.times()[:4])


def peak_mb() -> int:
    # `getrusage` would count the parent's memory
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) >> 10


def main() -> None:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-THREADS:])
    replies = keep_quiet()
    name, model, texts, sample, *files = sys.argv[1:]
    with Path(texts).open("w", encoding="utf-8") as log:

        def write(some: Sequence[str]) -> None:
            print(json.dumps(list(some)), file=log)

        tool: Tool = (Beside if name in PEERS else Footnote)(name, Path(model), write)
        tool.add([Path(sample)])
        log.truncate(log.seek(0))
        start, began = spent(), time.perf_counter()
        tool.add([Path(file) for file in files])
        took = {"cpu": spent() - start, "seconds": time.perf_counter() - began}
    found = {"start": start, **took, "peak_mb": peak_mb(), **tool.added()._asdict()}
    print(json.dumps(found), file=replies, flush=True)


if __name__ == "__main__":
    main()
