"""What an operator does: re-index, check health."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import ReindexBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.once import IdempotencyKey, Made, once
from footnote.api.replies import Health, ReindexReply, RolledBack, Started
from footnote.api.reply import reply

router = APIGatewayRouter()


@router.post(
    "/reindex",
    responses=answers(Started, first=202),
    summary="Starts building a new index generation",
)
def reindex(body: ReindexBody | None = None, idempotency_key: IdempotencyKey = "") -> Response[str]:
    me, order = caller(), body or ReindexBody()

    def begin() -> Made:
        return Made(me.operating.reindex(order.reason, force=order.force))

    def show(run: str) -> Response[str]:
        return reply(202, {"id": run, "status": "RUNNING"})

    return once(me, "reindex", idempotency_key, order, begin=begin, show=show)


@router.post(
    "/reindex/rollback",
    responses=answers(RolledBack),
    summary="Points queries at the generation that the last re-index replaced",
)
def roll_back() -> Response[str]:
    generation, left = caller().operating.roll_back()
    return reply(200, {"generation": generation, "left": left})


@router.get(
    "/reindex/<run>", responses=answers(ReindexReply), summary="Tells what became of a re-index"
)
def reindex_status(run: str) -> Response[str]:
    return reply(200, {"id": run, **caller().operating.reindex_status(run).model_dump()})


@router.get("/health", responses=answers(Health), summary="Tells whether table and index answer")
def health() -> Response[str]:
    return reply(200, caller().operating.health())
