"""Who asks, according to API Gateway and the authorizer; and how the page signs a user in."""

import json
from collections.abc import Mapping
from typing import Any

from footnote.ask.question.usage_limits import Most, Used
from footnote.clock import iso
from footnote.errors import ConfigurationError, UnauthorizedError, UnavailableError
from footnote.model import Caller
from footnote.ports import Issuer, Tenants


def identify(context: Mapping[str, Any], tenants: Tenants, now: float) -> Caller:
    """Returns the caller. API Gateway writes `context`; no caller can.

    Raises ForbiddenError for an unknown key, UnauthorizedError for an expired key or token.
    """
    claims = context.get("authorizer") or {}
    if claims.get("by") == "token":
        who = Caller(
            tenant=claims["tenant"],
            groups=tuple(json.loads(claims["groups"])),
            person=claims["person"],
            by="token",
            expires=float(claims["expires"]),
        )
    else:
        who = tenants.of((context.get("identity") or {}).get("apiKeyId") or "")
        if who.expires is not None and who.expires <= now:  # the authorizer checks a token's time
            raise UnauthorizedError(
                f"the API key expired at {iso(who.expires)}",
                code="key_expired",
                action="Ask an operator for another one.",
            )
    return who


def me_view(who: Caller, most: Most, used: Used) -> dict[str, object]:
    """Returns the JSON of the caller: who it is, its limits, and today's use."""
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
    """Returns the JSON of the ways to sign in. It names no tenant.

    If the OpenID provider does not answer, keys are the only way, and `degraded` says so.
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
        provider = issuer.describe()
    except (UnavailableError, ConfigurationError):  # the reason is for the log, not for strangers
        return view | {"degraded": ["The sign-in service does not answer: try again in a moment."]}
    return view | {
        "methods": ["key", "oidc"],
        "issuer": provider.issuer,
        "client_id": client_id,
        "authorization_endpoint": provider.authorization_endpoint,
        "token_endpoint": provider.token_endpoint,
        "scope": scope,
    }
