"""Index step: embed and index one part of a document; with the last part, publish the version."""

from footnote.bootstrap import Services
from footnote.contracts import IndexRequest
from footnote.errors import SupersededError
from footnote.ingest import keys
from footnote.ingest.accept import timed
from footnote.ingest.annotate import annotation, catch_up
from footnote.ingest.artifacts import dump_chunks, load_chunks, load_document
from footnote.ingest.embed import indexed
from footnote.ingest.live import is_live, published
from footnote.model import Chunk, Facts, Record
from footnote.step import logger, queue_step


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
    chunks = load_chunks(services.artifacts.get(request.chunks_key))
    if services.settings.contextual_lines == "on":
        chunks = with_lines(request, chunks, services)
    with timed(f"index-{request.part}") as timings:
        record = services.catalog.get(request.document_id)
        note = annotation(services.artifacts, record, request)
        services.index.write(indexed(chunks, request.revision, services.embedder, note))
        ports = (services.catalog, services.artifacts, services.index)
        catch_up(*ports, request.revision, note.number)
    record = services.catalog.finish_part(request, request.part, timings)
    if len(record.parts_done) < request.parts:
        return None
    return services.catalog.publish(request)
    return True


def with_lines(request: IndexRequest, chunks: list[Chunk], services: Services) -> list[Chunk]:
    """The chunks with contextual lines, and stored so: a re-index asks no model."""
    if all(chunk.line is not None for chunk in chunks):
        return chunks
    with timed(f"lines-{request.part}") as timings:
        document = load_document(services.artifacts.get(keys.document_key(request)))
        found = services.situator.situate(chunks, document)
    missing = sum(found.problems.values())
    if missing:
        logger.warning("chunks without a line", part=request.part, problems=dict(found.problems))
    known = services.catalog.get(request.document_id)  # FAILED stays, by another part of it
    facts = Facts(usd=found.usd, lines_missing=missing, timings_ms=timings, error=known.error)
    services.catalog.advance(request, known.status, facts)  # before all that may fail: it is paid
    services.artifacts.put(request.chunks_key, dump_chunks(found.chunks))
    return found.chunks
