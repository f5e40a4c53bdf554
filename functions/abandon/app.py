"""Abandon step: the re-index failed. Drop its generation and go on with the old one."""

from footnote.contracts import AbandonRequest, AbandonResult
from footnote.ingest.upkeep.generations import abandon_run
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: AbandonRequest, services: Services) -> AbandonResult:
    dropped = abandon_run(services.index, request.run)
    logger.warning("re-index abandoned", run=request.run, dropped=dropped)
    return AbandonResult(run=request.run, dropped=dropped)
