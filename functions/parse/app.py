"""Parse step: read the uploaded file, store its canonical document."""

from footnote.bootstrap import Services
from footnote.contracts import ChunkRequest, ParseRequest
from footnote.ingest import keys
from footnote.ingest.accept import accept, timed
from footnote.ingest.artifacts import dump_document, pack_words
from footnote.ingest.live import must_be_there
from footnote.ingest.parse import parse
from footnote.model import Facts
from footnote.step import queue_step


@queue_step
def handler(request: ParseRequest, services: Services) -> list[ChunkRequest]:
    must_be_there(services.uploads, request)
    services.catalog.begin(request, request.size)
    accept(request, request.size, services.settings.max_upload_bytes)
    with timed("parse") as timings:
        parsed = parse(services.uploads.read(request.key, request.version), request.path)
        document, words = pack_words(parsed)
        if words:  # only formats with pages have any
            services.artifacts.put(keys.words_key(request), words)
        services.artifacts.put(keys.document_key(request), dump_document(document))
    facts = Facts(
        title=document.title,
        media_type=document.media_type,
        language=document.language,
        pages=len(document.pages),
        warnings=document.warnings,
        timings_ms=timings,
    )
    services.catalog.advance(request, "CHUNKING", facts)
    return [ChunkRequest(**request.identity, document_key=keys.document_key(request))]
