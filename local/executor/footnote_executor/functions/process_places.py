"""Bounds the processes of each function; what finds none free waits in order.

Stock LocalStack starts a process for every invocation that finds none idle. Fifty questions at the
same moment so started two hundred processes, each of which works a second on its imports alone.
On AWS each has a processor of its own. Here all share the machine's, and few serve faster.

Settings, in the environment of LocalStack:
  LAMBDA_PROCESS_PLACES   the most processes of one function
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from localstack.runtime import hooks

from footnote_executor.functions.places import Places
from footnote_executor.patching import original_of

PLACES = int(os.environ.get("LAMBDA_PROCESS_PLACES") or 16)
CORES = max(2, os.process_cpu_count() or 2)


@hooks.on_infra_start()
def install_process_places() -> None:
    from localstack.services.lambda_.invocation.assignment import (  # noqa: PLC0415
        AssignmentService,
    )
    from localstack.services.lambda_.invocation.lambda_models import (  # noqa: PLC0415
        InitializationType,
    )

    begin = original_of(AssignmentService, "__init__", "3a475173a015")
    find = original_of(AssignmentService, "get_environment", "0241754dc23a")

    def init(self: Any) -> None:
        begin(self)
        # as many processes start at once as there are cores to start them
        self.on_demand_start_semaphore = threading.Semaphore(CORES)
        self.places = {}

    @contextmanager
    def get_environment(self: Any, manager: str, version: Any, kind: Any) -> Iterator[Any]:
        if kind != InitializationType.on_demand:
            with find(self, manager, version, kind) as environment:
                yield environment
            return
        with (
            places_of(self, manager).turn() as found,
            find(self, manager, version, kind) as environment,
        ):
            found()
            yield environment

    AssignmentService.__init__ = init
    AssignmentService.get_environment = get_environment


def places_of(service: Any, manager: str) -> Places:
    """Returns the line of a version of a function, which begins with its first invocation."""
    made = Places(PLACES, lambda: len(service.environments[manager]))
    return service.places.setdefault(manager, made)
