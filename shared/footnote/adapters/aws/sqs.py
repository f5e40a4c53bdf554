"""SQS: the queues between the steps of adding a document, and the one that feeds `deliver`.

A message's group is its tenant, which makes a standard queue a fair one
(https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.rules.limits import CALL_BYTES, CALL_MESSAGES
from footnote.adapters.rules.queues import checked_entry
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Revision

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.literals import QueueAttributeNameType
    from mypy_boto3_sqs.type_defs import (
        BatchResultErrorEntryTypeDef,
        SendMessageBatchRequestEntryTypeDef,
    )

WAITING: "list[QueueAttributeNameType]" = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesDelayed",
]
VISIBILITY: "list[QueueAttributeNameType]" = ["VisibilityTimeout"]
ATTEMPTS = 3  # calls for a batch; each sends only the messages that SQS has not taken yet

type Entry = tuple[str, str]  # a message's body and its group


class SqsQueues:
    """Sends messages to queues. `urls` maps footnote's names of queues to their URLs."""

    def __init__(self, client: "SQSClient", urls: Mapping[str, str]) -> None:
        self._client = client
        self._urls = urls

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        if queue not in self._urls:
            raise unknown_queue(queue, self._urls)
        entries = [checked_entry(queue, message, delay) for message in messages]
        for batch in batches(entries):
            self._send(queue, batch, delay)

    def waiting(self, queue: str) -> int:
        if queue not in self._urls:
            raise unknown_queue(queue, self._urls)
        with translate_errors("look at", f"queue {queue}"):
            reply = self._client.get_queue_attributes(
                QueueUrl=self._urls[queue], AttributeNames=WAITING
            )
        return sum(int(reply["Attributes"][name]) for name in WAITING)

    def hold(self, queue: str, receipts: Sequence[str], seconds: int) -> None:
        if queue not in self._urls:
            raise unknown_queue(queue, self._urls)
        with translate_errors("hold", f"queue {queue}"):
            url = self._urls[queue]
            reply = self._client.get_queue_attributes(QueueUrl=url, AttributeNames=VISIBILITY)
            if seconds >= int(reply["Attributes"][VISIBILITY[0]]):
                return
            for batch in batched(receipts, CALL_MESSAGES, strict=False):
                # a refused message is deleted or visible already: there is nothing to hold
                self._client.change_message_visibility_batch(
                    QueueUrl=url,
                    Entries=[
                        {"Id": str(n), "ReceiptHandle": receipt, "VisibilityTimeout": seconds}
                        for n, receipt in enumerate(batch)
                    ],
                )

    def _send(self, queue: str, batch: list[Entry], delay: int) -> None:
        waiting: dict[str, SendMessageBatchRequestEntryTypeDef] = {
            str(n): {
                "Id": str(n),
                "MessageBody": body,
                "MessageGroupId": group,
                "DelaySeconds": delay,
            }
            for n, (body, group) in enumerate(batch)
        }
        failed: list[BatchResultErrorEntryTypeDef] = []
        for _ in range(ATTEMPTS):
            with translate_errors("send", f"queue {queue}"):
                reply = self._client.send_message_batch(
                    QueueUrl=self._urls[queue], Entries=list(waiting.values())
                )
            failed = reply.get("Failed", [])
            if not failed:
                return
            if any(entry["SenderFault"] for entry in failed):
                break
            waiting = {entry["Id"]: waiting[entry["Id"]] for entry in failed}
        raise refusal(queue, failed)


class SqsDeliveries:
    """Implements the port Deliveries: the queue that feeds `deliver`, and its dead letters.

    Both are given by their URLs.
    """

    def __init__(self, client: "SQSClient", queue: str, dead_letters: str) -> None:
        self._client = client
        self._queue = queue
        self._dead_letters = dead_letters

    def hold(self, receipt: str, seconds: int) -> None:
        with translate_errors("hold", "queue deliver"):
            self._client.change_message_visibility(
                QueueUrl=self._queue, ReceiptHandle=receipt, VisibilityTimeout=seconds
            )

    def bury(self, body: str) -> None:
        with translate_errors("send", "dead letters of deliver"):
            self._client.send_message(QueueUrl=self._dead_letters, MessageBody=body)


def batches(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yields the entries in order, in as few batches as the limits on count and size allow."""
    batch: list[Entry] = []
    size = 0
    for entry in entries:
        length = len(entry[0].encode())
        if batch and (len(batch) == CALL_MESSAGES or size + length > CALL_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += length
    if batch:
        yield batch


def refusal(
    queue: str, failed: "list[BatchResultErrorEntryTypeDef]"
) -> ConfigurationError | UnavailableError:
    ours = [entry for entry in failed if entry["SenderFault"]]
    first = (ours or failed)[0]
    kind = ConfigurationError if ours else UnavailableError
    reason = first.get("Message", "no message")
    return kind(
        f"a queue did not take {len(failed)} messages",
        detail=f"send on queue {queue}: {len(failed)} not taken: {first['Code']}: {reason}",
    )


def unknown_queue(queue: str, queues: Iterable[str]) -> ConfigurationError:
    return ConfigurationError(
        "a queue is missing in the deployment",
        detail=f"no queue {queue!r}; known: {', '.join(queues)}",
    )
