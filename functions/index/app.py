"""Index step: embed and index one part of a document; with the last part, publish the version."""

from footnote.bootstrap import Services
from footnote.contracts import IndexRequest
from footnote.errors import SupersededError
from footnote.ingest import keys
from footnote.ingest.accept import timed
from footnote.ingest.artifacts import load_chunks
from footnote.ingest.embed import indexed
from footnote.ingest.live import is_live, published
from footnote.model import Facts, Record
from footnote.step import queue_step


@queue_step
def handler(request: IndexRequest, services: Services) -> list[IndexRequest]:
    try:
        record = published(services.catalog, request) or indexed_all(request, services)
    except SupersededError:
        if not is_live(services.catalog, request):  # published by another delivery of this part?
            services.index.remove(request)  # no: written for nothing
        raise
    if record and record.has_past:  # most files are new: a search for nothing costs a refresh
        services.index.remove_older(request)
        keys.remove_older(services.artifacts, request)
    return []


def indexed_all(request: IndexRequest, services: Services) -> Record | None:
    """Index this part; the document's record if it was the last and the version is published."""
    with timed(f"index-{request.part}") as timings:
        chunks = load_chunks(services.artifacts.get(request.chunks_key))
        services.index.write(indexed(chunks, request.revision, services.embedder))
    services.catalog.advance(request, "INDEXING", Facts(timings_ms=timings))
    record = services.catalog.finish_part(request, request.part)
    if len(record.parts_done) < request.parts:
        return None
    return services.catalog.publish(request)
