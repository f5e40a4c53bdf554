"""Weights come out of packages as one known file, and a try says what became of each question."""

import hashlib
import zipfile

import pytest

from evals import try_model
from evals.real_model import model_of
from evals.try_report import HEADER, print_line, row, show_try
from evals.watched_llm import Call, WatchedLLM
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.errors import UnavailableError
from footnote.model import ModelReply, ModelRequest, user_says
from local import real_models
from local.models import Chosen
from local.real_models import REAL_MODELS, RealModel, join_weights, steps_of
from local.state import StackError
from local.steps import StepError
from tests.pages import page

PARTS = {"part10.bin": b"last", "part01.bin": b"first, ", "part02.bin": b"then, "}
WHOLE = b"first, then, last"


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """Makes two packages with parts of the weights in no order, and code that must not run."""
    monkeypatch.setattr(real_models, "FOLDER", tmp_path)
    folder = tmp_path / "packages"
    folder.mkdir()
    for name, parts in {"some": ["part10.bin", "part01.bin"], "other": ["part02.bin"]}.items():
        with zipfile.ZipFile(folder / f"{name}-1-py3-none-any.whl", "w") as package:
            package.writestr(f"{name}/__init__.py", "raise SystemExit")
            for part in parts:
                package.writestr(f"{name}/data/{part}", PARTS[part])
    return folder


def model(whole):
    return RealModel("small", "17 bytes", hashlib.sha256(whole).hexdigest())


def test_parts_are_joined_in_the_order_of_their_names(packages):
    join_weights(packages, model(WHOLE))
    assert model(WHOLE).file.read_bytes() == WHOLE


def test_other_weights_than_the_known_ones_are_refused(packages):
    with pytest.raises(StepError, match="not those that are known"):
        join_weights(packages, model(b"others"))
    assert not model(WHOLE).file.exists()


@pytest.mark.parametrize("name", REAL_MODELS)
def test_each_model_has_pins_with_versions_and_is_fetched_again_when_they_change(name):
    known = REAL_MODELS[name]
    pins = [one for one in known.pins.read_text().splitlines() if not one.startswith("#")]
    assert pins
    assert all("==" in one for one in pins)
    [step] = [one for one in steps_of(known) if one.name == name]
    assert {known.pins, known.digest} <= set(step.made_of)


# -- a try ---------------------------------------------------------------------------------------


REQUEST = ModelRequest(task="judge", system="", messages=user_says("?"), deadline=1.0)


def test_a_watched_model_has_all_the_time_it_needs_and_its_calls_are_counted():
    reply = ModelReply(text="a b", mode="openai", model="m", input_tokens=3, output_tokens=2)
    scripted = ScriptedLLM([], judge=[reply, reply, UnavailableError("down")])
    llm = WatchedLLM(scripted)
    assert llm.complete(REQUEST) == reply
    assert list(llm.stream(REQUEST))[-1] == reply
    with pytest.raises(UnavailableError):
        llm.complete(REQUEST)
    assert [request.deadline for request in scripted.requests] == [None] * 3
    assert [call._replace(seconds=0) for call in llm.calls] == [
        Call("judge", 0, 3, 2, failed=False),
        Call("judge", 0, 3, 2, failed=False),
        Call("judge", 0),
    ]
    sums = try_model.by_task(llm.calls)["judge"]
    assert (sums["calls"], sums["failed"], sums["tokens_in"]) == (3, 1, 6)


def asked(**told):
    """Returns what came of a question, as `try_model.ask` tells it."""
    common = {"id": "s1", "question": "What?", "answerable": True, "seconds": 1.0, "tokens": 5}
    answer = {
        "mode": "openai",
        "kind": "answer",
        "found": True,
        "right_document": True,
        "fates": {"exact": 2},
    }
    return common | answer | {"removed": 1, "degraded": ["why"], "answer": "a"} | told


def test_a_try_tells_what_survived_by_fate(capsys):
    lost = asked(answerable=False, found=True, fates={"supported by model": 1})
    failed = {"id": "s3", "question": "x" * 60, "answerable": True, "seconds": 0.0, "tokens": 0}
    questions = [asked(), lost, failed | {"failed": "too late"}]
    for one in questions:
        print_line(one)
    calls = try_model.by_task([Call("plan", 2.0, 7, 1, failed=False)])
    alone = [asked(mode="extractive", tokens=0)]
    report = {
        "model": "m",
        "profile": "small",
        "questions": questions,
        "without": alone,
        "calls": calls,
        "wording": None,
    }
    show_try(report)
    printed = capsys.readouterr().out
    assert "openai, answer: exact 2; removed 1; 1 s, 5 tokens\n      why\n      a\n" in printed
    assert "failed: too late" in printed
    assert "of 1 questions with an answer 1 got one, 1 cite a right document" in printed
    assert "of 1 without one 1 got one; 1 failed" in printed
    assert "sentences: exact 2, supported by model 1; removed 2" in printed
    assert "plan           1 calls, 0 failed; 2.0 s (p95 2.0); tokens in 7, out 1" in printed


def test_the_rows_have_the_columns_of_the_docs():
    fates = {"exact": 2, "confirmed by model": 1, "unconfirmed": 3}
    lost = asked(answerable=False, found=False, mode="extractive", seconds=3.0, fates={})
    line = row("m", "small", [asked(fates=fates), lost])
    assert line == "| m | small | 2 | 1 | 1 of 1 | 0 of 1 | 2, 1, 3 | 2 | 2 | 5 |"
    assert line.count("|") == HEADER.count("|")
    assert HEADER in page("models")


def test_questions_are_drawn_by_a_seed_in_their_order():
    cases = [{"id": n} for n in range(20)]
    some = try_model.drawn(cases, 5, 1)
    assert some == try_model.drawn(cases, 5, 1) == sorted(some, key=lambda case: case["id"])
    assert some != try_model.drawn(cases, 5, 2)
    assert try_model.drawn(cases, None, 1) == try_model.drawn(cases, 20, 1) == cases


def test_a_name_that_is_not_served_here_is_read_as_the_demo_reads_it(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    with try_model.reachable("openai:big", 1) as chosen:
        assert (chosen.model, chosen.url) == ("big", "http://localhost:1/v1")
    assert model_of(Chosen("anthropic", "", "", "key"))


@pytest.mark.parametrize(
    ("name", "why"), [("extractive", "is no model"), ("anthropic", "ANTHROPIC_API_KEY is not set")]
)
def test_what_cannot_be_tried_is_told_before_anything_is_asked(name, why, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(StackError, match=why), try_model.reachable(name, 1):
        pass
