"""What all adapters of models do on a provider that is busy, breaks, refuses or replies rubbish.

Each runs in its chain, on a server that speaks the provider's form.
"""

import json

import pytest

from footnote.adapters.llm.resilient_llm import WAITS
from footnote.ask.plan import plan
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.model import Scope
from tests.class_names import class_names
from tests.model_cases import KINDS, PLAN, WRITE, Case
from tests.scripted_server import Cut, ErrorEvent, Garbage, Reply, Status, run_server

pytestmark = pytest.mark.slow


@pytest.fixture(params=KINDS)
def kind(request, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    return request.param


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
def test_a_busy_service_is_asked_again(kind, failure):
    with run_server([failure, failure, Reply("{}")]) as server:
        case = Case(server, kind)
        assert case.llm.complete(PLAN).text == "{}"
    assert len(server.requests) == 3
    assert all(0 <= wait <= 4 for wait in case.waits)


def test_retry_after_is_honoured(kind):
    busy = Status(429, "rate_limit_error", {"retry-after": "3"})
    with run_server([busy, Reply("{}")]) as server:
        case = Case(server, kind)
        case.llm.complete(PLAN)
    assert case.waits == [3.0]


def test_a_service_that_wants_a_long_rest_is_not_waited_for(kind):
    busy = Status(429, "rate_limit_error", {"retry-after": "60"})
    with run_server([busy, Reply("{}")]) as server:
        case = Case(server, kind)
        with pytest.raises(UnavailableError, match="429"):
            case.llm.complete(PLAN)
    assert (len(server.requests), case.waits) == (1, [])


def test_retries_end_and_the_sdk_makes_none_of_its_own(kind):
    busy = [Status(529, "overloaded_error")] * 20
    with run_server(busy) as server, pytest.raises(UnavailableError, match="529: scripted"):
        Case(server, kind).llm.complete(PLAN)
    assert len(server.requests) == len(WAITS) + 1


@pytest.mark.parametrize(
    "failure",
    [Cut(), Cut(politely=True), ErrorEvent(), Status(529), Status(429, "rate_limit_error")],
)
def test_a_stream_that_fails_before_the_first_word_is_opened_again(kind, failure):
    with run_server([failure, Reply("All well. [1]")]) as server:
        pieces, reply = Case(server, kind).streamed()
    assert ("".join(pieces), reply.text, len(server.requests)) == (
        "All well. [1]", "All well. [1]", 2,
    )  # fmt: skip


@pytest.mark.parametrize(
    "failure", [Cut("It cos"), Cut("It cos", politely=True), ErrorEvent("It cos")]
)
def test_a_stream_that_is_cut_after_the_first_word_is_an_error(kind, failure):
    with run_server([failure, Reply("All well. [1]")]) as server:
        stream = Case(server, kind).llm.stream(WRITE)
        assert next(stream) == "It "
        with pytest.raises(UnavailableError):
            list(stream)
    assert len(server.requests) == 1


@pytest.mark.parametrize("stop", ["refusal", "max_tokens"])
def test_a_refused_or_cut_plan_is_a_reply_of_no_use(kind, stop):
    with (
        run_server([Reply("{", stop_reason=stop)]) as server,
        pytest.raises(ModelReplyError, match=r"refusal|max_tokens|length") as stopped,
    ):
        Case(server, kind).llm.complete(PLAN)
    assert stopped.value.code == "stopped_early"
    assert stopped.value.spent.output_tokens == 20


def test_an_answer_that_reached_its_limit_is_kept_and_says_so(kind):
    with run_server([Reply("It costs", stop_reason="max_tokens")]) as server:
        _, reply = Case(server, kind).streamed()
    assert reply.degraded[-1:] == ("The answer was cut: the model reached its limit of tokens.",)


def test_a_refusal_while_streaming_is_a_reply_of_no_use(kind):
    refusal = Reply("I can", stop_reason="refusal")
    with run_server([refusal]) as server, pytest.raises(ModelReplyError, match="refused"):
        list(Case(server, kind).llm.stream(WRITE))


@pytest.mark.parametrize(
    ("status", "why"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (402, "billing_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (413, "request_too_large"),
    ],
)
def test_what_an_operator_must_mend_is_not_tried_again(kind, status, why):
    script = [Status(status, why), Reply("{}")]
    with run_server(script) as server, pytest.raises(ConfigurationError, match=str(status)):
        Case(server, kind).llm.complete(PLAN)
    assert len(server.requests) == 1


def test_a_proxy_that_answers_html_is_no_crash(kind):
    with run_server([Garbage()] * 9) as server, pytest.raises(UnavailableError):
        Case(server, kind).llm.complete(PLAN)


def test_no_server_at_all_is_unavailable(kind):
    with run_server([]) as server:
        pass
    with pytest.raises(UnavailableError, match=r"API failed|gave no answer") as caught:
        Case(server, kind).llm.complete(PLAN)
    assert class_names(caught.value.message) == []


def test_a_bad_plan_is_asked_for_once_more_over_the_wire(kind):
    good = json.dumps({"kind": "retrieve", "sub_questions": [{"text": "Who leads Roost?"}]})
    with run_server([Reply("nonsense"), Reply(good)]) as server:
        progress = plan("Who?", (), Scope(tenant="acme"), Case(server, kind).llm)
    assert [sub.text for sub in progress.plan.sub_questions] == ["Who leads Roost?"]
    assert progress.usage.by_step["plan"]["tokens"] == 240
    assert "Your last reply was of no use" in str(server.requests[1]["messages"])
