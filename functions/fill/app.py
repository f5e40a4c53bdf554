"""Fill step: one turn at a grid. Note which of its questions have ended, and ask some more."""

from footnote.contracts import FillRequest, FillResult
from footnote.errors import NotFoundError
from footnote.service.grid_filling import LAST_TURN, Filling
from footnote.wiring.logs import logger
from footnote.wiring.services import Services
from footnote.wiring.step import step


@step
def handler(request: FillRequest, services: Services) -> FillResult:
    following = {**request.model_dump(), "turn": request.turn + 1}
    try:
        grid = services.grids.get(request.tenant, request.grid_id)
        left = Filling(services, grid).turn()
    except NotFoundError:  # it was deleted: nobody waits for its cells
        return FillResult(**following, more=False)
    logger.info("filled", grid_id=grid.id, **left._asdict())
    more = any(left)
    if more and request.turn >= LAST_TURN:  # an execution may have 25,000 events
        services.workflow.fill(request.tenant, request.grid_id)
        more = False
    return FillResult(**following, more=more, **left._asdict())
