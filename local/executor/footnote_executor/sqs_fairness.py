"""Makes standard queues serve message groups in turn, as AWS's fair queues do.

Stock LocalStack keeps a standard queue's MessageGroupId but serves the oldest message first. AWS
looks at which group has most in flight or takes most time; here each group has its turn.
https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html
"""

from typing import Any

from localstack.runtime import hooks

from .patching import original_of
from .turns import Turns


@hooks.on_infra_start()
def install_sqs_fairness() -> None:
    from localstack.services.sqs import queue  # noqa: PLC0415
    from localstack.services.sqs.models import StandardQueue  # noqa: PLC0415

    priority_queue = original_of(queue, "InterruptiblePriorityQueue", "29f1fa910ace")

    class FairQueue(priority_queue):
        """A queue ordered by turns; LocalStack holds its lock when it calls `_put` and `_get`."""

        def _init(self, maxsize: int) -> None:
            super()._init(maxsize)
            self.turns = Turns()

        def _put(self, item: Any) -> None:
            item.priority = (self.turns.number(item.message_group_id), item.created)
            super()._put(item)

        def _get(self) -> Any:
            item = super()._get()
            self.turns.advance_to(item.priority[0])
            return item

    original = original_of(StandardQueue, "__init__", "3bedf73448eb")

    def init(self: Any, *args: Any, **options: Any) -> None:
        original(self, *args, **options)
        self.visible = FairQueue()

    StandardQueue.__init__ = init
