"""Remove step: a file was deleted. Remove it everywhere, but keep its tombstone."""

from footnote.contracts import AnnotateRequest, ParseRequest, RemoveRequest
from footnote.ingest.upkeep.settle import settle
from footnote.metadata.sidecar import document_of
from footnote.store import keys
from footnote.wiring.services import Services
from footnote.wiring.step import queue_step


@queue_step
def handler(
    request: RemoveRequest, services: Services
) -> list[AnnotateRequest] | list[ParseRequest]:
    if document := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": document})]
    record, messages = settle(services.uploads, services.catalog, request)
    if record and record.status == "DELETED":  # from here on no query sees it
        services.index.remove_older(record.revision)
        keys.remove_older(services.artifacts, record.revision)
        keys.remove_pictures(services.artifacts, record.document_id)
    return messages
