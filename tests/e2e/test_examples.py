"""The examples run as their README says, on the stack, in an environment of their own."""

import os
import re
import subprocess

import pytest

from tests.stack import ROOT

PYTHON = ROOT / ".footnote" / "clients-venv" / "bin" / "python"
NOT_THERE = "LangChain, LlamaIndex and OpenAI's client are not installed: `make test` does so"
NAME = "annual-report-2025.pdf"
QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"
SAID = "Ottermoss delivered 10,840 cargo bikes in 2025"


@pytest.fixture
def run(stack, samples):
    if not PYTHON.exists():
        pytest.skip(NOT_THERE)
    key = samples[0]._api.http.headers["x-api-key"]

    def example(name, asked):
        where = {"FOOTNOTE_URL": stack["api_url"], "FOOTNOTE_API_KEY": key}
        done = subprocess.run(
            [PYTHON, ROOT / "examples" / f"{name}.py", asked],
            env=os.environ | where,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return example


@pytest.mark.parametrize("name", ["langchain_retriever", "llama_index_retriever"])
def test_a_retriever_of_others_finds_the_page(run, name):
    lines = run(name, QUESTION).splitlines()
    assert 0 < len(lines) <= 5
    assert all(re.match(r"\S+ \[[\d, ]*\] \S", line) for line in lines)
    assert lines[0].startswith(f"{NAME} [")


def test_openais_client_gets_an_answer_with_citations(run):
    shown = run("openai_client", QUESTION)
    assert SAID in shown
    assert f"[1] {NAME}, page 2" in shown
    assert "#/questions/" in shown
    assert "/citations/1" in shown
    assert shown.rstrip().splitlines()[-2:] == [
        "True",
        "footnote, footnote-analyst, footnote-terse",
    ]
