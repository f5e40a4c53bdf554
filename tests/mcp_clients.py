"""The official SDK's client, for tests that are not asynchronous themselves."""

import anyio
from mcp import Client
from mcp.shared.exceptions import MCPError


def talk(server, do, mode="auto"):
    """Connects to a server, does what `do` does with the client, and returns that.

    `mode` is the era of the protocol: "legacy" begins with the handshake of 2025, "auto" does not.
    """
    found = []

    async def run():
        async with Client(server, mode=mode) as client:
            try:
                found.append(await do(client))
            except MCPError as error:
                found.append(error)

    anyio.run(run)
    if isinstance(found[0], MCPError):
        raise found[0]
    return found[0]


def call(server, name, mode="auto", /, **arguments):
    return talk(server, lambda client: client.call_tool(name, arguments), mode)


def text_of(result):
    return "\n".join(one.text for one in result.content)
