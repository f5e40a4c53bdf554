"""What only the deployed API shows: a key's second request, a stop, a batch, a preflight, ETags."""

import time
import uuid

import httpx
import pytest

from tests.stack import PATIENCE

TEXT = b"# Fees\n\nThe harbour fee for a barge is 97 crowns.\n"


@pytest.fixture(scope="module")
def http(stack, new_tenant):
    client, _ = new_tenant()
    key = client._api.http.headers["x-api-key"]
    headers = {"x-api-key": key}
    with httpx.Client(base_url=stack["api_url"], headers=headers, timeout=PATIENCE) as made:
        yield made


def test_a_request_that_comes_twice_is_done_once(http):
    once = {"Idempotency-Key": uuid.uuid4().hex}
    body = {"question": "What is the harbour fee?", "session": uuid.uuid4().hex}
    first, second = (http.post("/questions", json=body, headers=once) for _ in range(2))
    assert (first.status_code, second.json()["id"]) == (202, first.json()["id"])
    assert second.status_code in {200, 202}
    other = http.post("/questions", json={**body, "question": "And the rent?"}, headers=once)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "key_reused")


def test_a_stopped_question_stays_stopped(http):
    stopped = {"status": "DONE"}
    while stopped["status"] == "DONE":  # answered before it was stopped: ask again
        asked = http.post("/questions", json={"question": "What is the harbour fee?"}).json()["id"]
        stopped = http.post(f"/questions/{asked}/stop").json()
    assert (stopped["status"], stopped["error"]["code"]) == ("FAILED", "stopped")
    # one that is asked later ends later: the machine would have answered by then
    later = http.post("/questions", json={"question": "What is the harbour fee?"}).json()["id"]
    while http.get(f"/questions/{later}").json()["status"] == "RUNNING":
        time.sleep(0.2)
    assert http.get(f"/questions/{asked}").json()["error"]["code"] == "stopped"
    events = http.get(f"/questions/{asked}/events").json()["events"]
    assert [one["kind"] for one in events if one["kind"] in {"answered", "failed"}] == ["failed"]


def test_a_batch_is_counted_from_missing_to_ready(http):
    names = [{"document": "fees.md"}, {"document": "empty.md"}, {"document": "never.md"}]
    made = http.post("/documents/batch", json={"documents": names}).json()
    for ticket, content in zip(made["tickets"][:2], (TEXT, b""), strict=True):
        sent = httpx.post(
            ticket["url"], data=ticket["fields"], files={"file": content}, timeout=PATIENCE
        )
        sent.raise_for_status()
    while (told := http.get(f"/batches/{made['id']}").json())["ready"] + told["failed"] < 2:
        time.sleep(0.5)
    assert (told["total"], told["ready"], told["failed"], told["missing"]) == (3, 1, 1, 1)
    assert told["reasons"] == {"empty_file": 1}


def test_pages_of_others_may_read_replies_and_what_the_gateway_refuses(http, stack):
    asks = {"Origin": "https://chat.example", "Access-Control-Request-Method": "POST"}
    preflight = httpx.options(f"{stack['api_url']}/questions", headers=asks, timeout=PATIENCE)
    allowed = preflight.headers["access-control-allow-headers"]
    assert {"authorization", "idempotency-key", "if-none-match"} <= set(allowed.split(","))
    refused = httpx.get(f"{stack['api_url']}/health", timeout=PATIENCE)
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    for reply in (preflight, refused, http.get("/health")):
        assert reply.headers["access-control-allow-origin"] == "*"


def test_what_describes_the_api_needs_no_key_and_is_not_sent_twice(stack):
    first = httpx.get(f"{stack['api_url']}/openapi.json", timeout=PATIENCE)
    assert first.json()["openapi"].startswith("3.1")
    tag = {"If-None-Match": first.headers["etag"]}
    again = httpx.get(f"{stack['api_url']}/openapi.json", headers=tag, timeout=PATIENCE)
    assert (again.status_code, again.content) == (304, b"")
    page = httpx.get(f"{stack['api_url']}/docs", timeout=PATIENCE)
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
