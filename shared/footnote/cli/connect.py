"""Where commands find footnote: over the network, or in this process."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

    from footnote.client import Client

transport: ContextVar["httpx.BaseTransport | None"] = ContextVar("transport", default=None)
"""The transport of requests. None means the network; another one leads into this process."""


def connect() -> "Client":
    from footnote.client import Client

    return Client.connect(transport=transport.get())
