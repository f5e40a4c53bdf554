"""The rules of both adapters of tokens: what a token's claims say of who holds it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from footnote.errors import ForbiddenError
from footnote.model import LONGEST_NAME, Caller, is_tenant
from footnote.text.characters import is_text

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
    if not isinstance(person, str) or not is_person(person):
        raise ForbiddenError(f"the token's claim {names.person} names no person", action=ACTION)
    return Caller(
        tenant=tenant,
        groups=groups_in(claim(claims, names.groups)),
        person=person,
        by="token",
        expires=float(claims["exp"]),
    )


def is_person(name: str) -> bool:
    return 0 < len(name) <= LONGEST_NAME and is_text(name)


def claim(claims: Mapping[str, Any], name: str) -> Any:
    """Returns a claim by its name, else by its path; None where there is none."""
    if name in claims:
        return claims[name]
    found: Any = claims
    for part in name.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def groups_in(given: object) -> tuple[str, ...]:
    """Returns the groups of a claim: a list's texts, or a text, which is one group.

    A text is not split: a group called "Fans of @all" is not one of all. What is no text in the
    list is left out: it opens no document.
    """
    every = given if isinstance(given, list) else [given]
    return tuple(
        dict.fromkeys(one for one in every if isinstance(one, str) and one and is_text(one))
    )
