"""Finds the URL and API key of footnote: in the environment, else those of the local stack."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

from footnote.errors import ConfigurationError
from footnote.wire import Json


def endpoint() -> tuple[str, str]:
    """Returns the URL and the API key. Raises ConfigurationError, which says how to get them."""
    url, key = os.environ.get("FOOTNOTE_URL", ""), os.environ.get("FOOTNOTE_API_KEY", "")
    if url and key:
        return url, key
    found = local_stack()
    if found and found.get("api_key"):
        return str(found["api_url"]), str(found["api_key"])
    raise ConfigurationError(
        "no footnote to talk to: no running local stack, and FOOTNOTE_URL is not set",
        code="no_endpoint",
        action="Run `make demo` (or `make up deploy`), or set FOOTNOTE_URL and FOOTNOTE_API_KEY.",
    )


def local_stack() -> Json | None:
    """Returns what is noted of the local stack that is deployed; None where there is none."""
    name = os.environ.get("FOOTNOTE_STACK", "dev")
    for root in roots():
        state = root / ".footnote" / "stacks" / name / "stack.json"
        if state.is_file():
            found: Json = json.loads(state.read_text())
            if found.get("api_url"):
                return found
    return None


def roots() -> Iterator[Path]:
    """Yields the folders that may be a checkout: this one, those above, and this package's own."""
    here = Path.cwd()
    yield from (here, *here.parents)
    yield Path(__file__).resolve().parents[2]
