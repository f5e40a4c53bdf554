"""A deployed model looks outside: it searches the web, fetches pages and calls another's tools.

The site, the searcher and the server of tools are the test's own; `network/sitecustomize.py` has
the site's name lead there.
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
from tests.contract.test_tool_servers import Speaker, forecast
from tests.e2e.alone.test_with_a_model import configured, with_model
from tests.e2e.alone.test_work import ENOUGH, LOOKING
from tests.reconfigured import DEFAULT, Reconfigured
from tests.scripted_server import Reply, ScriptedServer
from tests.serving import LoopbackServer, serving
from tests.stack import PATIENCE, ROOT, find_resource

__all__ = ["configured", "with_model"]  # fixtures

NETWORK = Path(__file__).with_name("network")
SITE = "http://port.test"
QUESTION = "When does the tide gate open?"
TIDE = "When is the tide high at Hull?"
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


@pytest.fixture(scope="module")
def speaker():
    with serving(Speaker()) as server:
        yield server


@pytest.fixture
def opened(stack, aws, site, speaker):
    """Makes the function `fetch`, and switches looking outside on.

    The template makes it where the parameters ask for it; an update of the stack would start all
    functions anew. So it is made here of its folder, with the role of the template, and with the
    layers of `mcp`, which are its own in the template too.
    """
    functions, iam, name = aws("lambda"), aws("iam"), f"fetch-{uuid.uuid4().hex[:8]}"
    tides = {"url": f"{speaker.url}/mcp", "tools": ["forecast", "broken"]}
    servers = json.dumps({"tides": tides})
    on = {
        "FetchHosts": "*", "WebSearchUrl": site.url, "ToolServers": servers, "MaxFetches": "4",
        "QuestionSeconds": str(PATIENCE),  # what comes is parsed and indexed meanwhile
    }  # fmt: skip
    changed = Reconfigured(stack, aws)
    changed.names["FetchFunction"] = name
    opened = changed.template(**on)
    mcp = functions.get_function_configuration(
        FunctionName=find_resource(aws, stack, "McpFunction")
    )
    trust = json.dumps(opened.role("FetchFunction")["AssumeRolePolicyDocument"])
    role = iam.create_role(RoleName=name, AssumeRolePolicyDocument=trust)["Role"]
    for policy, document in opened.policies("FetchFunction").items():
        text = json.dumps(DEFAULT | document)
        iam.put_role_policy(RoleName=name, PolicyName=policy, PolicyDocument=text)
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as packed:
        packed.write(ROOT / "functions" / "fetch" / "app.py", "app.py")
    hosts = {
        "FOOTNOTE_FETCH_HOSTS": "*",
        "FOOTNOTE_WEB_SEARCH_URL": site.url,
        "FOOTNOTE_TOOL_SERVERS": servers,
    }
    network = {"PYTHONPATH": str(NETWORK), "TEST_SITE_PORT": str(site.server_port)}
    variables = mcp["Environment"]["Variables"] | hosts | network
    del variables["AWS_LAMBDA_EXEC_WRAPPER"]  # `mcp` alone brings what that starts
    functions.create_function(
        FunctionName=name,
        Code={"ZipFile": code.getvalue()},
        Layers=[layer["Arn"] for layer in mcp["Layers"]],
        Environment={"Variables": variables},
        Role=role["Arn"],
        Timeout=15,
        **{key: mcp[key] for key in ("Runtime", "Handler", "MemorySize")},
    )
    functions.get_waiter("function_active_v2").wait(FunctionName=name)
    for step in ("Api", "Work", "Retrieve"):
        changed.change(step, on)
    yield
    changed.restore()
    functions.delete_function(FunctionName=name)


def fetch(page):
    return ("fetch", {"url": f"{SITE}/{page}", "looking_for": QUESTION})


def call_tool(name, **arguments):
    wanted = {"server": "tides", "tool": name, "arguments": arguments, "looking_for": TIDE}
    return ("call_tool", wanted)


def turn(*calls):
    return Reply("", calls=calls)


def looks(question, turns, says):
    """Returns the script of a question that is looked for by these turns."""
    plan = {"kind": "retrieve", "sub_questions": [{"text": question}]}
    done = turn(("finish", {"passages": [1], "summary": "It is stated."}))
    return [Reply(json.dumps(plan)), *turns, done, Reply(ENOUGH), Reply(f"{says} [1]")]


def visits_of(client, answer):
    """Returns what was done outside and what came of it, but for looks at what is still read."""
    trace = client.question(answer["id"], trace=True)["trace"]
    done = [
        (one["data"]["tool"], one["data"]["outcome"]) for one in trace if one["kind"] == "visit"
    ]
    return [one for one in done if one[1] != WAITING]


def told_by(server):
    """Returns all that the model was shown in its last turn of looking."""
    return json.dumps([body["messages"] for body in server.requests if body.get("tools")][-1])


def test_a_model_finds_fetches_calls_and_cites_what_is_outside_and_is_told_what_is_refused(
    opened, site, speaker, with_model, new_tenant
):
    client, _ = new_tenant()
    searching = turn(("web_search", {"query": "tide gate"}))
    fetching = [turn(fetch(page)) for page in ("inside", "endless", "tides")]
    with serving(Looker(looks(QUESTION, [searching, *fetching], GATE))) as server:
        with_model(server.server_port, LOOKING, {"MaxTurns": "12"})
        before = datetime.now(UTC)
        answer = client.ask(QUESTION)
        told = told_by(server)
        high = forecast("Hull")
        trying = [  # one look outside a turn
            turn(("describe_tool", {"server": "tides", "tool": "forecast"})),
            turn(call_tool("erase")),
            turn(call_tool("broken")),
            turn(call_tool("forecast", port="Hull")),
        ]
        server.script = looks(TIDE, trying, high)
        called = client.ask(TIDE)
        told_of_tools = told_by(server)
    assert answer["found"], (answer["degraded"], visits_of(client, answer))
    assert called["found"], (called["degraded"], visits_of(client, called))
    days = {(before + timedelta(days=n)).date().isoformat() for n in (0, 1)}
    [page] = answer["citations"]
    assert (page["quote"], page["collection"], page["verified"]) == (GATE, "web", True)
    assert page["url"] == f"{SITE}/tides"
    assert page["fetched"] in days
    stored = client.document(page["document_id"])
    assert (stored["metadata"]["url"], stored["status"]) == (page["url"], "READY")
    assert visits_of(client, answer) == [
        ("web_search", "3 results"),
        ("fetch", "page_refused"),
        ("fetch", "page_refused"),
        ("fetch", "READY"),
    ]
    assert "127.0.0.1 is inside a network" in told
    assert "sends more than 10,000,000 bytes" in told
    asked = [path for _, path in site.asked]
    assert "/inside" in asked and "/secret" not in asked

    [reply] = called["citations"]
    assert (reply["quote"], reply["collection"], reply["verified"]) == (high, "tools", True)
    assert reply["document"].startswith("tides/forecast")
    assert client.document(reply["document_id"])["status"] == "READY"
    assert visits_of(client, called) == [
        ("describe_tool", "described"),
        ("call_tool", "tool_refused"),
        ("call_tool", "READY"),
    ]
    assert "there is no gauge" in told_of_tools
    assert "there is no tool 'erase' of 'tides'" in told_of_tools
    assert "erase" not in speaker.called
    sent = {name.casefold() for headers in speaker.headers for name in headers}
    assert sent.isdisjoint({"authorization", "cookie", "x-api-key"})
