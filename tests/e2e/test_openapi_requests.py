"""Requests made of the OpenAPI document, right ones and wrong ones: replies are as it says."""

import re
import subprocess

import pytest

from tests.stack import PATIENCE, ROOT

TOOL = ROOT / ".footnote" / "requests-venv" / "bin" / "schemathesis"
NOT_THERE = "schemathesis is not installed: `make fuzz-api` or `make test` does so"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
)
SECONDS = 60
LEAST = 500  # cases; fewer mean that the tool did not get through


def test_no_request_is_a_server_error_and_replies_are_as_described(stack, tmp_path):
    if not TOOL.exists():
        pytest.skip(NOT_THERE)
    seconds, cases = SECONDS, 0
    while cases <= LEAST:  # a machine under load gets more time
        cases = run_requests(stack, tmp_path, seconds)
        seconds *= 2


def run_requests(stack, folder, seconds):
    """Makes requests for so many seconds; returns how many there were."""
    done = subprocess.run(
        [
            *(TOOL, "run", ROOT / "docs" / "openapi.json", "--url", stack["api_url"]),
            *("-H", f"x-api-key: {stack['api_key']}", "--checks", ",".join(CHECKS)),
            *("--phases", "coverage,fuzzing", "-n", "15", "--max-time", str(seconds)),
            *("--request-timeout", str(PATIENCE)),
            *("--seed", "1", "--workers", "2", "--suppress-health-check", "all", "--no-color"),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    [cases] = re.findall(r"(\d+) generated", done.stdout)
    return int(cases)
