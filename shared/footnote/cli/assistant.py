"""The command `footnote mcp`. The SDK that it needs is an extra of the package."""

from importlib.util import find_spec

from footnote.client import Client
from footnote.errors import ConfigurationError


def serve(client: Client) -> None:
    """Serves until the input ends. Raises ConfigurationError where the SDK is not installed."""
    if find_spec("mcp") is None:
        raise ConfigurationError(
            "the package `mcp` is not installed, which `footnote mcp` needs",
            code="no_mcp",
            action="Install footnote with it: `pipx install 'footnote[mcp]'`, or in a checkout "
            "`make setup`.",
        )
    from footnote.mcp.over_stdio import serve_stdio

    serve_stdio(client)
