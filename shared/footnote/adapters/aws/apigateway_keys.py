"""API keys of a deployment: an operator makes, lists and revokes them with credentials of AWS.

What a key's holder may do stands in its tags, which `apigateway_tenants.py` reads.
"""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from footnote.adapters.aws.apigateway_tenants import groups_of, moment_of
from footnote.adapters.aws.clients import translate_errors
from footnote.clock import iso
from footnote.errors import BadRequestError, FootnoteError, ForbiddenError, NotFoundError
from footnote.model import LONGEST_NAME, is_tenant

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient

# https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-tagging-restrictions.html
IN_A_TAG = re.compile(r"[A-Za-z0-9_.:/=+@-]+")


class IssuedKey(NamedTuple):
    """An API key without its value. `expires` is None for a key that never expires."""

    id: str
    name: str
    tenant: str
    groups: tuple[str, ...]
    created: str
    expires: float | None
    enabled: bool


class ApiGatewayKeys:
    """The keys of one usage plan. All other keys of the account are ignored."""

    def __init__(self, client: "APIGatewayClient", plan: str) -> None:
        self._client = client
        self._plan = plan

    def create(
        self, tenant: str, groups: Sequence[str], name: str, expires: float | None
    ) -> tuple[IssuedKey, str]:
        """Makes a key. Returns it with its value, which nothing shows later.

        Raises BadRequestError for names that a tag cannot hold.
        """
        must_fit_tags(tenant, groups)
        tags = {"tenant": tenant}
        if groups:
            tags["groups"] = " ".join(groups)
        if expires is not None:
            tags["expires"] = iso(expires)
        with translate_errors("create", "an API key"):
            key = self._client.create_api_key(name=name or tenant, enabled=True, tags=tags)
        try:
            with translate_errors("add a key to", f"usage plan {self._plan}"):
                self._client.create_usage_plan_key(
                    usagePlanId=self._plan, keyId=key["id"], keyType="API_KEY"
                )
        except FootnoteError:
            self._delete(key["id"])
            raise
        return issued(key), key["value"]

    def list(self) -> list[IssuedKey]:
        """Returns the plan's keys that have a tenant, by tenant and name."""
        with translate_errors("list", f"usage plan {self._plan}"):
            mine = self._ids()
            every = self._client.get_paginator("get_api_keys").paginate(includeValues=False)
            keys = [issued(key) for page in every for key in page["items"] if key["id"] in mine]
        return sorted((key for key in keys if key.tenant), key=lambda key: (key.tenant, key.name))

    def revoke(self, api_key_id: str) -> None:
        """Deletes a key. Raises NotFoundError for one that is not the plan's."""
        with translate_errors("list", f"usage plan {self._plan}"):
            # looked up first: LocalStack answers an unknown key with an internal error
            is_known = api_key_id in self._ids()
        if not is_known:
            raise NotFoundError(
                f"there is no API key {api_key_id[:100]!r} of this deployment",
                code="unknown_key",
                action="`footnote keys list` shows the ids.",
            )
        with translate_errors("take from its usage plan", f"API key {api_key_id}"):
            self._client.delete_usage_plan_key(usagePlanId=self._plan, keyId=api_key_id)
        self._delete(api_key_id)

    def _ids(self) -> set[str]:
        pages = self._client.get_paginator("get_usage_plan_keys").paginate(usagePlanId=self._plan)
        return {key["id"] for page in pages for key in page["items"]}

    def _delete(self, api_key_id: str) -> None:
        with translate_errors("delete", f"API key {api_key_id}"):
            self._client.delete_api_key(apiKey=api_key_id)


def issued(key: Mapping[str, Any]) -> IssuedKey:
    tags = key.get("tags") or {}
    try:
        expires = moment_of(key["id"], tags.get("expires", ""))
    except ForbiddenError:  # its tag is no moment, so the key is refused
        expires = 0.0
    return IssuedKey(
        id=key["id"],
        name=key.get("name", ""),
        tenant=tags.get("tenant", ""),
        groups=groups_of(tags.get("groups", "")),
        created=key["createdDate"].isoformat(),
        expires=expires,
        enabled=key.get("enabled", True),
    )


def must_fit_tags(tenant: str, groups: Sequence[str]) -> None:
    """Raises BadRequestError for a tenant or groups that tags of AWS cannot hold."""
    for name in (tenant, *groups):
        if not IN_A_TAG.fullmatch(name):
            raise BadRequestError(
                f"{name[:100]!r} cannot be the name of a tenant or group of a key",
                code="bad_name",
                action="Use letters, digits and _ . : / = + @ - only.",
            )
    if not is_tenant(tenant):
        raise BadRequestError(
            f"{tenant[:100]!r} cannot be a tenant's name",
            code="bad_name",
            action="Use one segment of a path, and not '_'.",
        )
    if (size := len(" ".join(groups))) > LONGEST_NAME:
        raise BadRequestError(
            f"the groups have {size} characters; a key takes {LONGEST_NAME}",
            code="bad_name",
            action="Name fewer groups, or let people sign in by OpenID.",
        )
