"""Ends LocalStack for certain: an event during shutdown can start threads that never finish."""

import os
import threading

from localstack.runtime import hooks

GRACE_SECONDS = 4


@hooks.on_infra_shutdown(priority=100)  # runs before the hooks that may block
def exit_anyway() -> None:
    timer = threading.Timer(GRACE_SECONDS, os._exit, (0,))
    timer.daemon = True
    timer.start()
