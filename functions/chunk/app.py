"""Chunk step: split a canonical document along its structure, store the chunks in parts."""

from itertools import batched

from footnote.bootstrap import Services
from footnote.contracts import ChunkRequest, IndexRequest
from footnote.ingest import keys
from footnote.ingest.accept import timed
from footnote.ingest.artifacts import dump_chunks, load_document
from footnote.ingest.chunk import BUDGET, chunk
from footnote.ingest.lines import LINE_TOKENS
from footnote.model import Facts
from footnote.step import queue_step

CHUNKS_A_PART = (
    64  # about 1 s of embedding on one core: parts of a document are indexed in parallel
)


@queue_step
def handler(request: ChunkRequest, services: Services) -> list[IndexRequest]:
    with timed("chunk") as timings:
        document = load_document(services.artifacts.get(request.document_key))
        with_lines = services.settings.contextual_lines == "on"
        budget = BUDGET - (LINE_TOKENS if with_lines else 0)  # the embedder reads only so much
        chunks = chunk(document, request, services.tokenizer.count, budget)
        parts = list(batched(chunks, CHUNKS_A_PART, strict=False))
        for number, part in enumerate(parts):
            services.artifacts.put(keys.chunks_key(request, number), dump_chunks(part))
    facts = Facts(chunks=len(chunks), parts=len(parts), timings_ms=timings)
    services.catalog.advance(request, "INDEXING", facts)
    return [
        IndexRequest(
            **request.identity,
            chunks_key=keys.chunks_key(request, number),
            part=number,
            parts=len(parts),
        )
        for number in range(len(parts))
    ]
