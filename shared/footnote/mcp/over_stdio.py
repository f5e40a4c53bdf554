"""MCP over standard input and output: `footnote mcp`, for assistants that start a program."""

import sys

import anyio
from mcp.server.stdio import stdio_server

from footnote.api.waiting import Waiting
from footnote.errors import FootnoteError
from footnote.mcp.face import Face
from footnote.mcp.server import make_server

WAIT = 45.0  # seconds that `ask` waits: clients give a call up after a minute, some later


def serve_stdio(face: Face) -> None:
    """Answers until the input ends."""
    anyio.run(_serve, face)


def tell(error: FootnoteError) -> None:
    """Writes what a caller does not read to standard error: the assistant keeps that as a log."""
    if error.detail:
        sys.stderr.write(f"{error.code}: {error.reason}\n")


async def _serve(face: Face) -> None:
    server = make_server(face, lambda: Waiting(WAIT, None), tell)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
