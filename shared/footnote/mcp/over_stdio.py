"""MCP over standard input and output: `footnote mcp`, for assistants that start a program."""

import sys

import anyio
from mcp.server.stdio import stdio_server

from footnote.api.waiting import Waiting
from footnote.errors import FootnoteError
from footnote.mcp.face import Face
from footnote.mcp.server import make_server

WAIT = 45.0  # seconds that `ask` waits: many clients give up a call after a minute


def serve_stdio(face: Face) -> None:
    """Answers until the input ends."""
    anyio.run(_serve, face)


def tell(error: FootnoteError) -> None:
    """Writes an error's details to standard error, which the assistant stores as a log."""
    if error.detail:
        sys.stderr.write(f"{error.code}: {error.reason}\n")


async def _serve(face: Face) -> None:
    server = make_server(face, lambda: Waiting(WAIT, None), tell, tells_progress=True)
    async with stdio_server() as (requests, replies):
        await server.run(requests, replies, server.create_initialization_options())
