"""Admit step: from S3's event to a message that names its tenant, so that all tenants have turns.

S3 cannot say whose its events are: one tenant's thousands would keep back everybody else's few.
"""

from footnote.contracts import AdmitRequest, ParseRequest
from footnote.wiring.services import Services
from footnote.wiring.step import forward_step


@forward_step
def handler(request: AdmitRequest, services: Services) -> list[ParseRequest]:  # noqa: ARG001 - as every step
    return [ParseRequest(**request.identity, size=request.size)]
