"""Sweep step: end stopped work, and make table and index agree with the bucket."""

from footnote.contracts import SweepRequest, SweepResult
from footnote.ingest.upkeep.stopped import patience
from footnote.ingest.upkeep.sweep import Sweep
from footnote.model import Measurement
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: SweepRequest, services: Services) -> SweepResult:
    settings = services.settings
    sweep = Sweep(
        uploads=services.uploads,
        artifacts=services.artifacts,
        catalog=services.catalog,
        index=services.index,
        queues=services.queues,
        workflow=services.workflow,
        patience=patience(
            services.queues,
            settings.bounds,
            settings.backlog_seconds,
            is_paused=settings.parse_state == "DISABLED",
        ),
        limit=settings.sweep_items,
        now=services.clock(),
        keep_seconds=settings.keep_generation_seconds,
    )
    result = SweepResult(**sweep.run())
    if result.failed:
        ended = Measurement(name="DocumentsEnded", value=result.failed, of="FAILED")
        services.metrics.put([ended])
    logger.info("swept", reason=request.reason, **result.model_dump())
    return result
