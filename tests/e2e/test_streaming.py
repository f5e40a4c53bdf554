"""Replies that last: each part reaches the client before the next one is made."""

import json

import httpx
import pytest

from tests.stack import PATIENCE

TEXT = "# Fees\n\nThe harbour fee for a barge is 97 crowns.\n"
QUESTION = "What is the harbour fee for a barge?"
TRIES = 5  # a question may be answered before it is stopped


@pytest.fixture(scope="module")
def http(stack, new_tenant):
    client, _ = new_tenant()
    client.wait([client.add_text("fees.md", TEXT)], lambda _: None)
    headers = {"x-api-key": client._api.http.headers["x-api-key"]}
    with httpx.Client(base_url=stack["api_url"], headers=headers, timeout=PATIENCE) as made:
        yield made


def chat(http, **more):
    said = [{"role": "user", "content": QUESTION}]
    return http.stream("POST", "/v1/chat/completions", json={"messages": said, **more})


def data_of(lines):
    """Yields what each event of a stream holds, as soon as it is there."""
    for line in lines:
        if line.startswith("data: "):
            yield line.removeprefix("data: ")


def test_a_client_that_has_the_first_part_of_a_chat_can_still_stop_the_question(http):
    """Whoever got all parts at the end could only stop what has ended."""
    for _ in range(TRIES):
        with chat(http, stream=True) as reply:
            assert (reply.status_code, reply.headers["content-type"]) == (200, "text/event-stream")
            events = data_of(reply.iter_lines())
            first = json.loads(next(events))
            question = first["id"].removeprefix("chatcmpl-")
            http.post(f"/questions/{question}/stop").raise_for_status()
            *_, last = events
        if last != "[DONE]":
            break
    assert json.loads(last)["error"]["code"] == "stopped"


def test_a_chat_is_told_the_same_in_parts_and_at_once(http):
    with chat(http, stream=True) as reply:
        *told, done = data_of(reply.iter_lines())
    deltas = [json.loads(one)["choices"][0]["delta"] for one in told]
    with chat(http) as reply:
        whole = json.loads(reply.read())["choices"][0]["message"]
    assert done == "[DONE]"
    assert "".join(one.get("content", "") for one in deltas) == whole["content"]
    assert "97 crowns. [1]" in whole["content"]


def test_the_events_of_a_question_come_in_one_reply_until_its_end(http):
    asked = http.post("/questions", json={"question": QUESTION}).json()["id"]
    accept = {"Accept": "text/event-stream"}
    with http.stream("GET", f"/questions/{asked}/events", headers=accept) as reply:
        *events, last = data_of(reply.iter_lines())
    assert json.loads(last) == {"status": "DONE"}
    assert json.loads(events[-1])["kind"] == "answered"


def test_a_reply_that_lasts_asks_for_a_key_like_any_other(stack):
    for method, path in (("POST", "/v1/chat/completions"), ("GET", "/questions/none/events")):
        refused = httpx.request(method, f"{stack['api_url']}{path}", timeout=PATIENCE)
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    assert httpx.get(f"{stack['api_url']}/v1/models", timeout=PATIENCE).status_code == 401


def test_what_is_refused_is_refused_with_its_status(http):
    refused = http.post("/v1/chat/completions", json={"messages": [], "stream": True})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "invalid_body")
    missing = http.get("/questions/none/events", headers={"Accept": "text/event-stream"})
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    assert http.get("/v1/models").json()["data"][0]["id"] == "footnote"
