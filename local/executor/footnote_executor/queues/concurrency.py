"""Lets an SQS event source mapping run several batches at a time, and ask only where there is some.

Stock LocalStack works on one batch after another and ignores ScalingConfig.MaximumConcurrency. It
asks empty queues by a request, and so waits for about a second before it asks again. A batch that
finds its function without a place it leaves to the queue, which hands it out anew minutes later.
"""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of
from footnote_executor.throttling import persist

LOG = logging.getLogger(__name__)
DEFAULT_CONCURRENCY = 5  # AWS starts with five batches at a time


def concurrency(mapping: dict[str, Any]) -> int:
    return (mapping.get("ScalingConfig") or {}).get("MaximumConcurrency") or DEFAULT_CONCURRENCY


class Workers:
    """The threads of one mapping; it receives a batch only when one of them is free."""

    def __init__(self, size: int) -> None:
        self.slots = threading.Semaphore(size)
        self.pool = ThreadPoolExecutor(size, thread_name_prefix="sqs-batch")
        self.handed_over = False


@hooks.on_infra_start()
def install_sqs_concurrency() -> None:
    from localstack.services.lambda_.event_source_mapping.esm_worker import (  # noqa: PLC0415
        EsmWorker,
    )
    from localstack.services.lambda_.event_source_mapping.pollers.sqs_poller import (  # noqa: PLC0415
        EmptyPollResultsException,
        SqsPoller,
    )

    _give_workers(EsmWorker, SqsPoller)
    _use_workers(SqsPoller, EmptyPollResultsException)


def _give_workers(worker: type, sqs_poller: type) -> None:
    original = original_of(worker, "__init__", "9a9614f6b348")

    def init(self: Any, esm_config: dict[str, Any], poller: Any, **options: Any) -> None:
        original(self, esm_config, poller, **options)
        if isinstance(poller, sqs_poller):
            poller.workers = Workers(concurrency(esm_config))

    worker.__init__ = init


def queue_of(source_arn: str) -> Any:
    """Returns LocalStack's queue of this ARN; None where it is not known."""
    from localstack.services.sqs.models import sqs_stores  # noqa: PLC0415

    region, account, name = source_arn.split(":")[3:6]
    return sqs_stores[account][region].queues.get(name)


def is_empty(source_arn: str) -> bool:
    """Returns whether nothing can be received from the queue; False where it is not known."""
    queue = queue_of(source_arn)
    return queue is not None and not queue.approximate_number_of_messages


def hidden_seconds(source_arn: str) -> float:
    """Returns for how long the queue hides what it has handed out; 0 where it is not known."""
    queue = queue_of(source_arn)
    return 0.0 if queue is None else float(queue.visibility_timeout)


def _use_workers(poller: type, nothing_found: type[Exception]) -> None:
    original_poll = original_of(poller, "poll_events", "f82978977f64")
    original_handle = original_of(poller, "handle_messages", "65e0b988da3f")

    def poll_events(self: Any) -> None:
        if self.is_fifo_queue:
            return original_poll(self)
        if is_empty(self.source_arn):
            raise nothing_found
        self.workers.slots.acquire()
        self.workers.handed_over = False
        try:
            return original_poll(self)
        finally:
            if not self.workers.handed_over:
                self.workers.slots.release()

    def handle_messages(self: Any, messages: list[Any]) -> None:
        if self.is_fifo_queue or self.workers.handed_over:
            return original_handle(self, messages)
        self.workers.handed_over = True
        self.workers.pool.submit(work, self, messages)
        return None

    def work(self: Any, messages: list[Any]) -> None:
        try:
            persist(lambda: original_handle(self, messages), hidden_seconds(self.source_arn))
        except Exception as error:  # noqa: BLE001 - a failed batch comes back by its visibility
            LOG.warning("SQS batch failed: %r", error)
        finally:
            self.workers.slots.release()

    poller.poll_events, poller.handle_messages = poll_events, handle_messages
