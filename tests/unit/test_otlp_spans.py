"""`footnote trace ID --otlp`: spans of a question and of a document, in OTLP's JSON."""

import json
import re
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.cli.otlp_spans import document_spans, question_spans
from tests.unit.faces import URL, InProcess, connect, small
from tests.unit.test_document_tree import FAILED, FEES, RECORD
from tests.unit.test_trace_tree import asked_for, event

CREATED = "2026-11-20T10:00:00.250+00:00"
BEGIN = 1_795_168_800_250_000_000
CALL = {
    "task": "plan",
    "model": "m-1",
    "prompt": "abc",
    "input": 1200,
    "cached": 0,
    "output": 90,
    "usd": 0.01,
    "ms": 300.0,
}
ASKED = asked_for(
    event("estimate"),
    event("plan", calls=[CALL], ms=400.0, reason="a reason", questions=["a question"]),
    event("found", ms=200.0, strategy="hybrid", question="words of it", n=1),
    event("found", ms=500.0, strategy="lexical", n=2),
    event("verdict", ms=50.0, decision="enough"),
    event("words", text="The fee is 84 crowns."),
    event("written", calls=[CALL | {"task": "synthesize"}]),
    id="0" * 31 + "1",
    status="ANSWERED",
    timings_ms={"synthesize": 900.0, "total": 2000.0},
    usage={"tokens": 2580, "usd": 0.02},
)


def spans_of(request):
    [resource] = request["resourceSpans"]
    [scope] = resource["scopeSpans"]
    return scope["spans"]


def told(span):
    return {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]}


def times(span):
    """Returns the beginning after the question was asked, and the length, in ms."""
    begin, end = int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])
    return (begin - BEGIN) / 1e6, (end - begin) / 1e6


def test_each_step_begins_where_the_one_before_ended_and_searches_of_a_wave_together():
    spans = spans_of(question_spans(ASKED, CREATED))
    assert [(one["name"], *times(one)) for one in spans] == [
        ("question", 0, 2000),
        ("plan", 0, 400),
        ("chat m-1", 0, 300),
        ("retrieve", 400, 200),
        ("retrieve", 400, 500),
        ("grade", 900, 50),
        ("synthesize", 950, 900),
        ("chat m-1", 950, 300),
    ]


def test_spans_form_a_tree_with_ids_of_the_lengths_that_otlp_wants():
    spans = spans_of(question_spans(ASKED, CREATED))
    assert {one["traceId"] for one in spans} == {ASKED["id"]}
    assert all(re.fullmatch("[0-9a-f]{16}", one["spanId"]) for one in spans)
    assert len({one["spanId"] for one in spans}) == len(spans)
    root, plan, call, *_ = spans
    assert root["parentSpanId"] == ""
    assert (plan["parentSpanId"], call["parentSpanId"]) == (root["spanId"], plan["spanId"])


def test_the_same_trace_is_written_the_same_each_time():
    assert question_spans(ASKED, CREATED) == question_spans(ASKED, CREATED)


def test_calls_are_told_by_the_names_of_the_conventions_and_whole_numbers_are_texts():
    call = spans_of(question_spans(ASKED, CREATED))[2]
    assert told(call)["gen_ai.request.model"] == "m-1"
    tokens = {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "1200"}}
    assert tokens in call["attributes"]
    assert {"key": "footnote.usd", "value": {"doubleValue": 0.01}} in call["attributes"]


def test_no_words_of_questions_answers_or_documents_leave():
    text = json.dumps(question_spans(ASKED, CREATED))
    for words in ("Why?", "a reason", "a question", "words of it", "84 crowns"):
        assert words not in text
    text = json.dumps(document_spans(RECORD | FAILED))
    assert "fees.pdf" not in text
    assert "Split" not in text


def test_a_question_that_failed_says_its_code_and_lasts_as_long_as_what_is_known_of_it():
    error = {"code": "timeout", "message": "x", "action": "y"}
    failed = {name: ASKED[name] for name in ("id", "trace", "question")} | {"status": "FAILED"}
    root = spans_of(question_spans(failed | {"error": error}, CREATED))[0]
    assert root["status"] == {"code": 2, "message": "timeout"}
    assert times(root)[1] == 1250  # the writer's time is known by its calls alone


def test_a_document_has_its_stages_one_after_the_other():
    root, *stages = spans = spans_of(document_spans(RECORD))
    assert [one["name"] for one in spans] == ["document", "parse", "chunk", "index"]
    assert times(root)[1] == 9500
    assert all(a["endTimeUnixNano"] == b["startTimeUnixNano"] for a, b in pairwise(stages))
    assert root["status"] == {"code": 1}
    assert spans_of(document_spans(RECORD | FAILED))[0]["status"]["message"] == "stopped"


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    made.upload("acme/harbour/fees.md", FEES)
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


def test_the_command_writes_a_real_question_and_a_real_document(pipeline):
    with connect(pipeline) as client:
        asked = client.ask("What is the harbour fee for a barge?")
    for words, names in (
        ([asked["id"]], ["question", "plan", "retrieve", "grade", "synthesize"]),
        (["fees.md", "--collection", "harbour"], ["document", "parse", "chunk", "index"]),
    ):
        done = CliRunner().invoke(commands.app, ["trace", *words, "--otlp"])
        assert done.exit_code == 0, done.output
        found = spans_of(json.loads(done.output))
        assert [one["name"] for one in found] == names  # rules are no model
