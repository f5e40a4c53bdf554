"""A deployed model looks outside: it searches the web, fetches pages, calls a tool of a server.

The stack is deployed as an operator would who switches that on. The site, the searcher and the tool
server are the test's own; `network/sitecustomize.py` has the site's name lead there.
"""

import json
import threading
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.contract.test_tool_servers import Speaker
from tests.e2e.alone.test_with_a_model import configured, with_model
from tests.e2e.alone.test_work import ENOUGH, LOOKING
from tests.scripted_server import Reply, run_server
from tests.serving import LoopbackServer, serving

__all__ = ["configured", "with_model"]  # fixtures

NETWORK = Path(__file__).with_name("network")
SITE = "http://port.test"
QUESTION = "When does the tide gate open?"
PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]})
GATE = "The tide gate opens at 6:40 each morning."
TIDE = "At Hull the tide is high at 6:40."
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


@pytest.fixture(scope="module")
def site():
    server = Site()
    with serving(server, server.over):
        yield server


@pytest.fixture(scope="module")
def opened(stack, aws, site):
    """Deploys with the parameters that switch looking outside on; afterwards without them."""
    formation, name = aws("cloudformation"), f"footnote-{stack['name']}"

    def deploy(**changed):
        [now] = formation.describe_stacks(StackName=name)["Stacks"]
        given = {one["ParameterKey"]: one["ParameterValue"] for one in now["Parameters"]} | changed
        formation.update_stack(
            StackName=name,
            TemplateBody=formation.get_template(StackName=name)["TemplateBody"],
            Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in given.items()],
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"],
        )
        formation.get_waiter("stack_update_complete").wait(
            StackName=name, WaiterConfig={"Delay": 1, "MaxAttempts": 240}
        )

    with serving(Speaker()) as tides:
        servers = {"tides": {"url": f"{tides.url}/mcp", "tools": ["forecast"]}}
        deploy(
            FetchHosts="*", WebSearchUrl=site.url, ToolServers=json.dumps(servers),
            MaxFetches="6", MaxTurns="8",
        )  # fmt: skip
        yield
        deploy(FetchHosts="", WebSearchUrl="", ToolServers="", MaxFetches="3", MaxTurns="0")


def fetch(page):
    return ("fetch", {"url": f"{SITE}/{page}", "looking_for": QUESTION})


def turn(*call):
    return Reply("", calls=(call,))


def test_a_model_finds_fetches_and_cites_what_is_outside_and_is_told_what_is_refused(
    opened, site, configured, with_model, new_tenant
):
    client, _ = new_tenant()
    named = {"server": "tides", "tool": "forecast"}
    port = {"arguments": {"port": "Hull"}, "looking_for": "when the tide is high"}
    script = [
        Reply(PLAN),
        turn("web_search", {"query": "tide gate"}),
        turn(*fetch("inside")),
        turn(*fetch("endless")),
        turn(*fetch("tides")),
        turn("call_tool", named | port),
        turn("finish", {"passages": [1, 2], "summary": "Both are stated."}),
        Reply(ENOUGH),
        Reply(f"{GATE} [1] {TIDE} [2]"),
    ]
    configured("Fetch", PYTHONPATH=str(NETWORK), TEST_SITE_PORT=str(site.server_port))
    with run_server(script) as server:
        with_model(server.server_port, LOOKING)
        before = datetime.now(UTC)
        answer = client.ask(QUESTION)
        told = json.dumps([body["messages"] for body in server.requests if body.get("tools")][-1])
    days = {(before + timedelta(days=n)).date().isoformat() for n in (0, 1)}
    page, tool = answer["citations"]
    assert (page["quote"], page["collection"], page["verified"]) == (GATE, "web", True)
    assert page["url"] == f"{SITE}/tides"
    assert page["fetched"] in days
    assert (tool["quote"], tool["collection"], tool["verified"]) == (TIDE, "tools", True)
    stored = client.document(page["document_id"])
    assert (stored["metadata"]["url"], stored["status"]) == (page["url"], "READY")
    visits = [
        (one["data"]["tool"], one["data"]["outcome"])
        for one in client.question(answer["id"], trace=True)["trace"]
        if one["kind"] == "visit"
    ]
    assert visits == [
        ("web_search", "3 results"),
        ("fetch", "page_refused"),
        ("fetch", "page_refused"),
        ("fetch", "READY"),
        ("call_tool", "READY"),
    ]
    assert "127.0.0.1 is inside a network" in told
    assert "sends more than 10,000,000 bytes" in told
    asked = [path for _, path in site.asked]
    assert "/inside" in asked and "/secret" not in asked
