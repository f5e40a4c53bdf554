"""`MODEL=… make demo`: what is deployed for it, and what is missing before anything is started."""

import pytest

from local import demo, doctor, models
from local.state import StackError
from tests.scripted_server import Reply, Status, run_server
from tests.template import read_template

pytestmark = pytest.mark.slow

KEY = {"ANTHROPIC_API_KEY": "sk-1"}


@pytest.mark.parametrize(
    ("environ", "given"),
    [
        ({}, {"ModelProvider": ""}),
        (KEY, {"ModelProvider": "anthropic", "AnthropicKeyParameter": "stored"}),
        (
            {**KEY, "MODEL": "anthropic:claude-opus-5-5"},
            {"PlannerModel": "claude-opus-5-5", "WriterModel": "claude-opus-5-5"},
        ),
        ({**KEY, "MODEL": "extractive"}, {"AnthropicKeyParameter": "", "ModelProvider": ""}),
        (
            {"MODEL": "bedrock", "AWS_REGION": "eu-west-1", "AWS_BEARER_TOKEN_BEDROCK": "b"},
            {
                "ModelProvider": "bedrock",
                "ModelRegion": "eu-west-1",
                "BedrockKeyParameter": "stored",
            },
        ),
        (
            {"MODEL": "ollama:llama3.2:3b"},
            {
                "ModelProvider": "openai",
                "ChatBaseUrl": "http://localhost:11434/v1",
                "PlannerModel": "llama3.2:3b",
                "ModelPrices": "llama3.2:3b=0/0",
                "ChatKeyParameter": "",
            },
        ),
        (
            {"MODEL": "openai:gpt", "OPENAI_API_KEY": "k"},
            {"ChatBaseUrl": "https://api.openai.com/v1", "ChatKeyParameter": "stored"},
        ),
    ],
)
def test_a_choice_is_the_templates_parameters(environ, given):
    chosen = models.choose(environ)
    made = models.parameters(chosen, "stored" if chosen.key else "")
    assert {name: made[name] for name in given} == given
    assert made.keys() <= read_template()["Parameters"].keys()


@pytest.mark.parametrize("told", ["gemini", "ollama", "openai:", "Anthropic"])
def test_what_is_unknown_is_refused_with_what_is_known(told):
    with pytest.raises(StackError, match="ollama:NAME"):
        models.choose({"MODEL": told})


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("bedrock", "AWS_BEARER_TOKEN_BEDROCK"),
        ("openai:gpt", "OPENAI_API_KEY"),
    ],
)
def test_a_key_that_is_missing_is_named_and_nobody_is_asked(told, name):
    [row] = models.findings(models.choose({"MODEL": told}))
    assert (row.ok, row.found) == (False, f"{name} is not set")


@pytest.fixture
def server():
    with run_server([Reply("Yes.")] * 9) as server:
        server.models = ["llama3.2:latest"]
        yield server


def chosen(server, name="llama3.2"):
    return models.choose({"MODEL": f"ollama:{name}", "OLLAMA_HOST": server.url})


def test_a_server_that_has_the_model_says_what_it_can(server):
    assert [(row.ok, row.found.partition(":")[0]) for row in models.findings(chosen(server))][
        1:
    ] == [(True, "answers"), (True, "JSON by schema"), (True, "tools")]


def test_what_a_server_cannot_do_is_said_at_the_start(server, monkeypatch, capsys):
    server.chat.without = frozenset({"response_format", "tools"})
    monkeypatch.setenv("MODEL", "ollama:llama3.2")
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    demo.say_model()
    said = capsys.readouterr().out
    assert "JSON by schema: no, asked for in words" in said
    assert "tools: no (" in said


def test_a_model_that_is_not_there_is_got_by_a_command(server):
    [row] = models.findings(chosen(server, "qwen3"))
    assert (row.ok, row.get) == (False, "`ollama pull qwen3`")


def test_a_server_that_does_not_run_or_does_not_answer_is_missing(monkeypatch):
    with run_server([Status(500)] * 9) as server:
        server.models = ["llama3.2"]
        rows = models.findings(chosen(server))
    assert [row.ok for row in rows] == [True, False]
    monkeypatch.setenv("MODEL", "ollama:llama3.2")
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    [row] = doctor.model_rows()
    assert (row.ok, "ollama serve" in row.get) == (False, True)
    with pytest.raises(StackError, match="lists no models"):
        demo.say_model()
