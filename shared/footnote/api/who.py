"""Who asks, by what API Gateway and the authorizer say; what the page needs to sign somebody in."""

import json
from collections.abc import Mapping
from typing import Any

from footnote.ask.question.usage_limits import Most, Used
from footnote.clock import iso
from footnote.errors import ConfigurationError, UnauthorizedError, UnavailableError
from footnote.model import Caller
from footnote.ports import Issuer, Tenants


def identify(context: Mapping[str, Any], tenants: Tenants, now: float) -> Caller:
    """Returns who asks. `context` is the request's, which API Gateway writes and no caller.

    Raises ForbiddenError for nobody, UnauthorizedError for a key or token that has expired.
    """
    said = context.get("authorizer") or {}
    if said.get("by") == "token":
        who = Caller(
            tenant=said["tenant"],
            groups=tuple(json.loads(said["groups"])),
            person=said["person"],
            by="token",
            expires=float(said["expires"]),
        )
    else:
        who = tenants.of((context.get("identity") or {}).get("apiKeyId") or "")
        if who.expires is not None and who.expires <= now:  # a token's time is checked with it
            raise UnauthorizedError(
                f"the API key expired at {iso(who.expires)}",
                code="key_expired",
                action="Ask an operator for another one.",
            )
    return who


def me_view(who: Caller, most: Most, used: Used) -> dict[str, object]:
    """Returns the JSON of who asks, and of what they may use and have used today."""
    return {
        "tenant": who.tenant,
        "groups": list(who.groups),
        "person": who.person,
        "by": who.by,
        "expires": None if who.expires is None else iso(who.expires),
        "limits": {
            "requests_per_second": most.requests or None,
            "questions_per_day": most.questions or None,
            "usd_per_day": most.usd or None,
        },
        "used": used._asdict(),
    }


def sign_in_view(issuer: Issuer | None, client_id: str, scope: str) -> dict[str, object]:
    """Returns the JSON of the ways to sign in. It tells nothing of any tenant.

    Where the OpenID provider cannot be asked, keys are the only way, and `degraded` says so.
    """
    view: dict[str, object] = {
        "methods": ["key"],
        "issuer": "",
        "client_id": "",
        "authorization_endpoint": "",
        "token_endpoint": "",
        "scope": "",
        "degraded": [],
    }
    if issuer is None or not client_id:
        return view
    try:
        found = issuer.describe()
    except (UnavailableError, ConfigurationError):  # why is for the log, not for strangers
        return view | {"degraded": ["The sign-in service does not answer: try again in a moment."]}
    return view | {
        "methods": ["key", "oidc"],
        "issuer": found.issuer,
        "client_id": client_id,
        "authorization_endpoint": found.authorization_endpoint,
        "token_endpoint": found.token_endpoint,
        "scope": scope,
    }
