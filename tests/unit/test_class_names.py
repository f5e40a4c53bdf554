"""Whatever exception is raised behind a face, what callers read names no class of Python's.

The class is for the log alone: it tells a caller neither what happened nor what to do next.
"""

import configparser
import inspect
import io
import json
import logging
import sys
from pathlib import Path

import httpx
import pytest
import urllib3
from pydantic import TypeAdapter, ValidationError

from footnote.adapters.calls.http_json import HttpJson
from footnote.adapters.http_webhook import HttpWebhook
from footnote.adapters.oidc.issuer import HttpIssuer
from footnote.ask.evidence.merge import read_wave
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.client import Client
from footnote.contracts import RetrieveResult
from footnote.errors import FootnoteError, UnavailableError, problem_named
from footnote.mcp.over_http import handle
from footnote.service import Service
from tests.class_names import class_names, kinds_below
from tests.unit.faces import URL, Context, InProcess, event, small
from tests.unit.test_error_details import (
    PORTS,
    QUESTION,
    ROUTES,
    SOME,
    TOOL_ARGUMENTS,
    errors,
    send,
    tell_mcp,
    translated,
)


def invalid():
    try:
        TypeAdapter(int).validate_python("x")
    except ValidationError as error:
        return error


UNFORESEEN = {
    "a mistake of ours": KeyError("fee"),
    "a library's": configparser.MissingSectionHeaderError("a.ini", 1, "[x"),
    "pydantic's": invalid(),
    "the network's": httpx.ReadTimeout("in KeyError"),
}


RAISED = UNFORESEEN | {name: translated(errors()[name]) for name in SOME}
DESCRIPTIONS = {"GET /docs", "GET /openapi.json"}
"""Routes whose replies name the kinds of replies, `ChatError` among them."""


class Failing:
    """Stands for a port whose every call raises one exception."""

    def __init__(self, error):
        self._error = error

    def __getattr__(self, name):
        def fail(*_, **__):
            raise self._error

        return fail


@pytest.fixture
def pipeline(monkeypatch):
    made = small()
    made.upload("acme/default/fees.md", b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n")
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(made))
    yield made
    transport.reset(token)


@pytest.fixture
def no_log():
    """Writes no log: what a caller reads is the point, and each failure has a long trace."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_a_class_name_is_seen():
    assert class_names("a step failed: KeyError") == ["KeyError"]
    assert class_names("MissingSectionHeaderError, ReadTimeout") == [
        "MissingSectionHeaderError",
        "ReadTimeout",
    ]
    assert class_names("(ThrottlingException)") == ["ThrottlingException"]
    assert class_names("The request took too long. Error: Timeout") == []


@pytest.mark.usefixtures("no_log")
@pytest.mark.parametrize(
    ("port", "name"),
    [*((port, "a mistake of ours") for port in PORTS), *(("catalog", name) for name in RAISED)],
)
def test_no_reply_of_the_api_names_a_class(pipeline, port, name):
    asked = Service(pipeline, "acme").questions.ask(QUESTION).question_id
    pipeline.drain()
    setattr(pipeline, port, Failing(RAISED[name]))
    failed = 0
    for route in set(ROUTES) - DESCRIPTIONS:
        try:
            answer = send(route, asked)
        except type(RAISED[name]):  # API Gateway answers, in the words of template.yaml
            failed += 1
        else:
            failed += answer["statusCode"] >= 400
            assert class_names(answer["body"]) == [], route
    assert failed


@pytest.mark.usefixtures("no_log")
@pytest.mark.parametrize("name", RAISED)
def test_no_tool_of_mcp_names_a_class(pipeline, name):
    pipeline.catalog = pipeline.questions = pipeline.index = Failing(RAISED[name])
    calls = [("tools/call", {"name": tool, "arguments": TOOL_ARGUMENTS[tool]}) for tool in
             TOOL_ARGUMENTS] + [("resources/list", {})]  # fmt: skip
    for method, params in calls:
        assert class_names(tell_mcp(method, **params)["body"]) == [], params


@pytest.mark.parametrize("body", ["[]", "{}", "4", '{"jsonrpc": "2.0", "method": 5}', "["])
def test_mcp_refuses_what_is_no_message_in_words_without_a_class(pipeline, body):
    headers = {"content-type": "application/json", "accept": "application/json"}
    asked = event("POST", "/mcp", None, body, headers | {"x-api-key": "acme-key"})
    answer = handle(asked, Context())
    assert answer["statusCode"] == 400
    assert "JSONRPC" not in answer["body"] and "pydantic" not in answer["body"]
    assert class_names(answer["body"]) == []


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Returns a function that runs a command: its exit status, what it prints, its files."""

    def run_command(*words):
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        monkeypatch.setattr(sys, "argv", ["footnote", *words])
        with pytest.raises(SystemExit) as ended:
            commands.run()
        return ended.value.code, "".join(capsys.readouterr()), list(tmp_path.iterdir())

    return run_command


@pytest.mark.parametrize("name", UNFORESEEN)
@pytest.mark.parametrize("words", [["status"], ["search", "fee"], ["ask", QUESTION]], ids=str)
def test_no_command_names_a_class_and_a_file_has_the_details(
    pipeline, monkeypatch, run, words, name
):
    error = UNFORESEEN[name]
    monkeypatch.setattr(InProcess, "_handle", Failing(error).anything)
    status, text, files = run(*words)
    assert status == 1
    assert class_names(text) == []
    if isinstance(error, httpx.HTTPError):
        assert text.startswith("unreachable: ")
        return
    assert text.startswith("internal: footnote has failed\n")
    [details] = files
    assert str(details) in text.replace("\n", "")
    assert type(error).__name__ in details.read_text()


@pytest.mark.parametrize("kind", sorted(kinds_below(httpx.HTTPError), key=str))
def test_an_api_that_does_not_answer_is_told_without_a_class(kind):
    error = kind.__new__(kind)  # skips __init__: each class wants other arguments

    class Silent(httpx.BaseTransport):
        def handle_request(self, _):
            raise error

    client = Client(URL, "key", transport=Silent())
    with pytest.raises(UnavailableError) as caught:
        client.health()
    assert caught.value.code == "unreachable"
    assert class_names(caught.value.message) == []


def test_a_url_that_is_none_is_told_without_a_class():
    with pytest.raises(UnavailableError) as caught:
        Client("http://footnote.test:port", "key")
    assert caught.value.message == "http://footnote.test:port/ does not answer: its address is none"


@pytest.mark.parametrize("name", RAISED)
def test_no_status_of_a_document_names_a_class(pipeline, name):
    whole, pipeline.index = pipeline.index, Failing(RAISED[name])
    record = pipeline.upload("acme/default/tugs.md", b"A tug is 97 crowns.\n")
    assert record.status == "FAILED"
    assert class_names(record.model_dump_json()) == []
    pipeline.index = whole


FAILED_STEPS = ["KeyError", "MissingSectionHeaderError", "Runtime.ExitError", "Lambda.Unknown",
                "States.Runtime", "ThrottlingException"]  # fmt: skip


@pytest.mark.parametrize("error", FAILED_STEPS)
def test_no_failed_question_and_no_note_of_an_answer_names_a_class(error):
    assert class_names(problem_named(error, "KeyError").model_dump_json()) == []
    _, failed = read_wave([RetrieveResult(sub_question="s1", error=error, message="KeyError")])
    assert class_names(failed["s1"].model_dump_json()) == []


HTTP_ERRORS = sorted(
    (
        kind
        for kind in vars(urllib3.exceptions).values()
        if inspect.isclass(kind) and issubclass(kind, urllib3.exceptions.HTTPError)
    ),
    key=str,
)


class Pool:
    """Stands for urllib3's connections: no request is answered."""

    def __init__(self, error):
        self.error = error

    def request(self, *_, **__):
        raise self.error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def ask_provider(error):
    http = HttpJson("Provider", "https://provider.test")
    http._pool = Pool(error)
    http.post("/", {})


def ask_issuer(error):
    issuer = HttpIssuer("https://issuer.test")
    issuer._pool = Pool(error)
    issuer.describe()


def post_to_webhook(error):
    webhook = HttpWebhook("https://webhook.test/x")
    webhook._pool = lambda _: Pool(error)
    webhook.post(b"{}", {})


@pytest.mark.parametrize("ask", [ask_provider, ask_issuer, post_to_webhook])
@pytest.mark.parametrize("kind", HTTP_ERRORS)
def test_a_server_that_does_not_answer_is_told_by_its_class_in_the_log_alone(ask, kind):
    error = kind.__new__(kind)
    # two of them write their words from these
    vars(error).update(partial=1, expected=2, length=b"x", response=io.BytesIO())
    with pytest.raises(FootnoteError) as caught:
        ask(error)
    assert class_names(f"{caught.value.message} {caught.value.action}") == []
    if "is no URL" not in caught.value.message:
        assert kind.__name__ in caught.value.reason


def test_the_words_of_the_gateway_name_no_class():
    template = Path(__file__).parents[2] / "template.yaml"
    words = [line for line in template.read_text().splitlines() if "ResponseTemplates:" in line]
    assert len(words) > 5
    assert class_names(json.dumps(words)) == []
