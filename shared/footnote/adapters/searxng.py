"""Asks a searcher that a team runs itself: SearXNG, by its JSON.

https://docs.searxng.org/dev/search_api.html. Only who deploys names its address, so that may lie
inside a network.
"""

import json
import time
from urllib.parse import urlsplit

import urllib3

from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import WebResult

SECONDS = 8.0  # in all; it waits for engines of its own
MOST_BYTES = 1_000_000
TITLE, SNIPPET, ADDRESS = 200, 500, 1_500  # characters that are kept
ACTION = "Correct WebSearchUrl, and have SearXNG give JSON (`search.formats` in its settings.yml)."


class Searxng:
    """Implements the port WebSearch over one SearXNG."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        self._url = url.rstrip("/")
        self._seconds = seconds
        timeout = urllib3.Timeout(connect=3.0, read=min(seconds, SECONDS))
        self._pool = urllib3.PoolManager(retries=False, timeout=timeout)

    def find(self, query: str, most: int) -> tuple[WebResult, ...]:
        found = self._ask(query).get("results")
        results = map(_result, found if isinstance(found, list) else ())
        by_address = {result.url: result for result in reversed([*filter(None, results)])}
        return tuple(reversed(by_address.values()))[:most]

    def _ask(self, query: str) -> dict[str, object]:
        until = time.monotonic() + self._seconds
        fields = {"q": query, "format": "json"}
        try:
            reply = self._pool.request(
                "GET", f"{self._url}/search", fields=fields, redirect=False, preload_content=False
            )
            try:
                status, body = reply.status, _read(reply, until)
            finally:
                reply.close()
        except urllib3.exceptions.LocationValueError:
            raise ConfigurationError("the searcher's address is no URL", action=ACTION) from None
        except urllib3.exceptions.HTTPError as error:
            raise _unavailable("gave no answer", repr(error)) from error
        if status == 429 or status >= 500:
            raise _unavailable(f"answered {status}")
        if status != 200:
            raise ConfigurationError(f"the searcher answered {status}", action=ACTION)
        try:
            answer = json.loads(body)
        except (ValueError, RecursionError):
            raise _unavailable("answered with something else than JSON") from None
        return answer if isinstance(answer, dict) else {}


def _read(reply: urllib3.BaseHTTPResponse, until: float) -> bytes:
    """Returns the body. Raises UnavailableError where it is too long, or takes too long."""
    body = bytearray()
    while block := reply.read1(2**14):  # what has come, so that a trickle is noticed
        body += block
        if len(body) > MOST_BYTES or time.monotonic() > until:
            raise _unavailable("sent too much, or took too long")
    return bytes(body)


def _result(found: object) -> WebResult | None:
    """Returns one result as text, None for what is no page of the web."""
    if not isinstance(found, dict):
        return None
    url, title, snippet = (found.get(name) for name in ("url", "title", "content"))
    if not isinstance(url, str) or len(url) > ADDRESS or not url.isascii():
        return None
    try:
        is_page = urlsplit(url).scheme in {"http", "https"}
    except ValueError:
        return None
    if not is_page or any(sign.isspace() for sign in url):
        return None
    return WebResult(url=url, title=_clean(title, TITLE), snippet=_clean(snippet, SNIPPET))


def _clean(text: object, most: int) -> str:
    return " ".join(text.split())[:most] if isinstance(text, str) else ""


def _unavailable(why: str, detail: str = "") -> UnavailableError:
    return UnavailableError(
        f"the searcher {why}", code="search_unavailable", action="Try again later.", detail=detail
    )
