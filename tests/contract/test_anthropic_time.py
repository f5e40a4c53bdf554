"""When a model hangs, drips or stops short, the rules answer in time and the answer says why."""

import time

import pytest
from aws_lambda_powertools.utilities import parameters

from footnote.adapters.calls.breaker import FAILURES
from footnote.adapters.calls.timed_llm import DeadlineLLM, PunctualLLM
from footnote.adapters.llm.fallback import Fallback
from footnote.ask.grade import grade
from footnote.ask.plan import plan
from footnote.ask.planning.waves import Limits
from footnote.ask.question.handoff import Progress
from footnote.ask.retrieve import retrieve
from footnote.ask.rules import Extractive
from footnote.ask.synthesize import synthesize
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import Budget, ModelReply, Plan, Scope, SubQuestion
from footnote.settings import Settings
from footnote.wiring.question_means import llm_until
from footnote.wiring.services import Services
from tests.corpus import Corpus
from tests.model_cases import WRITE, in_chain, provider
from tests.scripted_server import Drip, Garbage, Hang, Reply, Status, run_server

pytestmark = pytest.mark.slow

SUB = SubQuestion(id="q1", text="How many bikes does a Roost hold?")
SCOPE = Scope(tenant="acme")
SECONDS = 0.5  # the time that a hanging model gets
# Generous, as a machine under load is slow; without a deadline each of these takes 60 s or more.
LATEST = 10.0
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


def with_fallback(llm, seconds=60.0):
    """Combines the models as bootstrap does, with a deadline this many seconds from now."""
    return DeadlineLLM(Fallback(PunctualLLM(llm), Extractive()), time.time() + seconds)


def find_evidence():
    corpus = Corpus({"roost.pdf": ["A Roost holds twelve bikes.", "It is green."]})
    return corpus, retrieve(SUB, SCOPE, (), corpus.ports)


def write_answer(llm):
    """Synthesizes an answer; returns it with the kinds of its trace's events."""
    (corpus, evidence), trace = find_evidence(), []
    progress = Progress(plan=Plan(kind="retrieve", question=SUB.text, sub_questions=(SUB,)))
    answer = synthesize(
        "id", progress, {"q1": evidence}, corpus.document, corpus.words, llm,
        lambda kind, _data: trace.append(kind),
    )  # fmt: skip
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
        answer, trace = write_answer(with_fallback(model(server), SECONDS))
    assert (answer.found, answer.mode, answer.removed) == (True, "extractive", ())
    assert answer.answer == "A Roost holds twelve bikes. [1]"
    assert len(answer.degraded) == 1
    assert answer.degraded[0].startswith("The language model was not available (")
    assert trace[-1] == "words"


def test_words_from_before_it_hung_are_void_and_what_is_known_of_their_cost_counts(in_time):
    with run_server([HALF_WAY] * 20) as server:
        answer, trace = write_answer(with_fallback(model(server), 6 * SECONDS))
    assert trace == ["words", "restart", "words"]
    # message_start reports 100 tokens in and one out so far
    assert answer.usage.by_step["synthesize"] == {"tokens": 101, "usd": 0.00021}


@for_each(SILENT)
def test_a_question_is_planned_by_rule_when_the_model_hangs(script, in_time):
    with run_server([script] * 20) as server:
        progress = plan(SUB.text, (), SCOPE, with_fallback(model(server), SECONDS))
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
        answer, _ = write_answer(llm_until(services, "synthesize", time.time() + 2 * SECONDS))
        assert server.requests
    assert (answer.found, answer.mode) == (True, "extractive")


def test_a_stream_that_outlasts_the_deadline_is_closed(in_time):
    with (
        run_server([HANGING["drips words"]] * 9) as server,
        pytest.raises(UnavailableError, match="did not end its answer in time") as late,
    ):
        # the first word takes half a second to drip, more where the machine is busy; the last one
        # a minute
        list(model(server).stream(WRITE.model_copy(update=deadline_in(12 * SECONDS))))
    assert late.value.spent.text.startswith("It ")


@pytest.mark.parametrize("ask", ["complete", "stream"])
def test_a_connection_that_hangs_is_not_the_end(ask):
    with run_server([Hang(), Reply("All well. [1]")]) as server:
        llm = model(server, sleep=lambda _seconds: None)
        said = getattr(llm, ask)(WRITE.model_copy(update=deadline_in(4.0)))
        reply = said if ask == "complete" else list(said)[-1]
    assert (reply.text, len(server.requests)) == ("All well. [1]", 2)


def test_a_wait_that_outlasts_the_deadline_is_not_begun():
    busy = Status(429, "rate_limit_error", {"retry-after": "7"})
    waits = []
    with run_server([busy, Reply("All well. [1]")]) as server:
        llm = model(server, sleep=waits.append)
        with pytest.raises(UnavailableError, match="429"):
            list(llm.stream(WRITE.model_copy(update=deadline_in(5.0))))
    assert (len(server.requests), waits) == (1, [])


@pytest.mark.parametrize("ask", ["complete", "stream"])
def test_without_time_nobody_is_asked_and_it_is_no_failure_of_the_service(ask):
    with run_server([Reply("All well. [1]")] * 2) as server:
        llm = Fallback(model(server), StandIn("By rule."))
        for _ in range(FAILURES + 1):
            late = getattr(llm, ask)(WRITE.model_copy(update=deadline_in(0.0)))
            reply = late if ask == "complete" else list(late)[-1]
            assert (reply.text, "no time was left" in reply.degraded[0]) == ("By rule.", True)
        assert server.requests == []
        assert llm.complete(WRITE).mode == "anthropic"


def test_a_model_that_hangs_is_left_alone_after_some_questions():
    with run_server([Hang()] * 20) as server:
        llm = Fallback(PunctualLLM(model(server)), StandIn("By rule."))
        for _ in range(FAILURES + 2):
            llm.complete(WRITE.model_copy(update=deadline_in(0.3)))
        asked = len(server.requests)
        llm.complete(WRITE.model_copy(update=deadline_in(0.3)))
        assert len(server.requests) == asked


class StandIn:
    """The stand-in model of these tests; it always gives the same reply."""

    def __init__(self, text):
        self.reply = ModelReply(text=text, mode="extractive", model="rules")

    def complete(self, _request):
        return self.reply

    def stream(self, _request):
        yield self.reply.text
        yield self.reply


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
        answer, trace = write_answer(with_fallback(model(server)))
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
        answer, _ = write_answer(with_fallback(model(server)))
    assert (answer.found, answer.mode, answer.usage.tokens) == (True, "extractive", 0)
    assert "did not answer with a message" in answer.degraded[0]


def test_the_whole_sentences_of_a_cut_answer_are_kept_and_it_says_that_it_is_cut():
    cut = Reply("A Roost holds twelve bikes. [1] It is gr", stop_reason="max_tokens")
    with run_server([cut]) as server:
        answer, trace = write_answer(with_fallback(model(server)))
    assert (answer.answer, answer.mode, trace) == (
        "A Roost holds twelve bikes. [1]", "anthropic", ["words"],
    )  # fmt: skip
    assert answer.degraded == ("The answer was cut: the model reached its limit of tokens.",)


@for_each(NO_PLAN)
def test_a_plan_of_no_use_is_asked_for_twice_then_made_by_rule_and_both_are_paid_for(script):
    question = "How many bikes does a Roost hold and what does it cost?"
    with run_server([script] * 5) as server:
        by_rule = plan(question, (), SCOPE, Extractive())
        progress = plan(question, (), SCOPE, with_fallback(model(server)))
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
        by_rule = grade(progress, {"q1": evidence}, Limits(Budget()), Extractive())
        graded = grade(progress, {"q1": evidence}, Limits(Budget()), with_fallback(model(server)))
    assert len(server.requests) == 2
    assert graded.progress.plan == by_rule.progress.plan
    assert "the model stopped early: refusal" in graded.progress.degraded[0]


def test_a_refusal_says_nothing_against_the_service():
    with run_server([REFUSED] * FAILURES + [Reply("All well. [1]")]) as server:
        llm = Fallback(model(server), StandIn("By rule."))
        for _ in range(FAILURES):
            assert list(llm.stream(WRITE))[-1].mode == "extractive"
        assert list(llm.stream(WRITE))[-1].mode == "anthropic"


def test_what_has_been_given_up_is_not_asked_of_a_model():
    with run_server([Reply("{}")]) as server, pytest.raises(ModelReplyError, match="no JSON"):
        model(server).complete(WRITE.model_copy(update={"given_up": "no JSON"}))
    assert server.requests == []
