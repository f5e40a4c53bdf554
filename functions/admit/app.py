"""Admit step: turn S3's event into a message that names its tenant, so that tenants take turns.

S3 cannot name the tenant in its messages. Without this step, one tenant's thousands would hold up
the few of all others. The event of a sidecar goes on to `annotate`. EventBridge has sent it there
already, without waiting here. But a sidecar may close a document, so it gets a second way.
"""

from footnote.contracts import AdmitRequest, AnnotateRequest, ParseRequest
from footnote.metadata.sidecar import document_of
from footnote.wiring.services import Services
from footnote.wiring.step import forward_step


@forward_step
def handler(
    request: AdmitRequest,
    services: Services,  # noqa: ARG001 - as every step
) -> list[ParseRequest] | list[AnnotateRequest]:
    if document := document_of(request.key):
        return [AnnotateRequest(**request.identity | {"key": document})]
    return [ParseRequest(**request.identity, size=request.size)]
