"""A question whose model needs long for each reply, by a clock that only the model turns."""

import json
import re

import pytest

from footnote.adapters.calls.lateness import LATE
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.errors import UnavailableError
from footnote.model import ModelReply
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.clocks import FakeClock
from tests.corpus import HashEmbedder
from tests.model_cases import in_chain
from tests.unit.faces import Words

FEES = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
QUESTION = "What is the harbour fee for a barge?"
SAID = {
    "plan": json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]}),
    "grade": json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}),
    "synthesize": "The harbour fee for a barge is 84 crowns. [1]",
}


class Slow:
    """Needs so many seconds for each reply, and says so where it has fewer."""

    def __init__(self, clock, seconds):
        self._clock, self._seconds = clock, seconds
        self.asked = []

    def complete(self, request):
        self.asked.append(request.task)
        needed, left = self._seconds[request.task], request.deadline - self._clock()
        self._clock.now += min(needed, left, request.patience)
        if needed > min(left, request.patience):
            raise UnavailableError("no reply yet", code=LATE)
        return ScriptedLLM([SAID[request.task]]).complete(request)

    def stream(self, request):
        reply = self.complete(request)
        yield from re.findall(r"\S+\s*", reply.text)
        yield reply

    def estimate(self, _request, text=""):
        return ModelReply(text=text, mode="openai", model="m", input_tokens=100)


def asked(plan=12.0, grade=12.0, synthesize=12.0, questions=1):
    """Asks a model that needs so many seconds a task; returns the answers and the model."""
    clock = FakeClock(1_000_000.0)
    model = Slow(clock, {"plan": plan, "grade": grade, "synthesize": synthesize})
    llm = in_chain(model, sleep=clock.sleep, clock=clock, now=clock)
    settings = Settings(backend="memory", model_provider="anthropic")
    made = Pipeline(settings, llm=llm, embedder=HashEmbedder(), tokenizer=Words(), clock=clock)
    made.upload("acme/default/fees.md", FEES)
    service, answers = Service(made, "acme"), []
    for _ in range(questions):
        record = service.questions.ask(QUESTION)
        answers.append(made.questions.get("acme", record.question_id).answer)
    return answers, model


def test_a_model_that_needs_twelve_seconds_a_call_writes_its_answer():
    [answer], model = asked()
    assert model.asked == ["plan", "grade", "synthesize"]
    assert (answer.found, answer.mode, answer.degraded) == (True, "anthropic", ())


@pytest.mark.parametrize("late", ["plan", "grade"])
def test_a_plan_or_grade_that_is_late_does_not_keep_the_writer_from_writing(late):
    answers, model = asked(**{late: 21.0}, questions=6)
    assert {answer.mode for answer in answers} == {"anthropic"}
    assert model.asked.count("synthesize") == 6
    assert model.asked.count(late) == 5  # then it is not waited for any more
    assert "left alone for this task" in answers[-1].degraded[0]


def test_a_call_that_is_left_is_made_once_and_counted():
    [answer], model = asked(plan=99.0)
    assert model.asked == ["plan", "grade", "synthesize"]
    assert answer.usage.by_step["plan"]["tokens"] == 100
    assert answer.usage.tokens == 100
