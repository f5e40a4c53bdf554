"""Tools of MCP servers are called over pipes and HTTP, as far as a deployment allows them."""

import json
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from footnote.adapters.mcp_servers import MOST, McpServers
from footnote.adapters.memory.small import MemoryToolServers
from footnote.errors import BadRequestError, UnavailableError
from footnote.outside.tool_servers import ToolServer
from tests.contract.suites.outside import ToolServersSuite
from tests.serving import LoopbackServer, serving

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = (sys.executable, str(ROOT / "tests" / "tide_server.py"))
ALLOWED = ("forecast", "broken", "slow", "long")


def forecast(port):
    """Says when the tide is high."""
    return f"At {port} the tide is high at 6:40."


def broken():
    raise BadRequestError("there is no gauge", code="tool_refused")


class TestMemoryToolServers(ToolServersSuite):
    @pytest.fixture
    def servers(self):
        return MemoryToolServers({"tides": {"forecast": forecast, "broken": broken}})


@pytest.mark.slow
class TestMcpServers(ToolServersSuite):
    @pytest.fixture
    def servers(self):
        return McpServers({"tides": ToolServer(command=PROGRAM, tools=ALLOWED)}, seconds=60.0)

    def test_a_reply_is_cut(self, servers):
        assert len(servers.call("tides", "long", {})) == MOST

    def test_a_tool_that_is_allowed_and_not_there_is_refused(self):
        known = {"tides": ToolServer(command=PROGRAM, tools=("gone",))}
        with pytest.raises(BadRequestError, match="no tool gone now"):
            McpServers(known, seconds=60.0).describe("tides", "gone")

    @pytest.mark.parametrize(
        "server",
        [
            ToolServer(command=("/no/such/program",), tools=("forecast",)),
            ToolServer(command=(sys.executable, "-c", "print('hello')"), tools=("forecast",)),
            ToolServer(url="http://127.0.0.1:9/mcp", tools=("forecast",)),
        ],
    )
    def test_a_server_that_is_none_is_unavailable(self, server):
        with pytest.raises(UnavailableError) as failed:
            McpServers({"tides": server}, seconds=20.0).call("tides", "forecast", {})
        assert failed.value.code == "tool_unavailable"

    def test_a_call_ends_with_its_time(self):
        known = {"tides": ToolServer(command=PROGRAM, tools=("slow",))}
        with pytest.raises(UnavailableError):
            McpServers(known, seconds=3.0).call("tides", "slow", {})


class Speaker(LoopbackServer):
    """Speaks as much of MCP's streamable HTTP as a call needs, as a release of 2025 does."""

    def __init__(self):
        super().__init__(Speaking)
        self.headers = []
        self.called = []  # names of the tools


class Speaking(BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.headers.append(dict(self.headers))
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if asked["method"] == "tools/call":
            self.server.called.append(asked["params"]["name"])
        if "id" not in asked:
            self._send(202, b"")
            return
        told = {
            "jsonrpc": "2.0",
            "id": asked["id"],
            **answer(asked["method"], asked.get("params", {})),
        }
        self._send(200, json.dumps(told).encode())

    def do_GET(self):
        self._send(405, b"")

    def do_DELETE(self):
        self._send(200, b"")

    def _send(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def answer(method, params):
    if method == "initialize":
        info = {"name": "tides", "version": "1"}
        version = params["protocolVersion"]
        found = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        schema = {"type": "object", "properties": {"port": {"type": "string"}}}
        told = {"name": "forecast", "description": forecast.__doc__, "inputSchema": schema}
        found = {"tools": [told, {"name": "broken", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call" and params["name"] == "forecast":
        text = forecast(**params["arguments"])
        picture = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
        found = {"content": [{"type": "text", "text": text}, picture]}
    elif method == "tools/call":
        text = {"type": "text", "text": "there is no gauge"}
        found = {"content": [text], "isError": True}
    else:
        return {"error": {"code": -32601, "message": f"no method {method}"}}
    return {"result": found}


@pytest.mark.slow
class TestMcpServersOverHttp(ToolServersSuite):
    @pytest.fixture
    def speaker(self):
        with serving(Speaker()) as server:
            yield server

    @pytest.fixture
    def servers(self, speaker):
        known = ToolServer(url=f"{speaker.url}/mcp", tools=ALLOWED)
        return McpServers({"tides": known}, seconds=60.0)

    def test_a_server_is_sent_no_credentials(self, servers, speaker):
        servers.call("tides", "forecast", {"port": "Hull"})
        sent = {name.casefold() for headers in speaker.headers for name in headers}
        assert sent.isdisjoint({"authorization", "cookie", "x-api-key"})
