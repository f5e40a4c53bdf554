"""Forgets the oldest executions of state machines; stock LocalStack keeps each with its history.

AWS keeps Standard executions for 90 days and Express ones not at all.
"""

import threading
from collections import deque
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of

KEPT = 500  # executions that have ended, of all machines


@hooks.on_infra_start()
def install_ended_executions() -> None:
    from localstack.services.stepfunctions.backend import execution  # noqa: PLC0415
    from localstack.services.stepfunctions.backend.models import sfn_stores  # noqa: PLC0415

    communication = execution.BaseExecutionWorkerCommunication
    original = original_of(communication, "terminated", "b0fbc58129bb")
    ended: deque[tuple[str, str, str]] = deque()
    lock = threading.Lock()

    def terminated(self: Any) -> None:
        original(self)
        one = self.execution
        with lock:
            ended.append((one.account_id, one.region_name, one.exec_arn))
            oldest = ended.popleft() if len(ended) > KEPT else None
        if oldest:
            account, region, arn = oldest
            sfn_stores[account][region].executions.pop(arn, None)

    communication.terminated = terminated
