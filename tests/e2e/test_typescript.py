"""The TypeScript client: its types are those of the OpenAPI document, and it works on the stack."""

import os
import subprocess

import pytest

from tests.stack import ROOT

CLIENT = ROOT / "clients" / "typescript"
NODE = ROOT / ".footnote" / "node-venv" / "bin"
NOT_THERE = "Node.js or its packages are not installed: `make typescript` does so"


@pytest.fixture
def npm():
    if not (CLIENT / "node_modules" / "ready").exists():
        pytest.skip(NOT_THERE)

    def run(*words, **environ):
        known = os.environ | {"PATH": f"{NODE}:{os.environ['PATH']}"} | environ
        done = subprocess.run(
            ["npm", *words], cwd=CLIENT, env=known, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_its_types_are_those_of_the_openapi_document(npm):
    same = npm("run", "-s", "types") == (CLIENT / "src" / "api.ts").read_text()
    assert same, "docs/openapi.json has changed: run `make typescript`"


def test_it_adds_asks_and_searches_on_the_stack(npm, stack):
    npm("run", "-s", "build")
    told = npm(*("test", "-s"), FOOTNOTE_URL=stack["api_url"], FOOTNOTE_API_KEY=stack["api_key"])
    assert "# fail 0" in told or "ℹ fail 0" in told
    assert "# skipped 0" in told or "ℹ skipped 0" in told
