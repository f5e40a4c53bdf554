"""What a question may spend: the ledger, the caps of settings and requests, and what they stop."""

import json
import time
from itertools import count

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.question.thrifty_llm import SPENT, ThriftyLLM
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import Budget, Caps, Ledger, ModelReply, ModelRequest, user_says
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.contract.suites.llm import LLMSuite, each_way, scripted, scripted_calls, scripted_failure
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

FEES = (
    b"# Fees\n\nThe harbour fee for a barge is 84 crowns. The harbour fee for a tug is 31 crowns.\n"
)
FREE = Budget(tokens=0, usd=0.0)


# -- ledger and caps -------------------------------------------------------------------------------


def test_a_ledger_adds_up_and_says_what_is_left():
    spent = Ledger(searches=3, tokens=100, usd=0.1).plus(Ledger(searches=2, tokens=1, usd=0.2))
    assert spent == Ledger(searches=5, tokens=101, usd=0.3)
    left = spent.left(Budget(searches=4, tokens=150, usd=0.0))
    assert left == {"searches": 0.0, "tokens": 49, "usd": float("inf")}


@pytest.mark.parametrize(
    ("caps", "reached"),
    [
        ({"searches": 6, "tokens": 0, "usd": 0.0}, None),
        ({"searches": 5}, "searches"),
        ({"tokens": 101}, "tokens"),
        ({"tokens": 102}, None),
        ({"usd": 0.3}, "usd"),
    ],
)
def test_a_cap_is_reached_when_nothing_of_it_is_left(caps, reached):
    assert Ledger(searches=5, tokens=101, usd=0.3).reached(Budget(**caps)) == reached


@pytest.mark.parametrize(
    ("wish", "caps"),
    [
        (Caps(), (2, 16, 1000, 0.5)),
        (Caps(rounds=1, searches=3, tokens=10, usd=0.1), (1, 3, 10, 0.1)),
        (Caps(rounds=9, searches=99, tokens=9999, usd=9.0), (2, 16, 1000, 0.5)),
    ],
)
def test_a_request_lowers_caps_and_raises_none(wish, caps):
    made = Budget(tokens=1000, usd=0.5).lowered(wish)
    assert (made.rounds, made.searches, made.tokens, made.usd) == caps


def test_where_a_deployment_sets_no_cap_a_request_may():
    assert Budget(tokens=0, usd=0.0).lowered(Caps(tokens=10, usd=0.1)) == Budget(tokens=10, usd=0.1)


# -- the model -------------------------------------------------------------------------------------


def within(llm, budget, spent=None, pay=lambda _: None):
    return ThriftyLLM(llm, time.time() + 60, budget, spent or Ledger(), pay)


class TestThriftyLLM(LLMSuite):
    @pytest.fixture
    def saying(self):
        return lambda text: within(scripted(text), FREE)

    @pytest.fixture
    def calling(self):
        return lambda *calls: within(scripted_calls(*calls), FREE)

    @pytest.fixture
    def failing(self):
        return lambda failure: within(scripted_failure(failure), FREE)


JUDGE = ModelRequest(task="judge", system="You judge.", messages=user_says("A passage. " * 8))


def dear(text="{}", tokens=100, usd=0.2):
    return ModelReply(text=text, mode="anthropic", model="m", input_tokens=tokens, usd=usd)


@each_way
@pytest.mark.parametrize(
    ("caps", "said"),
    [({"usd": 0.4}, "0.4 dollars"), ({"tokens": 210}, "210 tokens")],
)
def test_at_a_cap_the_model_is_not_asked(caps, said, ask):
    model = ScriptedLLM([], judge=[dear()] * 9)
    llm = within(model, Budget(**caps))
    for _ in range(2):
        assert ask(llm, JUDGE).mode == "anthropic"
    for _ in range(2):
        with pytest.raises(UnavailableError) as refused:
            ask(llm, JUDGE)
        assert refused.value.message == SPENT.format(said)
    assert len(model.requests) == 2


def test_what_was_spent_before_counts():
    model = ScriptedLLM([], judge=[dear()])
    llm = within(model, Budget(usd=0.4), Ledger(usd=0.4))
    with pytest.raises(UnavailableError, match=r"0\.4 dollars"):
        llm.complete(JUDGE)


def test_a_reply_of_no_use_was_paid_for():
    wrong = ModelReplyError("refused", spent=dear(usd=0.4))
    model = ScriptedLLM([], judge=[wrong, dear()])
    llm = within(model, Budget(usd=0.4))
    with pytest.raises(ModelReplyError):
        llm.complete(JUDGE)
    with pytest.raises(UnavailableError, match=r"0\.4 dollars"):
        llm.complete(JUDGE)


def test_each_reply_is_paid_and_noted_at_once_also_one_of_no_use():
    paid, wrong = [], ModelReplyError("refused", spent=dear(usd=0.3))
    llm = within(ScriptedLLM([], judge=[dear(), wrong]), FREE, pay=paid.append)
    reply = llm.complete(JUDGE)
    assert (paid, reply.call.task, reply.call.usd) == ([0.2], "judge", 0.2)
    with pytest.raises(ModelReplyError) as refused:
        list(llm.stream(JUDGE))
    assert (paid, refused.value.spent.call.usd) == ([0.2, 0.3], 0.3)


# -- questions -------------------------------------------------------------------------------------

PLAN = {
    "kind": "retrieve",
    "sub_questions": [{"text": "harbour fee for a barge"}, {"text": "harbour fee for a tug"}],
}


class NeverEnough:
    """A model that plans, never says that anything is enough, and writes what is there."""

    def __init__(self, usd=0.0, tokens=0):
        self.asked, self._cost = [], {"usd": usd, "input_tokens": tokens}
        self._words = (f"toll {n}" for n in count())

    def complete(self, request):
        self.asked.append(request.task)
        texts = {
            "plan": lambda: json.dumps(PLAN),
            "grade": lambda: json.dumps(
                {
                    "verdicts": [
                        {
                            "id": f"q{n}",
                            "decision": "replan" if n > 2 else "expand",
                            "confidence": 0.6,
                            "variants": [next(self._words)],
                        }
                        for n in range(1, 9)
                    ],
                    "new_sub_questions": [{"text": f"{next(self._words)} of the port"}],
                }
            ),
            "synthesize": lambda: "The harbour fee for a barge is 84 crowns. [1]",
            "judge": lambda: json.dumps({"supported": False}),
            "repair": lambda: "NONE",
        }
        text = texts[request.task]()
        return ModelReply(text=text, mode="anthropic", model="m", **self._cost)

    def stream(self, request):
        reply = self.complete(request)
        yield reply.text
        yield reply


def asked(model, wish=None, **settings):
    given = Settings(backend="memory", model_provider="anthropic", **settings)
    made = Pipeline(given, llm=model, embedder=HashEmbedder(), tokenizer=Words())
    made.upload("acme/default/fees.md", FEES)
    record = Service(made, "acme").questions.ask("What are the harbour fees?", budget=wish)
    return made.questions.get("acme", record.question_id).answer


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        (Caps(rounds=1), "after 1 round."),
        (Caps(searches=1), "at the question's budget of 1 search."),
        (Caps(searches=3), "at the question's budget of 3 searches."),
        (Caps(usd=0.25), "at the question's budget of 0.25 dollars."),
        (Caps(tokens=14_000), "at the question's budget of 14000 tokens."),
        (None, "after 4 rounds."),
    ],
)
def test_a_grader_that_never_says_enough_ends_at_a_cap_with_the_best_answer(wish, said):
    answer = asked(NeverEnough(usd=0.1, tokens=7000), wish, max_rounds=4)
    assert (answer.found, answer.citations[0].quote) == (
        True, "The harbour fee for a barge is 84 crowns.",
    )  # fmt: skip
    assert any(f"The search stopped {said} Not fully found:" in text for text in answer.degraded)


def test_the_searches_of_a_question_are_no_more_than_its_budget():
    for most in range(1, 6):
        plan = asked(NeverEnough(), Caps(searches=most), max_rounds=5).plan
        assert sum(question.searches for question in plan.sub_questions) == most


def test_when_the_money_is_gone_rules_write_and_that_is_said():
    model = NeverEnough(usd=0.1)
    answer = asked(model, Caps(usd=0.1))
    assert model.asked == ["plan"]
    assert (answer.found, answer.mode, answer.usage.usd) == (True, "extractive", 0.1)
    assert SPENT.format("0.1 dollars") in answer.degraded


def test_without_a_model_no_cap_of_a_model_is_reached():
    made = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    made.upload("acme/default/fees.md", FEES)
    asked = Service(made, "acme").questions.ask(
        "What is the fee for a barge?", budget=Caps(tokens=1)
    )
    degraded = made.questions.get("acme", asked.question_id).answer.degraded
    assert not [text for text in degraded if "budget" in text]
