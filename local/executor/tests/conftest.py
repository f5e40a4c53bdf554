"""What the tests share: the Python that has LocalStack."""

import os
import sys
from pathlib import Path

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes seconds")


@pytest.fixture(scope="session")
def localstack_python():
    """Returns the Python that has LocalStack: LOCALSTACK_PYTHON, or the one that runs the tests."""
    python = Path(os.environ.get("LOCALSTACK_PYTHON", sys.executable))
    if not python.exists():
        pytest.fail(f"{python} is missing: install LocalStack there, or change LOCALSTACK_PYTHON")
    return python
