"""Models that think aloud, put JSON into a fence or a sentence, or write their calls as text."""

import json

import pytest

from footnote.adapters.llm.replies import AS_TEXT
from footnote.adapters.llm.reply_text import THINKING_ROOM
from footnote.errors import ConfigurationError, ModelReplyError
from footnote.prompts.tasks import TASKS
from tests.contract.suites.llm import TOOLS, completed, each_way, request_of, streamed
from tests.model_cases import KINDS, PLAN, WRITE, provider
from tests.scripted_server import Reply, Status, run_server

pytestmark = pytest.mark.slow

every_kind = pytest.mark.parametrize("kind", KINDS)
JUDGE = request_of("judge", deadline=None)
CUT = Reply("", stop_reason="max_tokens", thinking="Let me see. " * 9)
PLANNED = '{"kind": "retrieve", "sub_questions": [{"text": "Who?"}]}'


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


# -- temperature -----------------------------------------------------------------------------------


def test_a_server_gets_temperature_0_for_every_task_but_words():
    with run_server([Reply('{"kind": "direct"}')] * len(TASKS)) as server:
        llm = provider(server, "openai")
        for task in TASKS:
            llm.complete(request_of(task))
    sent = dict(zip(TASKS, (body.get("temperature") for body in server.requests), strict=True))
    own = {"synthesize", "repair", "context"}
    assert sent == {task: None if task in own else 0.0 for task in TASKS}


def test_a_model_that_refuses_a_temperature_is_asked_without_it_from_then_on():
    why = "Unsupported value: 'temperature' does not support 0.0 with this model."
    other = {"grader": "other"}
    with run_server([Status(400, why=why), *[Reply("{}")] * 3]) as server:
        llm = provider(server, "openai", names=other)
        for request in (PLAN, PLAN, JUDGE):
            llm.complete(request)
    assert [body.get("temperature") for body in server.requests] == [0.0, None, None, 0.0]
    assert llm.lacks() == ["temperature"]


def test_claude_gets_no_temperature_as_the_api_refuses_it():
    with run_server([Reply("{}")]) as server:
        provider(server).complete(PLAN)
    assert "temperature" not in server.requests[0]


# -- thoughts --------------------------------------------------------------------------------------


@each_way
def test_a_model_that_was_cut_while_it_thought_is_asked_again_with_room(ask):
    whole = Reply('{"supported": true}', thinking="Hm.")
    with run_server([CUT, whole, whole]) as server:
        llm = provider(server, "openai")
        first, second = ask(llm, JUDGE), ask(llm, JUDGE)
    assert (first.text, first.output_tokens, second.output_tokens) == (whole.text, 40, 20)
    limits = [body["max_tokens"] for body in server.requests]
    assert limits == [300, 300 + THINKING_ROOM, 300 + THINKING_ROOM]


def test_a_model_that_thinks_in_its_text_gets_room_too_and_another_does_not():
    cut = Reply("<think>The passage says", stop_reason="max_tokens")
    with run_server([cut, Reply("{}"), Reply("{}")]) as server:
        llm = provider(server, "openai", names={"planner": "other"})
        llm.complete(JUDGE)
        llm.complete(PLAN)
    assert server.requests[1]["max_tokens"] == 300 + THINKING_ROOM
    assert server.requests[2]["max_tokens"] == PLAN.max_tokens


def test_a_model_that_still_thinks_at_the_end_of_its_room_is_not_asked_a_third_time():
    with run_server([CUT] * 9) as server, pytest.raises(ModelReplyError, match="length") as cut:
        provider(server, "openai").complete(JUDGE)
    assert (len(server.requests), cut.value.spent.output_tokens) == (2, 40)


def test_a_model_that_wrote_until_its_limit_gets_no_more_room():
    cut = Reply('{"a": ', stop_reason="max_tokens")
    with run_server([cut] * 9) as server, pytest.raises(ModelReplyError, match="length"):
        provider(server, "openai").complete(JUDGE)
    assert len(server.requests) == 1


def test_a_window_that_has_no_room_for_thoughts_is_asked_without_it():
    why = "This model's maximum context length is 4096 tokens. You asked for 5000."
    thinks = Reply("{}", thinking="Hm.")
    with run_server([thinks, Status(400, why=why), thinks, thinks]) as server:
        llm = provider(server, "openai")
        for _ in range(3):
            llm.complete(JUDGE)
    limits = [body["max_tokens"] for body in server.requests]
    assert limits == [300, 300 + THINKING_ROOM, 300, 300]


# -- JSON ------------------------------------------------------------------------------------------

AROUND = {
    "a fence": f"```json\n{PLANNED}\n```",
    "a sentence": f"Here is the plan: {PLANNED} I hope it helps.",
    "another object": f'Given {{"question": "Who?"}} I plan {PLANNED}',
    "thoughts": f'<think>First {{"kind": "direct"}}, or not?</think>\n\n{PLANNED}',
    "thinking": f"<thinking>\nWho?\n</thinking>{PLANNED}",
}


@every_kind
@pytest.mark.parametrize("text", AROUND.values(), ids=AROUND)
def test_json_is_taken_out_of_what_is_around_it(kind, text):
    request = PLAN.model_copy(update={"shape": {**PLAN.shape, "required": ["kind"]}})
    with run_server([Reply(text)]) as server:
        assert json.loads(provider(server, kind).complete(request).text) == json.loads(PLANNED)


@pytest.mark.parametrize("text", ["no JSON", "{" * 9_000, '{"a":' * 9_000, "[1]"])
def test_what_has_no_object_stays_as_it_is(text):
    with run_server([Reply(text)]) as server:
        assert provider(server, "openai").complete(PLAN).text == text


# -- calls of tools --------------------------------------------------------------------------------

CALLS = [
    '```json\n{"name": "finish", "arguments": {"summary": "There are two."}}\n```',
    '<tool_call>{"name": "search", "arguments": {}}</tool_call>',
    'I call {"function": "search", "parameters": {"text": "x"}}.',
]


@every_kind
@pytest.mark.parametrize("text", CALLS)
@pytest.mark.parametrize("ask", [completed, streamed])
def test_a_call_that_is_written_as_text_is_said(kind, text, ask):
    with run_server([Reply(text)] * 2) as server:
        llm = provider(server, kind)
        assert AS_TEXT in ask(llm, WRITE.model_copy(update={"tools": TOOLS})).degraded
        assert AS_TEXT not in ask(llm, WRITE).degraded


# -- a request that is too long --------------------------------------------------------------------


@every_kind
def test_a_request_that_is_too_long_is_refused_as_one_request(kind):
    why = "request (2971 tokens) exceeds the available context size (2048 tokens)"
    too_long = Status(400, "invalid_request_error", why=why)
    with run_server([too_long]) as server, pytest.raises(ConfigurationError) as refused:
        provider(server, kind).complete(PLAN)
    assert "2971 tokens" in refused.value.message
    assert refused.value.code == "request_refused"
