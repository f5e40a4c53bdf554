"""Documents: add, list, show, remove, retry."""

from typing import Annotated
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Query
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import AddOrTextBody, StatusBody
from footnote.api.caller import caller
from footnote.api.described import answers, answers_unless_known
from footnote.api.once import IdempotencyKey, Made, once
from footnote.api.replies import (
    DocumentPage,
    DocumentReply,
    DocumentsFound,
    DocumentsRetried,
    Ticket,
)
from footnote.api.reply import reply, unless_known
from footnote.api.request import After, Collection, bounded, parse_status
from footnote.api.views import record_view
from footnote.model import Status

router = APIGatewayRouter()


@router.post(
    "/documents",
    responses=answers(Ticket),
    summary="Asks for an upload: where to send the file, as form data, `fields` first",
)
def add(body: AddOrTextBody, idempotency_key: IdempotencyKey = "") -> Response[str]:
    documents, text = (me := caller()).documents, body.new_text
    named = (body.document, body.collection, body.metadata)

    def begin() -> Made:
        if text is None:
            return Made("", show(""))
        added = documents.add_text(body.document, text, body.collection, body.metadata, new=True)
        return Made(str(added["version"]), reply(200, added))

    def show(version: str) -> Response[str]:
        """Signs a form anew: since the first one, the document may have
        been closed to the caller.
        """
        if text is None:
            return reply(200, documents.add(*named, body.sha256))
        return reply(200, documents.added(body.document, body.collection, version))

    return once(me, "add", idempotency_key, body, begin=begin, show=show)


@router.get(
    "/documents", responses=answers(DocumentPage), summary="Lists documents, a page at a time"
)
def documents(
    status: Annotated[str, Query(description="Only those of this status")] = "",
    limit: Annotated[float, Query(description="1 to 500; else the nearest that is")] = 100,
    after: After = "",
    collection: Annotated[str, Query(description="Only those of this collection")] = "",
) -> Response[str]:
    kind = parse_status(Status, status)
    most = int(bounded("limit", limit, 1, 500))
    records, following = caller().documents.page(kind, after, most, collection or None)
    return reply(200, {"documents": [record_view(r) for r in records], "after": following})


@router.get(
    "/documents/<document>",
    responses=answers_unless_known(DocumentReply),
    summary="Shows a document, by id or path",
)
def document(document: str, collection: Collection = "default") -> Response[str]:
    record = caller().documents.get(unquote(document), collection or "default")
    return unless_known(record_view(record))


@router.delete(
    "/documents/<document>",
    responses=answers(DocumentReply, first=202),
    summary="Deletes a document",
)
def remove(document: str, collection: Collection = "default") -> Response[str]:
    removed = caller().documents.remove(unquote(document), collection or "default")
    return reply(202, record_view(removed))


@router.post(
    "/documents/<document>/retry",
    responses=answers(DocumentReply, first=202),
    summary="Works again on a document that is FAILED or UNSUPPORTED",
)
def retry(document: str, collection: Collection = "default") -> Response[str]:
    again = caller().retries.retry(unquote(document), collection or "default")
    return reply(202, record_view(again))


@router.post(
    "/documents/retry",
    responses=answers(DocumentsRetried, first=202),
    summary="Works again on all documents that ended with a code: some, then others",
)
def retry_all(
    code: Annotated[str, Query(description="The code of the error that they ended with")] = "",
    after: After = "",
) -> Response[str]:
    again, following = caller().retries.retry_all(code, after)
    views = [record_view(record) for record in again]
    return reply(202, {"documents": views, "more": bool(following), "after": following})


@router.post(
    "/documents/status",
    responses=answers(DocumentsFound),
    summary="Shows up to 100 documents by their ids; what is not there is left out",
)
def statuses(body: StatusBody) -> Response[str]:
    records = caller().documents.statuses(body.ids)
    return reply(200, {"documents": [record_view(record) for record in records]})
