"""Makes one parser and one serializer for each service and protocol, not for each client.

Stock LocalStack remembers them by the object of the service's model. Each client has a model of its
own, so it built the service's whole table of routes again (64 ms of CPU for Lambda's) and kept
model and table for ever.
"""

import threading
from collections.abc import Callable
from typing import Any

from localstack.runtime import hooks

from footnote_executor.patching import original_of, replace_everywhere


@hooks.on_infra_start()
def install_service_models() -> None:
    from localstack.aws.protocol import parser, serializer  # noqa: PLC0415

    for module, name, wanted in (
        (parser, "create_parser", "28988aa5e908"),
        (serializer, "create_serializer", "ce9f0bc5dbfa"),
    ):
        original = original_of(module, name, wanted)
        replace_everywhere(original, by_name(original))


def by_name(create: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `create` with a memory of services' names: equal models share what it returns."""
    made: dict[tuple[str, str, str], Any] = {}
    lock = threading.Lock()

    def of_service(service: Any, protocol: str | None = None) -> Any:
        protocol = protocol or service.protocol
        key = (service.service_name, service.api_version, protocol)
        if key not in made:
            with lock:
                made.setdefault(key, create.__wrapped__(service, protocol))
        return made[key]

    return of_service
