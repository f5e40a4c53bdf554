"""Chunk step: split a canonical document along its structure, store the chunks in parts."""

from footnote.bootstrap import Services
from footnote.contracts import ChunkRequest, IndexRequest
from footnote.ingest.accept import timed
from footnote.ingest.artifacts import load_document, store_chunks
from footnote.ingest.chunk import BUDGET, chunk
from footnote.ingest.lines import LINE_TOKENS
from footnote.model import Facts
from footnote.step import queue_step


@queue_step
def handler(request: ChunkRequest, services: Services) -> list[IndexRequest]:
    with timed("chunk") as timings:
        document = load_document(services.artifacts.get(request.document_key))
        with_lines = services.settings.contextual_lines == "on"
        budget = BUDGET - (LINE_TOKENS if with_lines else 0)  # the embedder reads only so much
        chunks = chunk(document, request, services.tokenizer.count, budget)
        stored = store_chunks(chunks, request, services.artifacts)
    facts = Facts(chunks=len(chunks), parts=len(stored), timings_ms=timings)
    services.catalog.advance(request, "INDEXING", facts)
    return [
        IndexRequest(**request.identity, chunks_key=key, part=part, parts=len(stored))
        for part, key in enumerate(stored)
    ]
