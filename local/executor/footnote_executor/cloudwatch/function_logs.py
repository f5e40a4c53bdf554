"""Writes what functions print straight into CloudWatch's logs, not by a request for each batch.

Stock LocalStack sends itself a PutLogEvents request for each invocation, and its logs service makes
another request of that for moto, which keeps the logs.
"""

import logging
import time
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

LOG = logging.getLogger(__name__)


@hooks.on_infra_start()
def install_function_logs() -> None:
    from localstack.services.lambda_.invocation.logs import (  # noqa: PLC0415
        QUEUE_SHUTDOWN,
        LogHandler,
    )

    original_of(LogHandler, "run_log_loop", "905b3d11ee97")

    def run_log_loop(self: Any, *_args: object, **_options: object) -> None:
        while (item := self.log_queue.get()) is not QUEUE_SHUTDOWN:
            try:
                write(account_of(self.role_arn), self.region, item)
            except Exception as error:  # noqa: BLE001 - the thread serves all later ones too
                LOG.warning("could not keep logs of %s: %r", item.log_group, error)

    LogHandler.run_log_loop = run_log_loop


def account_of(arn: str) -> str:
    return arn.split(":")[4]


def write(account: str, region: str, item: Any) -> None:
    """Adds an invocation's lines to its stream; makes group and stream where they are missing."""
    from moto.logs.models import logs_backends  # noqa: PLC0415

    backend = logs_backends[account][region]
    if item.log_group not in backend.groups:
        backend.create_log_group(item.log_group, {})
    backend.ensure_log_stream(item.log_group, item.log_stream)
    now = int(time.time() * 1000)
    lines = [line + "\n" for line in item.logs.split("\n") if line]
    events = [{"timestamp": now, "message": line} for line in lines]
    backend.put_log_events(item.log_group, item.log_stream, events)
