"""Judges a right, and notes which part of a role's policies gave it: the rest is given for nothing.

Settings, in the environment of LocalStack:
  IAM_USED   a file: one line of JSON for each action and resource of a policy that was used
"""

import json
import os
import threading
from pathlib import Path

from footnote_executor.iam.evaluation import (
    Role,
    applies,
    as_list,
    is_resource,
    refusal,
    statements,
)
from footnote_executor.iam.rights import Right

FILE = os.environ.get("IAM_USED")
_LOCK = threading.Lock()
_noted: set[tuple[str, str, str]] = set()


def judge(role: Role, right: Right) -> str | None:
    """Returns why a role has no such right, in the words of AWS; None where it has."""
    message = refusal(role, *right)
    if message is None and FILE:
        note(Path(FILE), role, right)
    return message


def note(file: Path, role: Role, right: Right) -> None:
    for resource in sources(role, right):
        used = (role.arn.split("/")[1], right.action, resource)
        with _LOCK:
            if used in _noted:
                continue
            _noted.add(used)
            with file.open("a") as lines:
                line = {"role": used[0], "action": used[1], "resource": used[2]}
                lines.write(json.dumps(line) + "\n")


def sources(role: Role, right: Right) -> list[str]:
    """Returns the resources, as policies name them, by which a role has a right."""
    return [
        resource
        for text in role.policies
        for one in statements(text)
        if one["Effect"] == "Allow" and applies(one, *right, {})
        for resource in as_list(one.get("Resource", "*"))
        if is_resource(resource, right.resource)
    ]
