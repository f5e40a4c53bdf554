"""Parse step: read the uploaded file, store its canonical document; a long PDF in parts."""

from footnote.bootstrap import Services
from footnote.contracts import AnnotateRequest, ChunkRequest, ParseRequest
from footnote.ingest import keys, long
from footnote.ingest.accept import accept, timed
from footnote.ingest.annotate import note
from footnote.ingest.artifacts import dump_document, dump_metadata, load_document, pack_words
from footnote.ingest.described import described
from footnote.ingest.live import must_be_there
from footnote.ingest.paid import charged
from footnote.ingest.parse import Room
from footnote.ingest.parse.kinds import Parsed
from footnote.ingest.parse.sight import Sight
from footnote.ingest.sidecar import document_of, sidecar_at
from footnote.model import Document, Facts, Upload
from footnote.step import queue_step

type Next = list[ChunkRequest] | list[AnnotateRequest] | list[ParseRequest]


@queue_step
def handler(request: ParseRequest, services: Services) -> Next:
    if beside := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": beside})]
    there = must_be_there(services.uploads, request)
    if request.of:
        return read_on(request, services) if request.part else join(request, services, there)
    services.catalog.receive(request, request.size, sidecar_at(services.uploads, request.key))
    note(services.uploads, services.catalog, request.key)  # again: it may have come in between
    accept(request, request.size, services.settings.max_upload_bytes)
    services.catalog.advance(request, "PARSING", Facts())
    sight = Sight(lambda: services.readers)
    with timed("parse") as timings, charged(services.catalog, request, sight):
        body = services.uploads.read(request.key, request.version)
        found = long.read(
            request,
            body,
            room(services, sight),
            services.settings.pages_a_part,
            services.artifacts,
        )
    if isinstance(found, list):
        return found
    return stored(request, services, found, there, timings)


def room(services: Services, sight: Sight) -> Room:
    return Room(sight=sight, ocr_pages=services.settings.ocr_pages)


def read_on(request: ParseRequest, services: Services) -> Next:
    """Read pages of a part. One that comes late, when all are joined, leaves nothing behind."""
    if joined_before(request, services):
        return []
    services.catalog.advance(request, "PARSING", Facts())
    sight = Sight(lambda: services.readers)
    with charged(services.catalog, request, sight):
        body = services.uploads.read(request.key, request.version)
        long.store_part(request, body, room(services, sight), services.artifacts)
    if joined_before(request, services):
        return []
    return long.onward(request, services.artifacts)


def joined_before(request: ParseRequest, services: Services) -> bool:
    is_joined = bool(services.artifacts.keys(keys.document_key(request)))
    if is_joined:
        long.clear(request, services.artifacts)
    return is_joined


def join(request: ParseRequest, services: Services, there: Upload) -> Next:
    with timed("parse") as timings:
        sight = Sight(lambda: services.readers)
        found = long.joined(request, room(services, sight), services.artifacts)
    if found is not None:
        parsed, ms = found
        took = {"parse": round(timings["parse"] + ms, 1)}
        following = stored(request, services, parsed, there, took)
        long.clear(request, services.artifacts)
        return following
    document_key = keys.document_key(request)
    if not services.artifacts.keys(document_key):
        return []  # pages are missing
    return parsed_as(request, services, load_document(services.artifacts.get(document_key)), {})


def stored(
    request: ParseRequest,
    services: Services,
    parsed: Parsed,
    there: Upload,
    timings: dict[str, float],
) -> list[ChunkRequest]:
    tags = services.uploads.tags(request.key, request.version)
    document, words = pack_words(described(parsed, there.attributes, tags))
    services.artifacts.put(keys.metadata_key(request), dump_metadata(document.metadata))
    if words:  # only formats with pages have any
        services.artifacts.put(keys.words_key(request), words)
    services.artifacts.put(keys.document_key(request), dump_document(document))
    return parsed_as(request, services, document, timings)


def parsed_as(
    request: ParseRequest, services: Services, document: Document, timings: dict[str, float]
) -> list[ChunkRequest]:
    facts = Facts(
        title=document.title,
        media_type=document.media_type,
        language=document.language,
        pages=len(document.pages),
        metadata=document.metadata,
        warnings=document.warnings,
        timings_ms=timings,
    )
    services.catalog.advance(request, "CHUNKING", facts)
    return [ChunkRequest(**request.identity, document_key=keys.document_key(request))]
