"""Where commands find footnote: a client of the one that runs, or of one in this process."""

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx

    from footnote.client import Client

transport: ContextVar["httpx.BaseTransport | None"] = ContextVar("transport", default=None)
"""The transport of requests. None means the network, another one a footnote in this process."""


def connect() -> "Client":
    from footnote.client import Client

    return Client.connect(transport=transport.get())
