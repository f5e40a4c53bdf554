"""Rebuild step: put one batch of documents into the new generation, from their stored chunks."""

from footnote.contracts import RebuildRequest, RebuildResult
from footnote.ingest.index.embed import embed_chunks
from footnote.ingest.upkeep.annotate import annotation, catch_up
from footnote.ingest.upkeep.reindex import load_batch
from footnote.store.stored_documents import stored_chunks
from footnote.store.visibility import is_live, live_revision
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: RebuildRequest, services: Services) -> RebuildResult:
    documents = chunks = 0
    for document_id in load_batch(services.artifacts, request.batch):
        record = services.catalog.get(document_id)
        if not record.live_version:
            continue  # deleted meanwhile
        revision = live_revision(services.artifacts, record)
        stored = stored_chunks(services.artifacts, revision)
        note = annotation(services.artifacts, record, revision)
        chunks_of = embed_chunks(stored, revision, services.embedder, note)
        services.index.write(chunks_of, request.generation)
        catch_up(services.catalog, services.artifacts, services.index, revision, note.number)
        if not is_live(services.catalog, revision):
            services.index.remove(revision)  # deleted or replaced while we wrote
            continue
        documents, chunks = documents + 1, chunks + len(stored)
    return RebuildResult(documents=documents, chunks=chunks)
