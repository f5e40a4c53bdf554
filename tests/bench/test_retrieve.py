"""Measures the processor time of evidence for one sub-question, the index left out. `-s` prints it.

The figure that holds on any machine is a ratio: how many queries could be embedded meanwhile.
"""

import json
import statistics
import time
from collections.abc import Iterator
from typing import Literal

import pytest

from footnote.adapters.embedding.minilm import MiniLM, MiniLMReader
from footnote.ask.evidence.scoring import MAX_SENTENCES
from footnote.ask.find.ports import Ports
from footnote.ask.plan import plan
from footnote.ask.retrieve import retrieve
from footnote.model import Hit, Legs, LegsQuery, Scope, Vector
from footnote.wiring.pipeline import Pipeline
from local.paths import ROOT, TOOLS

MODEL = TOOLS / "model"
SAMPLES = ROOT / "samples"
SCOPE = Scope(tenant="bench")

pytestmark = pytest.mark.skipif(not MODEL.exists(), reason="no embedding model; run `make setup`")


class Timed:
    """Wraps an index; counts the processor time of its own work, which a server does elsewhere."""

    def __init__(self, index) -> None:
        self._index = index
        self.spent = 0.0

    def _time(self, call, *given):
        started = time.thread_time()
        try:
            return call(*given)
        finally:
            self.spent += time.thread_time() - started

    def search(self, query: LegsQuery) -> Legs:
        return self._time(self._index.search, query)

    def read(self, chunk_ids, scope) -> dict[str, Hit]:
        return self._time(self._index.read, chunk_ids, scope)

    def vectors(self, chunk_ids, scope) -> dict[str, Vector]:
        return self._time(self._index.vectors, chunk_ids, scope)

    def present(self, words, scope) -> set[str]:
        return self._time(self._index.present, words, scope)

    def languages(self, scope) -> dict[str, int]:
        return self._index.languages(scope)

    def neighbours(self, hits, before, after) -> list[list[Hit]]:
        return self._time(self._index.neighbours, hits, before, after)


class Counted:
    """Wraps the model; counts the texts that it embeds."""

    def __init__(self, embedder: MiniLM) -> None:
        self._embedder = embedder
        self.model, self.dimensions = embedder.model, embedder.dimensions
        self.texts = 0

    def embed(self, texts, kind: Literal["document", "query"]) -> list[list[float]]:
        self.texts += len(texts)
        return self._embedder.embed(texts, kind)


@pytest.fixture(scope="module")
def library() -> Pipeline:
    pipeline = Pipeline()
    for file in sorted((SAMPLES / "documents").iterdir()):
        if file.is_file():
            pipeline.upload(f"bench/default/{file.name}", file.read_bytes())
    return pipeline


def questions() -> Iterator[str]:
    for line in (SAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)["question"]


def measure(
    library: Pipeline, embedder: MiniLM, reader: MiniLMReader | None = None
) -> tuple[float, float]:
    """Returns the medians of processor ms and of texts embedded for one sub-question."""
    spent, texts = [], []
    for question in questions():
        sub = plan(question, (), SCOPE, None).plan.sub_questions[0]
        index, counted = Timed(library.index), Counted(embedder)
        started = time.process_time()
        ports = Ports(index, counted, library.catalog, line_judge=reader)
        retrieve(sub, SCOPE, (), ports)
        spent.append((time.process_time() - started - index.spent) * 1000)
        texts.append(counted.texts)
    return statistics.median(spent), statistics.median(texts)


def query_ms(embedder: MiniLM) -> float:
    started = time.process_time()
    for question in questions():
        embedder.embed([question], "query")
    return (time.process_time() - started) * 1000 / sum(1 for _ in questions())


def test_evidence_for_one_sub_question_takes_a_bounded_number_of_embeddings(library):
    embedder = MiniLM(MODEL, threads=1)
    list(map(query_ms, [embedder] * 2))  # warm
    one = query_ms(embedder)
    extracts, embedded = measure(library, embedder)
    judged, _ = measure(library, embedder, MiniLMReader(MODEL, threads=1))
    print(
        f"\none query's embedding {one:.1f} ms of processor; evidence for one sub-question "
        f"{extracts:.0f} ms = {extracts / one:.1f} of those ({embedded:.0f} texts embedded); "
        f"with the best lines read {judged:.0f} ms = {judged / one:.1f}"
    )
    assert embedded <= 2 + MAX_SENTENCES
    assert extracts < 35 * one
    assert judged < 50 * one
