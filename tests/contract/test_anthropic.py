"""Tests the Anthropic adapter, through the real SDK, on a server that speaks the Messages API."""

from typing import ClassVar

import pytest

from footnote.adapters.llm.anthropic import AnthropicLLM
from footnote.adapters.llm.openai_chat import OpenAiChat
from footnote.adapters.llm.resilient_llm import ResilientLLM
from footnote.ask.answer.material import Material
from footnote.ask.plan import plan
from footnote.ask.question.handoff import Progress
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.model import ModelReply, ModelRequest, Plan, Scope, SubQuestion, user_says
from tests.contract.suites.llm import LLMSuite, scripted_failure
from tests.corpus import Corpus
from tests.model_cases import PLAN, Case, in_chain, provider
from tests.scripted_server import Cut, Garbage, Hang, Reply, Status, run_server

pytestmark = pytest.mark.slow


class TestAnthropicLLM(LLMSuite):
    """Runs `AnthropicLLM` in its chain."""

    adapter: ClassVar = AnthropicLLM
    failures: ClassVar = {
        "refuses": Reply("I can", stop_reason="refusal"),
        "is a proxy's page": Garbage(),
        "is down": Status(529, "overloaded_error"),
        "hangs": Hang(),
        "knows no such key": Status(401, "authentication_error"),
    }

    kind: ClassVar = "anthropic"

    def behind(self, llm):
        return llm

    @pytest.fixture(autouse=True)
    def credentials(self, monkeypatch):
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")

    @pytest.fixture
    def scripting(self):
        """Makes the adapter on a server that replies so to each request."""
        with run_server([]) as server:

            def make(reply):
                server.script = [reply] * 20
                return self.behind(Case(server, self.kind).llm)

            yield make

    @pytest.fixture
    def saying(self, scripting):
        return lambda text: scripting(Reply(text))

    @pytest.fixture
    def calling(self, scripting):
        return lambda *calls: scripting(Reply("I look.", calls=calls))

    @pytest.fixture
    def failing(self, scripting):
        return lambda failure: scripting(self.failures[failure])


class TestAnthropicLLMOnBedrock(TestAnthropicLLM):
    """Runs `AnthropicLLM` with Bedrock's client."""

    kind: ClassVar = "bedrock"


class TestOpenAiChat(TestAnthropicLLM):
    """Runs `OpenAiChat` on a server of that form."""

    adapter: ClassVar = OpenAiChat
    kind: ClassVar = "openai"


class TestResilientLLM(TestAnthropicLLM):
    """Runs `ResilientLLM` whose first place has a wrong key: the second one answers."""

    adapter: ClassVar = ResilientLLM

    def behind(self, llm):
        return in_chain(scripted_failure("knows no such key"), llm, sleep=lambda _: None)


def test_planning_asks_the_cheaper_model_for_json_that_follows_the_schema():
    with run_server([Reply('{"kind": "direct"}')]) as server:
        reply = Case(server).llm.complete(PLAN)
    (body,) = server.requests
    assert (body["model"], body["thinking"]) == ("claude-haiku-5-5", {"type": "disabled"})
    mark = {"cache_control": {"type": "ephemeral"}}
    assert body["system"] == [{"type": "text", "text": "You plan.", **mark}]
    said = [{"type": "text", "text": "What?"}]
    assert body["messages"] == [{"role": "user", "content": said}]
    assert body["output_config"]["format"]["schema"]["properties"].keys() == {"kind"}
    assert reply == ModelReply(
        text='{"kind": "direct"}',
        mode="anthropic",
        model="claude-haiku-5-5",
        input_tokens=100,
        output_tokens=20,
        usd=0.00002,
    )


def test_writing_streams_from_the_better_model():
    with run_server(
        [Reply("It costs 5 euros. [1]", input_tokens=1000, output_tokens=10)]
    ) as server:
        pieces, reply = Case(server).streamed()
    assert pieces == ["It ", "costs ", "5 ", "euros. ", "[1]"]
    assert (reply.text, reply.model, reply.usd) == (
        "It costs 5 euros. [1]", "claude-sonnet-5-5", 0.0021,
    )  # fmt: skip
    assert server.requests[0]["thinking"] == {"type": "between_tools"}


def test_models_are_settings_and_one_without_a_price_says_so():
    with run_server([Reply("{}")]) as server:
        reply = Case(server, names={"planner": "claude-next"}).llm.complete(PLAN)
    assert server.requests[0]["model"] == "claude-next"
    assert "thinking" not in server.requests[0]
    assert (reply.usd, reply.degraded) == (
        0.0, ("No price is known for claude-next: its cost is not counted.",),
    )  # fmt: skip


def test_what_the_prompt_cache_wrote_and_gave_has_prices_of_its_own():
    with run_server([Reply("Text.", cache_written=1_000_000, cache_read=2_000_000)]) as server:
        reply = Case(server).llm.complete(PLAN)
    # In, at $0.10 a million tokens: 100 read, 1 m written to the cache at 1.25 times that, 2 m read
    # from it at 0.1 times. Out: 20 tokens at $0.50 a million.
    assert (reply.input_tokens, reply.usd) == (3_000_100, 0.14502)


def test_a_contextual_line_has_a_model_of_its_own():
    line = ModelRequest(
        task="context", system="You place.", messages=user_says("Passage."), max_tokens=100
    )
    with run_server([Reply("A line.")] * 2) as server:
        replies = [
            Case(server, names={"context": name, "planner": "claude-opus-5-5"}).llm.complete(line)
            for name in ("claude-haiku-4-5", "claude-haiku-5-5")
        ]
    assert [reply.model for reply in replies] == ["claude-haiku-4-5", "claude-haiku-5-5"]
    assert server.requests[0]["max_tokens"] == 100


def test_thinking_is_not_part_of_the_reply():
    with run_server([Reply("{}", thinking="Hm.")]) as server:
        assert Case(server).llm.complete(PLAN).text == "{}"


# -- with rules behind it -------------------------------------------------------------------------

SUB = SubQuestion(id="q1", text="How many bikes does a Roost hold?")


def write_answer(llm):
    corpus, trace = Corpus({"roost.pdf": ["A Roost holds twelve bikes.", "It is green."]}), []
    evidence = retrieve(SUB, Scope(tenant="acme"), (), corpus.ports)
    progress = Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,)))
    answer = synthesize(Material(
        "id", progress, {"q1": evidence}, corpus.document, corpus.words, llm,
        lambda kind, _data: trace.append(kind),
    ))  # fmt: skip
    assert trace.pop() == "written"  # the last, whatever came before
    return answer, trace


def test_a_whole_answer_comes_over_the_wire_checked():
    with run_server() as server:
        answer, trace = write_answer(Case(server).llm)
    assert (answer.answer, answer.mode, trace) == (
        "A Roost holds twelve bikes. [1]", "anthropic", ["words"],
    )  # fmt: skip


def test_a_stream_cut_half_way_is_written_anew_without_a_model():
    with run_server([Cut("It is green. [1] A Roost holds elev")]) as server:
        answer, trace = write_answer(Case(server).llm)
    assert answer.answer == "A Roost holds twelve bikes. [1]"
    assert (answer.mode, answer.removed) == ("extractive", ())
    assert "restart" in trace
    assert [text.split(" (")[0] for text in answer.degraded] == [
        "The language model was not available"
    ]


def planned(llm):
    return plan("Who leads Roost?", (), Scope(tenant="acme"), llm)


@pytest.mark.parametrize("code", [529, 401])
def test_without_the_model_the_rules_answer_and_say_why(code):
    with run_server([Status(code)] * 20) as server:
        made = planned(Case(server).llm)
    assert made.mode == "extractive"
    assert f"answered {code}" in made.degraded[0]


def test_after_some_failures_the_model_is_left_alone_for_a_while():
    now = [0.0]
    with run_server([Status(401), Reply('{"kind": "clarify", "reply": "Who?"}')]) as server:
        llm = in_chain(provider(server), sleep=lambda _: None, clock=lambda: now[0])
        for _ in range(3):
            assert "answered 401" in planned(llm).degraded[0]
        assert len(server.requests) == 1  # a wrong key is as wrong in a second
        now[0] = 31.0
        assert planned(llm).mode == "anthropic"
