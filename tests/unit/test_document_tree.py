"""`footnote trace ID`: of a question, and of a document in each of its states."""

import json
from io import StringIO

import pytest
from rich.console import Console
from typer.testing import CliRunner

from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.cli.document_tree import document_tree
from footnote.errors import NotFoundError
from tests.unit.faces import URL, InProcess, connect, small

FEES = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
RECORD = {
    "id": "d1",
    "document": "lock/fees.pdf",
    "collection": "harbour",
    "version": "v7",
    "status": "READY",
    "error": None,
    "searchable": True,
    "media_type": "application/pdf",
    "size": 120_400,
    "pages": 12,
    "chunks": 40,
    "parts": {"done": 2, "of": 2},
    "warnings": [],
    "timings_ms": {"parse": 1240.4, "chunk": 80.0, "index": 2310.0},
    "received": "2026-11-20T10:00:00.000+00:00",
    "updated": "2026-11-20T10:00:09.500+00:00",
    "usd": 0.0012,
}
FAILED = {
    "status": "FAILED",
    "error": {"code": "stopped", "message": "The stage was stopped.", "action": "Split the file."},
}
CAME = "received  2026-11-20T10:00:00.000+00:00, 120,400 bytes, application/pdf, version v7"


def drawn(**changes):
    console = Console(width=400, record=True, file=StringIO())
    console.print(document_tree(RECORD | changes))
    return [line.lstrip("│├└─ ").rstrip() for line in console.export_text().splitlines()]


def test_a_document_that_can_be_searched_shows_the_work_of_each_stage():
    assert drawn(warnings=["2 pictures were not read."]) == [
        "document  lock/fees.pdf in harbour, d1",
        CAME,
        "parse  1,240 ms of work, 12 pages",
        "chunk  80 ms of work, 40 chunks, 2 parts",
        "index  2,310 ms of work, 2 of 2 parts",
        "warning  2 pictures were not read.",
        "READY  since 2026-11-20T10:00:09.500+00:00, 9.5 s after it came, $0.001200",
    ]


@pytest.mark.parametrize(
    ("status", "timings", "stages"),
    [
        ("RECEIVED", {}, ["parse  not reached"]),
        ("PARSING", {}, ["parse  at work"]),
        ("CHUNKING", {"parse": 9}, ["parse  9 ms of work, 12 pages", "chunk  at work"]),
        (
            "INDEXING",
            {"parse": 9, "chunk": 8, "index": 7},
            [
                "parse  9 ms of work, 12 pages",
                "chunk  8 ms of work, 40 chunks, 2 parts",
                "index  7 ms of work, 1 of 2 parts, at work",
            ],
        ),
    ],
)
def test_a_document_at_work_shows_how_far_it_is(status, timings, stages):
    lines = drawn(status=status, timings_ms=timings, parts={"done": 1, "of": 2}, searchable=False)
    assert lines[2:-1] == stages


def test_lines_that_a_model_wrote_stand_before_index():
    timings = {"parse": 1, "chunk": 2, "index": 3, "lines": 4}
    assert [line.split()[0] for line in drawn(timings_ms=timings)[2:-1]] == [
        *("parse", "chunk", "lines", "index"),
    ]


def test_a_failed_document_shows_its_code_whole_and_what_to_do():
    action = "Split the file. " * 40
    error = FAILED["error"] | {"action": action}
    lines = drawn(**FAILED | {"error": error}, timings_ms={"parse": 5.0}, usd=0.0)
    assert lines[2:4] == ["parse  5 ms of work, 12 pages", "chunk  not reached"]
    at = lines.index("stopped  The stage was stopped.")
    assert lines[at - 1] == "FAILED  since 2026-11-20T10:00:09.500+00:00, 9.5 s after it came"
    rest = " ".join(lines[at + 1 :])
    assert rest.startswith("do  Split the file.")
    assert rest.count("Split the file.") == 40
    assert rest.endswith("searchable  an earlier version is, until this one is READY")


def test_words_of_a_document_are_not_obeyed():
    evil = "a\x1b]8;;http://evil.example\x07b\x1b[2J"
    error = {"code": evil, "message": evil, "action": evil}
    text = "\n".join(drawn(document=evil, warnings=[evil], status="FAILED", error=error))
    assert not [char for char in text if char != "\n" and not char.isprintable()]


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    made.upload("acme/harbour/fees.md", FEES)
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


def run(*words):
    result = CliRunner().invoke(commands.app, ["trace", *words])
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.output


def test_the_command_finds_a_document_by_path_and_by_id(pipeline):
    by_path = json.loads(run("fees.md", "--collection", "harbour", "--json"))
    assert (by_path["status"], by_path["document"]) == ("READY", "fees.md")
    assert json.loads(run(by_path["id"], "--json")) == by_path
    assert "READY" in run(by_path["id"])


def test_the_command_finds_a_question_and_draws_its_steps(pipeline):
    with connect(pipeline) as client:
        asked = client.ask("What is the harbour fee for a barge?")
    assert run(asked["id"]).startswith(f"question  {asked['question']}\n")
    kinds = [event["kind"] for event in json.loads(run(asked["id"], "--json"))["trace"]]
    assert kinds[0] == "estimate"
    assert kinds[-1] == "answered"


def test_what_is_neither_is_named(pipeline):
    with pytest.raises(NotFoundError, match=r"no question .*, and no such document in"):
        run("tug.md")
