"""Measures what must end in time, where tests only wait for the end.

A model that hangs is asked in this process, by the steps and the adapters that are deployed. The
re-index and the held message need a stack: the one that FOOTNOTE_STACK names, `dev` without it.
"""

import os
import time
import uuid

import pytest

from footnote.client import Client
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring import logs
from footnote.wiring.pipeline import Pipeline
from local.deploy import session
from local.paths import ROOT, STACKS
from local.state import read_stack
from tests.model_cases import in_chain, provider
from tests.scripted_server import Hang, run_server

SAMPLES = ROOT / "samples" / "documents"
QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"
QUESTION_SECONDS = 40.0  # that the question is given
REINDEX_SECONDS = 20.0
HELD_SECONDS, LATE_SECONDS = 3, 2.0
REPEATS = 5  # messages that are held, one after the other


@pytest.fixture
def show(capsys):
    def print_line(line):
        with capsys.disabled():
            print(f"\n{line}", end="")

    return print_line


@pytest.fixture(scope="module")
def stack():
    found = read_stack(os.environ.get("FOOTNOTE_STACK", "dev"), STACKS)
    if found is None or not found.is_running() or not found.api_url:
        pytest.skip("no running stack: `make demo` first")
    return found


@pytest.mark.parametrize("hangs", [Hang(), Hang("Ottermoss deliv")], ids=["at once", "half-way"])
def test_a_question_whose_model_hangs_is_answered_by_rules_in_time(hangs, show):
    logs.logger.setLevel("ERROR")
    with run_server([hangs] * 50) as server:
        settings = Settings(backend="memory", model_provider="anthropic")
        pipeline = Pipeline(settings, llm=in_chain(provider(server)))
        report = SAMPLES / "annual-report-2025.pdf"
        pipeline.upload(f"main/default/{report.name}", report.read_bytes())
        questions = Service(pipeline, "main", ["@all"]).questions
        started = time.monotonic()
        asked = questions.ask(QUESTION, seconds=QUESTION_SECONDS)
        seconds = time.monotonic() - started
        answer = questions.get(asked.question_id).answer
    show(f"a question whose model hangs: {seconds:.1f} s (wanted {QUESTION_SECONDS:.0f})")
    assert (answer.mode, bool(answer.citations)) == ("extractive", True)
    assert seconds < QUESTION_SECONDS


def test_a_reindex_that_has_nothing_to_do_ends_in_seconds(stack, show):
    with Client(stack.api_url, stack.api_key) as client:
        ended(client, client.reindex(force=True))  # whatever is left to do
        started = time.monotonic()
        run = ended(client, client.reindex())
        seconds = time.monotonic() - started
    show(f"a re-index with nothing to do: {seconds:.1f} s (wanted {REINDEX_SECONDS:.0f})")
    assert run["outcome"] == "unchanged"
    assert seconds < REINDEX_SECONDS


def ended(client, run):
    while run["status"] == "RUNNING":
        time.sleep(0.2)
        run = client.reindex_status(run["id"])
    return run


def test_a_held_message_comes_soon_after_its_time(stack, show):
    """Hides a message again and again, and takes the time until a waiting receiver has it."""
    sqs = session(stack).client("sqs", endpoint_url=stack.aws_url)
    url = sqs.create_queue(
        QueueName=f"held-{uuid.uuid4().hex[:8]}", Attributes={"VisibilityTimeout": "300"}
    )["QueueUrl"]
    late = []
    try:
        sqs.send_message(QueueUrl=url, MessageBody="one")
        [message] = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
        for _ in range(REPEATS):
            sqs.change_message_visibility(
                QueueUrl=url,
                ReceiptHandle=message["ReceiptHandle"],
                VisibilityTimeout=HELD_SECONDS,
            )
            started = time.monotonic()
            [message] = sqs.receive_message(QueueUrl=url, WaitTimeSeconds=20)["Messages"]
            late.append(time.monotonic() - started - HELD_SECONDS)
    finally:
        sqs.delete_queue(QueueUrl=url)
    told = ", ".join(f"{one:.2f}" for one in late)
    show(f"a held message is late by {told} s (at most {LATE_SECONDS:.0f} wanted)")
    assert max(late) < LATE_SECONDS
    assert min(late) > -1.0  # SQS counts whole seconds
