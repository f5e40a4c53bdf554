"""Remove step: a file was deleted. Forget it everywhere, but keep its tombstone."""

from footnote.contracts import AnnotateRequest, RemoveRequest
from footnote.metadata.sidecar import document_of
from footnote.store import keys
from footnote.store.visibility import must_be_gone
from footnote.wiring.services import Services
from footnote.wiring.step import queue_step


@queue_step
def handler(request: RemoveRequest, services: Services) -> list[AnnotateRequest]:
    if document := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": document})]
    must_be_gone(services.uploads, services.catalog, request)
    services.catalog.remove(request)  # from here on no query sees it
    services.index.remove_older(request)
    keys.remove_older(services.artifacts, request)
    return []
