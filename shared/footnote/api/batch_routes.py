"""Batches: documents that are added together, and their progress."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from footnote.api.bodies import BatchBody
from footnote.api.caller import caller
from footnote.api.described import answers, answers_unless_known
from footnote.api.once import IdempotencyKey, Made, once
from footnote.api.replies import BatchReply, BatchTickets
from footnote.api.reply import reply, unless_known
from footnote.api.views import failed_view
from footnote.service.batch_service import Tickets

router = APIGatewayRouter()


@router.post(
    "/documents/batch",
    responses=answers(BatchTickets),
    summary="Asks for the uploads of up to 100 documents, which are counted together",
)
def add_batch(body: BatchBody, idempotency_key: IdempotencyKey = "") -> Response[str]:
    me = caller()
    uploads = [
        (upload.document, upload.collection, upload.metadata, upload.sha256)
        for upload in body.documents
    ]

    def show(batch: str, tickets: Tickets) -> Response[str]:
        return reply(200, {"id": batch, "total": len(tickets), "tickets": tickets})

    def begin() -> Made:
        created, tickets = me.batches.add(uploads)
        return Made(created.id, show(created.id, tickets))

    def again(batch: str) -> Response[str]:
        return show(batch, me.batches.tickets(batch, uploads))

    return once(me, "add_batch", idempotency_key, body, begin=begin, show=again)


@router.get(
    "/batches/<batch>",
    responses=answers_unless_known(BatchReply),
    summary="Tells how many documents of a batch are ready, and why others are not",
)
def batch(batch: str) -> Response[str]:
    counts, records = caller().batches.get(batch)
    failed = [
        failed_view(record) for record in records if record.status in {"FAILED", "UNSUPPORTED"}
    ]
    return unless_known({"id": batch, **counts.model_dump(), "problems": failed})
