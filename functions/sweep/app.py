"""Sweep step: nothing stays in progress for ever, and what is in the bucket is what is found."""

from footnote.bootstrap import Services
from footnote.contracts import SweepRequest, SweepResult
from footnote.ingest.sweep import Sweep
from footnote.ports import Queues
from footnote.step import logger, step


@step
def handler(request: SweepRequest, services: Services) -> SweepResult:
    patience = {
        queue: services.settings.backlog_seconds if backlog(queue, services.queues) else seconds
        for queue, seconds in services.settings.bounds.items()
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


def backlog(queue: str, queues: Queues) -> int:
    """How many messages wait; those of files that parse has not got yet wait in two queues."""
    return queues.waiting(queue) + (queues.waiting("admit") if queue == "parse" else 0)
