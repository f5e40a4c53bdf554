"""Addresses of the real services; each test makes and deletes resources of its own there."""

import os

import pytest

from tests.stack import find_stack, local_credentials


@pytest.fixture(scope="session")
def opensearch_url():
    return os.environ.get("FOOTNOTE_OPENSEARCH_URL") or find_stack()["opensearch_url"]


@pytest.fixture(scope="session")
def aws():
    stack = find_stack()
    with pytest.MonkeyPatch.context() as patch:
        local_credentials(patch)
        patch.setenv("AWS_DEFAULT_REGION", stack["region"])
        yield stack["aws_url"]
