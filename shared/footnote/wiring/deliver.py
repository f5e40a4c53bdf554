"""The function that posts signed announcements to the webhook, and tries until they are taken."""

import json
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.announcements import FIELDS
from footnote.errors import ConfigurationError, FootnoteError
from footnote.ingest.upkeep.failure import pause
from footnote.webhook import sign
from footnote.wiring.bootstrap import services
from footnote.wiring.logs import begin, logger
from footnote.wiring.services import Services


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Delivers a batch of messages. The ones it returns come again, after a pause."""
    begin("deliver", context)
    failed = [record for record in event["Records"] if not deliver(record, services())]
    return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in failed]}


def deliver(record: dict[str, Any], deployment: Services) -> bool:
    """Posts one event. False asks the queue to deliver it again.

    A message that can never be delivered goes to the dead letters at once. The log has the reason.
    """
    try:
        secret = deployment.webhook_secret()
        try:
            name, body = posted(record["body"])
            deployment.webhook.post(body, sign(secret, name, body, deployment.clock()))
        except ConfigurationError as error:
            deployment.deliveries.bury(record["body"])
            logger.warning("given up", code=error.code, reason=error.reason)
            return True
    except FootnoteError as error:  # also where the secret or the dead letters are unavailable
        put_off(record, error, deployment)
        return False
    logger.info("step done", announcement=name)
    return True


def put_off(record: dict[str, Any], error: FootnoteError, deployment: Services) -> None:
    """Delays a message, longer each time."""
    receives = int(record["attributes"]["ApproximateReceiveCount"])
    seconds = pause(receives - 1, deployment.settings.retry_seconds)
    logger.warning(
        "put off", code=error.code, reason=error.reason, seconds=seconds, receives=receives
    )
    try:
        deployment.deliveries.hold(record["receiptHandle"], seconds)
    except FootnoteError as other:  # it comes back when the queue shows it again
        logger.warning("not held", code=other.code, reason=other.reason)


def posted(message: str) -> tuple[str, bytes]:
    """Returns the name of an announcement, and the body to post, from the bus's message.

    Raises ConfigurationError for a message that is none of ours.
    """
    try:
        event = json.loads(message)
        name, detail = event["detail-type"], event["detail"]
        envelope = {"v": detail["v"], "id": detail["id"], "type": name, "time": event["time"]}
    except (ValueError, LookupError, TypeError):
        envelope, name, detail = {}, "", {}
    if not isinstance(name, str) or name not in FIELDS:
        raise ConfigurationError("a message of the queue is no event of ours", code="bad_message")
    return name, json.dumps({**envelope, "detail": detail}, separators=(",", ":")).encode()
