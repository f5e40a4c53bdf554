"""MCP over streamable HTTP: translates API Gateway's events for the SDK's transport, and back.

The transport is stateless: each request stands alone, and nothing is stored. A reply is one piece
of JSON, or a stream of events for a client that wants to know of progress. The SDK speaks ASGI, so
an event is put into that form here.
"""

import base64
import json
from collections.abc import Iterable, Mapping, MutableMapping
from http import HTTPStatus
from threading import Event
from typing import Any, NamedTuple

import anyio
import mcp_types as types
from aws_lambda_powertools.utilities.typing import LambdaContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic import ValidationError
from pydantic_core import from_json

from footnote.api.caller import allowed_origin, asker_of, audited, service_of
from footnote.api.described import EVENTS
from footnote.api.lasting import OFTEN, Lasting
from footnote.api.resolver import cors
from footnote.api.waiting import Waiting
from footnote.errors import FootnoteError, LimitedError
from footnote.mcp.in_pieces import Say, in_pieces
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.mcp.tool_table import TOOLS
from footnote.service import MAX_WAIT, Service
from footnote.wire import Json
from footnote.wiring.logs import begin, keys_of_request, logger

WITH_DOCUMENTS = {"tools/call", "resources/read", "resources/list"}
"""The methods of the protocol whose replies have something of documents."""
NOT_ITS = {"cache-control", "connection", "content-length"}
"""Headers of the SDK about how a reply is sent, which is for others to say."""
JSON_ONLY = {"content-type": ["application/json"]}
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


class Asked(NamedTuple):
    """What a message asks for: its method, the tool that it calls, and whether it has a token."""

    method: str = ""
    tool: str = ""
    wants_progress: bool = False


def handle(event: Json, context: LambdaContext) -> Json:
    """Answers one API Gateway event. The body is a text, or an iterator of its pieces."""
    begin("mcp", context, **keys_of_request(event))
    pieces = in_pieces(lambda say, gone: answer(event, say, gone))
    head: Json = json.loads(next(pieces))
    if is_stream(head):
        return head | {"body": pieces}
    return head | {"body": "".join(pieces)}


def answer(event: Json, say: Say, gone: Event) -> None:
    """Says the head of the reply to an event, as JSON, and then the pieces of its body."""
    asked = read(body_of(event))
    with audited() as act:
        act.name = name_act(asked)
        said: list[str] = []

        def note(piece: str) -> None:
            said.append(piece)
            say(piece)

        try:
            service = service_of(asker_of(event["requestContext"]))
            lasting = begin_waiting(event, asked, service, gone)
        except FootnoteError as error:
            refuse(error, note)
        else:
            with lasting:
                answer_caller(event, service, lasting, note)
        act.outcome = outcome_of(json.loads(said[0]), "".join(said[1:]))


def begin_waiting(event: Json, asked: Asked, service: Service, gone: Event) -> Lasting:
    """Begins a reply. It lasts, and has a place, where the client can be told of progress."""
    received = event["requestContext"].get("requestTimeEpoch")
    may_last = asked.wants_progress and accepts_events(event) and service.longest_reply > 0
    if may_last and (place := service.streams.take()):
        return Lasting(Waiting(service.longest_reply, received, often=OFTEN), place, gone)
    return Lasting(Waiting(MAX_WAIT, received), None, gone)


def answer_caller(event: Json, service: Service, lasting: Lasting, say: Say) -> None:
    if event["httpMethod"] == "POST":
        anyio.run(exchange, event, service, lasting, say)
    else:
        # GET would open a stream of the server's own messages, DELETE would end a session. A server
        # without either answers 405, as the specification says.
        say(head_of(405, {"Allow": ["POST"]}))


def read(body: bytes) -> Asked:
    """Reads what the face has to know of a message. One that is none is refused by the SDK."""
    try:
        message = from_json(body)
        method, params = str(message["method"]), message.get("params") or {}
        if method != "tools/call":
            return Asked(method)
        tool = TOOLS.get(params["name"])
        token = (params.get("_meta") or {}).get("progressToken")
        wants_progress = token is not None and tool is not None and tool.lasts
        return Asked(method, str(params["name"]), wants_progress)
    except (ValueError, LookupError, TypeError, AttributeError):
        return Asked()


def accepts_events(event: Json) -> bool:
    headers: Mapping[str, str] = event.get("headers") or {}
    return any(name.lower() == "accept" and EVENTS in value for name, value in headers.items())


def name_act(asked: Asked) -> str:
    """Names a call of a tool or the reading of a resource; "" for messages without a document."""
    if asked.method not in WITH_DOCUMENTS:
        return ""
    return f"MCP {asked.method} {asked.tool[:100]}".rstrip()


def is_stream(head: Json) -> bool:
    kinds: list[str] = head["multiValueHeaders"].get("content-type", [])
    return any(kind.startswith(EVENTS) for kind in kinds)


def outcome_of(head: Json, body: str) -> str:
    """Returns the code of the error that a reply has, "" if it has none."""
    if is_stream(head):  # the reply is the last event
        body = body.rpartition("\ndata: ")[2]  # JSON has no line ends
    elif head["multiValueHeaders"].get("content-type") != JSON_ONLY["content-type"]:
        return "refused"  # by the SDK, before any tool
    told = json.loads(body or "{}")
    failed = told.get("result", {}).get("structuredContent", {}) or {}
    error = told.get("error") or failed.get("error") or {}
    code = error.get("code") or (error.get("data") or {}).get("code")
    return str(code) if error else ""


def refuse(error: FootnoteError, say: Say) -> None:
    """Says the reply to a refused caller, in the form of the REST API."""
    later = {"Retry-After": [str(error.seconds)]} if isinstance(error, LimitedError) else {}
    say(head_of(error.http_status, JSON_ONLY | later))
    say(json.dumps({"error": error.problem.model_dump()}))


def log_error(error: FootnoteError) -> None:
    if error.http_status >= 500 or error.detail:
        logger.error("call failed", code=error.code, reason=error.reason, exc_info=True)


def head_of(status: int, headers: Mapping[str, list[str]]) -> str:
    safe = {"X-Content-Type-Options": ["nosniff"], "Cache-Control": ["no-store"]}
    every = {**headers, **safe, **cors(allowed_origin())}
    return json.dumps({"statusCode": status, "multiValueHeaders": every})


async def exchange(event: Json, service: Service, lasting: Lasting, say: Say) -> None:
    """Passes a caller's event to the SDK's transport. Says its reply, a stream as it comes."""
    server = make_server(
        ServiceFace(service), lambda: lasting, log_error, tells_progress=lasting.has_place
    )
    manager = StreamableHTTPSessionManager(
        server, json_response=not lasting.has_place, stateless=True
    )
    body = body_of(event)
    is_read = anyio.Event()

    async def receive() -> MutableMapping[str, Any]:
        if is_read.is_set():  # API Gateway does not tell when a client goes away
            await anyio.sleep_forever()
        is_read.set()
        return {"type": "http.request", "body": body, "more_body": False}

    is_ours = False

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal is_ours
        if message["type"] == "http.response.start":
            is_ours = message["status"] == HTTPStatus.BAD_REQUEST and is_other_json(body)
            headers = JSON_ONLY if is_ours else multi(message["headers"])
            say(head_of(message["status"], headers))
            say(NO_MESSAGE if is_ours else "")
        elif not is_ours:
            say(message.get("body", b"").decode())

    async with manager.run():
        await manager.handle_request(scope_of(event), receive, send)


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
    """Returns the SDK's headers, but for those that API Gateway or `head_of` says."""
    values: dict[str, list[str]] = {}
    for name, value in headers:
        if (known := name.decode("latin-1").lower()) not in NOT_ITS:
            values.setdefault(known, []).append(value.decode("latin-1"))
    return values
