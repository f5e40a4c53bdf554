"""Makes standard queues fair to message groups, by AWS's rules and no kinder: see `FairShares`.

Stock LocalStack keeps a standard queue's MessageGroupId but serves the oldest message first.
"""

import heapq
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of
from footnote_executor.queues.fair_shares import ALONE, FairShares


@hooks.on_infra_start()
def install_sqs_fairness() -> None:
    from localstack.services.sqs import queue  # noqa: PLC0415
    from localstack.services.sqs.models import StandardQueue  # noqa: PLC0415

    priority_queue = original_of(queue, "InterruptiblePriorityQueue", "29f1fa910ace")

    class FairQueue(priority_queue):
        """A queue whose next message `FairShares` chooses; LocalStack holds its lock in `_get`.

        The heap stays as LocalStack makes it, oldest first, because others look into it.
        """

        def _init(self, maxsize: int) -> None:
            super()._init(maxsize)
            self.shares = FairShares()

        def _get(self) -> Any:
            oldest: dict[str, Any] = {}
            for item in self.queue:
                group = _group(item)
                if group not in oldest or item < oldest[group]:
                    oldest[group] = item
            chosen = self.shares.choose({group: one.created for group, one in oldest.items()})
            item = oldest[chosen]
            self.queue.remove(item)
            heapq.heapify(self.queue)
            self.shares.begin(item, chosen)
            return item

        def _put(self, item: Any) -> None:
            self.shares.end(item)  # when it comes back
            super()._put(item)

    original = original_of(StandardQueue, "__init__", "3bedf73448eb")
    removed = original_of(StandardQueue, "_on_remove_message", "19b2a19958f1")

    def init(self: Any, *args: Any, **options: Any) -> None:
        original(self, *args, **options)
        self.visible = FairQueue()

    def on_remove_message(self: Any, message: Any) -> None:
        self.visible.shares.end(message)
        removed(self, message)

    StandardQueue.__init__ = init
    StandardQueue._on_remove_message = on_remove_message  # noqa: SLF001


def _group(message: Any) -> str:
    return str(message.message_group_id or ALONE)
