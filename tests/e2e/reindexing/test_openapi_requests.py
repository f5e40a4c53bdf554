"""Requests made of the OpenAPI document, right ones and wrong ones: replies are as it says.

Some of them begin a re-index or take one back.
"""

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
EXAMPLES = 15  # of each operation, after the cases that the document itself asks for
LEAST = 500  # cases; fewer mean that the tool did not get through


def test_no_request_is_a_server_error_and_replies_are_as_described(stack, tmp_path):
    if not TOOL.exists():
        pytest.skip(NOT_THERE)
    done = subprocess.run(
        [
            *(TOOL, "run", ROOT / "docs" / "openapi.json", "--url", stack["api_url"]),
            *("-H", f"x-api-key: {stack['api_key']}", "--checks", ",".join(CHECKS)),
            # without --max-time: with it, what is asked depends on how fast the machine is
            *("--phases", "coverage,fuzzing", "-n", str(EXAMPLES)),
            *("--request-timeout", str(PATIENCE)),
            *("--seed", "1", "--workers", "2", "--suppress-health-check", "all", "--no-color"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    [cases] = re.findall(r"(\d+) generated", done.stdout)
    assert int(cases) > LEAST
