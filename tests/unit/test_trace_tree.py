"""The tree that `footnote ask --trace` prints, and the table of events that it is drawn from."""

import ast
import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from footnote.adapters.memory.questions import MemoryQuestions
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.adapters.rules.limits import ITEM_BYTES, item_bytes
from footnote.adapters.rules.questions import item_of, must_be_storable
from footnote.ask.question.history import (
    ANSWER_TOKENS,
    LAST,
    LEAST_TOKENS,
    MAX_DOCUMENTS,
    OLDER_TOKENS,
)
from footnote.ask.question.trace import ENDS, EVENTS, MAX_BYTES, MAX_ROWS, SHOWN, check_event, tell
from footnote.cli.trace_tree import DRAW, trace_tree
from footnote.client import Client
from footnote.errors import ConfigurationError
from footnote.model import Answer, ModelReply, QuestionRecord, Scope
from footnote.prompts import digest_of
from tests.sources import tree_of
from tests.unit.faces import URL, InProcess, small

ROOT = Path(__file__).resolve().parents[2]
FEES = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n\nThe fee for a tug is 31 crowns.\n"
VALUES = {str: "x", int: 1, list: [], bool: False}


def drawn(asked):
    console = Console(width=400, record=True, file=StringIO())
    console.print(trace_tree(asked))
    return [line.rstrip() for line in console.export_text().splitlines()]


def filled(kind, **changes):
    """Returns data for an event of a kind, of the least that each field may be."""
    return {name: VALUES[field.kinds[0]] for name, field in EVENTS[kind].items()} | changes


def event(kind, **changes):
    return {"id": "1", "kind": kind, "data": check_event(kind, filled(kind, **changes))}


def asked_for(*events, **changes):
    return {"question": "Why?", "trace": list(events), "kind": "answer"} | changes


def paid(text, **changes):
    return ModelReply(text=text, mode="anthropic", model="m-1", **changes)


def tokens(read, wrote):
    return {"input_tokens": read, "output_tokens": wrote}


@pytest.fixture
def traced():
    """Asks a question of two parts with a model; returns the record as the API gives it."""
    plan = {
        "kind": "retrieve",
        "reason": "two boats",
        "sub_questions": [{"text": "harbour fee for a barge"}, {"text": "fee for a tug"}],
    }
    sure = [{"id": f"q{n}", "decision": "enough", "confidence": 0.9} for n in (1, 2)]
    said = "The harbour fee for a barge is 84 crowns. [1] Kestrel sank in 1977. [1]"
    pipeline = small()
    vars(pipeline)["llm"] = ScriptedLLM(
        [
            paid(json.dumps(plan), usd=0.01, **tokens(1200, 90), cached_tokens=800),
            paid(json.dumps({"verdicts": sure}), usd=0.002, **tokens(300, 20)),
            paid(said, usd=0.02, **tokens(500, 40)),
        ]
    )
    pipeline.upload("acme/default/fees.md", FEES)
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        started = client.start("What are the fees?")
        return client.question(started["id"], trace=True)


def test_the_record_alone_has_all_that_was_done(traced):
    by_kind = {}
    for one in traced["trace"]:
        by_kind.setdefault(one["kind"], []).append(one["data"])
    [plan], [verdict], [written] = by_kind["plan"], by_kind["verdict"], by_kind["written"]
    assert [(one["n"], one["of"], one["sub_question"]) for one in by_kind["found"]] == [
        (1, 2, "q1"),
        (2, 2, "q2"),
    ]
    assert all(one["top"][0]["document"] == "fees.md" for one in by_kind["found"])
    [call] = plan["calls"]
    assert call.pop("ms") >= 0
    assert call == {
        "task": "plan",
        "model": "m-1",
        "prompt": digest_of("plan"),
        "input": 1200,
        "cached": 800,
        "output": 90,
        "usd": 0.01,
    }
    assert [one["id"] for one in verdict["verdicts"]] == ["q1", "q2"]
    assert [call["task"] for call in verdict["calls"]] == ["grade"]
    assert (written["sentences"], written["removed"]) == (1, 1)
    assert written["calls"][0]["prompt"] == digest_of("synthesize")
    calls = [call for data in (plan, verdict, written) for call in data["calls"]]
    tokens = sum(call["input"] + call["output"] for call in calls)
    assert tokens == traced["usage"]["tokens"]
    assert round(sum(call["usd"] for call in calls), 6) == traced["usage"]["usd"]


def test_the_tree_shows_plan_searches_verdicts_and_writing(traced):
    lines = drawn(traced)
    assert lines[0] == "question  What are the fees?"
    names = [line.lstrip("│├└─ ").split("  ")[0] for line in lines]
    wanted = [
        *("plan", "q1", "q2", "model: plan", "round 1"),
        *("search 1 of 2", "search 2 of 2", "verdict", "model: grade"),
        *("removed", "written", "model: synthesize", "answered"),
    ]
    at = 0
    for name in wanted:  # each is there, in this order
        at = names.index(name, at) + 1
    text = "\n".join(lines)
    assert "1,200 tokens in (800 cached), 90 out, $0.010000" in text
    assert f"prompt {digest_of('plan')[:12]}" in text
    assert "fees.md" in text
    assert "found, confidence" in text


def test_the_tree_tells_no_dollars_of_what_has_no_known_price(traced):
    unpriced = json.loads(re.sub(r'"usd": [\d.e-]+', '"usd": 0.0', json.dumps(traced)))
    text = "\n".join(drawn(unpriced))
    assert "90 out, " in text
    assert "$" not in text


def test_an_answer_without_its_trace_has_none():
    pipeline = small()
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        asked = client.ask("Hello!")
        assert "trace" not in asked
        kinds = [one["kind"] for one in client.question(asked["id"], trace=True)["trace"]]
        assert kinds == ["estimate", "plan", "words", "answered"]


# -- what a terminal obeys -------------------------------------------------------------------------

EVIL = (
    "a\x1b]8;;http://evil.example\x07 [bold]c[/bold]\x1b[2J www.evil.example\u202e\n"
    "x mailto:e@vil http:\x1b//evil.example"
)


def test_no_words_in_the_tree_are_obeyed():
    lines = drawn(
        asked_for(
            event("plan", questions=[EVIL], subs=[{"id": EVIL, "after": [EVIL]}], resolved=EVIL,
                  reason=EVIL),
            event("found", question=EVIL, sub_question=EVIL, chosen=EVIL, strategy=EVIL,
                  top=[{"document": EVIL, "pages": [1], "score": 0.5}]),
            event("verdict", decision=EVIL, verdicts=[
                {"id": EVIL, "decision": EVIL, "confidence": 0.5, "missing": EVIL}]),
            event("removed", text=EVIL, reason=EVIL),
            {"id": "9", "kind": "failed", "data": {"code": EVIL, "message": EVIL}},
            {"id": "9", "kind": EVIL, "data": {}},
            question=EVIL,
        )
    )  # fmt: skip
    text = "\n".join(lines)
    assert text.count("[bold]c[/bold]") >= 12
    assert not [char for char in text if char != "\n" and not char.isprintable()]
    assert "evil.example" not in text
    assert "mailto" not in text
    assert len(lines) == 13


def test_long_words_do_not_flood_the_terminal():
    lines = drawn(asked_for(event("removed", text="x" * 9_000, reason="y" * 9_000)))
    assert max(map(len, lines)) < 300


def test_an_older_footnotes_events_are_drawn_too():
    lines = drawn(
        asked_for(
            {"id": "1", "kind": "plan", "data": {"kind": "retrieve", "questions": ["Why?"]}},
            {"id": "2", "kind": "found", "data": {"question": "Why?", "passages": 1}},
            {"id": "3", "kind": "verdict", "data": {"decision": "enough", "round": 2}},
            {"id": "4", "kind": "work", "data": {"what": "ever"}},
            {"id": "5", "kind": "answered", "data": {"found": False}},
        )
    )
    assert [line.lstrip("│├└─ ").split("  ")[0] for line in lines] == [
        *("question", "plan", "round 1", "search 1 of 1", "for", "round 2", "verdict"),
        *("work", "answered"),
    ]


# -- the table of events ---------------------------------------------------------------------------


def test_the_tree_draws_every_event_of_the_table():
    assert set(DRAW) == {*EVENTS, *ENDS}
    for kind in EVENTS:
        assert drawn(asked_for(event(kind)))


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_with_other_fields_is_refused(kind):
    questions = MemoryQuestions()
    given = filled(kind)
    tell(questions, "q", kind, given)
    wrong = [{**given, "more": 1}]
    wrong += [{name: value for name, value in given.items() if name != left} for left in given]
    wrong += [{**given, name: object()} for name in given]
    wrong += [{**given, name: True} for name, field in EVENTS[kind].items() if int in field.kinds]
    for data in wrong:
        with pytest.raises(ConfigurationError, match=kind):
            tell(questions, "q", kind, data)
    assert len(questions.events("q")) == 1


def test_an_unknown_event_is_refused():
    with pytest.raises(
        ConfigurationError, match="no event 'guess'; known: estimate, plan, read, turn"
    ):
        tell(MemoryQuestions(), "q", "guess", {})


def test_nothing_adds_events_past_the_table():
    """Reads the code: only `tell` calls `add_event`, and the adapters that implement it."""
    paths = [*ROOT.glob("functions/*/app.py"), *(ROOT / "shared" / "footnote").rglob("*.py")]
    calling = {
        path.relative_to(ROOT).as_posix()
        for path in paths
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "add_event"
    }
    assert calling == {"shared/footnote/ask/question/trace.py"}


def test_texts_and_lists_are_cut():
    data = check_event("verdict", filled("verdict", verdicts=[{"missing": "x" * 999}] * 99))
    assert len(data["verdicts"]) == MAX_ROWS
    assert {len(one["missing"]) for one in data["verdicts"]} == {SHOWN}


@pytest.mark.parametrize("kind", EVENTS)
def test_an_event_is_far_below_what_an_item_may_have(kind):
    flood = {str: "\U0001f600" * 10_000, int: 10**18, list: [{"text": "\U0001f600" * 10_000}] * 500}
    flood[bool] = False
    given = {name: flood[field.kinds[0]] for name, field in EVENTS[kind].items()}
    data = check_event(kind, given)
    size = item_bytes({"kind": kind, "data": json.dumps(data)})  # as the table stores it
    assert size <= MAX_BYTES + 100 < ITEM_BYTES / 3


def test_a_record_is_far_below_what_an_item_may_have_whatever_was_asked():
    wide = "\U0001f600"
    said = (wide * 4_000, wide * ANSWER_TOKENS)
    cited = tuple(f"{n:020x}" for n in range(MAX_DOCUMENTS))
    lines = OLDER_TOKENS // LEAST_TOKENS
    older = (("", wide * LEAST_TOKENS),) * lines
    record = QuestionRecord(
        question_id="q",
        tenant="acme",
        status="DONE",
        question=wide * 4_000,
        scope=Scope(tenant="acme", documents=("d" * 1_000,) * 100),
        session="s" * 200,
        history=(*older, *(said,) * (LAST + 1)),  # that many are stored before it is shortened
        history_documents=(cited,) * (lines + LAST + 1),
        created="2026-11-20T10:00:00+00:00",
        answer=Answer(id="q", kind="answer", found=True, answer="A b. " * 59_000),
    )
    must_be_storable(record)
    assert item_bytes(item_of(record)) < 0.9 * ITEM_BYTES
