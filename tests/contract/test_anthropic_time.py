"""When a model hangs, drips or stops short, the rules answer in time and the answer says why."""

import time

import pytest
from aws_lambda_powertools.utilities import parameters

from footnote.adapters.calls.breaker import FAILURES
from footnote.adapters.llm.prices import Price
from footnote.ask.answer.material import Material
from footnote.ask.grade import grade
from footnote.ask.plan import plan
from footnote.ask.planning.waves import Limits
from footnote.ask.question.handoff import Progress
from footnote.ask.question.thrifty_llm import ThriftyLLM
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import Budget, Ledger, Plan, Scope, SubQuestion
from footnote.settings import Settings
from footnote.wiring.services import Services
from tests.clocks import FakeClock
from tests.contract.suites.llm import each_way
from tests.corpus import Corpus
from tests.model_cases import WRITE, in_chain, provider
from tests.scripted_server import Drip, Endless, Garbage, Hang, Reply, Status, run_server

pytestmark = pytest.mark.slow

SUB = SubQuestion(id="q1", text="How many bikes does a Roost hold?")
SCOPE = Scope(tenant="acme")
SECONDS = 0.5  # the time that a hanging model gets
# Without a deadline each of these takes 60 s or more, on any machine.
LATEST = 55.0
LONG = "It is green. [1] " * 400

SILENT = {
    "says nothing": Hang(),
    "headers only": Hang(headers=True),
    "drips": Drip(LONG),
    "drips its headers": Drip(LONG, headers=True),
}
HALF_WAY = Hang("It is green. [1] A Roost holds elev")
HANGING = {**SILENT, "half-way": HALF_WAY, "drips words": Drip(LONG, seconds=0.0005)}


def for_each(scripted):
    return pytest.mark.parametrize("script", scripted.values(), ids=scripted)


def model(server, **settings):
    return in_chain(provider(server), **settings)


def until(llm, seconds=60.0):
    """Combines the models as bootstrap does, with a deadline this many seconds from now."""
    return ThriftyLLM(llm, time.time() + seconds, Budget(), Ledger(), lambda _: None)


def find_evidence():
    corpus = Corpus({"roost.pdf": ["A Roost holds twelve bikes.", "It is green."]})
    return corpus, retrieve(SUB, SCOPE, (), corpus.ports)


def write_answer(llm):
    """Synthesizes an answer; returns it with the kinds of its trace's events."""
    (corpus, evidence), trace = find_evidence(), []
    progress = Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,)))
    answer = synthesize(Material(
        "id", progress, {"q1": evidence}, corpus.document, corpus.words, llm,
        lambda kind, _data: trace.append(kind),
    ))  # fmt: skip
    assert trace.pop() == "written"  # the last, whatever came before
    return answer, trace


@pytest.fixture
def in_time():
    started = time.monotonic()
    yield
    assert time.monotonic() - started < LATEST


# -- it hangs --------------------------------------------------------------------------------------


@for_each(HANGING)
def test_an_answer_is_written_by_rule_when_the_model_hangs(script, in_time):
    with run_server([script] * 20) as server:
        answer, trace = write_answer(until(model(server), SECONDS))
    assert (answer.found, answer.mode, answer.removed) == (True, "extractive", ())
    assert answer.answer == "A Roost holds twelve bikes. [1]"
    assert len(answer.degraded) == 1
    assert answer.degraded[0].startswith("The language model was not available (")
    assert trace[-1] == "words"


def test_words_from_before_it_hung_are_void_and_what_is_known_of_their_cost_counts():
    with run_server([HALF_WAY] * 20) as server:
        answer, trace = write_answer(until(in_chain(provider(server, timeout=3.0))))
    assert trace == ["words", "restart", "words"]
    # message_start reports 100 tokens in and one out so far
    assert answer.usage.by_step["synthesize"] == {"tokens": 101, "usd": 0.00021}


@for_each(SILENT)
def test_a_question_is_planned_by_rule_when_the_model_hangs(script, in_time):
    with run_server([script] * 20) as server:
        progress = plan(SUB.text, (), SCOPE, until(model(server), SECONDS))
    assert ([q.text for q in progress.plan.sub_questions], progress.mode) == (
        [SUB.text], "extractive",
    )  # fmt: skip
    assert progress.degraded[0].startswith("The language model was not available (")


def test_the_models_of_a_deployment_are_held_to_the_deadline(in_time, monkeypatch):
    monkeypatch.setattr(parameters, "get_parameter", lambda *_, **__: "test-key")
    with run_server([SILENT["drips its headers"]] * 20) as server:
        services = Services(
            Settings(anthropic_key_parameter="key", anthropic_base_url=server.url), time.time
        )
        seconds = SECONDS
        while not server.requests:  # a machine under load may need longer to ask
            seconds *= 2
            answer, _ = write_answer(until(services.llm, seconds))
    assert (answer.found, answer.mode) == (True, "extractive")


def test_a_stream_that_outlasts_the_deadline_is_closed():
    clock = FakeClock()
    with run_server([Endless()]) as server:
        pieces = provider(server, clock=clock).stream(WRITE.model_copy(update={"deadline": 60.0}))
        next(pieces)
        clock.now = 60.0
        with pytest.raises(UnavailableError, match="did not end its answer in time") as late:
            list(pieces)
    assert late.value.spent.text.startswith("It ")


@each_way
def test_where_one_provider_hangs_the_next_one_answers_in_its_share_of_the_time(ask):
    with run_server([Hang()]) as first, run_server([Reply("All well. [1]")]) as second:
        llm = in_chain(provider(first), provider(second, "openai"))
        reply = ask(llm, WRITE.model_copy(update=deadline_in(10.0)))
    assert (reply.text, len(first.requests)) == ("All well. [1]", 1)
    assert reply.input_tokens > 100  # also of the call that was left


@pytest.mark.parametrize("kind", ["anthropic", "openai"])
@each_way
def test_a_call_that_is_left_is_closed_and_counted(kind, ask):
    with run_server([Hang()]) as server:
        prices, seconds, calls = {"claude": Price(1, 1), "large": Price(1, 1)}, SECONDS, 0
        while not server.requests:  # a machine under load may need longer to ask
            seconds, calls = 2 * seconds, calls + 1
            llm = in_chain(provider(server, kind, prices=prices))  # one that has not failed yet
            with pytest.raises(UnavailableError) as late:
                ask(llm, WRITE.model_copy(update=deadline_in(seconds)))
        assert server.left.wait(30.0)
    assert len(server.requests) <= calls  # none is repeated
    assert (late.value.spent.input_tokens, late.value.spent.usd) == (6, 0.000006)


def test_a_wait_that_outlasts_the_deadline_is_not_begun():
    busy = Status(429, "rate_limit_error", {"retry-after": "8"})
    waits = []
    with run_server([busy, Reply("All well. [1]")]) as server:
        llm = model(server, sleep=waits.append)
        with pytest.raises(UnavailableError, match="429"):
            list(llm.stream(WRITE.model_copy(update=deadline_in(8.0))))
    assert (len(server.requests), waits) == (1, [])


@each_way
def test_without_time_nobody_is_asked_and_it_is_no_failure_of_the_service(ask):
    with run_server([Reply("All well. [1]")] * 2) as server:
        llm = model(server)
        for _ in range(FAILURES + 1):
            with pytest.raises(UnavailableError, match="no time was left"):
                ask(llm, WRITE.model_copy(update=deadline_in(0.0)))
        assert server.requests == []
        assert llm.complete(WRITE).mode == "anthropic"


def test_a_model_that_hangs_is_left_alone_after_some_questions():
    with run_server([Hang()] * 20) as server:
        llm = in_chain(provider(server, timeout=0.2), sleep=lambda _: None, clock=FakeClock())
        for _ in range(FAILURES + 2):
            with pytest.raises(UnavailableError):
                llm.complete(WRITE.model_copy(update=deadline_in(60.0)))
        asked = len(server.requests)
        with pytest.raises(UnavailableError):
            llm.complete(WRITE.model_copy(update=deadline_in(60.0)))
        assert len(server.requests) == asked


def deadline_in(seconds):
    return {"deadline": time.time() + seconds}


# -- it replies, and the reply is of no use --------------------------------------------------------

REFUSED = Reply("It is green. [1] But I can", stop_reason="refusal")
USELESS = {
    "refused": REFUSED,
    "cut before it cites": Reply("Before I answer, let me consid", stop_reason="max_tokens"),
    "no room": Reply("Before", stop_reason="model_context_window_exceeded"),
    "blank": Reply("  \n"),
    "cut while it thought": Reply("", stop_reason="max_tokens"),
}
NO_PLAN = {
    "prose": Reply("no JSON"),
    "blank": Reply(""),
    "cut": Reply("{", "max_tokens"),
    "refused": Reply("{", "refusal"),
}


@for_each(USELESS)
def test_an_answer_of_no_use_is_written_anew_by_rule_and_its_cost_counts(script):
    with run_server([script]) as server:
        answer, trace = write_answer(until(model(server)))
    assert (answer.found, answer.mode, answer.answer) == (
        True, "extractive", "A Roost holds twelve bikes. [1]",
    )  # fmt: skip
    assert [text.split(" (")[0] for text in answer.degraded] == [
        "The language model's reply was of no use"
    ]
    assert answer.usage.by_step["synthesize"] == {"tokens": 120, "usd": 0.0004}
    assert trace[-1] == "words"


def test_an_answer_that_is_a_proxys_page_is_written_by_rule():
    with run_server([Garbage()] * 9) as server:
        answer, _ = write_answer(until(model(server)))
    assert (answer.found, answer.mode, answer.usage.tokens) == (True, "extractive", 0)
    assert "did not answer with a message" in answer.degraded[0]


def test_the_whole_sentences_of_a_cut_answer_are_kept_and_it_says_that_it_is_cut():
    cut = Reply("A Roost holds twelve bikes. [1] It is gr", stop_reason="max_tokens")
    with run_server([cut]) as server:
        answer, trace = write_answer(until(model(server)))
    assert (answer.answer, answer.mode, trace) == (
        "A Roost holds twelve bikes. [1]", "anthropic", ["words"],
    )  # fmt: skip
    assert answer.degraded == ("The answer was cut: the model reached its limit of tokens.",)


@for_each(NO_PLAN)
def test_a_plan_of_no_use_is_asked_for_twice_then_made_by_rule_and_both_are_paid_for(script):
    question = "How many bikes does a Roost hold and what does it cost?"
    with run_server([script] * 5) as server:
        by_rule = plan(question, (), SCOPE, None)
        progress = plan(question, (), SCOPE, until(model(server)))
    assert (len(server.requests), progress.plan) == (2, by_rule.plan)
    assert (progress.mode, progress.usage.by_step["plan"]) == (
        "extractive", {"tokens": 240, "usd": 0.00004},
    )  # fmt: skip
    assert [text.split(" (")[0] for text in progress.degraded] == [
        "The language model's reply was of no use"
    ]


def test_verdicts_of_no_use_are_those_of_the_rules():
    _, evidence = find_evidence()
    progress = Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,)))
    with run_server([Reply("{", "refusal")] * 5) as server:
        by_rule = grade(progress, {"q1": evidence}, Limits(Budget()), None)
        graded = grade(progress, {"q1": evidence}, Limits(Budget()), until(model(server)))
    assert len(server.requests) == 2
    assert graded.progress.plan == by_rule.progress.plan
    assert "the model stopped early: refusal" in graded.progress.degraded[0]


def test_a_refusal_says_nothing_against_the_service():
    with run_server([REFUSED] * FAILURES + [Reply("All well. [1]")]) as server:
        llm = model(server)
        for _ in range(FAILURES):
            with pytest.raises(ModelReplyError):
                list(llm.stream(WRITE))
        assert list(llm.stream(WRITE))[-1].mode == "anthropic"
