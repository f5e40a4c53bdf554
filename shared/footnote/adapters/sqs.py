"""SQS: carries messages from one step of adding to the next."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws import translated
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Revision

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.literals import QueueAttributeNameType
    from mypy_boto3_sqs.type_defs import BatchResultErrorEntryTypeDef

BATCH = 10  # messages, the most SQS takes in one call
BATCH_BYTES = 250_000  # below the 256 KiB that SQS takes in one call
WAITING: "list[QueueAttributeNameType]" = [
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesDelayed",
]
ATTEMPTS = 3  # for the messages of a batch that SQS did not take


class SqsQueues:
    """Queue URLs by footnote's names for them."""

    def __init__(self, client: "SQSClient", urls: Mapping[str, str]) -> None:
        self._client = client
        self._urls = urls

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        if queue not in self._urls:
            raise ConfigurationError(f"no queue {queue!r}; known: {', '.join(self._urls)}")
        for batch in batches([message.model_dump_json() for message in messages]):
            self._send(queue, batch, delay)

    def waiting(self, queue: str) -> int:
        if queue not in self._urls:
            raise ConfigurationError(f"no queue {queue!r}; known: {', '.join(self._urls)}")
        with translated("look at", f"queue {queue}"):
            reply = self._client.get_queue_attributes(
                QueueUrl=self._urls[queue], AttributeNames=WAITING
            )
        return sum(int(reply["Attributes"][name]) for name in WAITING)

    def _send(self, queue: str, batch: list[str], delay: int) -> None:
        waiting = {str(n): body for n, body in enumerate(batch)}
        failed: list[BatchResultErrorEntryTypeDef] = []
        for _ in range(ATTEMPTS):
            with translated("send", f"queue {queue}"):
                reply = self._client.send_message_batch(
                    QueueUrl=self._urls[queue],
                    Entries=[
                        {"Id": n, "MessageBody": body, "DelaySeconds": delay}
                        for n, body in waiting.items()
                    ],
                )
            failed = reply.get("Failed", [])
            if not failed:
                return
            if any(entry["SenderFault"] for entry in failed):
                break
            waiting = {entry["Id"]: waiting[entry["Id"]] for entry in failed}
        raise refusal(queue, failed)


def batches(bodies: Sequence[str]) -> Iterator[list[str]]:
    """In order, as few as the limits on count and size allow."""
    batch: list[str] = []
    size = 0
    for body in bodies:
        length = len(body.encode())
        if batch and (len(batch) == BATCH or size + length > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(body)
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
    return kind(f"send on queue {queue}: {len(failed)} not taken: {first['Code']}: {reason}")
