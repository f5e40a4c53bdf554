"""Promote step: point queries at the new generation once it holds every document in full."""

from footnote.contracts import PromoteRequest, PromoteResult
from footnote.ingest.upkeep.reindex import find_incomplete, store_batches
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: PromoteRequest, services: Services) -> PromoteResult:
    generation, attempt = request.generation, request.attempt + 1
    serving = services.index.counts(services.index.ensure())
    built = services.index.counts(generation)
    missing = find_incomplete(services.catalog.live(), serving, built)
    logger.info("verified", generation=generation, built=len(built), missing=len(missing))
    if missing:
        batches = store_batches(services.artifacts, generation, attempt, missing)
        return PromoteResult(
            generation=generation, promoted=False, attempt=attempt, batches=batches
        )
    services.index.promote(generation)
    return PromoteResult(
        generation=generation,
        promoted=True,
        attempt=attempt,
        documents=len(built),
        chunks=sum(built.values()),
    )
