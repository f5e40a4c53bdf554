"""The command line, as a user types it."""

import json
import subprocess
import sys

import pytest

from tests.stack import ROOT


@pytest.fixture
def footnote(stack, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_STACK", stack["name"])
    monkeypatch.setenv("NO_COLOR", "1")

    def run(*words):
        command = [sys.executable, "-c", "from footnote.cli import main; main()", *words]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)

    return run


def test_add_status_search_ask_remove(footnote, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "harbour.md").write_text("# Harbour\n\nThe harbour fee for a barge is 84 crowns.\n")
    added = footnote("add", str(folder), "--collection", "port", "--json")
    assert added.returncode == 0, added.stderr
    assert [d["status"] for d in json.loads(added.stdout)["documents"]] == ["READY"]
    shown = json.loads(footnote("status", "harbour.md", "--collection", "port", "--json").stdout)
    assert [d["document"] for d in shown["documents"]] == ["harbour.md"]
    found = json.loads(footnote("search", "barge fee", "--collection", "port", "--json").stdout)
    assert found["hits"][0]["document"] == "harbour.md"
    asked = footnote("ask", "What is the harbour fee for a barge?", "--collection", "port")
    assert "84 crowns" in asked.stdout and "harbour.md" in asked.stdout
    assert "plan" in asked.stderr
    removed = footnote("remove", "harbour.md", "--collection", "port", "--json")
    assert json.loads(removed.stdout)["pending"] == []


def test_endpoint_prints_where_and_with_which_key(footnote, stack):
    printed = json.loads(footnote("endpoint", "--json").stdout)
    assert printed == {"url": stack["api_url"], "key": stack["api_key"]}


def test_a_strategy_that_does_not_exist_is_refused_with_those_that_do(footnote):
    result = footnote("search", "x", "--strategy", "magic")
    assert result.returncode == 2
    assert "magic" in result.stderr
    assert "hybrid_reranked" in result.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("ask", ""), "empty_question"),
        (("ask", "why?", "--document", "nothing.pdf"), "unknown_document"),
        (("search", "x", "--filter", "broken"), "bad_filter"),
        (("status", "nothing.pdf"), "unknown_document"),
        (("add", "/no/such/file"), "no_such_file"),
    ],
)
def test_a_mistake_is_told_in_words_not_in_a_traceback(footnote, words, code):
    result = footnote(*words)
    assert result.returncode == 1
    assert result.stderr.startswith(f"{code}: ")
    assert "Traceback" not in result.stderr


def test_top_shows_the_queues_and_counts_each_question(footnote):
    before = json.loads(footnote("top", "--json").stdout)
    assert {"admit", "parse", "index"} <= before["queues"].keys()
    footnote("ask", "What is the harbour fee for a barge?")
    after = json.loads(footnote("top", "--json").stdout)
    assert after["today"]["questions"] > before["today"]["questions"]  # others may ask beside this
    assert after["moment"] > before["moment"]
    text = footnote("top", "--prometheus").stdout
    assert '\nfootnote_queue_messages{queue="parse",state="dead"} ' in text


def test_what_was_read_is_carried_to_another_collection(footnote, tmp_path):
    (tmp_path / "mole.md").write_text("# Mole\n\nThe mole is 214 metres long.\n")
    footnote("add", str(tmp_path / "mole.md"), "--collection", "mole-old")
    words = ("export", "mole-old", "--to", str(tmp_path / "x"), "--artifacts", "--json")
    seal = json.loads(footnote(*words).stdout)["artifacts"]["seal"]
    words = ("import", str(tmp_path / "x"), "--collection", "mole-new", "--artifacts", seal)
    told = footnote(*words, "--json")
    assert told.returncode == 0, told.stderr
    [carried] = json.loads(told.stdout)["carried"]
    expected = {"document": "mole.md", "read": "carried", "why": "", "vectors": 1, "embedded": 0}
    assert carried == expected
