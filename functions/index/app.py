"""Index step: embed and index one part of a document; with the last part, publish the version."""

from footnote.bootstrap import Services
from footnote.contracts import IndexRequest
from footnote.errors import SupersededError
from footnote.ingest import keys
from footnote.ingest.accept import timed
from footnote.ingest.annotate import annotation, catch_up
from footnote.ingest.artifacts import load_chunks
from footnote.ingest.embed import indexed
from footnote.ingest.live import is_live, published
from footnote.model import Facts
from footnote.step import queue_step


@queue_step
def handler(request: IndexRequest, services: Services) -> list[IndexRequest]:
    try:
        if not published(services.catalog, request) and not indexed_all(request, services):
            return []
    except SupersededError:
        if not is_live(services.catalog, request):  # published by another delivery of this part?
            services.index.remove(request)  # no: written for nothing
        raise
    services.index.remove_older(request)
    keys.remove_older(services.artifacts, request)
    return []


def indexed_all(request: IndexRequest, services: Services) -> bool:
    with timed(f"index-{request.part}") as timings:
        record = services.catalog.get(request.document_id)
        note = annotation(services.artifacts, record, request)
        chunks = load_chunks(services.artifacts.get(request.chunks_key))
        services.index.write(indexed(chunks, request.revision, services.embedder, note))
        ports = (services.catalog, services.artifacts, services.index)
        catch_up(*ports, request.revision, note.number)
    services.catalog.advance(request, "INDEXING", Facts(timings_ms=timings))
    record = services.catalog.finish_part(request, request.part)
    if len(record.parts_done) < request.parts:
        return False
    services.catalog.publish(request)
    return True
