"""What reading documents whole is expected to cost, beside what a scripted model is charged."""

import json
import random

import pytest

from footnote.ask.find.passages import TOKEN_BUDGET, WIDE_BUDGET, DocumentSize, tokens_found
from footnote.ask.planning.answer_options import make_options
from footnote.ask.question.expected_cost import EVIDENCE
from footnote.model import Caps, ModelReply
from footnote.service import Service
from footnote.service.grid_service import Wanted
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

SETTINGS = Settings(backend="memory", anthropic_key_parameter="k", max_tokens=0, max_usd=0)
NEAR = 0.2  # of what is charged: so much an estimate may be off
WORDS = (
    "rope",
    "pilot",
    "harbour",
    "lamp",
    "tide",
    "barge",
    "crane",
    "ledger",
    "quay",
    "of",
    "the",
)


class Charging:
    """A model that reads and counts what it is sent and writes. It chooses the first line."""

    def __init__(self):
        self.tokens = 0
        self.usd = 0.0

    def _charge(self, request, text):
        read = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        wrote = estimate_tokens(text)
        better = request.task == "synthesize"
        usd = (read * (2.0 if better else 0.1) + wrote * (10.0 if better else 0.5)) / 1e6
        self.tokens += read + wrote
        self.usd += usd
        return ModelReply(
            text=text, mode="anthropic", model="m", input_tokens=read, output_tokens=wrote, usd=usd
        )

    def complete(self, request):
        said = {
            "plan": {
                "kind": "retrieve",
                "question_kind": "document" if "Summarise all" in request.prompt else "list",
                "sub_questions": [{"text": "the pilots of the harbour"}],
                "reason": "it asks for all things of a kind that the documents have " * 8,
            },
            "read": {"items": [{"lines": [1, 2], "name": "rope"}, {"lines": [4], "name": "quay"}]},
            "judge": {"words": [], "lacks": "all", "supported": False},
        }  # fmt: skip
        return self._charge(request, json.dumps(said.get(request.task, {})))

    def stream(self, request):
        reply = self._charge(request, "The harbour has pilots. [1.1] " * 20)
        yield reply.text
        yield reply


def text_of(seed, sentences):
    """Returns a document of made-up sentences below headings, with a table."""
    chance = random.Random(seed)
    lines = [f"# Log {seed}"]
    for n in range(sentences):
        if n % 12 == 0:
            lines.append(f"\n## Watch {n // 12 + 1} of the {chance.choice(WORDS)}\n")
        lines.append(" ".join(chance.choices(WORDS, k=chance.randint(6, 24))).capitalize() + ".")
    table = ["\n| day | tide | barges |", "|---|---|---|"]
    return "\n".join([*lines, *table, *(f"| {n} | {n * 7 % 31} | {n * 3} |" for n in range(9))])


def shelf(documents, sizes):
    pipeline = Pipeline(SETTINGS, llm=Charging(), embedder=HashEmbedder(), tokenizer=Words())
    for n in range(documents):
        body = text_of(n, sizes[n % len(sizes)]).encode()
        pipeline.upload(f"acme/logs/{n:03}.md", body)
    return pipeline


@pytest.mark.parametrize(
    ("documents", "sizes"),
    [(10, (12,)), (10, (40, 90, 500)), (40, (40, 90, 300)), (200, (12, 60))],
    ids=str,
)
def test_an_estimate_is_near_what_reading_is_charged(documents, sizes):
    pipeline = shelf(documents, sizes)
    service = Service(pipeline, "acme")
    expected = service.questions.estimate("List all pilots of the harbour.")
    record = service.questions.ask("List all pilots of the harbour.")
    answer = service.questions.get(record.question_id).answer
    assert answer.coverage.documents == documents
    assert record.estimate == expected
    assert expected.tokens == pytest.approx(pipeline.llm.tokens, rel=NEAR)
    assert expected.usd == pytest.approx(pipeline.llm.usd, rel=NEAR)
    charged = answer.usage.by_step["read"]["tokens"]
    assert expected.by_task["read"]["tokens"] == pytest.approx(charged, rel=NEAR)
    assert set(expected.by_task) == {"plan", "read"}


def test_a_summary_is_estimated_with_its_writing():
    pipeline = shelf(40, (40, 90))
    service = Service(pipeline, "acme")
    question = "Summarise all documents."
    expected = service.questions.estimate(question)
    service.questions.ask(question)
    assert {"plan", "read", "synthesize"} <= set(expected.by_task)
    assert expected.tokens == pytest.approx(pipeline.llm.tokens, rel=NEAR)


@pytest.mark.parametrize("documents", [1, 4])
def test_a_summary_of_few_documents_is_estimated_by_the_lines_that_are_noted(documents):
    pipeline = shelf(documents, (40, 90))
    service = Service(pipeline, "acme")
    expected = service.questions.estimate("Summarise all documents.")
    service.questions.ask("Summarise all documents.")
    assert expected.tokens == pytest.approx(pipeline.llm.tokens, rel=NEAR)


def test_what_the_table_of_documents_answers_is_expected_to_cost_nothing():
    pipeline = shelf(3, (12,))
    service = Service(pipeline, "acme")
    expected = service.questions.estimate("How many documents are there?")
    service.questions.ask("How many documents are there?")
    assert (expected.tokens, expected.usd, expected.by_task) == (0, 0, {})
    assert pipeline.llm.tokens == 0


def test_only_the_documents_in_scope_are_counted():
    pipeline = shelf(10, (40,))
    service = Service(pipeline, "acme")
    question = "List all pilots of the harbour."
    whole = service.questions.estimate(question).by_task["read"]["tokens"]
    scope = service.searches.scope(documents=["003.md", "004.md"])
    part = service.questions.estimate(question, scope=scope).by_task["read"]["tokens"]
    assert part == pytest.approx(whole / 5, rel=0.1)
    assert "read" not in service.questions.estimate("Who is the pilot?").by_task


def test_a_budget_bounds_what_is_expected_to_be_read():
    service = Service(shelf(10, (700,)), "acme")
    question = "List all pilots of the harbour."
    caps = Caps(tokens=50_000)
    expected = service.questions.estimate(question, budget=caps)
    assert 20_000 < expected.tokens <= 50_000
    asked = service.questions.ask(question, budget=caps)
    answer = service.questions.get(asked.question_id).answer
    assert 0 < answer.coverage.by_rule < answer.coverage.documents == 10
    assert answer.usage.tokens <= 50_000


def test_a_cell_of_a_grid_reads_one_document():
    service = Service(shelf(4, (40,)), "acme")
    question = "List all pilots of the harbour."
    whole = service.questions.estimate(question).by_task
    _, expected = service.grids.estimate(Wanted((question,), "logs"))
    each = 4 * whole["plan"]["tokens"] + whole["read"]["tokens"]
    assert expected.tokens == pytest.approx(each, rel=0.1)


def test_without_a_model_nothing_is_looked_up_for_an_estimate():
    pipeline = Pipeline(Settings(backend="memory"), embedder=HashEmbedder(), tokenizer=Words())
    pipeline.catalog.documents = None
    assert Service(pipeline, "acme").questions.estimate("List all pilots.").tokens == 0


def test_passages_are_counted_by_the_size_of_chunks_and_named_documents_come_first():
    lease, log = DocumentSize("lease.md Lease", 900, 10), DocumentSize("log.md Log", 60_000, 300)
    assert tokens_found("When was the pump mended?", [log]) == 12 * 200
    assert tokens_found("When does the lease end?", [log, lease]) == 900 + 2 * 200
    assert tokens_found("When does it end?", [lease]) == 900  # there is no more
    assert tokens_found("When was the pump mended?", [log._replace(chunks=60)]) == TOKEN_BUDGET
    assert tokens_found("Which pumps?", [log], wide=True) == WIDE_BUDGET
    assert tokens_found("When was the pump mended?", []) == EVIDENCE


def test_a_schema_costs_a_call_for_its_values_and_a_comparison_a_search_for_each_side():
    service = Service(shelf(3, (40,)), "acme")
    plain = service.questions.estimate("Who is the pilot?")
    schema = {"type": "object", "properties": {"pilot": {"type": "string"}}}
    values = make_options(data_schema=schema)
    fields = service.questions.estimate("Who is the pilot?", options=values)
    assert set(fields.by_task) - set(plain.by_task) == {"extract"}
    sides = service.questions.estimate("Compare the tide of Monday with the tide of Friday.")
    assert sides.by_task["grade"]["tokens"] > 1.4 * plain.by_task["grade"]["tokens"]
