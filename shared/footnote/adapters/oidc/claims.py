"""The rules of both adapters of tokens: who holds a token, by its claims."""

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
    """Returns the holder of a token by its claims, which have been verified.

    Raises ForbiddenError where they name no tenant or no person, or use an impossible name.
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
    value: Any = claims
    for part in name.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def groups_in(value: object) -> tuple[str, ...]:
    """Returns the groups in a claim: the texts of a list, or a single text.

    A text is one group and is never split: "Fans of @all" is not @all. Values of a list that are no
    texts are left out.
    """
    every = value if isinstance(value, list) else [value]
    return tuple(
        dict.fromkeys(
            group for group in every if isinstance(group, str) and group and is_text(group)
        )
    )
