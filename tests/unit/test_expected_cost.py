"""What a question is expected to cost, and that it is refused where its budget is less."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from footnote.ask.question.expected_cost import (
    EVIDENCE,
    FENCED,
    NUMBERED,
    Reading,
    Searching,
    check_estimate,
    estimate,
)
from footnote.ask.question.history import exchange_tokens
from footnote.client import Client
from footnote.errors import BadRequestError, UnavailableError
from footnote.model import AnswerOptions, Budget, Caps, Exchange
from footnote.service import Service
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.estimates import estimate_question
from tests.conftest import ROOT
from tests.unit.faces import URL, InProcess, small

TASKS_SENT = ("plan", "grade", "synthesize")  # where each call fails
CLAUDE = Settings(backend="memory", anthropic_key_parameter="k")
# a dollar for each token that is read, so that dollars count them
FREE_WORDS = CLAUDE.model_copy(
    update={
        "model_prices": "quill=1000000/0",
        **dict.fromkeys(("planner_model", "grader_model", "writer_model"), "quill"),
    }
)
DEAR = {"planner": ("a", (1.0, 5.0)), "grader": ("a", (1.0, 5.0)), "writer": ("b", (2.0, 10.0))}


def test_without_a_model_a_question_costs_nothing_and_says_so():
    free = estimate_question(
        Settings(backend="memory"), "What is the fee?", (), AnswerOptions(), Caps()
    )
    assert (free.mode, free.tokens, free.usd, free.by_task) == ("extractive", 0, 0.0, {})
    assert free.notes == ("No language model is configured: nothing is paid for.",)
    check_estimate(free, Caps(tokens=1, usd=0.000001))


def test_each_task_is_counted_by_the_price_of_its_model():
    told = estimate("anthropic", DEAR, Budget())
    assert told.by_task["plan"] == {"tokens": 1500, "usd": round((1300 + 5 * 200) / 1e6, 6)}
    read = 720 + round(NUMBERED * EVIDENCE)
    assert told.by_task["synthesize"]["usd"] == round((2 * read + 10 * 250) / 1e6, 6)
    assert told.tokens == sum(one["tokens"] for one in told.by_task.values())
    assert told.usd == pytest.approx(sum(one["usd"] for one in told.by_task.values()), abs=2e-6)


def by(budget, **more):
    return estimate("anthropic", DEAR, budget, **more).tokens


def test_history_context_turns_and_data_cost_more():
    plain = by(Budget())
    assert by(Budget(), own=1000) == pytest.approx(plain + 3100, abs=2)
    assert "work" in estimate("anthropic", DEAR, Budget(turns=2)).by_task
    assert plain < by(Budget(turns=1)) < by(Budget(turns=3)) == by(Budget(turns=9))
    wide = Searching(words=(EVIDENCE, EVIDENCE))
    assert by(Budget(), work=wide) - plain == pytest.approx((1.1 * FENCED + NUMBERED) * EVIDENCE, 1)
    fields = estimate("anthropic", DEAR, Budget(), work=Searching(fields=(900, 1100)))
    assert fields.by_task["extract"]["tokens"] == 770 + round(FENCED * EVIDENCE) + 300
    said = Exchange(question="What is the fee?", answer="It is 4 crowns a day. " * 80)
    told = [
        estimate_question(CLAUDE, "And now?", past, AnswerOptions(), Caps())
        for past in ((), (said,), (said,) * 9)
    ]
    more = told[1].tokens - told[0].tokens
    assert more == exchange_tokens(said) > 400  # which planning alone reads
    assert ["condense" in one.by_task for one in told] == [False, False, True]


def test_in_the_small_profile_only_the_writers_call_is_counted():
    settings = CLAUDE.model_copy(update={"model_profile": "small", "max_turns": 3})
    asking = AnswerOptions(data_schema='{"type": "object"}')
    told, full = (
        estimate_question(one, "What is the fee?", (), asking, Caps()) for one in (settings, CLAUDE)
    )
    assert list(told.by_task) == ["synthesize"]
    assert told.tokens == told.by_task["synthesize"]["tokens"] < full.tokens / 4


def test_loops_that_a_model_ends_give_a_range():
    plain = estimate("anthropic", DEAR, Budget())
    certain = ("plan", "grade", "synthesize")
    once = sum(plain.by_task[task]["tokens"] for task in certain)
    again = 0.1 / 1.1 * plain.by_task["grade"]["tokens"]
    assert plain.least_tokens == pytest.approx(once - again, abs=2)
    assert plain.least_tokens < plain.tokens < plain.most_tokens
    arrays = estimate("anthropic", DEAR, Budget(), work=Searching(arrays=True))
    assert (arrays.tokens, arrays.least_tokens) == (plain.tokens, plain.least_tokens)
    assert "extract" not in arrays.by_task  # a table that has them costs nothing
    assert arrays.most_tokens > plain.most_tokens + 3_000
    free = estimate("anthropic", DEAR, Budget(), work=Reading(0, 0, planned=False))
    assert (free.least_tokens, free.tokens, free.most_tokens) == (0, 0, 0)


def test_what_a_request_allows_less_of_is_expected_to_cost_less():
    def of_two(budget):
        return by(budget, work=Searching(words=(EVIDENCE, EVIDENCE)))

    plain = of_two(Budget())
    assert of_two(Budget(searches=1)) < of_two(Budget(rounds=1)) < plain
    assert plain == of_two(Budget(searches=2))
    assert of_two(Budget(searches=1, turns=3)) < of_two(Budget(rounds=1, turns=3))
    assert of_two(Budget(rounds=1, turns=3)) < of_two(Budget(turns=3))
    pipeline = small()
    pipeline.settings = CLAUDE
    question = "What is the fee? Who is the pilot?"
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        told = [
            client.estimate(question, budget=budget)["tokens"]
            for budget in ({}, {"rounds": 1}, {"searches": 1})
        ]
    assert told == sorted(told, reverse=True)
    assert len(set(told)) == 3


def test_a_question_that_is_cheap_enough_within_its_caps_is_asked():
    pipeline = small()
    pipeline.settings = CLAUDE
    service = Service(pipeline, "acme")
    least = service.questions.estimate("What is the fee?", budget=Caps(searches=1)).tokens
    asked = service.questions.ask("What is the fee?", budget=Caps(searches=1, tokens=least))
    assert asked.estimate.tokens == least
    with pytest.raises(BadRequestError, match=r"budget\.tokens"):
        service.questions.ask("What is the fee?", budget=Caps(tokens=least))


def test_a_model_without_a_price_is_named_and_its_dollars_stop_nothing():
    settings = CLAUDE.model_copy(update={"writer_model": "quill-9"})
    told = estimate_question(settings, "What is the fee?", (), AnswerOptions(), Caps())
    assert not told.priced
    assert told.notes == (
        "No price is known for quill-9: its dollars are not counted. ModelPrices sets one.",
    )
    check_estimate(told, Caps(usd=0.000001))
    priced = settings.model_copy(update={"model_prices": "quill-9=2/10"})
    told = estimate_question(priced, "What is the fee?", (), AnswerOptions(), Caps())
    with pytest.raises(BadRequestError, match="usd"):
        check_estimate(told, Caps(usd=0.000001))


@pytest.mark.parametrize(
    ("caps", "named"),
    [(Caps(tokens=5000), "budget.tokens"), (Caps(usd=0.001), "budget.usd")],
)
def test_a_question_above_its_budget_is_refused_before_anything_is_stored(caps, named):
    pipeline = small()
    pipeline.settings = CLAUDE
    created = []
    pipeline.questions.create = created.append
    with pytest.raises(BadRequestError, match=named) as refused:
        Service(pipeline, "acme").questions.ask("What is the mooring fee?", budget=caps)
    assert (refused.value.code, created) == ("over_budget", [])
    assert "budget" in refused.value.action


def test_a_question_within_its_budget_is_asked_and_its_trace_begins_with_the_estimate():
    pipeline = small()
    pipeline.settings = CLAUDE
    service = Service(pipeline, "acme")
    asked = service.questions.ask("What is the fee?", budget=Caps(tokens=50_000, usd=1.0))
    expected = service.questions.estimate("What is the fee?")
    record = service.questions.get(asked.question_id)
    assert record.estimate == expected
    first, second, *_ = service.questions.events(asked.question_id)
    assert (first.kind, second.kind) == ("estimate", "plan")
    assert first.data["tokens"] == expected.tokens > 0
    assert service.questions.events(asked.question_id, first.id)[0] == second


class Counting:
    """A model that is down; it notes the tokens of what it would have been sent."""

    def __init__(self):
        self.sent = defaultdict(list)

    def complete(self, request):
        size = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        self.sent[request.task].append(size)
        raise UnavailableError("rules do it")

    def stream(self, request):
        yield self.complete(request)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("caps", "profile", "tasks"),
    [
        (Caps(), "full", TASKS_SENT),
        (Caps(rounds=1), "full", TASKS_SENT),
        (Caps(searches=1), "full", TASKS_SENT),
        (Caps(), "small", ("synthesize",)),
    ],
    ids=str,
)
def test_the_table_is_near_what_the_samples_would_send(caps, profile, tasks):
    pipeline = small()
    pipeline.settings = pipeline.settings.model_copy(update={"model_profile": profile})
    for file in sorted((ROOT / "samples/documents").iterdir()):
        pipeline.upload(f"acme/default/{file.name}", file.read_bytes())
    pipeline.drain()
    pipeline.llm = counting = Counting()
    service = Service(pipeline, "acme")
    lines = Path(ROOT / "samples/questions.jsonl").read_text().splitlines()[:12]
    for line in lines:
        asked = service.questions.ask(json.loads(line)["question"], budget=caps)
        service.questions.get(asked.question_id)
    pipeline.settings = FREE_WORDS.model_copy(update={"model_profile": profile})
    told = [
        service.questions.estimate(json.loads(line)["question"], budget=caps).by_task
        for line in lines
    ]
    assert set(counting.sent) == set(tasks)
    for task in tasks:
        sent = sum(counting.sent[task]) / len(lines)
        expected = sum(one[task]["usd"] for one in told) / len(lines)
        assert sent == pytest.approx(expected, rel=0.2), task
