"""footnote: answers from your own documents, every sentence with a checked pointer to its page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footnote.client import Client

__all__ = ["Client"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Import `Client` when it is asked for: every Lambda imports this package, few need httpx."""
    if name == "Client":
        from footnote.client import Client

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
