"""Prints the rights of a running stack's functions that nothing has used since it started.

usage: python -m local.rights [--name dev]

The stack was started with ENFORCE_IAM=1. A right that was used is one whose lack would have been
refused: roles are judged at each request. So after a run of the tests that need a stack, what is
printed is either for nothing, or not tested.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import NamedTuple

from local.deploy import cloudformation_name, session
from local.localstack import USED
from local.state import Stack, StackError, check_name, running_stack


class Grant(NamedTuple):
    """An action on a resource that a policy of a role allows."""

    role: str
    action: str
    resource: str


def granted(stack: Stack) -> Iterator[Grant]:
    """Yields what the inline policies of the stack's roles allow."""
    iam = session(stack).client("iam", endpoint_url=stack.aws_url)
    names = (
        role["RoleName"] for page in iam.get_paginator("list_roles").paginate()
        for role in page["Roles"]
    )  # fmt: skip
    for role in names:
        if not role.startswith(f"{cloudformation_name(stack)}-"):
            continue
        for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
            document = iam.get_role_policy(RoleName=role, PolicyName=policy)["PolicyDocument"]
            for one in document["Statement"]:
                for action in listed(one["Action"]):
                    for resource in listed(one["Resource"]):
                        yield Grant(role, action, resource)


def listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value


def used(stack: Stack) -> set[Grant]:
    """Returns what has been used, as LocalStack noted it."""
    file = stack.folder / "logs" / USED
    if not file.exists():
        raise StackError(f"{file} is missing: the stack was started without ENFORCE_IAM=1")
    return {Grant(**json.loads(line)) for line in file.read_text().splitlines()}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--name", default="dev", type=check_name)
    try:
        stack = running_stack(options.parse_args().name)
        found, known = set(granted(stack)), used(stack)
    except StackError as error:
        print(error, file=sys.stderr)
        return 1
    for one in sorted(found - known):
        print(f"never used: {one.role}  {one.action}  {one.resource}")
    print(f"{len(found & known)} of {len(found)} rights were used")
    return 0


if __name__ == "__main__":
    sys.exit(main())
