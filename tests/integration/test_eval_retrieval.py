"""The eval of retrieval on a real OpenSearch, beside its plain BM25."""

from uuid import uuid4

import pytest
from opensearchpy import OpenSearch

from evals import retrieval
from evals.caches import FileCache
from evals.gateway import Gateway
from evals.library import BatchedIndex, fit, open_library
from evals.plain import PlainIndex
from evals.questions import File, shelves
from footnote.adapters.memory.small import MemoryVectors
from tests.pack import GERMAN, THINGS, write_pack
from tests.unit.faces import small


@pytest.fixture
def prefix(opensearch_url):
    prefix = f"test-eval-{uuid4().hex[:12]}"
    yield prefix
    with OpenSearch([opensearch_url], timeout=30) as client:
        gone = {"ignore_unavailable": "true"}
        client.indices.delete(index=f"{prefix}-*,plain-{prefix}-*", params=gone)
        client.transport.perform_request("DELETE", f"/_search/pipeline/{prefix}-*")


def test_the_whole_eval_runs_on_opensearch(opensearch_url, prefix, tmp_path):
    folder = write_pack(tmp_path / "pack")
    cache = FileCache(tmp_path / "cache.sqlite")

    def opened(shelf):
        library = open_library(cache, opensearch_url, f"{prefix}-{shelf.name}")
        return library, PlainIndex(opensearch_url, f"plain-{prefix}-{shelf.name}")

    report = retrieval.measure(shelves(folder), opened, ("lexical", "hybrid"))
    cache.close()
    rows = {name: set(task["scores"]) for name, task in report["tasks"].items()}
    assert rows["spans"] == {"lexical", "hybrid"}  # for plain BM25 there are none
    assert rows["things"] == {"bm25", "bm25_english", "lexical", "hybrid"}
    assert rows["xquad, same language"] == {"bm25", "lexical", "hybrid"}
    for row in rows["things"]:
        assert [one["nDCG@10"] for one in report["tasks"]["things"]["scores"][row].values()] == (
            [1.0] * len(THINGS)
        )
    german = report["tasks"]["bitcoin, same language"]["scores"]["bm25"]
    assert [one["hit@1"] for one in german.values()] == [1.0] * len(GERMAN)
    costs = report["cost"]["things"]
    assert (costs["lexical"]["embedded"], costs["hybrid"]["embedded"]) == (0, len(THINGS))


def test_documents_that_are_written_together_are_all_there(opensearch_url, prefix):
    pipeline = small()
    index = BatchedIndex(opensearch_url, pipeline.encoder, prefix)
    index.ensure()
    vars(pipeline).update(index=index)
    library = fit(pipeline, MemoryVectors(), Gateway())
    files = [File("things", f"{name}.txt", text.encode()) for name, text in THINGS.items()]
    assert library.add(files, lambda *_: None) == {"READY": len(THINGS)}
    assert index.health()["documents"] == len(THINGS)
