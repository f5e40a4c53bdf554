"""A server on loopback that speaks the Messages API from a script, to test with the real SDK.

`python -m tests.scripted_server PORT` answers every request without a script. It plans one
sub-question, grades everything as enough and writes the first passage's first sentence. As the
contextual line of a passage it gives the document's first sentence.
"""

import io
import json
import re
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from footnote.text.language import sentences


@dataclass(frozen=True)
class Reply:
    """A complete reply; it is sent as server-sent events when the request asks for a stream."""

    text: str
    stop_reason: str = "end_turn"
    thinking: str = ""
    input_tokens: int = 100
    output_tokens: int = 20
    cache_written: int | None = None
    cache_read: int | None = None
    calls: tuple[tuple[str, Any], ...] = ()
    """Tools that the model calls: names and arguments. A text stands for arguments as they come."""


@dataclass(frozen=True)
class Status:
    """An error instead of a reply."""

    code: int
    kind: str = "api_error"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """A stream that breaks after `text`: the connection drops, or it ends as if all was well."""

    text: str = ""
    politely: bool = False


@dataclass(frozen=True)
class ErrorEvent:
    """A stream that reports an error after `text`."""

    text: str = ""
    kind: str = "overloaded_error"


@dataclass(frozen=True)
class Garbage:
    """Status 200 with a body that is no message."""

    body: str = "<html>"


@dataclass(frozen=True)
class Hang:
    """A reply that stops while the connection stays open.

    It stops after `text` of a stream. Without text it stops after the headers if `headers`, else
    before them.
    """

    text: str = ""
    headers: bool = False


@dataclass(frozen=True)
class Drip:
    """A reply that comes byte by byte, with `headers` the headers too; `seconds` between bytes."""

    text: str
    seconds: float = 0.05
    headers: bool = False


type Scripted = Reply | Status | Cut | ErrorEvent | Garbage | Hang | Drip


class ScriptedServer(ThreadingHTTPServer):
    """Plays `script`, one entry per request; without a script it makes up answers by rule."""

    daemon_threads = True

    def __init__(self, script: list[Scripted] | None = None, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.ended = threading.Event()  # ends every hang and drip

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def next(self, body: dict[str, Any]) -> Scripted:
        if self.script is None:
            return Reply(reply_by_rule(body))
        return self.script.pop(0) if self.script else Status(500, "api_error")


class Handler(BaseHTTPRequestHandler):
    """Handles the requests of one connection."""

    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.headers.append(dict(self.headers))
        self.server.requests.append(body)
        if problem := _problem(self.path, self.headers, body):
            self._error(problem)
            return
        match self.server.next(body):
            case Reply() as reply if body.get("stream"):
                self._events(_as_events(reply, body["model"]))
            case Reply() as reply:
                self._send(200, json.dumps(_message(reply, body["model"])))
            case Status() as status:
                self._error(status)
            case Cut(text, politely):
                events = list(_as_events(Reply(text), body["model"]))
                self._events(iter(events[: -3 if text else 1]), whole=politely)
            case ErrorEvent(text, kind):
                events = list(_as_events(Reply(text), body["model"]))
                error = {"type": "error", "error": {"type": kind, "message": "scripted"}}
                self._events(iter([*events[: -3 if text else 1], error]))
            case Garbage(text):
                self._send(200, text, "text/html")
            case Hang(text, headers):
                self._hang(text, body["model"], headers=headers)
            case Drip() as drip:
                self._drip(drip, body)

    def _hang(self, text: str, model: str, *, headers: bool) -> None:
        if text:
            events = list(_as_events(Reply(text), model))
            self._events(iter(events[:-3]), whole=False)
        elif headers:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "1000")
            self.end_headers()
        self.server.ended.wait()
        self.close_connection = True

    def _drip(self, drip: Drip, body: dict[str, Any]) -> None:
        whole = self.wfile
        self.wfile = drops = io.BytesIO()
        if body.get("stream"):
            self._events(_as_events(Reply(drip.text), body["model"]))
        else:
            self._send(200, json.dumps(_message(Reply(drip.text), body["model"])))
        self.wfile = whole
        sent = drops.getvalue()
        at_once = 0 if drip.headers else sent.index(b"\r\n\r\n") + 4
        self.wfile.write(sent[:at_once])
        self.close_connection = True
        with suppress(ConnectionError):
            for byte in sent[at_once:]:
                self.wfile.write(bytes([byte]))
                if self.server.ended.wait(drip.seconds):
                    return

    def _error(self, status: Status) -> None:
        error = {"type": "error", "error": {"type": status.kind, "message": "scripted"}}
        self._send(status.code, json.dumps(error), headers=status.headers)

    def _send(
        self,
        code: int,
        body: str,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        data = body.encode()
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _events(self, events: Iterator[dict[str, Any]], *, whole: bool = True) -> None:
        """Sends chunked server-sent events; unless `whole`, without the last, empty chunk."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events:
            data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        if whole:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.flush()
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name up there
        """Prints nothing."""


def _problem(path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Status | None:
    """Returns the error with which the real API would refuse the request, or None."""
    if not (headers.get("x-api-key") or headers.get("authorization")):
        return Status(401, "authentication_error")
    if path != "/v1/messages":
        return Status(404, "not_found_error")
    wrong = not body.get("messages") or not body.get("model") or not body.get("max_tokens")
    forced = body.get("tool_choice", {}).get("type") in {"any", "tool"}
    if wrong or (forced and "-5-5" in body["model"]):
        return Status(400, "invalid_request_error")
    return None


def _message(reply: Reply, model: str) -> dict[str, Any]:
    thinking = [{"type": "thinking", "thinking": reply.thinking, "signature": "s"}]
    return {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [*(thinking if reply.thinking else []), {"type": "text", "text": reply.text}],
        "stop_reason": reply.stop_reason,
        "stop_sequence": None,
        "usage": {
            "input_tokens": reply.input_tokens,
            "output_tokens": reply.output_tokens,
            "cache_creation_input_tokens": reply.cache_written,
            "cache_read_input_tokens": reply.cache_read,
        },
    }


def _as_events(reply: Reply, model: str) -> Iterator[dict[str, Any]]:
    whole = _message(reply, model)
    usage = {"input_tokens": reply.input_tokens, "output_tokens": 1}
    start = {**whole, "content": [], "stop_reason": None, "usage": usage}
    yield {"type": "message_start", "message": start}
    block = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "ping"}
    for piece in re.findall(r"\S+\s*|\s+", reply.text):
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": reply.stop_reason, "stop_sequence": None},
        "usage": {"output_tokens": reply.output_tokens},
    }
    yield {"type": "message_stop"}


def reply_by_rule(body: dict[str, Any]) -> str:
    """Returns a sensible reply to any of footnote's prompts."""
    prompt = body["messages"][0]["content"]
    wanted = body.get("output_config", {}).get("format", {}).get("schema", {}).get("properties", {})
    if "kind" in wanted:
        question = re.findall(r"^<<<\w{16} question>>>\n(.*)$", prompt, re.MULTILINE)[-1]
        return json.dumps({"kind": "retrieve", "sub_questions": [{"text": question}]})
    if "verdicts" in wanted:
        names = re.findall(r"^<<<\w{16} (q\d+)>>>$", prompt, re.MULTILINE)
        verdicts = [{"id": name, "decision": "enough", "confidence": 0.9} for name in names]
        return json.dumps({"verdicts": verdicts})
    if "<<<end" in prompt and " passage>>>" in prompt:
        given = re.findall(
            r"^<<<(\w{16}) (?:beginning|before|passage)>>>\n([\s\S]*?)\n<<<end \1>>>$",
            prompt,
            re.MULTILINE,
        )
        prose = re.search(r"^[^#\n].*", given[0][1], re.MULTILINE)
        return first_sentence(prose[0]) if prose else "NONE"
    passage = re.search(
        r"^<<<(\w{16}) 1>>>\n(?:.+\n)+\n([\s\S]*?)\n<<<end \1>>>$", prompt, re.MULTILINE
    )
    if passage is None:
        return "The documents do not say."
    return f"{first_sentence(passage[2])} [1]"


def first_sentence(text: str) -> str:
    start, end = sentences(text)[0]
    return text[start:end]


@contextmanager
def run_server(script: list[Scripted] | None = None, port: int = 0) -> Iterator[ScriptedServer]:
    server = ScriptedServer(script, port)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


if __name__ == "__main__":
    ScriptedServer(port=int(sys.argv[1])).serve_forever()
