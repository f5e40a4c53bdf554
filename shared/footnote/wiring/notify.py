"""The function behind the tables' streams. It announces each change at least once, in order."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.announcements import announcement_of
from footnote.errors import FootnoteError, UnreadableError
from footnote.wiring.bootstrap import services
from footnote.wiring.logs import begin, logger
from footnote.wiring.services import Services


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Announces a batch of changes. The stream sends the returned one, and all after it, again."""
    begin("notify", context)
    return {"batchItemFailures": notify(event["Records"], services())}


def notify(records: list[dict[str, Any]], deployment: Services) -> list[dict[str, str]]:
    """Returns the first change that was not announced, in Lambda's form, or nothing.

    Changes are announced one after another, as a document's changes have an order. An unreadable
    one is logged and skipped: it would block all later ones until it expires.
    """
    from footnote.adapters.dynamodb.changes import change_of

    sent = 0
    for record in records:
        try:
            change = change_of(record)
        except UnreadableError as error:
            keys = record["dynamodb"].get("Keys")
            logger.exception("left out", code=error.code, event_id=record["eventID"], keys=keys)
            continue
        announcement = announcement_of(change, deployment.settings.stack_name) if change else None
        if announcement is None:
            continue
        try:
            deployment.announcer.announce([announcement])
        except FootnoteError as error:
            logger.exception("not announced", code=error.code, event_id=record["eventID"])
            return [{"itemIdentifier": record["dynamodb"]["SequenceNumber"]}]
        sent += 1
    logger.info("step done", changes=len(records), announced=sent)
    return []
