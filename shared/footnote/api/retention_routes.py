"""Retention of a collection: holds, days after which documents go; erasures with receipts."""

from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import RetentionBody
from footnote.api.caller import caller
from footnote.api.described import answers
from footnote.api.replies import ErasureReply, RetentionReply
from footnote.api.reply import reply
from footnote.api.request import Collection
from footnote.store.receipts import Receipt

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


@router.post(
    "/documents/<document>/erase",
    responses=answers(ErasureReply, first=202),
    summary="Begins to erase a document for good, with all copies, and gives its receipt",
)
def erase(document: str, collection: Collection = "default") -> Response[str]:
    return reply(202, _shown(caller().erasures.begin(unquote(document), collection or "default")))


@router.post(
    "/erasures/<erasure>",
    responses=answers(ErasureReply),
    summary="Does the next part of an erasure: call it until its receipt is DONE",
)
def go_on(erasure: str) -> Response[str]:
    return reply(200, _shown(caller().erasures.go_on(erasure)))


@router.get(
    "/erasures/<erasure>",
    responses=answers(ErasureReply),
    summary="Shows an erasure's receipt",
)
def receipt(erasure: str) -> Response[str]:
    return reply(200, _shown(caller().erasures.get(erasure)))


def _shown(receipt: Receipt) -> dict[str, object]:
    return receipt.model_dump(exclude={"key", "after"})
