"""Remove step: a file was deleted. Remove it everywhere, but keep its tombstone."""

from footnote.contracts import AnnotateRequest, ParseRequest, RemoveRequest
from footnote.ingest.upkeep.hold import keep_held
from footnote.ingest.upkeep.settle import settle
from footnote.metadata.sidecar import document_of
from footnote.store import keys
from footnote.wiring.services import Services
from footnote.wiring.step import logger, queue_step


@queue_step
def handler(
    request: RemoveRequest, services: Services
) -> list[AnnotateRequest] | list[ParseRequest]:
    if document := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": document})]
    kept = keep_held(services.uploads, services.artifacts, services.catalog, request)
    if kept != "free":
        say = logger.error if kept == "lost" else logger.warning
        say("deleted under hold", outcome=kept, document_id=request.document_id)
        return []
    record, messages = settle(services.uploads, services.catalog, request)
    if record and record.status == "DELETED":  # from here on no query sees it
        services.index.remove_older(record.revision)
        keys.remove_older(services.artifacts, record.revision)
        keys.remove_pictures(services.artifacts, record.document_id)
    return messages
