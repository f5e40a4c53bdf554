"""Index step: embed and index one part of a document. With the last part, publish the version."""

from footnote.contracts import IndexRequest
from footnote.ingest.index.delivery import Indexing, measure_ready
from footnote.wiring.services import Services
from footnote.wiring.step import logger, queue_step


@queue_step
def handler(request: IndexRequest, services: Services) -> list[IndexRequest]:
    with_lines = services.settings.contextual_lines == "on"
    indexing = Indexing(
        request=request,
        artifacts=services.artifacts,
        catalog=services.catalog,
        index=services.index,
        embedder=lambda: services.embedder,
        context_writer=services.context_writer if with_lines else None,
        spent=lambda: services.meter.take().usd,
    )
    try:
        if ready := indexing.run():
            services.metrics.put(measure_ready(ready, services.clock()))
    finally:
        if indexing.problems:
            logger.warning("chunks without a line", part=request.part, problems=indexing.problems)
    return []
