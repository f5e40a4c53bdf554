"""Assumes a role once for many calls between LocalStack's services.

Stock LocalStack assumes the state machine's role anew for each task of Step Functions. New
credentials mean a new client, with a service model and an HTTP pool of its own.
"""

import time
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of
from footnote_executor.remembered import Remembered

SECONDS = 600.0  # credentials are good for an hour
MOST = 256  # as many as LocalStack's own memory of clients holds


@hooks.on_infra_start()
def install_role_clients() -> None:
    from localstack.aws.connect import ClientFactory  # noqa: PLC0415

    original = original_of(ClientFactory, "with_assumed_role", "22cfb31408b0")
    remembered = Remembered(SECONDS, MOST, time.monotonic)

    def with_assumed_role(self: Any, **given: Any) -> Any:
        key = (id(self), *sorted(given.items()))
        return remembered.get(key, lambda: original(self, **given))

    ClientFactory.with_assumed_role = with_assumed_role
