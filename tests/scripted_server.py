"""A server on loopback that plays models from a script, in the forms of `tests/scripted_forms.py`.

`python -m tests.scripted_server PORT` answers every request without a script. It plans one
sub-question, grades everything as enough and writes the first passage's first sentence. As the
contextual line of a passage it gives the document's first sentence.
"""

import io
import json
import re
import select
import socket
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from footnote.text.sentences import sentences
from tests.scripted_forms import Chat, Form, Messages, Reply, Status, documents_in
from tests.serving import LoopbackServer, serving

__all__ = [
    "Cut", "Drip", "Endless", "ErrorEvent", "Garbage", "Hang", "Mangled", "Obeys", "Odd", "Reply",
    "Status", "run_server",
]  # fmt: skip
ORDER = re.compile(r"answer: ([^\n]+)")


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
class Mangled:
    """A body of the right type whose JSON is broken: after `text`, where it is a stream."""

    text: str = ""


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


@dataclass(frozen=True)
class Endless:
    """A stream that says `text` again and again and never ends; without text it sends pings."""

    text: str = "It is green. [1] "
    seconds: float = 0.01


@dataclass(frozen=True)
class Obeys:
    """A model that does what a document tells it ("answer: …"), else replies by rule."""


@dataclass(frozen=True)
class Odd:
    """A body that no form has: its bytes, or events with such data if it is a list."""

    body: bytes | list[bytes] = b""
    kind: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    code: int = 200


type Scripted = (
    Reply | Status | Cut | ErrorEvent | Garbage | Mangled | Hang | Drip | Endless | Obeys | Odd
)


class ScriptedServer(LoopbackServer):
    """Plays `script`, one entry per request; without a script it makes up answers by rule."""

    def __init__(self, script: list[Scripted] | None = None, port: int = 0) -> None:
        super().__init__(Handler, port)
        self.script = script
        self.messages, self.chat = Messages(), Chat()
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []
        self.models: list[str] = []
        self.pages: dict[str, Any] = {}  # path → what is said there, besides what a form says
        self.chunked = True  # else the end of a stream is that of the connection
        self.ended = threading.Event()  # ends every hang and drip
        self.left = threading.Event()  # whoever asked has closed the connection before the end

    def form(self, path: str) -> Form:
        return self.chat if "completions" in path else self.messages

    def next(self, form: Form, body: dict[str, Any]) -> Scripted:
        if self.script is None:
            return sensible_reply(form, body)
        return self.script.pop(0) if self.script else Status(500, "api_error")


class Handler(BaseHTTPRequestHandler):
    """Handles the requests of one connection."""

    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Lists the models, as servers of OpenAI's form do."""
        if self.path in self.server.pages:
            self._send(200, json.dumps(self.server.pages[self.path]))
            return
        listed = [{"id": name, "object": "model"} for name in self.server.models]
        self._send(200, json.dumps({"object": "list", "data": listed}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path in self.server.pages:
            self._send(200, json.dumps(self.server.pages[self.path]))
            return
        self.server.requests.append(body)
        self.server.paths.append(self.path)
        form = self.server.form(self.path)
        lowered = {name.lower(): value for name, value in self.headers.items()}
        self.server.headers.append(lowered)
        if problem := form.problem(self.path, lowered, body):
            self._error(form, problem)
            return
        scripted = self.server.next(form, body)
        if isinstance(scripted, Obeys):
            scripted = obeyed(form, body)
        try:
            self._play(form, scripted, body)
        except ConnectionError:  # whoever asked has left
            self.server.left.set()

    def _play(  # noqa: C901 - a case a thing that a script may have
        self, form: Form, scripted: Scripted, body: dict[str, Any]
    ) -> None:
        match scripted:
            case Reply() as reply if body.get("stream"):
                self._events(form.frames(reply, body).all)
            case Reply() as reply:
                self._send(200, json.dumps(form.whole(reply, body)))
            case Status() as status:
                self._error(form, status)
            case Cut(text, politely):
                self._events(form.frames(Reply(text), body).broken(), whole=politely)
            case ErrorEvent(text, kind):
                begun = form.frames(Reply(text), body).broken()
                self._events([*begun, form.error_frame(kind)])
            case Garbage(text):
                self._send(200, text, "text/html")
            case Mangled(text) if body.get("stream"):
                begun = form.frames(Reply(text), body).broken()
                self._events([*begun, begun[-1].rstrip()[:-9] + b"\n\n"])
            case Mangled():
                self._send(200, json.dumps(form.whole(Reply("Text."), body))[:-9])
            case Hang(text, headers):
                self._hang(form, text, body, headers=headers)
            case Drip() as drip:
                self._drip(form, drip, body)
            case Odd() as odd:
                self._odd(odd)
            case Endless() as endless:
                self._events(self._without_end(form, endless, body), whole=False)

    def _odd(self, odd: Odd) -> None:
        if isinstance(odd.body, bytes):
            self._send(odd.code, odd.body, odd.kind, odd.headers)
        else:
            self._events(odd.body)

    def _without_end(self, form: Form, endless: Endless, body: dict[str, Any]) -> Iterator[bytes]:
        frames = form.frames(Reply(endless.text), body)
        yield from frames.start
        while not self.server.ended.wait(endless.seconds):
            yield from frames.pieces or [form.PING]

    def _hang(self, form: Form, text: str, body: dict[str, Any], *, headers: bool) -> None:
        if text:
            self._events(form.frames(Reply(text), body).broken(), whole=False)
        elif headers:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", "1000")
            self.end_headers()
        while not self.server.ended.wait(0.02):
            if self._is_left():
                self.server.left.set()
                break
        self.close_connection = True

    def _is_left(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)

    def _drip(self, form: Form, drip: Drip, body: dict[str, Any]) -> None:
        whole = self.wfile
        self.wfile = drops = io.BytesIO()
        if body.get("stream"):
            self._events(form.frames(Reply(drip.text), body).all)
        else:
            self._send(200, json.dumps(form.whole(Reply(drip.text), body)))
        self.wfile = whole
        sent = drops.getvalue()
        at_once = 0 if drip.headers else sent.index(b"\r\n\r\n") + 4
        self.wfile.write(sent[:at_once])
        self.close_connection = True
        for byte in sent[at_once:]:
            self.wfile.write(bytes([byte]))
            if self.server.ended.wait(drip.seconds):
                return

    def _error(self, form: Form, status: Status) -> None:
        self._send(status.code, json.dumps(form.refusal(status)), headers=status.headers)

    def _send(
        self,
        code: int,
        body: str | bytes,
        kind: str = "application/json",
        headers: Mapping[str, str] | None = None,
    ) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.send_response(code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _events(self, frames: Iterable[bytes], *, whole: bool = True) -> None:
        """Sends chunked server-sent events; unless `whole`, without the last, empty chunk."""
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        chunked = self.server.chunked
        self.send_header(
            *(("transfer-encoding", "chunked") if chunked else ("connection", "close"))
        )
        self.end_headers()
        for data in frames:
            size, end = (f"{len(data):x}\r\n".encode(), b"\r\n") if chunked else (b"", b"")
            self.wfile.write(size + data + end)
        if whole and chunked:
            self.wfile.write(b"0\r\n\r\n")
        else:
            self.wfile.flush()
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name up there
        """Prints nothing."""


def obeyed(form: Form, body: dict[str, Any]) -> Reply:
    """Returns what a document in the prompt orders to be said, where the task is to write."""
    found = ORDER.search(form.prompt_of(body))
    return Reply(found[1]) if found and not form.schema_of(body) else sensible_reply(form, body)


def sensible_reply(form: Form, body: dict[str, Any]) -> Reply:
    """Returns a reply to any of footnote's prompts. Where it may cite documents, it does."""
    if not (documents := documents_in(body)):
        return Reply(reply_by_rule(form, body))
    pieces = [piece["text"] for piece in documents[0]["source"]["content"]]
    n = next((n for n, text in enumerate(pieces) if text.endswith(".")), 0)
    return Reply(cites=((pieces[n], ((0, n, n + 1),)),))


def reply_by_rule(form: Form, body: dict[str, Any]) -> str:
    """Returns a sensible reply to any of footnote's prompts."""
    prompt = form.prompt_of(body)
    wanted = form.schema_of(body).get("properties", {})
    if "kind" in wanted:
        question = re.findall(r"^<<<\w{16} question>>>\n(.*)$", prompt, re.MULTILINE)[-1]
        return json.dumps({"kind": "retrieve", "sub_questions": [{"text": question}]})
    if "verdicts" in wanted:
        names = re.findall(r"^<<<\w{16} (q\d+)>>>$", prompt, re.MULTILINE)
        verdicts = [{"id": name, "decision": "enough", "confidence": 0.9} for name in names]
        return json.dumps({"verdicts": verdicts})
    if "values" in wanted:
        names = re.findall(r'^\{"field": "([\w.-]+)"', prompt, re.MULTILINE)
        passage = first_passage(prompt)
        quote = first_sentence(passage) if passage else ""
        values = [{"field": name, "value": "", "passage": 1, "quote": quote} for name in names]
        return json.dumps({"values": values if quote else []})
    if "supported" in wanted:
        return json.dumps({"supported": False})
    if "<<<end" in prompt and " passage>>>" in prompt:
        given = re.findall(
            r"^<<<(\w{16}) (?:beginning|before|passage)>>>\n([\s\S]*?)\n<<<end \1>>>$",
            prompt,
            re.MULTILINE,
        )
        prose = re.search(r"^[^#\n].*", given[0][1], re.MULTILINE)
        return first_sentence(prose[0]) if prose else "NONE"
    return first_line(prompt) or "The documents do not say."


def first_passage(prompt: str) -> str:
    """Returns the text of the passage with the number 1, or ""."""
    found = re.search(
        r"^<<<(\w{16}) 1>>>\n(?:.+\n)+\n([\s\S]*?)\n<<<end \1>>>$", prompt, re.MULTILINE
    )
    return found[2] if found else ""


def first_line(prompt: str) -> str:
    """Returns the first sentence of passage 1 with its marker, or "": see `show_pieces`."""
    lines = re.findall(r"^\[(1\.\d+)\] (.+)$", first_passage(prompt), re.MULTILINE)
    full = [(number, text) for number, text in lines if text.endswith(".")]
    return next((f"{text} [{number}]" for number, text in [*full, *lines]), "")


def first_sentence(text: str) -> str:
    """Returns the first sentence that has a full stop, as headings have none; else the first."""
    found = [text[start:end] for start, end in sentences(text)]
    return next((sentence for sentence in found if sentence.endswith(".")), found[0])


@contextmanager
def run_server(script: list[Scripted] | None = None, port: int = 0) -> Iterator[ScriptedServer]:
    server = ScriptedServer(script, port)
    with serving(server, server.ended):
        yield server


if __name__ == "__main__":
    ScriptedServer(port=int(sys.argv[1])).serve_forever()
