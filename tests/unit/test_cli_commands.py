"""What holds for every command: words steer no terminal, and what is not there is named."""

import json
import re
import sys
from datetime import UTC, datetime

import pytest
import typer
from botocore import exceptions as boto
from typer.testing import CliRunner

from footnote.adapters.aws.apigateway_keys import ApiGatewayKeys
from footnote.adapters.memory.small import MemoryTenants
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.wiring import audit_reading, key_ring, overview
from footnote.wiring.overview import Deployment
from tests.contract.test_overview import Look
from tests.unit.faces import TENANTS, URL, InProcess, small

OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
EVIL = "\x1b]8;;https://evil.example\x07\x1b[31m\x9b31m\u202e\x1b]0;title\x07"
QUESTION = "What is the harbour fee for a barge?"


class Gateway:
    """Stands for API Gateway: one key, of a plan that has it."""

    def __init__(self, name=""):
        tags = {"tenant": "acme", "groups": "board"}
        made = datetime(2026, 11, 1, tzinfo=UTC)
        self.key = {"id": "k1", "name": f"barge{name}", "tags": tags, "createdDate": made}

    def get_paginator(self, _):
        key = self.key

        class Pages:
            def paginate(self, **_):
                return [{"items": [key]}]

        return Pages()

    def create_api_key(self, **_):
        return {**self.key, "value": "secret"}

    def create_usage_plan_key(self, **_):
        return {}

    def delete_usage_plan_key(self, **_):
        """LocalStack does not know this error of AWS."""
        error = {"Code": "InternalError", "Message": "exception while calling apigateway"}
        response = {"Error": error, "ResponseMetadata": {"HTTPStatusCode": 500}}
        raise boto.ClientError(response, "DeleteUsagePlanKey")


@pytest.fixture
def gateway():
    return Gateway(EVIL)


@pytest.fixture
def pipeline(monkeypatch, gateway):
    made = small()
    made.tenants = MemoryTenants(TENANTS, dict.fromkeys(TENANTS, ("@all",)))
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    monkeypatch.setattr(key_ring, "key_ring", lambda _: ApiGatewayKeys(gateway, "plan"))
    looked_at = Deployment(Look(), made.catalog, made.counters, made.clock)
    monkeypatch.setattr(overview, "find_deployment", lambda *_, **__: looked_at)
    told = {"moment": EVIL, "act": f"GET {EVIL}", "outcome": EVIL, "tenant": EVIL, "caller": EVIL}
    line = json.dumps({**told, "documents": [EVIL], "question": EVIL})
    monkeypatch.setattr(audit_reading, "find_lines", lambda _: lambda *_: iter([line]))
    monkeypatch.setattr("footnote.cli.browser.webbrowser.open", lambda _: True)
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


def every_command():
    """Returns the words of each command, as ("keys", "list")."""

    def walk(command, words):
        if isinstance(command, typer.core.TyperGroup):
            for name, inner in command.commands.items():
                yield from walk(inner, (*words, name))
            if not command.no_args_is_help:
                yield words
        else:
            yield words

    return set(walk(typer.main.get_command(commands.app), ()))


def run(*words):
    result = CliRunner().invoke(commands.app, [str(word) for word in words])
    if isinstance(result.exception, Exception):
        raise result.exception
    return result


@pytest.fixture
def shell(monkeypatch, capsys):
    """Runs a command, and returns what a shell sees: exit status, standard output and errors."""

    def ended(*words):
        monkeypatch.setattr(sys, "argv", ["footnote", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            commands.run()
        return end.value.code, *capsys.readouterr()

    return ended


# -- hostile words ---------------------------------------------------------------------------------


SHOWN = {
    ("add",): ["{folder}"],
    ("status",): [],
    ("trace",): ["{name}"],
    ("retry",): ["{name}"],
    ("remove",): ["{name}"],
    ("erase",): ["{name}", "--yes"],
    ("retention",): ["default", "--hold", EVIL, "--document", "{name}"],
    ("search",): ["barge", "--explain", "--why", "{name}"],
    ("ask",): [QUESTION, "--trace", "--session", f"s{EVIL}"],
    ("grid",): ["{questions}"],
    ("grids",): [],
    ("grids", "show"): ["{grid}"],
    ("grids", "fill"): ["{grid}"],
    ("grids", "again"): ["{grid}", "{name}", "1"],
    ("grids", "stop"): ["{grid}"],
    ("grids", "delete"): ["{grid}"],
    ("stop",): ["{question}"],
    ("findings",): ["{question}"],
    ("say",): ["{question}", "gap", "--reason", EVIL],
    ("open",): ["{name}", "--print"],
    ("export",): ["{question}"],
    ("import",): ["{exported}"],
    ("feedback",): [],
    ("report",): [],
    ("eval",): ["{cases}", "--report", "{report}"],
    ("reindex",): [],
    ("estimate",): ["{folder}"],
    ("sync",): ["{folder}"],
    ("top",): ["--once"],
    ("audit",): ["--person", EVIL],
    ("endpoint",): [],
    ("doctor",): [],
    ("keys", "create"): ["--tenant", "acme"],
    ("keys", "list"): [],
    ("keys", "revoke"): [EVIL],
    ("sessions",): [],
    ("sessions", "show"): [f"s{EVIL}"],
    ("sessions", "rename"): [f"s{EVIL}", f"barges{EVIL}"],
    ("sessions", "delete"): [f"s{EVIL}"],
}
"""The words that make each command show what somebody else wrote."""
OTHERWISE = {("mcp",)}  # speaks a protocol, and prints nothing


def test_every_command_is_tried_with_hostile_words():
    assert set(SHOWN) | OTHERWISE == every_command()


@pytest.fixture
def hostile(pipeline, tmp_path):
    """Has a document with a hostile name, a question about it, and what was said of its answer."""
    name = f"barge{EVIL}.md"
    text = f"# Fees {EVIL}\n\nThe harbour fee for a barge is 84 crowns. {EVIL}\n"
    pipeline.upload(f"acme/default/{name}", text.encode())
    (tmp_path / f"ferry{EVIL.replace('/', '')}.md").write_text(text)
    asked = json.loads(run("ask", QUESTION, "--session", f"s{EVIL}", "--json").stdout)
    with commands.question_commands.connect() as client:
        client.say(asked["id"], "down", reason=f"wrong {EVIL}")
    questions = tmp_path.parent / "questions.txt"
    questions.write_text(f"{QUESTION} {EVIL}".replace("\x1b", ""))
    grid = json.loads(run("grid", questions, "--name", f"fees{EVIL}", "--json").stdout)
    cases = tmp_path.parent / "cases.yaml"
    hostile = {"id": f"barge{EVIL}", "question": f"{QUESTION} {EVIL}", "answer": f"97 {EVIL}"}
    cases.write_text(json.dumps({"cases": [hostile]}))
    folder = {"folder": tmp_path, "questions": questions, "cases": cases}
    exported = tmp_path.parent / "exported"
    run("export", "default", "--to", exported)
    folder |= {"report": tmp_path.parent / "report", "exported": exported}
    return {"name": name, "question": asked["id"], "grid": grid["id"], **folder}


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.parametrize("words", sorted(SHOWN), ids=" ".join)
def test_no_command_lets_words_steer_the_terminal(pipeline, hostile, shell, words, as_json):
    given = [word.format(**hostile) if "{" in word else word for word in SHOWN[words]]
    _, out, err = shell(*words, *given, *(["--json"] if as_json else []))
    assert OBEYED.findall(out + err) == []
    assert as_json or out + err


# -- what is not there -----------------------------------------------------------------------------

MISSING = {
    ("add",): [["nope"], ["{folder}", "--metadata", "nope"]],
    ("status",): [["nope"], ["nope", "--collection", "port"]],
    ("trace",): [["nope"]],
    ("retry",): [["nope"]],
    ("remove",): [["nope"]],
    ("erase",): [["nope", "--yes"], ["nope", "--receipt"]],
    ("search",): [
        ["x", "--document", "nope"],
        ["x", "--collection", "nope"],
        ["x", "--why", "nope"],
        ["x", "--filter", "nope~3"],
        ["x", "--filter", '{{"year": {{"nope": 3}}}}'],
    ],
    ("ask",): [
        ["x?", "--after", "nope"],
        ["x?", "--persona", "nope"],
        ["x?", "--schema", "nope"],
        ["x?", "--context", "nope"],
        ["x?", "--document", "nope"],
        ["x?", "--collection", "nope"],
        ["x?", "--filter", "nope~3"],
    ],
    ("grid",): [["nope"], ["{fees}", "--collection", "nope"], ["{fees}", "--out", "nope"]],
    ("grids", "show"): [["nope"]],
    ("grids", "fill"): [["nope"]],
    ("grids", "again"): [["nope", "fees.md", "1"]],
    ("grids", "stop"): [["nope"]],
    ("grids", "delete"): [["nope"]],
    ("stop",): [["nope"]],
    ("findings",): [["nope"]],
    ("say",): [["nope", "up"], ["{question}", "nope"]],
    ("open",): [["nope"]],
    ("export",): [["nope"], ["{question}", "--format", "nope"], ["nope", "--to", "{folder}"]],
    ("import",): [["nope"]],
    ("eval",): [
        ["nope"],
        ["{cases}", "--rubric", "nope"],
        ["{cases}", "--baseline", "nope"],
        ["{cases}", "--tag", "nope"],
        ["{cases}", "--compare", "nope", "default"],
        ["{cases}", "--compare", "default", "default", "--settings", "nope"],
        ["{folder}/made.yaml", "--make", "--document", "nope"],
        ["{folder}/made.yaml", "--make", "--collection", "nope"],
    ],
    ("estimate",): [["nope"]],
    ("sync",): [["nope"]],
    ("keys", "create"): [["--tenant", "acme", "--expires", "nope"]],
    ("audit",): [["--day", "nope"]],
    ("keys", "revoke"): [["nope"]],
    ("sessions", "show"): [["nope"]],
    ("sessions", "rename"): [["nope", "Fees"]],
    ("sessions", "delete"): [["nope"]],
}
"""Words that name what is not there, or is not known: `nope`."""
NAMES_NOTHING = {("feedback",), ("reindex",), ("endpoint",), ("doctor",), ("mcp",), ("sessions",)}
NAMES_NOTHING |= {("keys", "list"), ("grids",), ("report",)}
NAMES_NOTHING |= {("retention",)}  # a rule may come before the documents
NAMES_NOTHING |= {("top",)}  # a stack of AWS, which is not asked here
CASES = [(words, given) for words, cases in MISSING.items() for given in cases]


def test_every_command_that_names_something_is_tried_with_what_is_not_there():
    assert set(MISSING) | NAMES_NOTHING == every_command()
    assert set(MISSING) & NAMES_NOTHING == set()


@pytest.mark.parametrize(("words", "given"), CASES, ids=str)
def test_what_is_not_there_is_named_with_what_to_do_next(pipeline, tmp_path, shell, words, given):
    (tmp_path / "fees.md").write_text("The harbour fee for a barge is 84 crowns.\n")
    run("add", tmp_path / "fees.md")
    asked = json.loads(run("ask", QUESTION, "--json").stdout)
    cases = tmp_path / "cases.yaml"
    cases.write_text(json.dumps({"cases": [{"id": "a", "question": QUESTION, "answer": "84"}]}))
    names = {"folder": tmp_path, "question": asked["id"], "fees": tmp_path / "fees.md"}
    names |= {"cases": cases}
    here = [one.format(**names) for one in given]
    code, out, err = shell(*words, *here)
    what, _, advice = " ".join(err.split("\n")).partition(" ")
    assert (code, out) == (1, "")
    assert re.fullmatch("[a-z_]+:", what)
    assert what not in {"unavailable:", "internal:", "error:", "configuration:"}
    assert "nope" in advice
    assert len(err.strip().split("\n")) >= 2
    assert not re.search("Traceback|InternalError|NoneType|validation error", err)


def test_a_key_of_the_plan_is_revoked(pipeline, gateway, shell):
    gone = []
    gateway.delete_usage_plan_key = lambda **told: gone.append(told["keyId"])
    gateway.delete_api_key = lambda **told: gone.append(told["apiKey"])
    assert shell("keys", "revoke", "k1")[0] == 0
    assert gone == ["k1", "k1"]
