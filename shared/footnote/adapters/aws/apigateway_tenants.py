"""API Gateway: the tags of an API key name its holder's `tenant` and `groups`, and its end."""

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.errors import ForbiddenError, NotFoundError
from footnote.model import Caller, is_tenant

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient


class ApiGatewayTenants:
    """Asks API Gateway for a key. The same right gives a key's value, so `vouch` alone has it."""

    def __init__(self, client: "APIGatewayClient") -> None:
        self._client = client

    def of(self, api_key_id: str) -> Caller:
        if not api_key_id:
            raise ForbiddenError("the request carries no API key")
        try:
            with translate_errors("get", f"API key {api_key_id}"):
                key = self._client.get_api_key(apiKey=api_key_id)
        except NotFoundError:
            raise ForbiddenError(f"there is no API key {api_key_id}") from None
        tags = key.get("tags", {})
        tenant = tags.get("tenant", "")
        if not tenant:
            raise ForbiddenError(f"API key {api_key_id} has no tag `tenant`")
        if not is_tenant(tenant):
            raise ForbiddenError(f"API key {api_key_id}: {tenant!r} cannot be a tenant's name")
        return Caller(
            tenant=tenant,
            groups=groups_of(tags.get("groups", "")),
            person=api_key_id,
            expires=moment_of(api_key_id, tags.get("expires", "")),
        )


def moment_of(api_key_id: str, tag: str) -> float | None:
    """Returns when a key expires; None for one that never does.

    Raises ForbiddenError for a tag that is no moment: a key that was to end must not last.
    """
    if not tag:
        return None
    try:
        moment = datetime.fromisoformat(tag)
    except ValueError:
        raise ForbiddenError(f"API key {api_key_id}: its tag `expires` is no date") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def groups_of(tag: str) -> tuple[str, ...]:
    """Splits a tag into groups at blanks or commas. API Gateway allows no commas in tags."""
    return tuple(group for group in re.split(r"[\s,]+", tag) if group)
