"""Promote step: list what the new generation lacks. If it lacks nothing, point queries at it."""

from footnote.contracts import PromoteRequest, PromoteResult
from footnote.ingest.upkeep.reindex import Comparison, Verification
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: PromoteRequest, services: Services) -> PromoteResult:
    index = services.index
    comparison = Comparison(services.catalog, index, request.generation, index.ensure())
    verification = Verification(services.artifacts, comparison, services.start_timer())
    result = verification.run(request)
    logger.info("compared", **result.model_dump(exclude={"list_key"}))
    if result.promoted:
        keeps = services.settings.keep_generation_hours
        index.promote(request.generation, services.clock() if keeps else 0.0)
    return result
