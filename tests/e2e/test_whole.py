"""All documents of a scope are read whole by the deployed machine, and every face says how far."""

import json

from tests.stack import ROOT

CASES = [json.loads(line) for line in (ROOT / "samples" / "whole.jsonl").read_text().splitlines()]
ORDERS = next(case for case in CASES if "orders" in case["question"])


def names(records):
    """Returns the samples' names: other tests may have added more for this tenant meanwhile."""
    return [record["document"] for record in records]


def test_a_list_is_read_from_all_documents(samples):
    client, records = samples
    answer = client.ask(ORDERS["question"], documents=names(records))
    items = answer["sentences"][1:]
    whole = {"documents": len(records), "of": len(records), "by_rule": 0, "stopped": ""}
    assert answer["coverage"] == whole
    assert len(items) == len(ORDERS["items"])
    assert all(true in one["text"] for true, one in zip(ORDERS["items"], items, strict=True))
    assert answer["sentences"][0]["text"].startswith(f"{len(items)} items for")
    assert all(citation["verified"] for citation in answer["citations"])


def test_the_trace_tells_each_batch(samples):
    client, records = samples
    # No other test asks this: what was read for a question is not read again.
    started = client.start("List all orders from Norway", documents=names(records))
    told = [event["data"] for event in client.follow(started["id"]) if event["kind"] == "read"]
    assert sum(one["documents"] for one in told) == len(records)
    assert {one["in_scope"] for one in told} == {len(records)}


def test_a_request_may_say_what_its_question_asks_for(samples):
    client, records = samples
    answer = client.ask("Orders from Denmark", kind="list", documents=names(records))
    assert f"All {len(records)} documents were read whole." in answer["answer"]
    assert client.ask(ORDERS["question"], kind="fact")["coverage"] is None


def test_most_of_what_a_person_finds_in_the_samples_is_found(samples):
    client, records = samples
    found = 0
    for case in CASES:
        answer = client.ask(case["question"], documents=names(records))
        texts = " ".join(one["text"] for one in answer["sentences"])
        wanted = case.get("items") or case.get("facts") or []
        found += sum(true in texts for true in wanted)
        assert answer["coverage"]["documents"] == answer["coverage"]["of"]
    assert found >= 0.8 * sum(len(c.get("items") or c.get("facts") or []) for c in CASES)
