"""A model's server that is down leaves what footnote answers without a model."""

import json

import pytest

from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.model_cases import in_chain, provider
from tests.scripted_server import Status, run_server
from tests.unit.faces import Words
from tests.unit.test_samples import DOCUMENTS, QUESTIONS

pytestmark = pytest.mark.slow


class Reader:
    """Stands for the model that reads lines: more words in common are a surer answer."""

    model = "words"

    def rerank(self, query, texts):
        asked = set(query.casefold().split())
        return [len(asked & set(text.casefold().split())) - 3.0 for text in texts]


class WithReader(Pipeline):
    """The flows in this process, with a reader of lines though the embedder is a test's."""

    reader = Reader()


def answers(settings, llm=None):
    """Asks all questions about the samples; returns id → what an answer says and how surely."""
    made = WithReader(settings, llm=llm, embedder=HashEmbedder(), tokenizer=Words())
    for path in sorted(DOCUMENTS.iterdir()):
        made.upload(f"acme/default/{path.name}", path.read_bytes())
    asked = Service(made, "acme").questions
    said, notes = {}, []
    for question in QUESTIONS:
        record = asked.ask(question["question"])
        answer = made.questions.get("acme", record.question_id).answer
        told = answer.model_dump_json(exclude={"id", "degraded", "timings_ms", "usage"})
        said[question["id"]] = json.loads(told.replace(record.question_id, "id"))
        notes.append(answer.degraded)
    return said, notes


DOWN = ("not available", "nicht erreichbar")  # in the language of the question


def test_a_server_that_is_down_leaves_the_answers_of_no_model():
    plain, _ = answers(Settings(backend="memory"))
    own = Settings(backend="memory", model_provider="openai", planner_model="m", writer_model="m")
    with run_server([]) as server:  # answers 500 to all that its script does not have
        server.script = [Status(503)] * 999
        degraded, notes = answers(own, in_chain(provider(server, "openai"), sleep=lambda _: None))
    assert server.requests
    assert all(any(words in " ".join(told) for words in DOWN) for told in notes)
    assert not any(one["no_model"] for one in degraded.values())  # there is one, which is down
    assert {id_: one | {"no_model": True} for id_, one in degraded.items()} == plain
    assert len(plain) == 28
