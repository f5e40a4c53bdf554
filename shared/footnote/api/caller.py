"""The one place where a request becomes a caller."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from footnote.api.request import event
from footnote.api.who import identify, sign_in_view
from footnote.model import Caller
from footnote.service import Service
from footnote.wiring.audit import Act, act_now, auditing
from footnote.wiring.bootstrap import services


def allowed_origin() -> str:
    """Returns the origin whose pages may call this deployment, or "*" for any."""
    return services().settings.allowed_origin


def audited() -> AbstractContextManager[Act]:
    """Keeps a line of what the request inside does."""
    return auditing(services())


def caller() -> Service:
    """Returns the service of the caller, whom API Gateway and the authorizer have checked."""
    return service_of(asker())


def asker() -> Caller:
    """Returns the caller, and counts the request. Raises LimitedError for one too many."""
    return asker_of(event()["requestContext"])


def asker_of(context: Mapping[str, Any]) -> Caller:
    """Returns the caller of the context that API Gateway gave a request. Counts as `asker` does."""
    deployment, act = services(), act_now()
    act.asks_who = True
    who = act.who = identify(context, deployment.tenants, deployment.clock())
    deployment.usage_limits.take_request(who.tenant, who.person, by_key=who.by == "key")
    return who


def service_of(who: Caller) -> Service:
    return Service(services(), who.tenant, who.groups, who.person)


def ways_to_sign_in() -> dict[str, object]:
    """Returns the JSON of how to sign in here. It needs no credential."""
    deployment = services()
    settings = deployment.settings
    return sign_in_view(deployment.issuer, settings.oidc_client_id, settings.oidc_scope)
