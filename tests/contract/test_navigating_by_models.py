"""A model navigates: its choices of places come over the protocol of each provider, or do not."""

import json

import pytest

from footnote.ask.work import BY_SCORES
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.model_cases import KINDS, provider
from tests.scripted_server import Reply, run_server
from tests.unit.faces import Words

TOLL = "The lock toll for a tanker is 512 florins."
PAPERS = {
    "locks.md": f"# Tolls\n\n{TOLL}\n\n# Hours\n\nThe lock opens at six.\n",
    "staff.md": "# Keepers\n\nThe keeper of the lock is Mr Aalto.\n",
}
QUESTION = "What is the lock toll for a tanker?"
SUB = {"text": QUESTION, "strategy": "navigate"}
PLAN = Reply(json.dumps({"kind": "retrieve", "sub_questions": [SUB]}))
ENOUGH = Reply(json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}))
WRITTEN = Reply(f"{TOLL} [1]")
OVERVIEW = Reply("", calls=(("overview", {"query": "lock toll tanker"}),))


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


def asked(kind, *script):
    """Returns the answer, and how often the model was asked with tools."""
    with run_server(list(script)) as server:
        llm = provider(server, kind)
        made = Pipeline(
            Settings(backend="memory", max_turns=6, model_provider="anthropic"),
            llm=llm,
            embedder=HashEmbedder(),
            tokenizer=Words(),
        )
        for name, text in PAPERS.items():
            made.upload(f"acme/default/{name}", text.encode())
        record = Service(made, "acme").questions.ask(QUESTION)
        answer = made.questions.get("acme", record.question_id).answer
        turns = sum('"overview"' in json.dumps(body) for body in server.requests)
    return answer, turns


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_chooses_places_over_its_providers_protocol(kind):
    look = Reply("", calls=(("look", {"places": [1]}),))
    finish = Reply("", calls=(("finish", {"passages": [1], "summary": "The toll is stated."}),))
    answer, turns = asked(kind, PLAN, OVERVIEW, look, finish, ENOUGH, WRITTEN)
    assert (answer.found, BY_SCORES in answer.degraded, turns) == (True, False, 3)
    assert [one.quote for one in answer.citations] == [TOLL]
    [sub] = answer.plan.sub_questions
    assert [one.strategy for one in sub.searched] == ["navigate"]


@pytest.mark.parametrize("kind", KINDS)
def test_after_two_choices_of_no_use_the_scores_choose_and_that_is_said(kind):
    wrong = Reply("", calls=(("look", {"places": ["the first one"]}),))
    answer, turns = asked(kind, PLAN, OVERVIEW, wrong, wrong, ENOUGH, WRITTEN)
    assert (answer.found, BY_SCORES in answer.degraded, turns) == (True, True, 3)
    assert [one.quote for one in answer.citations] == [TOLL]
