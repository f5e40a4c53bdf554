"""Promote step: list what the new generation lacks. Is it whole and as good, queries go to it."""

from footnote.contracts import PromoteRequest, PromoteResult
from footnote.ingest.upkeep.quality import Examination, must_be_as_good
from footnote.ingest.upkeep.reindex import Comparison, Verification
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: PromoteRequest, services: Services) -> PromoteResult:
    index, serving = services.index, services.index.ensure()
    comparison = Comparison(services.catalog, index, request.generation, serving)
    verification = Verification(services.artifacts, comparison, services.start_timer())
    result = verification.run(request)
    logger.info("compared", **result.model_dump(exclude={"list_key"}))
    if result.promoted:
        findings = Examination(services.artifacts, index, serving, request.generation).run()
        logger.info("examined", findings=[each._asdict() for each in findings])
        must_be_as_good(findings, services.settings.reindex_may_lose)
        keeps = services.settings.keep_generation_hours
        index.promote(request.generation, services.clock() if keeps else 0.0)
    return result
