"""Abandon step: the re-index failed. Drop the new generation and go on with the old one."""

from footnote.contracts import AbandonRequest, AbandonResult
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: AbandonRequest, services: Services) -> AbandonResult:
    services.index.abandon(request.generation)
    logger.warning("re-index abandoned", generation=request.generation)
    return AbandonResult(generation=request.generation)
