"""Which tools of MCP servers a model may call: the setting ToolServers, read and checked."""

import json
from collections.abc import Mapping

from pydantic import Field, TypeAdapter, ValidationError

from footnote.errors import BadRequestError, ConfigurationError
from footnote.model.identity import StrictValue

ACTION = (
    'Set ToolServers to JSON as {"name": {"url": "https://…/mcp", "tools": ["tool"]}}; `command`'
    " in place of `url` names a program and its arguments."
)


class ToolServer(StrictValue):
    """An MCP server, at a `url` or started by a `command`, and those of its tools that count."""

    url: str = Field(default="", pattern=r"^(https?://[\x21-\x7e]+)?$")
    command: tuple[str, ...] = ()
    tools: tuple[str, ...] = Field(min_length=1)


_SERVERS = TypeAdapter(dict[str, ToolServer])


def parse_servers(text: str) -> Mapping[str, ToolServer]:
    """Returns the servers of the setting by name. Raises ConfigurationError where it is wrong."""
    if not text:
        return {}
    try:
        servers = _SERVERS.validate_python(json.loads(text))
    except (ValueError, ValidationError):
        raise ConfigurationError("ToolServers is not as it should be", action=ACTION) from None
    for name, server in servers.items():
        if not name.isidentifier() or bool(server.url) == bool(server.command):
            raise ConfigurationError(f"the tool server {name[:50]} cannot be used", action=ACTION)
    return servers


def must_be_allowed(server: str, tool: str, servers: Mapping[str, ToolServer]) -> ToolServer:
    """Returns the server of a tool. Raises BadRequestError for a tool that does not count."""
    known = servers.get(server)
    if known is None or tool not in known.tools:
        listed = (f"{name}: {', '.join(each.tools)}" for name, each in servers.items())
        raise BadRequestError(
            f"there is no tool {tool[:50]!r} of {server[:50]!r}",
            action=f"There are: {'; '.join(listed)}.",
        )
    return known
