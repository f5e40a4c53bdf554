"""Stopping a question: it ends at once, no step begins any more, nothing brings it back."""

import json

import pytest

from footnote.api import routes
from footnote.service import Service
from footnote.wiring.pipeline import Pipeline
from tests.chaos.machine import FEES, Model, Run, create_question
from tests.corpus import HashEmbedder
from tests.unit.faces import Context, Words, event, small
from tests.unit.test_api import Idle

KEY = {"x-api-key": "acme-key"}


def call(method, path, body=None, headers=None):
    text = None if body is None else json.dumps(body)
    answer = routes.handle(event(method, path, None, text, headers or KEY), Context())
    return answer["statusCode"], json.loads(answer["body"])


@pytest.fixture
def running():
    pipeline = small()
    pipeline.workflow = Idle()
    _, asked = call("POST", "/questions", {"question": "What is the fee?"})
    return pipeline, asked["id"]


def test_a_running_question_ends_at_once_and_so_do_its_events(running):
    _, asked = running
    status, told = call("POST", f"/questions/{asked}/stop")
    assert (status, told["status"], told["error"]["code"]) == (200, "FAILED", "stopped")
    _, told = call("GET", f"/questions/{asked}/events")
    assert (told["status"], told["events"][-1]["kind"]) == ("FAILED", "failed")
    assert told["events"][-1]["data"]["code"] == "stopped"


def test_stopping_twice_is_stopping_once(running):
    _, asked = running
    assert call("POST", f"/questions/{asked}/stop") == call("POST", f"/questions/{asked}/stop")


def test_what_has_its_answer_keeps_it():
    small()
    waits = KEY | {"prefer": "wait=5"}
    _, answered = call("POST", "/questions", {"question": "Hello!"}, waits)
    status, told = call("POST", f"/questions/{answered['id']}/stop")
    assert (status, told["status"], told["answer"]) == (200, "DONE", answered["answer"])


def test_nobody_else_stops_it(running):
    pipeline, asked = running
    other = {"x-api-key": "other-key"}
    assert call("POST", f"/questions/{asked}/stop", None, other)[0] == 404
    assert call("POST", "/questions/none/stop")[0] == 404
    assert pipeline.questions.get("acme", asked).status == "RUNNING"


def test_an_answer_that_comes_late_changes_nothing(running):
    pipeline, asked = running
    record = pipeline.questions.get("acme", asked)
    call("POST", f"/questions/{asked}/stop")
    late = pipeline.questions.finish(record.model_copy(update={"status": "DONE"}))
    assert (late.status, late.error.code) == ("FAILED", "stopped")
    assert call("GET", f"/questions/{asked}")[1]["status"] == "FAILED"


@pytest.mark.parametrize("begun", range(5))
def test_no_step_pays_a_model_or_searches_after_the_stop(begun):
    """The question is stopped after so many steps: plan, two searches, grade, then all but none."""
    pipeline = Pipeline(llm=Model(), embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/fees.md", FEES.encode())
    record = create_question(pipeline)
    steps = Run(pipeline, record).steps()
    for _ in range(begun):
        next(steps)
    Service(pipeline, "acme").questions.stop(record.question_id)
    paid, trace = dict(pipeline.llm.asked), pipeline.questions.events(record.question_id)
    rest = list(steps)
    assert (dict(pipeline.llm.asked), rest[-1:]) == (paid, ["Synthesize"])
    assert pipeline.questions.events(record.question_id) == trace
    assert pipeline.questions.get("acme", record.question_id).error.code == "stopped"
