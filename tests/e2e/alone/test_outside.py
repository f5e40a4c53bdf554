"""A deployed model looks outside: it searches the web and fetches pages.

The site and the searcher are the test's own; `network/sitecustomize.py` has the site's name lead
there.
"""

import io
import json
import threading
import uuid
import zipfile
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from footnote.ask.tools.visits import STILL_READ, WAITING
from tests.e2e.alone.test_with_a_model import configured, with_model
from tests.e2e.alone.test_work import ENOUGH, LOOKING
from tests.scripted_server import Reply, ScriptedServer
from tests.serving import LoopbackServer, serving
from tests.stack import ROOT, find_resource

__all__ = ["configured", "with_model"]  # fixtures

NETWORK = Path(__file__).with_name("network")
SITE = "http://port.test"
QUESTION = "When does the tide gate open?"
PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]})
GATE = "The tide gate opens at 6:40 each morning."
PAGE = f"<html><head><title>Tides</title></head><body><p>{GATE}</p></body></html>".encode()
ENDLESS = b"<p>The harbour goes on and on.</p>" * 2_000


class Site(LoopbackServer):
    """A site with a page of use and two hostile ones, and a searcher that finds all three."""

    def __init__(self):
        super().__init__(Handler)
        self.asked = []
        self.over = threading.Event()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        path = urlsplit(self.path).path
        self.server.asked.append((self.headers["host"], path))
        if path == "/search":
            pages = ("inside", "endless", "tides")
            found = [
                {"url": f"{SITE}/{page}", "title": page, "content": "Of tide gates."}
                for page in pages
            ]
            self._send(json.dumps({"results": found}).encode(), "application/json")
        elif path == "/tides":
            self._send(PAGE, "text/html")
        elif path == "/inside":
            self.send_response(302)
            self.send_header("location", f"{self.server.url}/secret")
            self.end_headers()
        elif path == "/endless":
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            while not self.server.over.is_set():
                self.wfile.write(ENDLESS)
        elif path == "/secret":
            self._send(b"<p>The password is swordfish.</p>", "text/html")
        else:
            self.send_error(404)

    def _send(self, body, kind):
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Looker(ScriptedServer):
    """Plays its script, and makes a call again where what it fetched is still being read."""

    def next(self, form, body):
        told = json.dumps(body["messages"][-1])
        if STILL_READ not in told:
            self.last = super().next(form, body)
        return self.last


@pytest.fixture(scope="module")
def site():
    server = Site()
    with serving(server, server.over):
        yield server


@pytest.fixture
def opened(stack, aws, site, configured):
    """Makes the function `fetch`, and switches looking outside on.

    The template makes it where the parameters ask for it, which LocalStack can do in a stack's
    first deployment only. So it is made here of its folder, with the layers of `mcp` that are its
    own in the template too.
    """
    functions, name = aws("lambda"), f"fetch-{uuid.uuid4().hex[:8]}"
    mcp = functions.get_function_configuration(
        FunctionName=find_resource(aws, stack, "McpFunction")
    )
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as packed:
        packed.write(ROOT / "functions" / "fetch" / "app.py", "app.py")
    on = {"FOOTNOTE_FETCH_HOSTS": "*", "FOOTNOTE_WEB_SEARCH_URL": site.url}
    network = {"PYTHONPATH": str(NETWORK), "TEST_SITE_PORT": str(site.server_port)}
    functions.create_function(
        FunctionName=name,
        Code={"ZipFile": code.getvalue()},
        Layers=[layer["Arn"] for layer in mcp["Layers"]],
        Environment={"Variables": mcp["Environment"]["Variables"] | on | network},
        Timeout=15,
        **{key: mcp[key] for key in ("Runtime", "Handler", "Role", "MemorySize")},
    )
    functions.get_waiter("function_active_v2").wait(FunctionName=name)
    configured("Work", **on)
    configured("Retrieve", **on, FOOTNOTE_FETCH_FUNCTION=name, FOOTNOTE_MAX_FETCHES="4")
    yield
    functions.delete_function(FunctionName=name)


def fetch(page):
    return ("fetch", {"url": f"{SITE}/{page}", "looking_for": QUESTION})


def turn(*call):
    return Reply("", calls=(call,))


def test_a_model_finds_fetches_and_cites_what_is_outside_and_is_told_what_is_refused(
    opened, site, with_model, new_tenant
):
    client, _ = new_tenant()
    script = [
        Reply(PLAN),
        turn("web_search", {"query": "tide gate"}),
        turn(*fetch("inside")),
        turn(*fetch("endless")),
        turn(*fetch("tides")),
        turn("finish", {"passages": [1], "summary": "It is stated."}),
        Reply(ENOUGH),
        Reply(f"{GATE} [1]"),
    ]
    with serving(Looker(script)) as server:
        with_model(server.server_port, LOOKING, FOOTNOTE_MAX_TURNS="12")
        before = datetime.now(UTC)
        answer = client.ask(QUESTION)
        told = json.dumps([body["messages"] for body in server.requests if body.get("tools")][-1])
    days = {(before + timedelta(days=n)).date().isoformat() for n in (0, 1)}
    [page] = answer["citations"]
    assert (page["quote"], page["collection"], page["verified"]) == (GATE, "web", True)
    assert page["url"] == f"{SITE}/tides"
    assert page["fetched"] in days
    stored = client.document(page["document_id"])
    assert (stored["metadata"]["url"], stored["status"]) == (page["url"], "READY")
    trace = client.question(answer["id"], trace=True)["trace"]
    visits = [
        (one["data"]["tool"], one["data"]["outcome"])
        for one in trace
        if one["kind"] == "visit" and one["data"]["outcome"] != WAITING
    ]
    assert visits == [
        ("web_search", "3 results"),
        ("fetch", "page_refused"),
        ("fetch", "page_refused"),
        ("fetch", "READY"),
    ]
    assert "127.0.0.1 is inside a network" in told
    assert "sends more than 10,000,000 bytes" in told
    asked = [path for _, path in site.asked]
    assert "/inside" in asked and "/secret" not in asked
