"""However a question ends, the dollars that count are those that it paid: no more, no less."""

import json
import time
from contextlib import suppress
from functools import cache
from itertools import count

import pytest

from footnote.adapters.calls.meter import Meter
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    LimitedError,
    ModelReplyError,
    UnavailableError,
)
from footnote.model import ModelReply
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests import turns
from tests.chaos.faults import Killed
from tests.chaos.machine import FEES, REPLIES, STATES, Moment, Run, watch
from tests.corpus import HashEmbedder
from tests.unit.faces import Words
from tests.unit.test_api import Idle

QUESTION = "What are the harbour fees?"
DEAR, CHEAP = 0.2, 0.0001  # dollars a call: more, and less, than the question is expected to cost
JUDGED = 0.003  # dollars that a re-ranker takes for a search
TASKS = {name for name, state in STATES.items() if state["Type"] == "Task"}
GIVEN_UP = 400  # seconds after which nobody works on a question any more


class Till:
    """Implements LLM and notes what is paid. `odd` is the call, from 1, at which `happens` is."""

    def __init__(self, price, odd=0, happens=None, **replies):
        self.price, self.odd, self.happens = price, odd, happens
        self.replies = REPLIES | replies
        self.paid, self.calls = 0.0, 0

    def complete(self, request):
        return self._pay(self._reply(request))

    def stream(self, request):
        reply = self._reply(request)
        yield reply.text
        yield self._pay(reply)  # what a stream has cost is known at its end

    def _pay(self, reply):
        self.paid += self.price
        self.calls += 1
        if self.calls == self.odd:
            self.happens(reply)
        return reply

    def _reply(self, request):
        if request.task == "work":
            did = turns.search() if len(request.messages) == 1 else turns.finish(1)
            return turns.calls(did, usd=self.price)
        text = self.replies[request.task]
        return ModelReply(text=text, mode="anthropic", model="scripted", usd=self.price)


class Judge:
    """Implements Reranker, as one that is paid."""

    model = "judge"

    def __init__(self):
        self.meter, self.paid = Meter(), 0.0

    def rerank(self, _query, texts):
        self.paid += JUDGED
        self.meter.add(len(texts), JUDGED)
        return [1.0 / n for n in range(1, len(texts) + 1)]


@cache
def filled():
    """Returns a pipeline that holds one document; its questions are nobody's."""
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/fees.md", FEES.encode())
    return pipeline


class House:
    """A deployment with one document, in which one question is asked, and its step by step run."""

    def __init__(self, till, **settings):
        given = {"anthropic_key_parameter": "k", "tenant_usd_per_day": 900.0, **settings}
        self.till, self.judge = till, Judge()
        self.pipeline = Pipeline(
            Settings(backend="memory", **given), llm=till, embedder=HashEmbedder()
        )
        for port in ("catalog", "artifacts", "index"):
            self.pipeline.__dict__[port] = getattr(filled(), port)
        self.pipeline.__dict__ |= {"reranker": self.judge, "meter": self.judge.meter}
        self.pipeline.workflow = Idle()
        self.questions = Service(self.pipeline, "acme", ("@all",), "ada").questions
        self.asked = self.questions.ask(QUESTION)
        assert self.asked.estimate.usd > 0
        self.state = ""

    @classmethod
    def of(cls, price, most_turns):
        return cls(Till(price), max_turns=most_turns)

    def run(self, moment=None, **how):
        services = watch(self.pipeline, moment) if moment else self.pipeline
        run = Run(services, self.asked, **how)
        for self.state in run.steps():
            pass
        return run.ended

    def stop(self, _=None):
        self.questions.stop(self.asked.question_id)

    def get(self):
        return self.questions.get(self.asked.question_id)

    def counted(self):
        """Returns what is counted of the person, of the tenant and of all; what is not is 0."""
        sums = self.pipeline.counters._sums.items()
        return [amount / 1e6 for name, amount in sums if "/usd/" in name]

    def is_right(self):
        paid = self.till.paid + self.judge.paid
        return self.counted() == pytest.approx([paid] * 3, abs=1e-5)


@pytest.fixture(params=[(DEAR, 0), (CHEAP, 2)], ids=["dear", "cheap, with tools"])
def given(request):
    """Returns dollars a call, and the turns that a model may take to look for evidence."""
    return request.param


@pytest.fixture(params=[DEAR, CHEAP])
def price(request):
    return request.param


def boundaries(price, most_turns):
    """Returns how many calls of ports a question takes that goes well."""
    calm = Moment()
    house = House.of(price, most_turns)
    assert house.run(calm) == "Succeeded"
    assert house.get().status == "DONE"
    assert house.is_right()
    return len(calm.calls)


def raise_(error):
    raise error


def test_wherever_a_question_is_stopped_what_it_paid_is_counted(given):
    """Steps that have begun go on, and pay, after the stop."""
    states = set()
    for n in range(1, boundaries(*given) + 1):
        house = House.of(*given)
        house.run(Moment(n, "before", house.stop))
        states.add(house.state)
        assert house.is_right(), n
        house.stop()
        assert house.is_right(), n
    assert states


def test_a_stop_before_any_step_costs_nothing(price):
    house = House(Till(price))
    assert sum(house.counted()) > 0
    house.stop()
    assert house.counted() == [0.0] * 3
    house.run()
    assert house.is_right()


@pytest.mark.parametrize(
    ("error", "when"),
    [(ConfigurationError("no right"), "before"), (UnavailableError("busy"), "after")],
    ids=["for good", "for once"],
)
def test_wherever_a_step_fails_what_it_paid_is_counted(given, error, when):
    """One error is of those that are tried again, the other leads on by a Catch."""
    states = set()
    for n in range(1, boundaries(*given) + 1):
        house = House.of(*given)

        def fails(_, house=house):
            states.add(house.state)
            raise error

        moment = Moment(n, when, fails)
        house.run(moment)
        assert house.get().status in {"DONE", "FAILED"}
        assert house.is_right(), (n, house.state)
    assert states == TASKS - {"Fail", "Read"} - (set() if given[1] else {"Work"})


def test_a_question_whose_machine_breaks_off_costs_what_it_paid(given):
    """A machine that times out reaches no Catch: whoever looks for the answer learns of it."""
    for n in range(1, boundaries(*given) + 1):
        house = House.of(*given)
        with suppress(Killed):
            house.run(Moment(n, "before", lambda _: raise_(Killed)), lost=True)
        house.pipeline.clock = lambda: time.time() + GIVEN_UP
        for _ in range(2):
            assert house.get().status in {"DONE", "FAILED"}
            assert house.is_right(), (n, house.state)


def test_a_question_that_runs_twice_at_once_costs_what_both_paid(price):
    for n in range(1, boundaries(price, 0) + 1):
        house = House(Till(price))
        second = Run(house.pipeline, house.asked, name="run-2")
        house.run(Moment(n, "before", lambda _, second=second: second.all()))
        assert house.get().status == "DONE"
        assert house.is_right(), n


@pytest.mark.parametrize("kind", [ModelReplyError, UnavailableError])
def test_calls_that_were_of_no_use_are_counted_where_their_cost_is_known(given, kind):
    for odd in count(1):

        def fails(reply):
            error = kind("of no use")
            error.spent = reply
            raise error

        till = Till(given[0], odd, fails)
        house = House(till, max_turns=given[1])
        house.run()
        assert house.get().status in {"DONE", "FAILED"}
        assert house.is_right(), odd
        if till.calls < odd:
            break


@pytest.mark.parametrize(
    ("replies", "kind"),
    [
        ({"plan": json.dumps({"kind": "direct", "reply": "Hello!"})}, "direct"),
        ({"plan": json.dumps({"kind": "clarify", "reply": "Which port?"})}, "clarify"),
        ({"plan": "no JSON at all"}, "found"),
        ({"synthesize": "I cannot say."}, "found"),
    ],
)
def test_answers_that_come_early_cost_what_they_paid(price, replies, kind):
    house = House(Till(price, **replies))
    assert house.run() == "Succeeded"
    assert house.get().answer.kind == kind or kind == "found"
    assert house.is_right()


def test_a_question_at_the_end_of_its_budget_costs_what_it_paid(price):
    house = House(Till(price), max_usd=price * 1.5)
    assert house.run() == "Succeeded"
    assert any("budget" in one for one in house.get().answer.degraded)
    assert house.is_right()


def test_a_session_of_questions_that_nobody_ended_can_be_deleted_and_costs_what_it_paid(price):
    house = House(Till(price))
    asked = house.questions.ask(QUESTION, session="s")
    house.pipeline.clock = lambda: time.time() + GIVEN_UP
    house.get()
    Service(house.pipeline, "acme", ("@all",), "ada").sessions.delete("s")
    assert asked.session == "s"
    assert house.is_right()


def test_a_question_that_cannot_be_started_costs_nothing(price):
    house = House(Till(price))
    house.stop()
    house.pipeline.workflow.ask = lambda *_: raise_(UnavailableError("busy"))
    with pytest.raises(UnavailableError):
        house.questions.ask(QUESTION)
    assert house.is_right()


# -- searches --------------------------------------------------------------------------------------


def test_a_search_that_pays_a_re_ranker_is_counted_until_the_dollars_are_used_up():
    house = House(Till(CHEAP), rerankers="cohere", usd_per_day=0.5, cohere_key_parameter="k")
    house.stop()
    me = Service(house.pipeline, "acme", ("@all",), "ada")
    for n in range(1, 4):
        me.searches.search("harbour fee", "hybrid_reranked")
        assert house.is_right(), n
    house.pipeline.usage_limits.pay_now("acme", "ada", 0.5)
    with pytest.raises(LimitedError):
        me.searches.search("harbour fee", "hybrid_reranked")
    assert house.judge.paid == pytest.approx(3 * JUDGED)
    Service(house.pipeline, "acme", ("@all",), "bob").searches.search(
        "harbour fee", "hybrid_reranked"
    )


def test_a_search_that_fails_is_counted_too():
    house = House(Till(CHEAP), rerankers="cohere", cohere_key_parameter="k")
    house.stop()
    judged = house.judge.rerank

    def fails(query, texts):
        judged(query, texts)
        raise BadRequestError("an odd text")

    house.judge.rerank = fails
    with pytest.raises(BadRequestError):
        Service(house.pipeline, "acme", ("@all",), "ada").searches.search("fee", "hybrid_reranked")
    assert house.judge.paid == JUDGED
    assert house.is_right()
