"""MCP over HTTP: what the function answers to API Gateway's events, by the SDK's transport."""

import json
from pathlib import Path

import pytest

from footnote.mcp.over_http import handle
from tests.unit.faces import Context, event, small
from tests.unit.test_mcp import TEXT

ROOT = Path(__file__).resolve().parents[2]
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
KEY = {"x-api-key": "acme-key"}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.fixture(autouse=True)
def pipeline():
    found = small()
    found.upload("acme/default/fees.md", TEXT.encode())
    return found


def send(body, method="POST", headers=ACCEPT, key=KEY):
    text = body if isinstance(body, str) else json.dumps(body)
    return handle(event(method, "/mcp", None, text, dict(headers) | key), Context())


def request(method, params=None, **more):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}} | more


def result(answer):
    assert answer["statusCode"] == 200, answer
    return json.loads(answer["body"])["result"]


def test_the_handshake_opens_no_session():
    answer = send(request("initialize", HELLO))
    assert result(answer)["serverInfo"]["name"] == "footnote"
    assert "mcp-session-id" not in {name.lower() for name in answer["multiValueHeaders"]}
    assert answer["multiValueHeaders"]["content-type"] == ["application/json"]
    assert send({"jsonrpc": "2.0", "method": "notifications/initialized"})["statusCode"] == 202


def test_each_request_stands_alone():
    asked = {"name": "ask", "arguments": {"question": "What is the harbour fee for a barge?"}}
    told = result(send(request("tools/call", asked)))
    assert "84 crowns" in told["structuredContent"]["answer"]
    assert len(result(send(request("tools/list")))["tools"]) == 10


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_a_method_that_needs_a_session_is_not_allowed(method):
    answer = send("", method)
    assert answer["statusCode"] == 405
    assert answer["multiValueHeaders"]["Allow"] == ["POST"]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ("{", ACCEPT, 400),
        ("", ACCEPT, 400),
        ("[]", ACCEPT, 400),
        ("[" * 100_000, ACCEPT, 400),
        (request("tools/list"), ACCEPT | {"accept": "text/plain"}, 406),
        (request("tools/list"), ACCEPT | {"content-type": "text/plain"}, 400),
        (request("tools/list"), ACCEPT | {"mcp-protocol-version": "1999-01-01"}, 400),
        (json.dumps(request("x")) + " " * 5_000_000, ACCEPT, 413),
    ],
)
def test_what_is_no_request_of_the_protocol_is_refused(body, headers, status):
    assert send(body, headers=headers)["statusCode"] == status


def test_who_has_no_tenant_is_refused_as_by_the_rest_api():
    answer = send(request("tools/list"), key={"x-api-key": "nobody-key"})
    assert answer["statusCode"] == 403
    assert json.loads(answer["body"])["error"]["code"] == "forbidden"


def test_the_caller_is_who_api_gateway_says_and_not_who_the_request_says():
    given = {"name": "list_documents", "arguments": {}, "_meta": {"tenant": "acme"}}
    headers = ACCEPT | {"x-tenant": "acme", "mcp-session-id": "acme"}
    answer = send(request("tools/call", given), headers=headers, key={"x-api-key": "other-key"})
    assert result(answer)["structuredContent"]["documents"] == []


def test_the_sample_event_is_answered():
    sample = json.loads((ROOT / "events" / "mcp.json").read_text())
    sample["requestContext"]["identity"]["apiKeyId"] = "k1"
    assert result(handle(sample, Context()))["structuredContent"]["query"] == "late delivery"


def test_replies_tell_browsers_whose_pages_may_read_them():
    headers = send(request("tools/list"))["multiValueHeaders"]
    assert headers["Access-Control-Allow-Origin"] == ["*"]
    assert headers["Cache-Control"] == ["no-store"]
