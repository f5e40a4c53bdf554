"""Finds the running stack for integration and e2e tests: the one that FOOTNOTE_STACK names."""

import json
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PATIENCE = 240
"""Seconds until a test of the stack gives up on what should happen. They tell a hang and nothing of
how fast it is: beside other work, functions take many times longer to start."""
NOT_RUNNING = "no stack: set FOOTNOTE_STACK to a deployed one (`make test` brings up its own)"


def find_stack():
    """Returns the stack's addresses, key and outputs; skips the test when none is named."""
    name = os.environ.get("FOOTNOTE_STACK")
    state = ROOT / ".footnote" / "stacks" / (name or "-") / "stack.json"
    if name is None:
        pytest.skip(NOT_RUNNING)
    if not state.is_file():
        pytest.fail(f"FOOTNOTE_STACK is {name!r}, but that stack is not up")
    return json.loads(state.read_text())


def enter_stack():
    """Finds the stack, and gives this process credentials that its services accept."""
    stack = find_stack()
    os.environ.pop("AWS_PROFILE", None)
    os.environ |= {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": stack["region"],
        "AWS_ENDPOINT_URL": stack["aws_url"],
    }
    return stack


def local_credentials(patch):
    """Sets credentials that LocalStack accepts and removes the developer's own."""
    patch.setenv("AWS_ACCESS_KEY_ID", "test")
    patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    patch.delenv("AWS_PROFILE", raising=False)
    patch.delenv("AWS_SESSION_TOKEN", raising=False)


def find_resource(aws, stack, logical):
    """Returns the name of what the template calls so, in this stack.

    Asked of the stack: another test may deploy a second one beside it, with names alike.
    """
    found = aws("cloudformation").describe_stack_resource(
        StackName=f"footnote-{stack['name']}", LogicalResourceId=logical
    )
    return found["StackResourceDetail"]["PhysicalResourceId"]
