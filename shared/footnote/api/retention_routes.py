"""Retention of a collection: holds, and days after which documents go."""

from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import RetentionBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import RetentionReply
from footnote.api.reply import reply

router = APIGatewayRouter()


@router.get(
    "/collections/<collection>/retention",
    responses=answers(RetentionReply),
    summary="Shows holds of a collection, and after how many days its documents go",
)
def retention(collection: str) -> Response[str]:
    name = unquote(collection)
    return reply(200, {"collection": name, **caller().retention.of(name).model_dump()})


@router.put(
    "/collections/<collection>/retention",
    responses=answers(RetentionReply),
    summary="Replaces holds of a collection, and after how many days its documents go",
)
def set_retention(collection: str, body: RetentionBody) -> Response[str]:
    name = unquote(collection)
    rule = caller().retention.set(name, body.days, body.hold, body.documents)
    return reply(200, {"collection": name, **rule.model_dump()})
