"""`MODEL=… make demo`: what is deployed for it, and what is missing before anything is started."""

import pytest

from footnote.model import ModelReply
from local import demo, doctor, model_checks, models
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
    plan = Reply('{"kind": "direct", "reply": "Hello!", "sub_questions": []}', output_tokens=60)
    server.script = [Reply("Yes."), plan, Reply("", calls=(("look", {}),))]
    listed, *rows = models.findings(chosen(server))
    assert (listed.ok, {row.ok for row in rows}) == (True, {True})
    assert [row.found.partition(",")[0] for row in rows] == [
        "answers: yes", "a plan: as JSON by schema", "tools: yes",
    ]  # fmt: skip
    assert "160 tokens" in rows[1].found


def test_calls_that_are_written_as_text_are_told(server):
    server.script = [Reply("Yes."), Reply("{}"), Reply("{}"), Reply('{"name": "look"}')]
    *_, plan, tools = models.findings(chosen(server))
    assert "of no use: rules planned" in plan.found
    assert tools.found == "tools: written as text; leave MaxTurns at 0"


@pytest.mark.parametrize(
    ("seconds", "says"),
    [
        (20.0, "20.0 s, 1800 tokens, 90 a second"),
        (28.0, "Too slow to plan and grade: MODEL_PROFILE=small"),
        (60.0, "Too slow: take a smaller model, or a machine with a graphics card"),
    ],
)
def test_a_model_that_is_too_slow_is_told_what_to_do(seconds, says):
    reply = ModelReply(text="{}", mode="openai", model="m", input_tokens=1_740, output_tokens=60)
    assert says in model_checks.describe_pace(reply, seconds)


@pytest.mark.parametrize(
    ("path", "said", "tokens"),
    [
        (
            "/v1/models",
            {"data": [{"id": "m", "meta": {"n_ctx": 2048, "n_ctx_train": 32768}}]},
            2048,
        ),
        ("/v1/models", {"data": [{"id": "m", "max_model_len": 8192}]}, 8192),
        ("/api/ps", {"models": [{"name": "m:latest", "context_length": 4096}]}, 4096),
        ("/api/show", {"parameters": "temperature 0.7\nnum_ctx    16384"}, 16384),
        ("/api/show", {"model_info": {"llama.context_length": 131072}}, None),
        ("/v1/models", {"data": "none"}, None),
        ("/api/ps", [], None),
    ],
)
def test_the_window_is_what_the_server_has_set_up(server, path, said, tokens):
    server.pages = {path: said}
    assert model_checks.find_window(f"{server.url}/v1", "", "m") == tokens


def test_a_window_that_is_too_small_is_told_what_to_do(server):
    server.pages = {"/api/ps": {"models": [{"name": "llama3.2", "context_length": 2048}]}}
    *_, window = models.findings(chosen(server))
    assert window.found.startswith("window: 2048 tokens. Too small: start its server with 8192")
    assert "MODEL_PROFILE=small" in model_checks.describe_window(4096)
    assert model_checks.describe_window(8192) == "window: 8192 tokens"


def test_the_profile_is_a_parameter_and_an_unknown_one_is_refused():
    small = models.choose({"MODEL": "ollama:m", "MODEL_PROFILE": "small"})
    assert models.parameters(small, "")["ModelProfile"] == "small"
    assert models.parameters(models.choose({}), "")["ModelProfile"] == "full"
    with pytest.raises(StackError, match="full, small"):
        models.choose({"MODEL_PROFILE": "tiny"})


def test_what_a_server_cannot_do_is_said_at_the_start(server, monkeypatch, capsys):
    server.chat.without = frozenset({"response_format", "tools"})
    monkeypatch.setenv("MODEL", "ollama:llama3.2")
    monkeypatch.setenv("OLLAMA_HOST", server.url)
    demo.say_model()
    said = capsys.readouterr().out
    assert "a plan: as JSON in words" in said
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
