"""Replies that no form has: each ends as a failure that is known, whatever the server sends.

Gateways and servers of one's own answer with errors as if all was well, tell no usage, or figures
that are none. No reply of theirs may end a question.
"""

import gzip
import json
import time

import pytest

from footnote.adapters.calls.lateness import LATE
from footnote.adapters.llm.replies import NOT_TOLD
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from tests.clocks import FakeClock
from tests.contract.suites.llm import completed, each_way, streamed
from tests.model_cases import PLAN, WRITE, Case, provider
from tests.scripted_forms import Chat, Messages
from tests.scripted_server import Drip, Endless, Odd, Reply, run_server

pytestmark = pytest.mark.slow

FORMS = {"anthropic": Messages(), "openai": Chat()}
BODY = {"model": "claude-haiku-5-5", "messages": []}
HUGE = b'{"a": ' + b"9" * 6_000 + b"}"  # more digits than Python reads as a number
DEEP = b"[" * 100_000
LOST = "is no reply"  # of use: another try, then rules
NAN, INFINITE = float("nan"), float("inf")

each_kind = pytest.mark.parametrize("kind", FORMS)


def whole(kind, **changes):
    return json.dumps(FORMS[kind].whole(Reply("{}"), BODY) | changes).encode()


def said(message, why="stop"):
    """Returns a whole reply of OpenAI's form with this message."""
    return whole("openai", choices=[{"message": message, "finish_reason": why}])


def chunk(**changes):
    """Returns an event of OpenAI's form."""
    choice = {"delta": {}, "finish_reason": None} | changes
    return FORMS["openai"].frame({"model": "small", "choices": [choice]})


def events(kind, *between):
    """Returns the events of a stream that says something, with others before its end."""
    frames = FORMS[kind].frames(Reply("All well. [1]"), BODY)
    return [*frames.start, *frames.pieces, *between, *frames.end]


def anthropics(*more):
    start = FORMS["anthropic"].frames(Reply("x"), BODY).start
    return [*start, *map(FORMS["anthropic"].frame, more)]


def delta(value):
    return {"type": "content_block_delta", "index": 0, "delta": value}


def outcome(kind, odd, request, ask):
    """Returns the text of the reply, or the error that it ends in."""
    with run_server([odd] * 9) as server:
        try:
            return ask(Case(server, kind).llm, request).text
        except (ModelReplyError, UnavailableError, ConfigurationError) as error:
            return error


# -- whole replies ---------------------------------------------------------------------------------

NO_REPLIES = {
    "nothing": b"",
    "an array": b"[1]",
    "nested without end": DEEP,
    "no text": b"\xff\xfe{}",
    "a huge number": HUGE,
}
OF_OPENAI = {
    "no choices": whole("openai", choices=None),
    "an empty choice": whole("openai", choices=[None]),
    "calls of nothing": said({"content": None, "tool_calls": [{"id": "a"}]}),
    "calls without a name": said({"content": None, "tool_calls": [{"function": {"name": None}}]}),
    "an object of calls": said({"content": None, "tool_calls": {"a": 1}}),
}
OF_ANTHROPIC = {
    "no content": whole("anthropic", content=None),
    "empty content": whole("anthropic", content=[None]),
    "content as text": whole("anthropic", content="{}"),
    "a text that is none": whole("anthropic", content=[{"type": "text", "text": None}]),
}
WHOLE = [
    *((kind, name, body) for kind in FORMS for name, body in NO_REPLIES.items()),
    *(("openai", name, body) for name, body in OF_OPENAI.items()),
    *(("anthropic", name, body) for name, body in OF_ANTHROPIC.items()),
]


@pytest.mark.parametrize(("kind", "name", "body"), WHOLE, ids=lambda one: str(one)[:30])
@pytest.mark.parametrize("ask", [completed, streamed])
def test_a_reply_of_another_form_is_no_reply(kind, name, body, ask):
    request = PLAN if ask is completed else WRITE
    assert isinstance(outcome(kind, Odd(body), request, ask), UnavailableError | ModelReplyError)


@each_kind
@each_way
def test_an_error_that_comes_as_if_all_was_well_is_told(kind, ask):
    error = {"type": "error", "error": {"message": "the model is overloaded", "code": 503}}
    told = outcome(kind, Odd(json.dumps(error).encode()), PLAN, ask)
    assert isinstance(told, UnavailableError)
    if (kind, ask) != ("anthropic", streamed):  # its SDK reads nothing but events
        assert "the model is overloaded" in told.message


@each_kind
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["as text", "packed"])
def test_a_reply_counts_whatever_its_headers_call_it(kind, pack):
    headers = {} if pack is bytes else {"content-encoding": "gzip"}
    odd = Odd(pack(whole(kind)), "text/plain", headers)
    assert outcome(kind, odd, PLAN, completed) == "{}"


@each_kind
@each_way
def test_a_body_that_cannot_be_unpacked_is_no_reply(kind, ask):
    packed = Odd(whole(kind), headers={"content-encoding": "gzip"})
    assert isinstance(outcome(kind, packed, PLAN, ask), UnavailableError)


@each_kind
@each_way
@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_as_the_key_would_go_with_it(kind, ask, code):
    with run_server([]) as elsewhere:
        odd = Odd(code=code, headers={"location": f"{elsewhere.url}/v1/messages"})
        told = outcome(kind, odd, PLAN, ask)
    assert isinstance(told, ConfigurationError)
    assert (str(code) in told.message, "another URL" in told.action) == (True, True)
    assert elsewhere.requests == []


# -- what was used ---------------------------------------------------------------------------------

NO_FIGURES = [None, "7", NAN, INFINITE, -INFINITE, -5, 10**40, [1]]


@each_kind
@pytest.mark.parametrize("figure", NO_FIGURES, ids=lambda one: str(one)[:9])
def test_a_figure_that_counts_no_tokens_counts_none(kind, figure):
    names = {
        "openai": ("prompt_tokens", "completion_tokens"),
        "anthropic": ("input_tokens", "output_tokens"),
    }
    body = whole(kind, usage=dict.fromkeys(names[kind], figure))
    with run_server([Odd(body)] * 9) as server:
        reply = Case(server, kind).llm.complete(PLAN)
    assert (reply.text, reply.input_tokens, reply.output_tokens, reply.usd) == ("{}", 0, 0, 0.0)
    assert NOT_TOLD in reply.degraded


@pytest.mark.parametrize("usage", [None, "much", [1]])
@each_way
def test_without_usage_the_reply_counts_and_says_so(usage, ask):
    told = FORMS["openai"].frame({"model": "small", "choices": [], "usage": usage})
    script = events("openai", told) if ask is streamed else whole("openai", usage=usage)
    with run_server([Odd(script)]) as server:
        reply = ask(Case(server, "openai").llm, PLAN)
    assert (reply.input_tokens, reply.usd) == (0, 0.0)
    assert NOT_TOLD in reply.degraded


def test_a_gateway_of_anthropics_form_may_tell_no_usage():
    with run_server([Odd(whole("anthropic", usage=None))]) as server:
        reply = Case(server, "anthropic").llm.complete(PLAN)
    assert (reply.text, NOT_TOLD in reply.degraded) == ("{}", True)


# -- streams ---------------------------------------------------------------------------------------

STREAMS_OF_OPENAI = {
    "no event": ([], LOST),
    "comments alone": ([b": hi\n\n"] * 3, LOST),
    "no reason at its end": (events("openai")[:-2], LOST),
    "no last event": (events("openai")[:-1], "All well. [1]"),
    "an array between": (events("openai", FORMS["openai"].frame([1])), "All well. [1]"),
    "an error as text": ([FORMS["openai"].frame({"error": "bad"})], LOST),
    "an error as reason": (events("openai", chunk(finish_reason="error")), LOST),
    "an empty choice": ([FORMS["openai"].frame({"choices": [None]})], LOST),
    "an empty delta": (events("openai", chunk(delta=None)), "All well. [1]"),
    "content in parts": (
        [
            chunk(delta={"content": [{"type": "thinking", "thinking": []}]}),
            chunk(delta={"content": [{"type": "text", "text": "All well. [1]"}]}),
            chunk(finish_reason="stop"),
        ],
        "All well. [1]",
    ),
    "a call of nothing": (events("openai", chunk(delta={"tool_calls": [None]})), LOST),
    "a call without a place": (
        events("openai", chunk(delta={"tool_calls": [{"index": INFINITE}]})),
        LOST,
    ),
    "a name that is none": (
        events("openai", chunk(delta={"tool_calls": [{"function": {"name": 7}}]})),
        LOST,
    ),
    "a huge number": ([b"data: " + HUGE + b"\n\n"], LOST),
    "nested without end": ([b"data: " + DEEP + b"\n\n"], LOST),
}
STREAMS_OF_ANTHROPIC = {
    "no event": ([], LOST),
    "a piece before its block": ([anthropics()[0], *anthropics(delta({"text": "x"}))[-1:]], LOST),
    "no message": ([FORMS["anthropic"].frame({"type": "message_start", "message": None})], LOST),
    "an empty delta": (anthropics(delta(None)), LOST),
    "a text that is none": (anthropics(delta({"type": "text_delta", "text": None})), LOST),
    "no reason at its end": (events("anthropic")[:-2], LOST),
    "no last event": (events("anthropic")[:-1], "All well. [1]"),
    "an event of another kind": (
        events("anthropic", FORMS["anthropic"].frame({"type": "odd"})),
        "All well. [1]",
    ),
    "an array": ([b"event: message_start\ndata: [1]\n\n"], LOST),
    "a huge number": ([b"event: message_start\ndata: " + HUGE + b"\n\n"], LOST),
    "nested without end": ([b"event: message_start\ndata: " + DEEP + b"\n\n"], LOST),
}
STREAMS = [
    *(("openai", name, *stream) for name, stream in STREAMS_OF_OPENAI.items()),
    *(("anthropic", name, *stream) for name, stream in STREAMS_OF_ANTHROPIC.items()),
]


@pytest.mark.parametrize(
    ("kind", "name", "sent", "ends"), STREAMS, ids=[f"{one[0]} {one[1]}" for one in STREAMS]
)
def test_a_stream_of_another_form_ends_as_one_that_broke(kind, name, sent, ends):
    told = outcome(kind, Odd(sent), WRITE, streamed)
    if ends == LOST:
        assert isinstance(told, UnavailableError | ModelReplyError), told
    else:
        assert told == ends


def test_a_server_that_does_not_stream_is_heard_all_the_same():
    message = {"role": "assistant", "content": "All well. [1]"}
    assert outcome("openai", Odd(said(message)), WRITE, streamed) == "All well. [1]"


# -- it goes on and on -----------------------------------------------------------------------------


@each_kind
@pytest.mark.parametrize(
    ("script", "ask"),
    [(Drip("It is green. [1] " * 400), completed), (Drip("It is green. [1] " * 400), streamed),
     (Endless(""), streamed)],
    ids=["drips, whole", "drips, streamed", "pings"],
)  # fmt: skip
def test_a_reply_that_comes_too_slowly_is_closed_at_the_deadline(kind, script, ask):
    seconds = 0.5
    with run_server([script] * 9) as server:
        llm = provider(server, kind)
        while not server.requests:  # a machine under load may need longer to ask
            seconds *= 2
            request = WRITE.model_copy(update={"deadline": time.time() + seconds})
            with pytest.raises(UnavailableError) as late:
                ask(llm, request)
        assert server.left.wait(60.0)
    assert late.value.code == LATE


@each_way
def test_headers_that_come_too_slowly_are_not_waited_for(ask):
    drip = Drip("It is green. [1]", headers=True)  # its headers alone take some seconds
    with run_server([drip]) as server:
        llm = provider(server, "openai", clock=FakeClock())
        with pytest.raises(UnavailableError, match="gave no answer in time") as late:
            ask(llm, WRITE.model_copy(update={"deadline": 1.0}))
        assert server.left.wait(60.0)
    assert late.value.code == LATE
