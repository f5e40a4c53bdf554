"""Admit step: turn S3's event into a message that names its tenant, so that tenants take turns.

S3 cannot name the tenant of the messages that it sends. Without this step one tenant's thousands
would hold up the few of all others.
"""

from footnote.contracts import AdmitRequest, ParseRequest
from footnote.wiring.services import Services
from footnote.wiring.step import forward_step


@forward_step
def handler(request: AdmitRequest, services: Services) -> list[ParseRequest]:  # noqa: ARG001 - as every step
    return [ParseRequest(**request.identity, size=request.size)]
