"""A small MCP server: `python -m tests.tide_server`, over its pipes, for tests that call tools."""

import time

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("tides")


@server.tool()
def forecast(port: str) -> str:
    """Says when the tide is high."""
    return f"At {port} the tide is high at 6:40."


@server.tool()
def broken() -> str:
    """Refuses."""
    raise ToolError("there is no gauge")


@server.tool()
def secret() -> str:
    """Is on no list."""
    return "nobody asked"


@server.tool()
def slow() -> str:
    """Takes longer than anybody waits."""
    time.sleep(30)
    return "late"


@server.tool()
def long() -> str:
    """Tells more than anybody reads."""
    return "high and low " * 100_000


if __name__ == "__main__":
    server.run()
