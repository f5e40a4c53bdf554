"""Sweep step: nothing stays in progress for ever, and what is in the bucket is what is found."""

from footnote.bootstrap import Services
from footnote.contracts import SweepRequest, SweepResult
from footnote.ingest.sweep import Sweep
from footnote.step import logger, step


@step
def handler(request: SweepRequest, services: Services) -> SweepResult:
    bounds = services.settings.bounds
    patience = {
        queue: services.settings.backlog_seconds if services.queues.waiting(queue) else seconds
        for queue, seconds in bounds.items()
    }
    sweep = Sweep(
        uploads=services.uploads,
        artifacts=services.artifacts,
        catalog=services.catalog,
        index=services.index,
        queues=services.queues,
        patience=patience,
        limit=services.settings.sweep_items,
        now=services.clock(),
    )
    result = SweepResult(**sweep.run())
    logger.info("swept", reason=request.reason, **result.model_dump())
    return result
