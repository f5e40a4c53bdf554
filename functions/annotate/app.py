"""Annotate step: a sidecar changed. Give its attributes and acl to the document and its chunks."""

from footnote.contracts import AnnotateRequest
from footnote.ingest.upkeep.annotate import annotation, note_sidecar
from footnote.store.visibility import revisions
from footnote.wiring.services import Services
from footnote.wiring.step import queue_step


@queue_step
def handler(request: AnnotateRequest, services: Services) -> list[AnnotateRequest]:
    record = note_sidecar(services.uploads, services.catalog, request.key)
    if record is None:
        return []  # the sidecar waits for its document
    for revision in revisions(services.artifacts, record):
        services.index.annotate(revision, annotation(services.artifacts, record, revision))
    return []
