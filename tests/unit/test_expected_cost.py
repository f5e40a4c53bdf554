"""What a question is expected to cost, and that it is refused where its budget is less."""

import json
from collections import defaultdict
from pathlib import Path

import pytest

from footnote.adapters.extractive import Extractive
from footnote.ask.expected_cost import EXPECTED, check_estimate, estimate
from footnote.errors import BadRequestError
from footnote.model import Caps, Wishes
from footnote.service import Service
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.estimates import estimate_question
from tests.conftest import ROOT
from tests.unit.faces import small

CLAUDE = Settings(backend="memory", anthropic_key_parameter="k")
DEAR = {"planner": ("a", (1.0, 5.0)), "grader": ("a", (1.0, 5.0)), "writer": ("b", (2.0, 10.0))}


def test_without_a_model_a_question_costs_nothing_and_says_so():
    free = estimate_question(Settings(backend="memory"), "What is the fee?", (), Wishes())
    assert (free.mode, free.tokens, free.usd, free.by_task) == ("extractive", 0, 0.0, {})
    assert free.notes == ("No language model is configured: nothing is paid for.",)
    check_estimate(free, Caps(tokens=1, usd=0.000001))


def test_each_task_is_counted_by_the_price_of_its_model():
    told = estimate("anthropic", DEAR)
    assert told.by_task["plan"] == {"tokens": 1500, "usd": round((1300 + 5 * 200) / 1e6, 6)}
    assert told.by_task["synthesize"]["usd"] == round((2 * 3800 + 10 * 250) / 1e6, 6)
    assert told.tokens == sum(one["tokens"] for one in told.by_task.values())
    assert told.usd == pytest.approx(sum(one["usd"] for one in told.by_task.values()), abs=2e-6)


def test_history_context_turns_and_data_cost_more():
    plain = estimate("anthropic", DEAR).tokens
    assert estimate("anthropic", DEAR, own=1000).tokens == pytest.approx(plain + 3100, abs=2)
    assert "work" in estimate("anthropic", DEAR, turns=2).by_task
    three, nine = (estimate("anthropic", DEAR, turns=turns).tokens for turns in (3, 9))
    assert plain < estimate("anthropic", DEAR, turns=1).tokens < three == nine
    assert "extract" in estimate("anthropic", DEAR, schema=True).by_task
    longer = (("What is the fee?", "It is 4 crowns a day. " * 80),)
    told = [estimate_question(CLAUDE, "And now?", past, Wishes()).tokens for past in ((), longer)]
    assert told[1] > told[0] + 1000


def test_a_model_without_a_price_is_named_and_its_dollars_stop_nothing():
    settings = CLAUDE.model_copy(update={"writer_model": "quill-9"})
    told = estimate_question(settings, "What is the fee?", (), Wishes())
    assert not told.priced
    assert told.notes == (
        "No price is known for quill-9: its dollars are not counted. ModelPrices sets one.",
    )
    check_estimate(told, Caps(usd=0.000001))
    priced = settings.model_copy(update={"model_prices": "quill-9=2/10"})
    told = estimate_question(priced, "What is the fee?", (), Wishes())
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
        Service(pipeline, "acme").ask("What is the mooring fee?", budget=caps)
    assert (refused.value.code, created) == ("over_budget", [])
    assert "budget" in refused.value.action


def test_a_question_within_its_budget_is_asked_and_its_trace_begins_with_the_estimate():
    pipeline = small()
    pipeline.llm = Extractive()
    pipeline.settings = CLAUDE
    service = Service(pipeline, "acme")
    asked = service.ask("What is the fee?", budget=Caps(tokens=50_000, usd=1.0))
    expected = service.estimate("What is the fee?")
    record = service.question(asked.question_id)
    assert record.estimate == expected
    first, second, *_ = service.events(asked.question_id)
    assert (first.kind, second.kind) == ("estimate", "plan")
    assert first.data["tokens"] == expected.tokens > 0
    assert service.events(asked.question_id, first.id)[0] == second


class Counting:
    """Implements LLM by rules; notes the tokens of what a model would have been sent."""

    def __init__(self):
        self.rules, self.sent = Extractive(), defaultdict(list)

    def complete(self, request):
        self._note(request)
        return self.rules.complete(request)

    def stream(self, request):
        self._note(request)
        yield from self.rules.stream(request)

    def _note(self, request):
        size = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        self.sent[request.task].append(size)


@pytest.mark.slow
def test_the_table_is_near_what_the_samples_would_send():
    pipeline = small()
    for file in sorted((ROOT / "samples/documents").iterdir()):
        pipeline.upload(f"acme/default/{file.name}", file.read_bytes())
    pipeline.drain()
    pipeline.llm = counting = Counting()
    service = Service(pipeline, "acme")
    lines = Path(ROOT / "samples/questions.jsonl").read_text().splitlines()[:12]
    for line in lines:
        service.question(service.ask(json.loads(line)["question"]).question_id)
    for task in ("plan", "grade", "synthesize"):
        sent = sum(counting.sent[task]) / len(lines)
        assert sent == pytest.approx(EXPECTED[task].calls * EXPECTED[task].input, rel=0.4), task
