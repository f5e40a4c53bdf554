"""Rebuild step: write a batch of documents into the new generation, from stored artifacts."""

from footnote.contracts import RebuildRequest, RebuildResult
from footnote.ingest.upkeep.rebuild import Rebuilding
from footnote.ingest.upkeep.reindex import load_batch
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: RebuildRequest, services: Services) -> RebuildResult:
    shares = load_batch(services.artifacts, request.batch)
    rebuilding = Rebuilding(
        generation=request.generation,
        artifacts=services.artifacts,
        catalog=services.catalog,
        index=services.index,
        embedder=lambda: services.embedder,
        is_over=services.start_timer(),
    )
    start = request.start + rebuilding.run(shares[request.start :])
    if rebuilding.incomplete:
        logger.warning("artifacts are missing", documents=rebuilding.incomplete)
    return RebuildResult(
        start=start,
        more=start < len(shares),
        documents=rebuilding.documents,
        chunks=rebuilding.chunks,
    )
