"""Measures a question's steps on a running stack; retrieval may take the design's 350 ms."""

import json
import os

import pytest

from footnote.client import Client
from footnote.evaluation.metrics import latency
from tests.stack import ROOT, find_stack

RETRIEVAL_MS = 350  # p50 of docs/benchmarks.md: plan's end to evidence, warm, without the model
REPEATS = 20


@pytest.fixture(scope="module")
def client():
    os.environ.setdefault("FOOTNOTE_STACK", "dev")
    if not (ROOT / ".footnote" / "stacks" / os.environ["FOOTNOTE_STACK"] / "stack.json").is_file():
        pytest.skip("no running stack: `make demo` first")
    stack = find_stack()
    with Client(stack["api_url"], stack["api_key"]) as client:
        yield client


def test_retrieval_is_within_its_budget(client, capsys):
    lines = (ROOT / "samples" / "questions.jsonl").read_text().splitlines()[:REPEATS]
    questions = [json.loads(line)["question"] for line in lines]
    client.ask(questions[0])
    answers = [client.ask(question) for question in questions]
    searches = [client.search(question)["took_ms"] for question in questions]
    steps = ("plan", "retrieve", "grade", "synthesize", "total")
    spent = {step: latency([a["timings_ms"].get(step, 0.0) for a in answers]) for step in steps}
    with capsys.disabled():
        for step, (p50, p95) in (spent | {"search": latency(searches)}).items():
            print(f"\n{step:<11} p50 {p50:7.1f} ms   p95 {p95:7.1f} ms", end="")
        print(f"\nretrieve p50 / budget: {spent['retrieve'].p50 / RETRIEVAL_MS:.2f}")
    assert spent["retrieve"].p50 < RETRIEVAL_MS
