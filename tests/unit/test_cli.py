"""The command line, on an API in this process: what is printed, and how it ends."""

import json
import re
import subprocess
import sys
import webbrowser
from importlib import metadata
from pathlib import Path
from threading import Event
from typing import get_args

import pytest
from typer.testing import CliRunner

from footnote import cli
from footnote.adapters.memory.small import MemoryTenants
from footnote.cli import commands, operating_commands
from footnote.cli.connect import transport
from footnote.cli.options import Strategy
from footnote.cli.progress import AddTotals
from footnote.cli.upload import UPLOADERS
from footnote.client import Client
from footnote.endpoint import endpoint
from footnote.errors import BadRequestError, ConfigurationError, FootnoteError, UnavailableError
from footnote.model import STRATEGIES, Caps, Problem, ReindexRun, document_id
from tests.unit.faces import OUTAGE, URL, Flaky, InProcess, small
from tests.unit.test_api import Idle

TEXT = "# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
QUESTION = "What is the harbour fee for a barge?"
ID = document_id("acme/default/fees.md")


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "fees.md"
    made.write_text(TEXT)
    return made


def run(*words, ends=0):
    """Runs a command. Returns what it printed: (stdout, stderr)."""
    result = CliRunner().invoke(commands.app, [str(word) for word in words])
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == ends, result.output
    return result.stdout, result.stderr


def run_json(*words, ends=0):
    return json.loads(run(*words, "--json", ends=ends)[0])


# -- adding --------------------------------------------------------------------------------------


def test_adding_a_file_ends_when_it_is_ready(pipeline, file):
    printed = run_json("add", file)
    assert [(d["document"], d["status"]) for d in printed["documents"]] == [("fees.md", "READY")]
    assert printed["refused"] == []


def test_adding_a_file_shows_a_line_for_it(pipeline, file):
    out, err = run("add", file)
    assert (out, err.strip()) == ("", "READY       fees.md  1 passage")


def test_adding_a_folder_adds_all_in_it_but_what_is_hidden(pipeline, tmp_path):
    for name in ("a.md", "deep/er/b.md", ".hidden.md", ".git/config.md", "deep/.c.md"):
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TEXT)
    printed = run_json("add", tmp_path / "notes", "--collection", "port")
    names = sorted((d["collection"], d["document"]) for d in printed["documents"])
    assert names == [("port", "a.md"), ("port", "deep/er/b.md")]


def test_adding_with_metadata_makes_it_findable(pipeline, file):
    run("add", file, "--metadata", "year=2023", "--metadata", "tag=a", "--metadata", "tag=b")
    [record] = run_json("status", "fees.md")["documents"]
    assert record["metadata"] == {"year": 2023, "tag": ["a", "b"]}
    found = {
        filters: len(run_json("search", "fee", *(f"--filter={one}" for one in filters))["hits"])
        for filters in [
            ("year>=2023", "year<2025"),
            ("year=2023", "tag=b"),
            ("tag=c", "tag=a"),
            ("year>2023",),
            ("tag=c",),
        ]
    }
    assert list(found.values()) == [1, 1, 1, 0, 0]


def test_a_sidecar_goes_before_its_document_and_is_not_waited_for(pipeline, file):
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("@all",)})
    beside = file.with_name("fees.md.metadata.json")
    beside.write_text('{"metadataAttributes": {"year": 2023}, "acl": ["board"]}')
    out, err = run("add", beside, file)
    assert (out, err.split()) == (
        "",
        ["SIDECAR", "fees.md.metadata.json", "READY", "fees.md", "1", "passage"],
    )
    [record] = run_json("status")["documents"]
    assert (record["metadata"], record["acl"]) == ({"year": 2023}, ["board"])
    assert pipeline.catalog.get(ID).annotation == 0  # the metadata was there from the start


def test_a_document_whose_sidecar_is_refused_is_not_sent(pipeline, file):
    file.with_name("fees.md.metadata.json").write_text('{"acl": ["board"]}')
    file.with_name("open.md").write_text(TEXT.replace("84", "97"))
    printed = run_json("add", file.parent, ends=1)
    assert [(one["document"], one["error"]["code"]) for one in printed["refused"]] == [
        ("fees.md.metadata.json", "sidecar_forbidden"),
        ("fees.md", "sidecar_refused"),
    ]
    assert [one["document"] for one in run_json("status")["documents"]] == ["open.md"]


def test_metadata_without_a_value_is_refused(pipeline, file):
    with pytest.raises(BadRequestError, match="'year' is not name=value"):
        run("add", file, "--metadata", "year")


def test_adding_without_waiting_says_how_to_look(pipeline, file):
    out, _ = run("add", file, "--no-wait")
    assert out == "1 uploaded; `footnote status` shows how they get on\n"
    assert run_json("add", file, "--no-wait")["documents"] == [
        {"id": ID, "document": "fees.md", "collection": "default"}
        | {"version": "", "sidecar": False, "same": True}
    ]


def test_a_file_that_does_not_become_ready_ends_with_1(pipeline, tmp_path):
    (tmp_path / "empty.md").write_text("")
    _, err = run("add", tmp_path / "empty.md", ends=1)
    assert err.startswith("FAILED      empty.md  empty_file: ")


def test_a_file_that_is_refused_is_told_and_the_others_are_added(monkeypatch, tmp_path, file):
    monkeypatch.setenv("FOOTNOTE_MAX_UPLOAD_BYTES", "60")
    made = small()
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    (tmp_path / "large.md").write_text(TEXT * 2)
    printed = run_json("add", tmp_path, ends=1)
    _, err = run("add", tmp_path, "--no-wait", ends=1)
    transport.reset(token)
    assert [d["document"] for d in printed["documents"]] == ["fees.md"]
    assert [(r["document"], r["error"]["code"]) for r in printed["refused"]] == [
        ("large.md", "too_large")
    ]
    assert "REFUSED     large.md  too_large: large.md has 100 bytes;" in err


@pytest.fixture
def many(tmp_path):
    """Makes a folder with one empty file among 24 good ones."""
    folder = tmp_path / "many"
    folder.mkdir()
    for n in range(25):
        (folder / f"{n:02}.md").write_text("" if n == 7 else f"{TEXT}\nNumber {n}.\n")
    return folder


def test_many_files_are_counted_and_only_what_went_wrong_is_named(pipeline, many):
    out, err = run("add", many, ends=1)
    lines = [line for line in err.splitlines() if line.strip()]
    assert out == ""
    assert lines[0].startswith("FAILED      07.md  empty_file: ")
    assert lines[-1] == "25 files: 25 uploaded, 24 ready, 1 failed"
    assert len([line for line in lines if "READY" in line]) == 0


def test_ctrl_c_while_uploading_begins_no_other_and_says_what_goes_on(pipeline, many, monkeypatch):
    begun, stopped, add = [], Event(), Client.add

    def adding(self, *words, again):
        begun.append(words)
        if words[1] > "02.md":  # the first three may pass, in whichever order they begin
            stopped.wait()
        return add(self, *words, again=again)

    def begin(self, document_id, name):
        if name == "02.md":
            stopped.set()
            raise KeyboardInterrupt

    monkeypatch.setattr(Client, "add", adding)
    monkeypatch.setattr(AddTotals, "begin", begin)
    _, err = run("add", many, ends=130)
    assert "of 25 files are uploaded and go on being" in " ".join(err.split())
    assert len(begun) <= 3 + UPLOADERS


def test_ctrl_c_while_waiting_says_what_goes_on(pipeline, many, monkeypatch):
    def wait(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Client, "wait", wait)
    _, err = run("add", many, ends=130)
    assert "interrupted: 25 of 25 files are uploaded" in " ".join(err.split())
    assert len(pipeline.catalog.documents("acme")[0]) == 25


def test_a_file_that_is_not_there_is_told_before_anything_is_sent(pipeline, file):
    with pytest.raises(FootnoteError) as error:
        run("add", file, "/no/such/file")
    assert (error.value.code, pipeline.catalog.documents("acme")) == ("no_such_file", ([], ""))


def test_two_files_of_one_name_are_refused_before_anything_is_sent(pipeline, file):
    other = file.parent / "2024" / "fees.md"
    other.parent.mkdir()
    other.write_text(TEXT.replace("84", "97"))
    with pytest.raises(BadRequestError, match="would both be the document") as error:
        run("add", file, other)
    assert (error.value.code, pipeline.catalog.documents("acme")) == ("same_name", ([], ""))
    run("add", file.parent)  # as the action says
    names = {one["document"] for one in run_json("status")["documents"]}
    assert names == {"fees.md", "2024/fees.md"}


def test_a_file_that_is_named_twice_is_added_once(pipeline, file):
    printed = run_json("add", file, file.parent, file)
    assert [one["document"] for one in printed["documents"]] == ["fees.md"]


def test_a_file_that_cannot_be_read_is_refused_and_the_others_are_added(
    pipeline, file, monkeypatch
):
    gone = file.with_name("gone.md")
    gone.write_text(TEXT)
    add = Client.add

    def added(client, path, *rest, again):
        path.unlink() if path == gone else None
        return add(client, path, *rest, again=again)

    monkeypatch.setattr(Client, "add", added)
    printed = run_json("add", file.parent, ends=1)
    [refused] = printed["refused"]
    assert (refused["document"], refused["error"]["code"]) == ("gone.md", "unreadable_file")
    assert [one["document"] for one in printed["documents"]] == ["fees.md"]


# -- documents -----------------------------------------------------------------------------------


def test_status_shows_all_or_those_asked_for(pipeline, file, tmp_path):
    assert run("status")[0] == "no documents yet: `footnote add PATH`\n"
    (tmp_path / "empty.md").write_text("")
    run("add", tmp_path, ends=1)
    out, _ = run("status")
    assert "READY       fees.md  1 passage\n" in out
    assert out.endswith("1 FAILED, 1 READY\n")
    assert [d["document"] for d in run_json("status")["documents"]] == ["empty.md", "fees.md"]
    assert [d["id"] for d in run_json("status", "fees.md", ID)["documents"]] == [ID, ID]


def test_a_retry_works_again_on_what_failed(pipeline, file):
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")] * (2 * OUTAGE))
    run("add", file, ends=1)
    assert run_json("retry", "fees.md")["status"] == "INDEXING"
    assert run("retry", "fees.md")[0] == "INDEXING    fees.md\n1 INDEXING\n"
    assert run_json("status", "fees.md")["documents"][0]["status"] == "READY"


def test_a_retry_of_a_code_works_again_on_all_that_ended_with_it(pipeline, tmp_path):
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("")
    run("add", tmp_path, ends=1)
    retried = run_json("retry", "--code", "empty_file")["documents"]
    assert [one["document"] for one in retried] == ["a.md", "b.md"]
    assert run("retry", "--code", "corrupt")[0] == "no documents yet: `footnote add PATH`\n"


@pytest.mark.parametrize("words", [[], ["a.md", "--code", "empty_file"]])
def test_a_retry_says_what_it_needs(pipeline, words):
    with pytest.raises(BadRequestError, match="a document, or all with a code"):
        run("retry", *words, ends=1)


def test_removing_waits_until_it_is_gone(pipeline, file):
    run("add", file)
    printed = run_json("remove", "fees.md")
    assert ([d["id"] for d in printed["removed"]], printed["pending"]) == ([ID], [])
    run("add", file)
    assert run("remove", "fees.md")[0] == "removed fees.md\n"
    assert run_json("search", "harbour")["hits"] == []


# -- questions -----------------------------------------------------------------------------------


def test_a_search_prints_where_each_passage_is(pipeline, file):
    run("add", file)
    out, _ = run("search", "harbour fee", "--strategy", "lexical", "-k", "1")
    assert " 1. fees.md, Fees" in out
    assert "The harbour fee for a barge is 84 crowns." in out
    assert "1 hits, lexical, " in out


def test_a_search_shows_what_gave_each_hit_its_score(pipeline, file):
    run("add", file)
    out, _ = run("search", "harbour fee", "--explain")
    lines = [line.split() for line in out.splitlines()]
    [words] = [line for line in lines if line[:1] == ["words"]]
    assert (words[1:4], words[5:]) == (
        ["rank", "1", "score"],
        ["scaled", "1.000", "weight", "0.25"],
    )
    assert {"meaning", "page"} < {line[0] for line in lines if "weight" in line}
    plain, _ = run("search", "harbour fee")
    assert "weight" not in plain


@pytest.mark.parametrize(("why", "end"), [("", "it is a hit"), (":2", "page 2: lost at: index")])
def test_a_search_says_what_became_of_a_page(pipeline, file, why, end):
    run("add", file)
    out, _ = run("search", "harbour fee", "--why", f"fees.md{why}")
    assert end in out
    assert "version" in out and "passages of it" in out


def test_a_search_is_narrowed_by_its_options(pipeline, file):
    run("add", file)
    run("add", file, "--collection", "port")
    words = ("search", "harbour", "--document", "fees.md", "--filter", "language=en")
    found = run_json(*words, "--collection", "port")
    assert [hit["collection"] for hit in found["hits"]] == ["port"]
    assert run_json("search", "harbour", "--filter", "language=de")["hits"] == []


@pytest.mark.parametrize("given", ["language", "=en", ""])
def test_a_filter_is_k_equals_v(pipeline, given):
    with pytest.raises(FootnoteError) as error:
        run("search", "x", "--filter", given)
    assert error.value.code == "bad_filter"


def test_an_answer_is_printed_with_its_citation_and_its_steps(pipeline, file):
    run("add", file)
    out, err = run("ask", QUESTION)
    assert out.startswith("The harbour fee for a barge is 84 crowns. [1]\n  [1] ✓ fees.md, Fees\n")
    assert "“The harbour fee for a barge is 84 crowns.”" in out
    assert "extractive, 1 word for word, confidence " in out
    kinds = [line.split()[1] for line in err.splitlines() if line.startswith("  · ")]
    assert kinds == ["plan:", "found:", "verdict:", "✓", "answered:"]


def test_an_answer_with_its_trace_shows_a_tree_of_what_was_done(pipeline, file):
    run("add", file)
    out, err = run("ask", QUESTION, "--trace")
    assert out.startswith("The harbour fee for a barge is 84 crowns. [1]")
    branches = [line.lstrip("│├└─ ").split("  ")[0] for line in err.splitlines()]
    for name in ("plan", "round 1", "search 1 of 1", "verdict", "written", "answered"):
        assert name in branches  # their order is seen in test_trace_tree.py
    assert branches.count("model: synthesize") == 1
    answer = run_json("ask", QUESTION, "--trace")
    assert answer["found"] is True
    kinds = [event["kind"] for event in answer["trace"]]
    assert (kinds[0], kinds[-1]) == ("estimate", "answered")


def test_json_of_an_answer_is_what_the_api_says_and_nothing_else(pipeline, file):
    run("add", file)
    out, err = run("ask", QUESTION, "--session", "s1", "--document", "fees.md", "--json")
    assert err == ""
    assert json.loads(out)["citations"][0]["document"] == "fees.md"


def test_an_answer_is_asked_for_with_a_least_confidence(pipeline, file):
    run("add", str(file))
    out, _ = run("ask", QUESTION, "--min-confidence", "1")
    assert "Left out, as its confidence is below 1.0" in re.sub(r"\s+", " ", out)
    _, refused = run("ask", QUESTION, "--min-confidence", "1.5", ends=2)
    assert "min-confidence" in refused


def test_an_answer_is_asked_for_with_a_persona_and_a_schema(pipeline, file, tmp_path):
    run("add", str(file))
    schema = tmp_path / "form.json"
    field = {"type": "integer", "description": "storage in the depot a month in euros"}
    schema.write_text(json.dumps({"type": "object", "properties": {"fee": field}}))
    words = ("ask", QUESTION, "--persona", "terse", "--schema", str(schema))
    answer = run_json(*words)
    assert (answer["plan"]["persona"], set(answer["data"])) == ("terse", {"fee"})
    out, _ = run(*words)
    assert "data" in out
    assert '"fee"' in out


@pytest.mark.parametrize("content", [None, "{", "[" * 100_000])
def test_a_schema_that_is_no_file_of_json_is_refused(pipeline, tmp_path, content):
    schema = tmp_path / "form.json"
    if content is not None:
        schema.write_text(content)
    with pytest.raises(BadRequestError, match=r"form\.json is no file of JSON") as refused:
        run("ask", QUESTION, "--schema", str(schema))
    assert refused.value.code == "bad_file"


def test_what_the_documents_do_not_say_is_told(pipeline):
    out, _ = run("ask", "Who insures the warehouse against flooding?")
    assert out.startswith("No passage with these words was found")


def test_the_budget_of_a_question_has_what_the_options_say(pipeline):
    caps = ("--budget-rounds", "1", "--budget-searches", "3", "--budget-tokens", "900")
    asked = run_json("ask", QUESTION, *caps, "--budget-usd", "0.02", "--budget-seconds", "30")
    budget = pipeline.questions.get("acme", asked["id"]).budget.model_dump()
    assert budget == {"rounds": 1, "searches": 3, "tokens": 900, "usd": 0.02}
    asked = run_json("ask", QUESTION)
    assert pipeline.questions.get("acme", asked["id"]).budget == Caps()
    with pytest.raises(BadRequestError, match=r"budget\.searches: Input should be greater"):
        run("ask", QUESTION, "--budget-searches", "0")


# -- operating -----------------------------------------------------------------------------------


def test_a_reindex_is_waited_for(pipeline, file):
    run("add", file)
    assert run("reindex", "--force")[0] == "re-index DONE\n"
    assert run_json("reindex", "--force")["outcome"] == "rebuilt"
    assert run("reindex", "--no-wait")[0] == "re-index RUNNING\n"


def test_a_reindex_that_has_nothing_to_do_says_so(pipeline, file):
    run("add", file)
    said = " ".join(run("reindex")[0].split())
    assert said.startswith("re-index DONE: nothing to do")
    assert "--force" in said
    assert run_json("reindex")["outcome"] == "unchanged"


def test_a_reindex_that_fails_says_why(pipeline, file):
    run("add", file)
    pipeline.workflow = Failed()
    result = CliRunner().invoke(commands.app, ["reindex"])
    assert result.exit_code == 1
    assert result.stdout == "re-index FAILED  incomplete: r-cli Again.\n"


def test_a_reindex_that_fails_ends_with_1(pipeline, file):
    run("add", file)
    pipeline.workflow = Failed()
    printed = run_json("reindex", ends=1)
    assert printed == {
        "id": "r-cli",
        "status": "FAILED",
        "outcome": "",
        "error": {"code": "incomplete", "message": "r-cli", "action": "Again."},
    }


class Failed:
    """Implements Workflow: every run has failed."""

    def reindex(self, reason, *, force=False):
        assert not force
        return f"r-{reason}"

    def reindex_status(self, reindex_id):
        problem = Problem(code="incomplete", message=reindex_id, action="Again.")
        return ReindexRun(status="FAILED", error=problem)


def test_the_endpoint_is_printed(pipeline):
    assert run("endpoint")[0] == f"url {URL}\nkey acme-key\n"
    assert run_json("endpoint") == {"url": URL, "key": "acme-key"}


def test_the_doctor_says_whether_footnote_answers(pipeline):
    result = CliRunner().invoke(commands.app, ["doctor"])
    assert result.exit_code in {0, 1}  # tools may be missing on this machine
    assert result.stdout.endswith(
        "footnote answers: ok\nmodel: none, answers are the documents' own sentences\n"
    )


def test_the_doctor_says_what_to_do_when_it_does_not(pipeline):
    pipeline.index = Flaky(pipeline.index, health=[UnavailableError("OpenSearch is down")])
    assert operating_commands.check_health() == {
        "ok": False,
        "message": "OpenSearch is down Try again in a moment.",
        "model": [],
    }


# -- stopping ------------------------------------------------------------------------------------


def test_a_running_question_is_stopped(pipeline):
    pipeline.workflow = Idle()
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        first, second = client.start(QUESTION)["id"], client.start("And for a tug?")["id"]
    assert run("stop", first)[0] == f"stopped: {QUESTION}\n"
    assert run_json("stop", second)["error"]["code"] == "stopped"
    assert pipeline.questions.get("acme", first).status == "FAILED"


def test_what_has_its_answer_is_not_stopped(pipeline):
    asked = run_json("ask", "Hello!")
    assert run("stop", asked["id"])[0] == "it had ended before, DONE\n"


def test_a_verdict_on_an_answer_is_stored_with_what_it_is_about(pipeline):
    asked = run_json("ask", QUESTION)["id"]
    assert run("say", asked, "down", "--reason", "It is 97.", "--sentence", "0")[0] == (
        "stored: down\n"
    )
    assert run_json("say", asked, "up")["verdict"] == "up"
    kept = run_json("feedback")["feedback"]
    assert {(one["verdict"], one["reason"], one["sentence"]) for one in kept} == {
        ("up", "", None),
        ("down", "It is 97.", 0),
    }


# -- errors --------------------------------------------------------------------------------------


def main(monkeypatch, capsys, *words):
    """Runs a command. Returns what a shell sees: the exit status and standard error."""
    monkeypatch.setattr(sys, "argv", ["footnote", *words])
    with pytest.raises(SystemExit) as ended:
        commands.run()
    return ended.value.code, capsys.readouterr().err


def test_a_mistake_is_two_lines_and_1_not_a_traceback(pipeline, monkeypatch, capsys):
    code, err = main(monkeypatch, capsys, "status", "nothing.md")
    assert (code, err) == (
        1,
        (
            "unknown_document: no document 'nothing.md' in collection 'default'\n"
            "Look for its name in the list of documents. One that was uploaded just now is known"
            " as soon as its event has come, mostly within a second.\n"
        ),
    )


def test_a_command_that_ends_well_ends_with_0(pipeline, monkeypatch, capsys):
    assert main(monkeypatch, capsys, "status") == (0, "")


def test_the_installed_command_is_this_one():
    [found] = metadata.entry_points(group="console_scripts", name="footnote")
    assert found.load() is cli.main


# -- where footnote is ---------------------------------------------------------------------------


@pytest.fixture
def stacks(tmp_path, monkeypatch):
    """Makes a checkout, and moves this process into a folder of it."""
    folder = tmp_path / ".footnote" / "stacks"
    (tmp_path / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "deep" / "er")
    monkeypatch.setenv("FOOTNOTE_STACK", "t-unit")

    def state(name, **fields):
        (folder / name).mkdir(parents=True)
        (folder / name / "stack.json").write_text(json.dumps(fields))

    return state


def test_the_environment_says_where_footnote_is(stacks, monkeypatch):
    stacks("t-unit", api_url="http://stack", api_key="k")
    monkeypatch.setenv("FOOTNOTE_URL", "http://given")
    assert endpoint() == ("http://stack", "k")
    monkeypatch.setenv("FOOTNOTE_API_KEY", "given-key")
    assert endpoint() == ("http://given", "given-key")


def test_the_running_stack_is_found_from_any_folder_of_the_checkout(stacks):
    stacks("other", api_url="http://other", api_key="k")
    stacks("t-unit", api_url="http://stack", api_key="k")
    assert endpoint() == ("http://stack", "k")


@pytest.mark.parametrize("fields", [{}, {"api_url": "http://stack"}, None])
def test_without_a_deployed_stack_it_says_how_to_get_one(stacks, fields):
    if fields is not None:
        stacks("t-unit", **fields)
    with pytest.raises(ConfigurationError) as error:
        endpoint()
    assert error.value.code == "no_endpoint"
    assert "make demo" in error.value.action


# -- for a shell ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "key"), [(URL, "acme-key"), ("http://x/$(id)?a b", 'it\'s "k"; ls')]
)
def test_the_endpoint_is_exported_to_a_shell(monkeypatch, url, key):
    monkeypatch.setenv("FOOTNOTE_URL", url)
    monkeypatch.setenv("FOOTNOTE_API_KEY", key)
    shown, _ = run("endpoint", "--export")
    assert shown.startswith("export FOOTNOTE_URL=") and shown.count("\n") == 1
    script = f'{shown}printf "%s\\n" "$FOOTNOTE_URL" "$FOOTNOTE_API_KEY"'
    told = subprocess.run(["sh", "-c", script], env={}, capture_output=True, text=True, check=True)
    assert told.stdout.splitlines() == [url, key]


def test_the_endpoint_is_for_a_shell_or_for_a_script():
    with pytest.raises(BadRequestError) as error:
        run("endpoint", "--export", "--json")
    assert error.value.message == "--export and --json exclude each other"
    assert error.value.action == "Give --export for a shell, or --json for a script."


def test_a_long_endpoint_stays_on_its_line(monkeypatch):
    url = f"http://{'n' * 200}"
    monkeypatch.setenv("FOOTNOTE_URL", url)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "key")
    assert run("endpoint") == (f"url {url}\nkey key\n", "")


def test_an_estimate_of_a_question_is_printed_and_nothing_is_asked(pipeline):
    out, _ = run("ask", QUESTION, "--estimate", "--session", "fees")
    assert "expected" in out
    assert "nothing is paid for" in " ".join(out.split())
    assert run_json("ask", QUESTION, "--estimate")["tokens"] == 0
    assert run_json("sessions")["sessions"] == []


# -- a conversation, and the page ------------------------------------------------------------------


def converse(lines, *words):
    result = CliRunner().invoke(commands.app, ["ask", *words], input="\n".join(lines) + "\n")
    if isinstance(result.exception, Exception):
        raise result.exception
    return result.stdout, result.stderr


def test_without_a_question_each_line_is_one_in_the_same_session(pipeline, file):
    run("add", file)
    out, err = converse([QUESTION, "", "/sources", "And for a ferry?", "/quit", "What is lost?"])
    assert "84 crowns" in out
    assert "[1] fees.md" in err
    [session] = run_json("sessions")["sessions"]
    turns = run_json("sessions", "show", session["session"])["turns"]
    assert [turn["question"] for turn in turns] == [QUESTION, "And for a ferry?"]


def test_a_pipe_without_a_question_is_an_error(pipeline):
    with pytest.raises(BadRequestError, match="there is no question") as caught:
        converse([])
    assert caught.value.code == "empty_question"


def test_a_new_conversation_is_another_session(pipeline, file):
    run("add", file)
    _, err = converse([QUESTION, "/new", QUESTION])
    assert "a new conversation" in err
    assert len(run_json("sessions")["sessions"]) == 2


def test_an_error_does_not_end_a_conversation(pipeline, file):
    run("add", file)
    out, err = converse(["x" * 5000, "/nonsense", "/open 7", QUESTION])
    assert "question_too_long" in err
    assert "/open N" in err
    assert "'7' is not a citation of the last answer" in err
    assert "84 crowns" in out


def test_a_citation_is_opened_in_the_browser(pipeline, file, opened):
    run("add", file)
    converse([QUESTION, "/open 1"])
    assert re.fullmatch(rf"{URL}/#key=acme-key&to=/questions/\w+/citations/1", opened[0])


@pytest.fixture
def opened(monkeypatch):
    """The addresses that a browser was to open."""
    seen = []
    monkeypatch.setattr(webbrowser, "open", lambda address: not seen.append(address))
    return seen


def test_the_page_is_opened_signed_in(pipeline, opened):
    run("open")
    assert opened == [f"{URL}/#key=acme-key"]


def test_a_document_is_opened_at_its_page(pipeline, file, opened):
    run("add", file)
    run("open", "fees.md", "--page", 3)
    assert opened == [f"{URL}/#key=acme-key&to=/documents/{ID}/pages/3"]
    assert (
        run("open", "fees.md", "--print")[0].strip()
        == f"{URL}/#key=acme-key&to=/documents/{ID}/pages/1"
    )
    assert run_json("open") == {"url": f"{URL}/#key=acme-key"}


def test_without_a_browser_it_is_said_how_to_get_the_address(pipeline, monkeypatch):
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    with pytest.raises(UnavailableError) as refused:
        run("open")
    assert refused.value.code == "no_browser"
    assert "--print" in refused.value.action


@pytest.mark.slow
@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("se", {"search", "sessions"}),
        ("search --strat", {"--strategy"}),
        ("search --strategy hy", {"hybrid", "hybrid_reranked"}),
        ("sessions d", {"delete"}),
    ],
)
def test_a_shell_completes_commands_and_options(typed, known):
    words = f"footnote {typed}"
    environ = {"_FOOTNOTE_COMPLETE": "complete_bash", "COMP_WORDS": words, "PATH": "/usr/bin:/bin"}
    environ["PYTHONPATH"] = str(Path(cli.__file__).parents[2])  # the tree under test
    environ["COMP_CWORD"] = str(len(words.split()) - 1)
    program = f"{sys.prefix}/bin/footnote"
    done = subprocess.run([program], env=environ, capture_output=True, text=True, check=False)
    assert set(done.stdout.split()) == known


def test_every_strategy_is_a_choice_with_a_line_in_the_help():
    choices, option = get_args(Strategy)
    assert get_args(choices) == tuple(STRATEGIES)
    lines = [line for line in option.help.splitlines()[1:] if line]
    assert [line.partition(":")[0] for line in lines] == list(STRATEGIES)


def test_a_wrong_strategy_is_refused_with_the_names_of_all():
    _, refusal = run("search", "x", "--strategy", "nope", ends=2)
    assert all(f"'{name}'" in refusal for name in STRATEGIES)
