"""`footnote report`: what is counted by day, and what of it a caller sees."""

import json

import pytest
from typer.testing import CliRunner

from footnote.adapters.memory.small import MemoryTenants
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.cli.reporting import read_report
from footnote.clock import iso
from footnote.evaluation.days import (
    FATES,
    Asked,
    count_days,
    count_models,
    count_persons,
    count_questions,
)
from footnote.model import QuestionRecord, Scope
from footnote.service import Service
from tests.unit.faces import URL, InProcess, connect, small

FEES = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
DAY, NEXT = "2026-11-20T23:59:59.900+00:00", "2026-11-21T00:00:00.000+00:00"


def event(kind, **data):
    return {"id": "1", "kind": kind, "data": data}


def search(strategy):
    return event("found", strategy=strategy)


def call(model, read, wrote, usd):
    return {"model": model, "input": read, "output": wrote, "usd": usd}


def ended(*trace, found=True, outcome="answer", kind="answer", **changes):
    """Returns a question with an answer, as the API gives it with its trace."""
    answer = {
        "status": "DONE",
        "kind": kind,
        "found": found,
        "outcome": outcome,
        "sentences": [{"checked": "exact"}],
        "removed": [],
        "degraded": [],
        "usage": {"tokens": 0, "usd": 0.0},
        "timings_ms": {"total": 1000.0},
        "trace": list(trace),
    }
    return answer | changes


def failed(code="timeout", *trace):
    return {"status": "FAILED", "error": {"code": code}, "trace": list(trace)}


def one_row(*questions):
    [row] = count_questions([Asked(DAY, question) for question in questions])
    return row


# -- what is counted -------------------------------------------------------------------------------


def test_a_question_has_one_fate():
    nearest = ended(found=False, outcome="nearest")
    row = one_row(
        *(ended(), ended(), nearest, ended(found=False, outcome="none")),
        *(ended(found=False, outcome=None, kind="clarify"), ended(kind="direct", outcome=None)),
        *(failed(), failed("sources_closed"), {"status": "RUNNING"}),
    )
    counts = (2, 1, 1, 1, 1, 1, 1, 1)
    assert row["fates"] == dict(zip(FATES, counts, strict=True))
    assert row["asked"] == 9
    assert row["found_share"] == 0.5  # of the four that were searched to their end


def test_no_share_is_told_of_nothing_that_was_searched():
    assert one_row(failed())["found_share"] is None


def test_questions_are_apart_by_day_and_by_the_strategies_of_their_searches():
    rows = count_questions(
        [
            Asked(NEXT, ended(search("lexical"))),
            Asked(DAY, ended(search("navigate"), search("hybrid"), search("hybrid"))),
            Asked(DAY, ended(event("read"))),
            Asked(DAY, ended(event("plan"))),
            Asked(DAY, ended(search("hybrid"), search("navigate"))),
        ]
    )
    assert [(row["day"], row["strategy"], row["asked"]) for row in rows] == [
        ("2026-11-20", "", 1),
        ("2026-11-20", "hybrid + navigate", 2),
        ("2026-11-20", "whole documents", 1),
        ("2026-11-21", "lexical", 1),
    ]


def test_only_sentences_of_answers_count_as_kept():
    checks = [{"checked": one} for one in ("exact", "confirmed", "ocr", "unconfirmed", None)]
    row = one_row(
        ended(sentences=checks, removed=[{}, {}], degraded=["no model"]),
        ended(found=False, outcome="nearest", sentences=checks, removed=[{}]),
    )
    assert row["sentences"] == {"checked": 3, "unconfirmed": 1, "removed": 3}
    assert row["degraded"] == 1


def test_time_is_that_of_questions_with_an_answer():
    timed = [ended(timings_ms={"total": 1000.0 * n}) for n in range(1, 21)]
    assert one_row(*timed, failed())["seconds"] == {"p50": 11.0, "p95": 20.0}


def test_what_no_call_accounts_for_is_told_apart():
    calls = [call("m-1", 100, 10, 0.01), call("m-2", 5, 5, 0.002)]
    trace = event("plan", calls=calls[:1]), event("written", calls=calls[1:])
    asked = [
        Asked(DAY, ended(*trace, usage={"tokens": 150, "usd": 0.0125})),
        Asked(DAY, failed("stopped", trace[0])),
    ]
    assert count_models(asked) == [
        {"day": "2026-11-20", "model": "", "calls": 0, "tokens": 30, "usd": 0.0005},
        {"day": "2026-11-20", "model": "m-1", "calls": 2, "tokens": 220, "usd": 0.02},
        {"day": "2026-11-20", "model": "m-2", "calls": 1, "tokens": 10, "usd": 0.002},
    ]
    row = one_row(*(one.question for one in asked))
    assert (row["tokens"], row["usd"]) == (260, 0.0225)


def test_persons_stand_by_what_they_cost():
    asked = [
        Asked(DAY, ended(person="ada", usage={"tokens": 10, "usd": 0.01})),
        Asked(NEXT, ended(person="bo", usage={"tokens": 50, "usd": 0.05})),
        Asked(NEXT, failed("stopped", event("plan", calls=[call("m", 5, 5, 0.002)]))),
        Asked(NEXT, ended(person="ada", usage={"tokens": 20, "usd": 0.02})),
    ]
    assert count_persons(asked) == [
        {"person": "bo", "asked": 1, "tokens": 50, "usd": 0.05},
        {"person": "ada", "asked": 2, "tokens": 30, "usd": 0.03},
        {"person": "", "asked": 1, "tokens": 10, "usd": 0.002},
    ]


def test_documents_and_feedback_are_counted_by_day():
    def document(received, status, code=""):
        return {"received": received, "status": status, "error": {"code": code} if code else None}

    documents = [
        document(DAY, "READY"),
        document(DAY, "READY"),
        document(DAY, "FAILED", "encrypted"),
        document(NEXT, "FAILED", "encrypted"),
    ]
    said = [{"created": DAY, "verdict": "down"}, {"created": DAY, "verdict": "down"}]
    counted = count_days(documents, [], said)
    assert [tuple(row.values()) for row in counted["documents"]] == [
        ("2026-11-20", "FAILED", "encrypted", 1),
        ("2026-11-20", "READY", "", 2),
        ("2026-11-21", "FAILED", "encrypted", 1),
    ]
    assert counted["feedback"] == [{"day": "2026-11-20", "verdict": "down", "count": 2}]
    assert counted["questions"] == counted["models"] == counted["persons"] == []


# -- what is read ----------------------------------------------------------------------------------


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    made.upload("acme/default/fees.md", FEES)
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


def store(pipeline, question_id, created, tenant="acme", groups=(), *, person=""):
    """Stores a question that nobody answers."""
    scope = Scope(tenant=tenant, groups=groups)
    pipeline.questions.create(
        QuestionRecord(
            question_id=question_id,
            tenant=tenant,
            status="RUNNING",
            question="Why?",
            scope=scope,
            created=created,
            person=person,
        )
    )


def asked_in(report):
    return sum(row["asked"] for row in report["questions"])


def test_questions_of_sessions_and_of_none_count_and_each_once(pipeline):
    with connect(pipeline) as client:
        client.ask("What is the harbour fee for a barge?")
        client.ask("What is the harbour fee for a barge?", session="s")
        client.ask("Hello!", session="s")
        assert [one["session"] for one in client.questions()] == ["s", "s", ""]
        report = read_report(client, 2, pipeline.clock())  # midnight may pass meanwhile
    assert asked_in(report) == 3
    assert sum(row["fates"]["answered"] for row in report["questions"]) == 2
    assert report["used_today"]["questions"] == 3
    assert [(row["status"], row["count"]) for row in report["documents"]] == [("READY", 1)]


def test_reading_ends_at_the_first_question_that_is_too_old(pipeline):
    now = pipeline.clock()
    for n in range(120):  # three pages
        store(pipeline, f"q-{n}", iso(now - n * 86_400 / 20))  # twenty a day
    with connect(pipeline) as client:
        day = read_report(client, 1, now)
        assert 1 <= asked_in(day) <= 20
        assert day["from"] == day["to"] == iso(now)[:10]
        week = read_report(client, 7, now)
    assert asked_in(week) == 120
    assert sum(row["fates"]["failed"] for row in week["questions"]) == 119  # nobody works on them


def test_what_a_caller_may_not_read_does_not_count(pipeline):
    now = iso(pipeline.clock())
    store(pipeline, "q-theirs", now, tenant="other")
    store(pipeline, "q-board", now, groups=("board",))
    with connect(pipeline) as client:
        assert asked_in(read_report(client, 2, pipeline.clock())) == 0
    board, others = Service(pipeline, "acme", ("board",)), Service(pipeline, "acme")
    assert [turn.question_id for turn in board.questions.newest()[0]] == ["q-board"]
    assert others.questions.newest() == ([], "")
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("board",)})
    with connect(pipeline) as client:
        assert asked_in(read_report(client, 2, pipeline.clock())) == 1


def test_others_are_named_only_to_who_may_read_everything(pipeline):
    now = iso(pipeline.clock())
    store(pipeline, "q-ada", now, person="ada")
    store(pipeline, "q-mine", now, person="k1")
    named = []
    for groups in ((), ("board",), ("@all",)):
        pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": groups})
        with connect(pipeline) as client:
            report = read_report(client, 2, pipeline.clock())
            assert "person" not in client.question("q-ada")
        named.append([(row["person"], row["asked"]) for row in report["persons"]])
    assert named == [[("", 1), ("k1", 1)], [("", 1), ("k1", 1)], [("ada", 1), ("k1", 1)]]


def test_a_question_that_nobody_works_on_any_more_is_listed_as_failed(pipeline):
    now = pipeline.clock()
    store(pipeline, "q-old", iso(now - 10_000))
    store(pipeline, "q-new", iso(now))
    with connect(pipeline) as client:
        listed = [(one["id"], one["status"]) for one in client.questions()]
    assert listed == [("q-new", "RUNNING"), ("q-old", "FAILED")]


def test_the_command_prints_tables_and_json(pipeline):
    with connect(pipeline) as client:
        answer = client.ask("What is the harbour fee for a barge?")
        client.say(answer["id"], "up")
    ran = CliRunner().invoke(commands.app, ["report", "--days", "2", "--json"])
    report = json.loads(ran.stdout)
    assert (report["tenant"], asked_in(report)) == ("acme", 1)
    shown = CliRunner().invoke(commands.app, ["report"]).stdout
    lines = [line.split() for line in shown.splitlines()]
    [row] = report["questions"]
    assert [row["day"], *row["strategy"].split(), "1", "1"] in [line[:-13] for line in lines]
    assert [report["to"], "up", "1"] in lines
    assert ["k1", "1"] in [line[:2] for line in lines]
    assert [report["to"], "READY", "1"] in lines
    assert [report["to"], "extractive-1"] in [line[:2] for line in lines]
