"""The rules of both adapters of tokens: what a token's claims say of who holds it."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from footnote.errors import ForbiddenError
from footnote.model import LONGEST_NAME, Caller, is_tenant

ACTION = "Have the sign-in service name it in the token (docs/deploying.md, Sign-in by OpenID)."


class ClaimNames(NamedTuple):
    """The claims that name tenant, groups and person. `a.b` is also the claim `b` inside `a`."""

    tenant: str = "tenant"
    groups: str = "groups"
    person: str = "sub"


def caller_of(claims: Mapping[str, Any], names: ClaimNames) -> Caller:
    """Returns who holds a token with these claims, which are known to be true.

    Raises ForbiddenError where tenant or person are not named, or cannot have such a name.
    """
    tenant = claim(claims, names.tenant)
    if not isinstance(tenant, str) or not is_tenant(tenant):
        raise ForbiddenError(f"the token's claim {names.tenant} names no tenant", action=ACTION)
    person = claim(claims, names.person)
    if not isinstance(person, str) or not 0 < len(person) <= LONGEST_NAME:
        raise ForbiddenError(f"the token's claim {names.person} names no person", action=ACTION)
    return Caller(
        tenant=tenant,
        groups=groups_in(claim(claims, names.groups)),
        person=person,
        by="token",
        expires=float(claims["exp"]),
    )


def claim(claims: Mapping[str, Any], name: str) -> Any:
    """Returns a claim by its name, else by its path; None where there is none."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def groups_in(given: object) -> tuple[str, ...]:
    """Returns the groups of a claim: a list's texts, or a text split at blanks and commas.

    What is no text in the list is left out: it opens no document.
    """
    if isinstance(given, str):
        given = re.split(r"[\s,]+", given)
    if not isinstance(given, list):
        return ()
    return tuple(dict.fromkeys(one for one in given if isinstance(one, str) and one))
