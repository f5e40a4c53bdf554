"""footnote: answers from your own documents, every sentence with a checked pointer to its page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from footnote.client import Client

__all__ = ["Client"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Imports `Client` on demand: every Lambda imports this package, few of them need httpx."""
    if name == "Client":
        from footnote.client import Client

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
