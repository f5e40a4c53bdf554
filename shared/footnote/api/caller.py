"""Who is asking: the one place where a request becomes a caller."""

from collections.abc import Mapping
from typing import Any

from footnote.api.request import event
from footnote.api.who import identify, sign_in_view
from footnote.model import Caller
from footnote.service import Service
from footnote.wiring.bootstrap import services


def allowed_origin() -> str:
    """Returns the origin whose pages may call this deployment, or "*" for any."""
    return services().settings.allowed_origin


def caller() -> Service:
    """Returns the service of whoever asks, which API Gateway and the authorizer have checked."""
    return service_of(asker())


def asker() -> Caller:
    """Returns who asks, and counts the request. Raises LimitedError for one too many."""
    return asker_of(event()["requestContext"])


def asker_of(context: Mapping[str, Any]) -> Caller:
    """As `asker`, for the context that API Gateway gave a request."""
    found = services()
    who = identify(context, found.tenants, found.clock())
    found.usage_limits.take_request(who.tenant, who.person, by_key=who.by == "key")
    return who


def service_of(who: Caller) -> Service:
    return Service(services(), who.tenant, who.groups, who.person)


def ways_to_sign_in() -> dict[str, object]:
    """Returns the JSON of how to sign in here, which nobody needs to be known for."""
    found = services()
    settings = found.settings
    return sign_in_view(found.issuer, settings.oidc_client_id, settings.oidc_scope)
