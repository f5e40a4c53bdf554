"""Parse step: read the uploaded file, store its canonical document; a long PDF in parts."""

from footnote.bootstrap import Services
from footnote.contracts import AnnotateRequest, ChunkRequest, ParseRequest
from footnote.ingest import keys, long
from footnote.ingest.accept import accept, timed
from footnote.ingest.annotate import note
from footnote.ingest.artifacts import dump_document, dump_metadata, pack_words
from footnote.ingest.described import described
from footnote.ingest.live import must_be_there
from footnote.ingest.paid import charged
from footnote.ingest.parse import Room
from footnote.ingest.parse.kinds import Parsed
from footnote.ingest.parse.sight import Sight
from footnote.ingest.sidecar import document_of, sidecar_at
from footnote.model import Facts, Upload
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
    if services.artifacts.keys(keys.document_key(request)):
        return []  # all parts have been joined
    services.catalog.advance(request, "PARSING", Facts())
    sight = Sight(lambda: services.readers)
    with charged(services.catalog, request, sight):
        body = services.uploads.read(request.key, request.version)
        long.store_part(request, body, room(services, sight), services.artifacts)
    return long.onward(request, services.artifacts)


def join(request: ParseRequest, services: Services, there: Upload) -> Next:
    with timed("parse") as timings:
        sight = Sight(lambda: services.readers)
        found = long.joined(request, room(services, sight), services.artifacts)
    if found is None:  # pages are missing, or they were joined before and what follows was not sent
        document_key = keys.document_key(request)
        is_stored = services.artifacts.keys(document_key)
        return [ChunkRequest(**request.identity, document_key=document_key)] if is_stored else []
    parsed, ms = found
    following = stored(request, services, parsed, there, {"parse": timings["parse"] + ms})
    long.clear(request, services.artifacts)
    return following


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
