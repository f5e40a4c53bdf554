"""Chunk step: split a canonical document along its structure; store chunks and nodes in parts."""

from footnote.clock import measure
from footnote.contracts import ChunkRequest, IndexRequest
from footnote.ingest.chunk.chunk import BUDGET, chunk
from footnote.ingest.chunk.nodes import make_nodes
from footnote.ingest.index.line_rules import LINE_TOKENS
from footnote.model import Facts
from footnote.store.artifacts import load_document, store_chunks
from footnote.store.visibility import clear_when_gone
from footnote.text.tokens import estimate_lines
from footnote.wiring.services import Services
from footnote.wiring.step import queue_step


@queue_step
def handler(request: ChunkRequest, services: Services) -> list[IndexRequest]:
    with clear_when_gone(services.catalog, services.artifacts, request):
        with measure("chunk") as timings:
            document = load_document(services.artifacts.get(request.document_key))
            with_lines = services.settings.contextual_lines == "on"
            # a line takes some of the tokens that the embedder reads
            budget = BUDGET - (LINE_TOKENS if with_lines else 0)
            chunks = chunk(document, request, services.tokenizer.count, budget)
            nodes = make_nodes(document, request)
            stored = store_chunks(chunks, nodes, request, services.artifacts)
        tokens = estimate_lines(document.text)
        facts = Facts(chunks=len(chunks), parts=len(stored), tokens=tokens, timings_ms=timings)
        services.catalog.advance(request, "INDEXING", facts)
    return [
        IndexRequest(**request.identity, chunks_key=key, part=part, parts=len(stored))
        for part, key in enumerate(stored)
    ]
