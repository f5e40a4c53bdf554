"""Judges a request by a role's policies and its permissions boundary, as IAM does.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html

What this does not read never gives a right: a statement that allows counts only where all of its
parts are known, and one that denies counts where a part is not.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

type Statement = dict[str, Any]
type Facts = Mapping[str, str]

PARTS = {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition"}
SEGMENTS = 5  # colons before an ARN's last part, which may have colons of its own


class Role(NamedTuple):
    """Who asks: the session's ARN, and the documents that say what it may do, as JSON."""

    arn: str
    policies: tuple[str, ...]
    boundary: str | None = None


def refusal(role: Role, action: str, resource: str, facts: Facts | None = None) -> str | None:
    """Returns why a role may not do this, in the words of AWS; None where it may.

    `facts` are the condition keys that are known of the request, in lower case.
    """
    known = facts or {}
    sides = [("an identity-based policy", "identity-based policy", role.policies)]
    if role.boundary is not None:
        sides.append(("a permissions boundary", "permissions boundary", (role.boundary,)))
    found = [(one, name, effects(texts, action, resource, known)) for one, name, texts in sides]
    start = f"User: {role.arn} is not authorized to perform: {action} on resource: {resource}"
    for one, _, said in found:
        if "Deny" in said:
            return f"{start} with an explicit deny in {one}"
    for _, name, said in found:
        if "Allow" not in said:
            return f"{start} because no {name} allows the {action} action"
    return None


def effects(texts: tuple[str, ...], action: str, resource: str, facts: Facts) -> set[str]:
    """Returns the effects of the statements that speak of this action on this resource."""
    return {
        statement["Effect"]
        for text in texts
        for statement in statements(text)
        if applies(statement, action, resource, facts)
    }


@lru_cache(4096)
def statements(text: str) -> tuple[Statement, ...]:
    """Reads a policy. Raises ValueError for what IAM would not have stored."""
    found = as_list(json.loads(text)["Statement"])
    if wrong := [one for one in found if one.get("Effect") not in ("Allow", "Deny")]:
        raise ValueError(f"neither Allow nor Deny: {wrong[0]}")
    return tuple(found)


def applies(statement: Statement, action: str, resource: str, facts: Facts) -> bool:
    """Tells whether a statement speaks of a request."""
    denies = statement["Effect"] == "Deny"
    if set(statement) - PARTS:
        return denies
    return (
        names(statement, "Action", action, is_action)
        and names(statement, "Resource", resource, is_resource)
        and all(
            holds(operator, key, as_list(values), facts, otherwise=denies)
            for operator, keys in statement.get("Condition", {}).items()
            for key, values in keys.items()
        )
    )


def names(statement: Statement, part: str, value: str, is_like: Any) -> bool:
    """Tells whether `part`, or the part that says what it is not, takes a value in."""
    if part in statement:
        return any(is_like(pattern, value) for pattern in as_list(statement[part]))
    excluded = statement.get(f"Not{part}")
    return excluded is not None and not any(is_like(one, value) for one in as_list(excluded))


def is_action(pattern: str, action: str) -> bool:
    return bool(wildcards(pattern.lower()).fullmatch(action.lower()))


def is_resource(pattern: str, resource: str) -> bool:
    """Compares ARNs. A wildcard stays inside its segment; only the last part may have colons.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_resource.html
    """
    if pattern == "*":
        return True
    wanted, found = pattern.split(":", SEGMENTS), resource.split(":", SEGMENTS)
    return len(wanted) == len(found) and all(
        wildcards(one).fullmatch(other) for one, other in zip(wanted, found, strict=True)
    )


@lru_cache(8192)
def wildcards(pattern: str) -> re.Pattern[str]:
    """Compiles IAM's wildcards, which are `*` and `?` only."""
    parts = {"*": ".*", "?": "."}
    return re.compile("".join(parts.get(one) or re.escape(one) for one in pattern), re.DOTALL)


def holds(operator: str, key: str, values: list[str], facts: Facts, *, otherwise: bool) -> bool:
    """Tells whether a condition holds; `otherwise` is what an operator counts as that is unknown.

    A key that the request does not have fulfils no condition, other than one that says "not".
    """
    if operator not in CONDITIONS:
        return otherwise
    is_like, wanted = CONDITIONS[operator]
    found = facts.get(key.lower())
    if found is None:
        return not wanted
    return any(is_like(str(value), found) for value in values) == wanted


def is_equal(value: str, found: str) -> bool:
    return value == found


def is_like(pattern: str, found: str) -> bool:
    return bool(wildcards(pattern).fullmatch(found))


CONDITIONS = {
    "StringEquals": (is_equal, True),
    "StringNotEquals": (is_equal, False),
    "StringLike": (is_like, True),
    "StringNotLike": (is_like, False),
    "ArnEquals": (is_resource, True),
    "ArnLike": (is_resource, True),
    "ArnNotEquals": (is_resource, False),
    "ArnNotLike": (is_resource, False),
}
"""Operator → how it compares, and what the comparison must give. ArnEquals is ArnLike, says IAM."""


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
