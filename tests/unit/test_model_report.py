"""What the doctor says of a deployment's model, by its estimate and its last answers."""

from contextlib import nullcontext

import pytest

from footnote.cli import operating_commands
from footnote.cli.model_report import NOTHING, advise, describe_answers, describe_model
from footnote.client import Client
from footnote.errors import UnavailableError
from footnote.model import ModelReply
from footnote.settings import Settings
from tests.unit.faces import URL, InProcess, small

FEES = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
SMALL = Settings(
    backend="memory",
    model_provider="openai",
    model_profile="small",
    planner_model="m",
    grader_model="m",
    writer_model="m",
)
WRITES = "The harbour fee for a barge is 84 crowns. [1]"


class Writer:
    """A model that writes, or fails as it is told."""

    def __init__(self, error=None):
        self._error = error

    def stream(self, _request):
        if self._error:
            raise self._error
        yield WRITES
        yield ModelReply(text=WRITES, mode="openai", model="m", input_tokens=900, output_tokens=100)


@pytest.fixture
def deployment():
    made = small()
    made.settings = SMALL
    made.upload("acme/default/fees.md", FEES)
    return made


def lines_of(pipeline, llm=None, questions=0):
    """Asks questions in sessions of their own, and returns the lines about the model."""
    vars(pipeline)["llm"] = llm
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        for n in range(questions):
            client.start("What is the harbour fee for a barge?", session=f"s{n}")
        return list(describe_model(client))


def test_a_wrong_setting_of_the_model_is_one_line_and_no_failure(deployment, monkeypatch):
    deployment.settings = SMALL.model_copy(update={"planner_model": ""})
    with Client(URL, "acme-key", transport=InProcess(deployment)) as client:
        monkeypatch.setattr(operating_commands, "connect", lambda: nullcontext(client))
        told = operating_commands.check_health()
    assert (told["ok"], len(told["model"])) == (True, 1)
    assert "is named for: planner" in told["model"][0]


def test_without_a_model_there_is_one_line():
    assert lines_of(small()) == ["model: none, answers are the documents' own sentences"]


def test_profile_and_missing_price_are_told_before_anything_was_asked(deployment):
    assert lines_of(deployment) == [
        "model: openai, it only writes (ModelProfile=small)",
        "model: No price is known for m: its dollars are not counted. ModelPrices sets one.",
        f"model: {NOTHING}",
    ]


def test_the_last_answers_tell_who_wrote_and_how_fast(deployment):
    *_, wrote, took = lines_of(deployment, Writer(), questions=2)
    assert wrote == "model: wrote 2 of the last 2 answers, rules the others"
    assert took.startswith("model: synthesize by m: 0.")
    assert took.endswith(" tokens a second")


def test_why_rules_stood_in_is_told_with_what_to_do(deployment):
    late = Writer(UnavailableError("the model's server did not end its answer in time"))
    *_, wrote, why = lines_of(deployment, late, questions=2)
    assert wrote == "model: wrote 0 of the last 2 answers, rules the others"
    assert why.startswith("model: 2 of 2: The language model was not available (the model's server")
    assert why.endswith("ModelProfile=small, which asks it once a question, or a faster machine.")


def test_what_a_task_took_is_the_median_of_its_calls():
    calls = [
        {"task": "plan", "model": "m", "ms": ms, "input": 90, "output": 10}
        for ms in (1_000, 2_000, 9_000)
    ]
    calls += [{"task": "plan", "model": "extractive-1", "ms": 1, "input": 0, "output": 0}]
    record = {"mode": "openai", "degraded": [], "trace": [{"data": {"calls": calls}}, {"data": {}}]}
    *_, took = describe_answers([record])
    assert took == "model: plan by m: 2.0 s, 25 tokens a second"


@pytest.mark.parametrize(
    ("why", "to_do"),
    [
        ("was not available (left alone for this task: its last replies came too late)", "slow"),
        ("was not available (it answered 400: the request exceeds the context size)", "window"),
        ("was not available (it answered 401: no such key)", "key"),
        ("was not available (it answered 301: no reason given)", "URL"),
        ("was not available (the model's server gave no answer)", "server up"),
        ("'s reply was of no use (it is no JSON)", "weak"),
    ],
)
def test_each_failure_has_its_own_advice(why, to_do):
    assert to_do in advise(f"The language model {why}: rules and quotations stood in.")


def test_other_notes_have_none():
    assert advise("The answer was cut: the model reached its limit of tokens.") == ""
