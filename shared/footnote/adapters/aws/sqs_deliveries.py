"""The queue that feeds `deliver`, and its dead letters."""

from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsDeliveries:
    """Implements the port Deliveries. `queue` and `dead_letters` are URLs."""

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
