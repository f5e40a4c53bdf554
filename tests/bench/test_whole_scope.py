"""Measures how time and tokens of reading a scope whole grow with the documents in it.

The documents are made by a seed, so what is true of them is known. A ratio decides, not a time:
a document costs as much among a thousand as among a hundred.
"""

import random
import re
import time

import pytest

from evals.gold_model import GoldModel
from evals.whole import MODEL, prices_of
from evals.whole_cases import Case
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring import logs
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

SIZES = (10, 100, 1_000)
PARAGRAPHS = 12  # of a document, about 4 KB
EVERY = 5  # of these documents one names a keeper
MOST_TIMES = 1.5  # what a document may cost among a thousand, times that among a hundred
ENOUGH = {"max_tokens": 100_000_000, "max_usd": 0.0, "question_seconds": 3_600}
LIST = "List all keepers of the lamp."
COUNT = "How many documents mention basalt?"
NAMES = ("Askel", "Brandt", "Dorn", "Ferris", "Galt", "Hobb", "Ivar", "Jorun", "Lomax", "Merrow")
THINGS = re.findall(r"\w+", "quay crane gate rope slate oak iron brick timber sail net anchor bell")


class Reader(GoldModel):
    """Chooses the keepers, in a time that does not depend on how many others have."""

    def _read(self, request):
        return {"items": [{"lines": [n], "name": ""} for n in numbers_of_keepers(request.prompt)]}


def numbers_of_keepers(prompt: str) -> list[int]:
    """Returns the numbers of the lines that name a keeper, of a part that a model is shown."""
    found = re.findall(r"^(\d+) .* of house \d+$", prompt, re.MULTILINE)
    return [int(number) for number in found]


def make_document(n: int, paragraphs: int = PARAGRAPHS) -> bytes:
    drawing = random.Random(n)
    lines = [f"# Harbour log {n}"]
    for part in range(paragraphs):
        chosen = [drawing.choice(THINGS) for _ in range(40)]
        lines.append(f"Part {part} of log {n} tells of {' and the '.join(chosen)}.")
    if n % EVERY == 0:
        lines.append(f"## Keepers of the lamp\n\n- {NAMES[n // EVERY % len(NAMES)]} of house {n}")
        lines.append("The mole is of basalt.")
    return "\n\n".join(lines).encode()


@pytest.fixture(scope="module")
def measured():
    """Returns what each question took at each size, and checks that its count is exact."""
    logs.logger.setLevel("ERROR")
    settings = Settings(backend="memory", **ENOUGH)
    pipeline = Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words())
    model = Reader(prices_of(settings.model_copy(update=MODEL)))
    rows = {}
    added = 0
    for size in SIZES:
        for n in range(added, size):
            pipeline.upload(f"acme/default/log-{n:04}.md", make_document(n))
        added = size
        keepers = [n for n in range(size) if n % EVERY == 0]
        model.case = Case("keepers", "list", LIST)
        for name, text, llm in (
            ("list", LIST, None),
            ("count", COUNT, None),
            ("model", LIST, model),
        ):
            model.question = text
            vars(pipeline)["llm"] = llm
            rows[name, size] = ask(pipeline, text, len(keepers), size)
    return rows


def ask(pipeline, text, items, documents):
    """Returns processor seconds and tokens of one question."""
    questions = Service(pipeline, "acme").questions
    started = time.process_time()
    answer = questions.get(questions.ask(text).question_id).answer
    seconds = time.process_time() - started
    assert answer.coverage.documents == answer.coverage.of == documents
    assert answer.sentences[0].text.startswith(f"{items:,} ")
    return seconds, answer.usage.tokens


def test_a_document_costs_as_much_among_a_thousand_as_among_a_hundred(measured, capsys):
    with capsys.disabled():
        for (name, size), (seconds, tokens) in measured.items():
            print(f"\n{name}, {size:,} documents: {seconds:.2f} s, {tokens:,} tokens", end="")
    _, some, many = SIZES
    for name in ("list", "count", "model"):
        each = [measured[name, size][0] / size for size in (some, many)]
        assert each[1] / each[0] <= MOST_TIMES, name
    each = [measured["model", size][1] / size for size in (some, many)]
    assert each[1] / each[0] <= MOST_TIMES
