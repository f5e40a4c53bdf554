"""Prepare step: create an index generation that receives all writes, and list what goes in."""

from footnote.contracts import PrepareRequest, PrepareResult
from footnote.ingest.upkeep.reindex import store_batches
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: PrepareRequest, services: Services) -> PrepareResult:
    generation = services.index.create_generation()
    # listed after the generation exists: what is published later is written to it anyway
    revisions = [record.document_id for record in services.catalog.live()]
    logger.info("re-index", reason=request.reason, generation=generation, documents=len(revisions))
    return PrepareResult(
        generation=generation,
        batches=store_batches(services.artifacts, generation, 0, revisions),
        documents=len(revisions),
    )
