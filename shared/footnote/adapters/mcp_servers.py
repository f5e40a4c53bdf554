"""Calls tools of MCP servers by the official SDK, over HTTP or over the pipes of a program.

A call is a connection of its own, within a time. What a server returns is text, and no more of it
is kept than a document should have.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED, REQUEST_TIMEOUT, TextContent

from footnote.errors import BadRequestError, FootnoteError, UnavailableError
from footnote.model import ServerTool
from footnote.outside.tool_servers import ToolServer, must_be_allowed

SECONDS = 10.0  # of a call in all, with the start of its server
MOST = 200_000  # characters of a reply
FAILURES = (MCPError, OSError, TimeoutError, ValueError, httpx2.HTTPError, RuntimeError)
DESCRIPTION = 600  # characters of what a server says of a tool


class McpServers:
    """Implements the port ToolServers for the servers that a deployment names."""

    def __init__(self, servers: Mapping[str, ToolServer], seconds: float = SECONDS) -> None:
        self._servers = servers
        self._seconds = seconds

    def describe(self, server: str, tool: str) -> ServerTool:
        async def ask(client: Client) -> ServerTool:
            for each in (await client.list_tools()).tools:
                if each.name == tool:
                    told = (each.description or "")[:DESCRIPTION]
                    return ServerTool(description=told, arguments=each.input_schema)
            raise BadRequestError(f"{server} has no tool {tool} now", action="Go on without it.")

        return self._with(server, tool, ask)

    def call(self, server: str, tool: str, arguments: Mapping[str, object]) -> str:
        async def ask(client: Client) -> str:
            result = await client.call_tool(tool, dict(arguments))
            text = "\n\n".join(one.text for one in result.content if isinstance(one, TextContent))
            if result.is_error:
                raise _refused(server, text)
            return text[:MOST]

        return self._with(server, tool, ask)

    def _with[T](self, server: str, tool: str, ask: Callable[[Client], Awaitable[T]]) -> T:
        """Connects, asks, and returns what was answered. Raises footnote's errors alone."""
        known = must_be_allowed(server, tool, self._servers)
        answers: list[T] = []

        async def run() -> None:
            with anyio.fail_after(self._seconds):
                async with Client(_place(known), read_timeout_seconds=self._seconds) as client:
                    answers.append(await ask(client))

        try:
            anyio.run(run)
        except (ExceptionGroup, BadRequestError, *FAILURES) as error:
            raise _translated(server, _first(error)) from error
        return answers[0]


def _place(server: ToolServer) -> Any:
    """Returns where a server is, as the SDK takes it. A program gets none of our environment."""
    if server.url:
        return server.url
    return StdioServerParameters(command=server.command[0], args=list(server.command[1:]))


def _first(error: Exception) -> Exception:
    """Returns an exception, or the first one of a group, however deep it lies."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return error


def _translated(server: str, error: Exception) -> FootnoteError:
    if isinstance(error, BadRequestError):
        return error
    if isinstance(error, MCPError) and error.error.code not in {CONNECTION_CLOSED, REQUEST_TIMEOUT}:
        return _refused(server, error.error.message)
    return UnavailableError(
        f"the tool server {server} gave no answer", code="tool_unavailable",
        action="Go on without it, or try again later.", detail=repr(error)[:300],
    )  # fmt: skip


def _refused(server: str, why: str) -> BadRequestError:
    return BadRequestError(
        f"{server} refused: {' '.join(why.split())[:300]}", code="tool_refused",
        action="Correct the arguments, or go on without it.",
    )  # fmt: skip
