"""API Gateway: the tenant of an API key is the key's tag `tenant`."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from footnote.adapters.aws import translated
from footnote.errors import ForbiddenError, NotFoundError
from footnote.model import NOBODY

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient


class ApiGatewayTenants:
    """Asks once in `seconds` for each key: GetApiKey is allowed a few calls a second only."""

    def __init__(
        self,
        client: "APIGatewayClient",
        seconds: float = 300,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._seconds = seconds
        self._clock = clock
        self._known: dict[str, tuple[float, str]] = {}  # (good until, tenant)

    def of(self, api_key_id: str) -> str:
        until, tenant = self._known.get(api_key_id, (0.0, ""))
        if not tenant or self._clock() >= until:
            tenant = self._ask(api_key_id)
            self._known[api_key_id] = (self._clock() + self._seconds, tenant)
        return tenant

    def _ask(self, api_key_id: str) -> str:
        if not api_key_id:
            raise ForbiddenError("the request carries no API key")
        try:
            with translated("get", f"API key {api_key_id}"):
                key = self._client.get_api_key(apiKey=api_key_id)
        except NotFoundError:
            raise ForbiddenError(f"there is no API key {api_key_id}") from None
        tenant = key.get("tags", {}).get("tenant", "")
        if not tenant:
            raise ForbiddenError(f"API key {api_key_id} has no tag `tenant`")
        if tenant == NOBODY or "/" in tenant:  # would reach what is not this tenant's
            raise ForbiddenError(f"API key {api_key_id}: {tenant!r} cannot be a tenant's name")
        return tenant
