"""MCP over standard input and output: `footnote mcp`, for assistants that start a program."""

import anyio
from mcp.server.stdio import stdio_server

from footnote.api.waiting import Waiting
from footnote.mcp.face import Face
from footnote.mcp.server import make_server

WAIT = 45.0  # seconds that `ask` waits: clients give a call up after a minute, some later


def serve_stdio(face: Face) -> None:
    """Answers until the input ends."""
    anyio.run(_serve, face)


async def _serve(face: Face) -> None:
    server = make_server(face, lambda: Waiting(WAIT, None))
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
