"""The deployed state machine where a model looks for evidence, and where no search succeeds."""

import json

import pytest

from footnote.errors import FootnoteError
from tests.e2e.alone.test_with_a_model import QUESTION, client, configured, with_model
from tests.scripted_server import Reply, run_server

__all__ = ["client", "configured", "with_model"]  # fixtures

LOOKING = ("Plan", "Work", "Retrieve", "Grade", "Synthesize")
PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]})
ENOUGH = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})
WRITTEN = "Ottermoss delivered 10,840 cargo bikes in 2025. [1]"


def test_a_model_looks_for_evidence_turn_by_turn_and_its_citations_are_checked(with_model, client):
    script = [
        Reply(PLAN),
        Reply("", calls=(("search", {"query": "Ottermoss cargo bikes delivered 2025"}),)),
        Reply("", calls=(("open", {"passage": 1, "what": "page"}), ("erase", {}))),
        Reply("", calls=(("open", {"passage": 1, "what": "page"}), ("documents", {}))),
        Reply("", calls=(("finish", {"passages": [1], "summary": "Deliveries are stated."}),)),
        Reply(ENOUGH),
        Reply(WRITTEN),
    ]
    with run_server(script) as server:
        with_model(server.server_port, LOOKING, {"MaxTurns": "5"})
        answer = client.ask(QUESTION)
        asked = [body for body in server.requests if body.get("tools")]
    assert (answer["mode"], answer["found"], answer["degraded"]) == ("anthropic", True, [])
    assert all(c["verified"] and c["pages"] for c in answer["citations"])
    assert len(asked) == 4
    assert "of no use" in json.dumps(asked[3]["messages"])
    [sub] = answer["plan"]["sub_questions"]
    assert [one["text"] for one in sub["searched"]] == ["Ottermoss cargo bikes delivered 2025"]


def test_a_model_that_looks_without_end_is_stopped(with_model, client):
    more = [
        Reply("", calls=(("search", {"query": f"cargo bikes delivered {2023 + n}"}),))
        for n in range(3)
    ]
    with run_server([Reply(PLAN), *more, Reply(ENOUGH), Reply(WRITTEN)]) as server:
        with_model(server.server_port, LOOKING, {"MaxTurns": "3"})
        answer = client.ask(QUESTION)
    assert answer["rounds"] == 1
    assert answer["degraded"][0].startswith("Looking for evidence ended after 3 turns")


def test_a_question_whose_every_search_fails_says_why(configured, client):
    """The item's Catch, and Grade's verdict that nothing could be looked up, lead to Fail."""
    configured("Retrieve", FOOTNOTE_OPENSEARCH_URL="http://127.0.0.1:9")
    with pytest.raises(FootnoteError) as failed:
        client.ask(QUESTION)
    assert failed.value.code == "unavailable"
