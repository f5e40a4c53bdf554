"""Prepare step: check whether there is work. Then create a generation that receives all writes."""

from footnote.contracts import PrepareRequest, PrepareResult
from footnote.ingest.upkeep.generations import must_be_alone, must_have_room
from footnote.ingest.upkeep.reindex import Comparison, changed_marks
from footnote.wiring.services import Services
from footnote.wiring.step import logger, step


@step
def handler(request: PrepareRequest, services: Services) -> PrepareResult:
    index, serving = services.index, services.index.ensure()
    must_be_alone(index, services.workflow, request.run)
    result = PrepareResult(run=request.run, reason=request.reason, force=request.force)
    changed = changed_marks(index, serving)
    if not changed and not request.force:
        comparison = Comparison(services.catalog, index, serving, serving)
        different, cursor = comparison.find_difference(request.cursor, services.start_timer())
        if not different:
            logger.info("comparing" if cursor else "nothing to do", generation=serving)
            return result.model_copy(update={"cursor": cursor, "unchanged": not cursor})
        changed = [different]
    must_have_room(index, request.run)
    generation = index.create_generation(request.run)
    logger.info("re-index", reason=request.reason, generation=generation, changed=changed)
    return result.model_copy(update={"generation": generation})
