"""MCP over streamable HTTP: translates API Gateway's events for the SDK's transport, and back.

The transport is stateless: each request is answered whole, as JSON, and nothing is stored. The SDK
speaks ASGI, so an event is put into that form here.
"""

import base64
import json
from collections.abc import Iterable, Mapping, MutableMapping
from http import HTTPStatus
from typing import Any

import anyio
import mcp_types as types
from aws_lambda_powertools.utilities.typing import LambdaContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import ValidationError
from pydantic_core import from_json

from footnote.api.caller import allowed_origin, asker_of, audited, service_of
from footnote.api.resolver import cors
from footnote.api.waiting import Waiting
from footnote.errors import FootnoteError, LimitedError
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.service import MAX_WAIT, Service
from footnote.wire import Json
from footnote.wiring.logs import begin, keys_of_request, logger

WITH_DOCUMENTS = {"tools/call", "resources/read", "resources/list"}
"""The methods of the protocol whose replies have something of documents."""
NO_MESSAGE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": None,
        "error": {
            "code": types.INVALID_REQUEST,
            "message": "the body is no message of JSON-RPC 2.0: it lacks jsonrpc, id or method",
        },
    }
)


def handle(event: Json, context: LambdaContext) -> Json:
    """Answers one API Gateway event."""
    begin("mcp", context, **keys_of_request(event))
    with audited() as act:
        act.name = name_act(body_of(event))
        answer = answer_to(event)
        act.outcome = outcome_of(answer)
        return answer


def answer_to(event: Json) -> Json:
    try:
        service = service_of(asker_of(event["requestContext"]))
    except FootnoteError as error:
        return refused(error)
    if event["httpMethod"] != "POST":
        # GET would open a stream of the server's own messages, DELETE would end a session. A server
        # without either answers 405, as the specification says.
        return reply(405, {"Allow": ["POST"]}, "")
    return anyio.run(exchange, event, service)


def name_act(body: bytes) -> str:
    """Names a call of a tool or the reading of a resource; "" for messages without a document."""
    try:
        message = from_json(body)
        method, params = message["method"], message.get("params") or {}
        tool = f" {params['name'][:100]}" if method == "tools/call" else ""
    except (ValueError, LookupError, TypeError, AttributeError):  # the SDK refuses it
        return ""
    return f"MCP {method}{tool}" if method in WITH_DOCUMENTS else ""


def outcome_of(answer: Json) -> str:
    """Returns the code of the error that a reply has, "" if it has none."""
    if answer["multiValueHeaders"].get("content-type") != ["application/json"]:
        return "refused"  # by the SDK, before any tool
    told = json.loads(answer["body"] or "{}")
    failed = told.get("result", {}).get("structuredContent", {}) or {}
    error = told.get("error") or failed.get("error") or {}
    code = error.get("code") or (error.get("data") or {}).get("code")
    return str(code) if error else ""


def refused(error: FootnoteError) -> Json:
    """Returns the reply to a refused caller, in the form of the REST API."""
    headers = {"content-type": ["application/json"]}
    if isinstance(error, LimitedError):
        headers["Retry-After"] = [str(error.seconds)]
    return reply(error.http_status, headers, json.dumps({"error": error.problem.model_dump()}))


def log_error(error: FootnoteError) -> None:
    if error.http_status >= 500 or error.detail:
        logger.error("call failed", code=error.code, reason=error.reason, exc_info=True)


def reply(status: int, headers: Mapping[str, list[str]], body: str) -> Json:
    safe = {"X-Content-Type-Options": ["nosniff"], "Cache-Control": ["no-store"]}
    every = {**headers, **safe, **cors(allowed_origin())}
    return {"statusCode": status, "multiValueHeaders": every, "body": body}


async def exchange(event: Json, service: Service) -> Json:
    """Passes a caller's event to the SDK's transport. Returns its reply."""
    received = event["requestContext"].get("requestTimeEpoch")
    server = make_server(ServiceFace(service), lambda: Waiting(MAX_WAIT, received), log_error)
    manager = StreamableHTTPSessionManager(server, json_response=True, stateless=True)
    sent: list[MutableMapping[str, Any]] = []
    body = body_of(event)
    is_read = anyio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if is_read.is_set():  # API Gateway does not tell when a client goes away
            await anyio.sleep_forever()
        is_read.set()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    async with manager.run():
        await manager.handle_request(scope_of(event), receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    text = b"".join(
        message.get("body", b"") for message in sent if message["type"] == "http.response.body"
    )
    if start["status"] == HTTPStatus.BAD_REQUEST and is_other_json(body):
        return reply(400, {"content-type": ["application/json"]}, NO_MESSAGE)
    return reply(start["status"], multi(start["headers"]), text.decode())


def is_other_json(body: bytes) -> bool:
    """Tells whether a body is JSON, but no message of JSON-RPC.

    The SDK's words about such a body name its own classes.
    """
    try:
        types.jsonrpc_message_adapter.validate_python(from_json(body), by_name=False)
    except ValidationError:
        return True
    except ValueError:  # no JSON: the SDK says where
        return False
    return False


def scope_of(event: Json) -> dict[str, Any]:
    """Returns the ASGI scope of an event."""
    headers: Mapping[str, str] = event.get("headers") or {}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": event["httpMethod"],
        "scheme": "https",
        "path": "/mcp",
        "raw_path": b"/mcp",
        "query_string": b"",
        "root_path": "",
        "headers": [
            (name.lower().encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in headers.items()
        ],
        "server": ("footnote", 443),
        "client": None,
    }


def body_of(event: Json) -> bytes:
    body = event.get("body") or ""
    return (
        base64.b64decode(body) if event.get("isBase64Encoded") else body.encode("utf-8", "replace")
    )


def multi(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in headers:
        values.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
    return values
