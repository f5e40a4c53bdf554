"""Tests the Anthropic adapter, through the real SDK, on a server that speaks the Messages API."""

import json
from typing import ClassVar

import pytest

from footnote.adapters.anthropic import ATTEMPTS, AnthropicLLM
from footnote.adapters.anthropic_models import MODELS
from footnote.adapters.extractive import Extractive
from footnote.adapters.fallback import FAILURES, Fallback
from footnote.ask.handoff import Progress
from footnote.ask.plan import plan
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest, Plan, Scope, SubQuestion
from tests.contract.suites.llm import SAID, LLMSuite, scripted_failure
from tests.corpus import Corpus
from tests.scripted_server import Cut, ErrorEvent, Garbage, Hang, Reply, Status, run_server

pytestmark = pytest.mark.slow

PLAN = ModelRequest(
    task="plan",
    system="You plan.",
    prompt="What?",
    tool={"name": "plan", "schema": {"type": "object", "properties": {"kind": {"type": "string"}}}},
)
WRITE = ModelRequest(task="synthesize", system="You write.", prompt="Passages.")


class Case:
    """The adapter on a scripted server; it remembers how long the adapter waited."""

    def __init__(self, server, **settings):
        self.server = server
        self.waits = []
        self.llm = AnthropicLLM(
            "test-key", base_url=server.url, sleep=self.waits.append, **settings
        )

    def streamed(self):
        pieces = list(self.llm.stream(WRITE))
        return pieces[:-1], pieces[-1]


class TestAnthropicLLM(LLMSuite):
    failures: ClassVar = {
        "refuses": Reply("I can", stop_reason="refusal"),
        "is a proxy's page": Garbage(),
        "is down": Status(529, "overloaded_error"),
        "hangs": Hang(),
        "knows no such key": Status(401, "authentication_error"),
    }

    def behind(self, llm):
        return llm

    @pytest.fixture
    def scripting(self):
        """Makes the adapter on a server that replies so to each request."""
        with run_server([]) as server:

            def make(reply):
                server.script = [reply] * 20
                return self.behind(Case(server).llm)

            yield make

    @pytest.fixture
    def saying(self, scripting):
        return lambda text: scripting(Reply(text))

    @pytest.fixture
    def failing(self, scripting):
        return lambda failure: scripting(self.failures[failure])


def test_planning_asks_the_cheaper_model_for_json_that_follows_the_schema():
    with run_server([Reply('{"kind": "direct"}')]) as server:
        reply = Case(server).llm.complete(PLAN)
    (body,) = server.requests
    assert (body["model"], body["system"], body["thinking"]) == (
        "claude-haiku-5-5", "You plan.", {"type": "disabled"},
    )  # fmt: skip
    assert body["messages"] == [{"role": "user", "content": "What?"}]
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
        reply = Case(server, planner_model="claude-next").llm.complete(PLAN)
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
    line = ModelRequest(task="context", system="You place.", prompt="Passage.", max_tokens=100)
    with run_server([Reply("A line.")] * 2) as server:
        replies = [
            Case(server, context_model=name, planner_model="claude-opus-5-5").llm.complete(line)
            for name in ("claude-haiku-4-5", None)
        ]
    assert [reply.model for reply in replies] == ["claude-haiku-4-5", "claude-haiku-5-5"]
    assert server.requests[0]["max_tokens"] == 100


def test_every_model_in_the_table_has_a_price():
    assert {name for name, m in MODELS.items() if m.input_usd <= 0 or m.output_usd <= 0} == set()


def test_thinking_is_not_part_of_the_reply():
    with run_server([Reply("{}", thinking="Hm.")]) as server:
        assert Case(server).llm.complete(PLAN).text == "{}"


@pytest.mark.parametrize(
    "failure",
    [
        Status(429, "rate_limit_error"),
        Status(529, "overloaded_error"),
        Status(500),
        Status(503),
        Status(408),
    ],
)
def test_a_busy_service_is_asked_again(failure):
    with run_server([failure, failure, Reply("{}")]) as server:
        case = Case(server)
        assert case.llm.complete(PLAN).text == "{}"
    assert len(server.requests) == 3
    assert all(0 <= wait <= 4 for wait in case.waits)


def test_retry_after_is_honoured():
    busy = Status(429, "rate_limit_error", {"retry-after": "3"})
    with run_server([busy, Reply("{}")]) as server:
        case = Case(server)
        case.llm.complete(PLAN)
    assert case.waits == [3.0]


def test_a_service_that_wants_a_long_rest_is_not_waited_for():
    busy = Status(429, "rate_limit_error", {"retry-after": "60"})
    with run_server([busy, Reply("{}")]) as server:
        case = Case(server)
        with pytest.raises(UnavailableError, match="429"):
            case.llm.complete(PLAN)
    assert (len(server.requests), case.waits) == (1, [])


def test_retries_end_and_the_sdk_makes_none_of_its_own():
    busy = [Status(529, "overloaded_error")] * 20
    with run_server(busy) as server, pytest.raises(UnavailableError, match="529: scripted"):
        Case(server).llm.complete(PLAN)
    assert len(server.requests) == ATTEMPTS


@pytest.mark.parametrize(
    "failure",
    [Cut(), Cut(politely=True), ErrorEvent(), Status(529), Status(429, "rate_limit_error")],
)
def test_a_stream_that_fails_before_the_first_word_is_opened_again(failure):
    with run_server([failure, Reply("All well. [1]")]) as server:
        pieces, reply = Case(server).streamed()
    assert ("".join(pieces), reply.text, len(server.requests)) == (
        "All well. [1]", "All well. [1]", 2,
    )  # fmt: skip


@pytest.mark.parametrize(
    "failure", [Cut("It cos"), Cut("It cos", politely=True), ErrorEvent("It cos")]
)
def test_a_stream_that_is_cut_after_the_first_word_is_an_error(failure):
    with run_server([failure, Reply("All well. [1]")]) as server:
        stream = Case(server).llm.stream(WRITE)
        assert next(stream) == "It "
        with pytest.raises(UnavailableError):
            list(stream)
    assert len(server.requests) == 1


@pytest.mark.parametrize("stop", ["refusal", "max_tokens"])
def test_a_refused_or_cut_plan_is_a_reply_of_no_use(stop):
    with (
        run_server([Reply("{", stop_reason=stop)]) as server,
        pytest.raises(ModelReplyError, match=stop) as stopped,
    ):
        Case(server).llm.complete(PLAN)
    assert (stopped.value.code, stopped.value.usd) == ("stopped_early", 0.00002)


def test_an_answer_that_reached_its_limit_is_kept_and_says_so():
    with run_server([Reply("It costs", stop_reason="max_tokens")]) as server:
        _, reply = Case(server).streamed()
    assert reply.degraded == ("The answer was cut: the model reached its limit of tokens.",)


def test_a_refusal_while_streaming_is_a_reply_of_no_use():
    refusal = Reply("I can", stop_reason="refusal")
    with run_server([refusal]) as server, pytest.raises(ModelReplyError, match="refused"):
        list(Case(server).llm.stream(WRITE))


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
    ],
)
def test_what_an_operator_must_mend_is_not_tried_again(status, kind):
    script = [Status(status, kind), Reply("{}")]
    with run_server(script) as server, pytest.raises(ConfigurationError, match=str(status)):
        Case(server).llm.complete(PLAN)
    assert len(server.requests) == 1


def test_a_proxy_that_answers_html_is_no_crash():
    with run_server([Garbage()]) as server, pytest.raises(ModelReplyError):
        Case(server).llm.complete(PLAN)


def test_no_server_at_all_is_unavailable():
    with run_server([]) as server:
        pass
    with pytest.raises(UnavailableError, match="APIConnectionError"):
        Case(server).llm.complete(PLAN)


def test_a_bad_plan_is_asked_for_once_more_over_the_wire():
    good = json.dumps({"kind": "retrieve", "sub_questions": [{"text": "Who leads Roost?"}]})
    with run_server([Reply("nonsense"), Reply(good)]) as server:
        progress = plan("Who?", (), Scope(tenant="acme"), Case(server).llm)
    assert [sub.text for sub in progress.plan.sub_questions] == ["Who leads Roost?"]
    assert progress.usage.by_step["plan"]["tokens"] == 240
    assert "Your last reply was of no use" in server.requests[1]["messages"][0]["content"]


# -- with the fallback behind it -------------------------------------------------------------------


class TestFallback(TestAnthropicLLM):
    has_rules: ClassVar = True

    def behind(self, llm):
        return Fallback(llm, Extractive())


class TestFallbackOnRules(LLMSuite):
    """The first never replies."""

    tasks: ClassVar = frozenset(SAID) - {"context"}
    has_rules: ClassVar = True

    @pytest.fixture
    def saying(self):
        return lambda _: Fallback(scripted_failure("is down"), Extractive())

    @pytest.fixture
    def failing(self):
        return lambda failure: Fallback(scripted_failure(failure), Extractive())


SUB = SubQuestion(id="q1", text="How many bikes does a Roost hold?")


def write_answer(llm):
    corpus, trace = Corpus({"roost.pdf": ["A Roost holds twelve bikes.", "It is green."]}), []
    evidence = retrieve(
        SUB, Scope(tenant="acme"), (), corpus.index, corpus.embedder, corpus.catalog
    )
    progress = Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,)))
    answer = synthesize(
        "id", progress, {"q1": evidence}, corpus.document, corpus.words, llm,
        lambda kind, _data: trace.append(kind),
    )  # fmt: skip
    return answer, trace


def test_a_whole_answer_comes_over_the_wire_checked():
    with run_server() as server:
        answer, trace = write_answer(Case(server).llm)
    assert (answer.answer, answer.mode, trace) == (
        "A Roost holds twelve bikes. [1]", "anthropic", ["words"],
    )  # fmt: skip


def test_a_stream_cut_half_way_is_written_anew_without_a_model():
    with run_server([Cut("It is green. [1] A Roost holds elev")]) as server:
        answer, trace = write_answer(Fallback(Case(server).llm, Extractive()))
    assert answer.answer == "A Roost holds twelve bikes. [1]"
    assert (answer.mode, answer.removed) == ("extractive", ())
    assert "restart" in trace
    assert [text.split(" (")[0] for text in answer.degraded] == [
        "The language model was not available"
    ]


@pytest.mark.parametrize("code", [529, 401])
def test_without_the_model_the_rules_answer_and_say_why(code):
    with run_server([Status(code)] * 20) as server:
        reply = Fallback(Case(server).llm, Extractive()).complete(
            PLAN.model_copy(update={"material": {"question": "Who leads Roost?"}})
        )
    assert reply.mode == "extractive"
    assert f"answered {code}" in reply.degraded[0]


def test_after_some_failures_the_model_is_left_alone_for_a_while():
    now = [0.0]
    request = PLAN.model_copy(update={"material": {"question": "Who leads Roost?"}})
    with run_server([*[Status(401)] * FAILURES, Reply("{}")]) as server:
        fallback = Fallback(Case(server).llm, Extractive(), clock=lambda: now[0])
        for _ in range(FAILURES + 3):
            fallback.complete(request)
        assert len(server.requests) == FAILURES
        now[0] = 31.0
        assert fallback.complete(request).mode == "anthropic"
