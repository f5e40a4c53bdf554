"""An OpenID provider over HTTP: its description of itself, and its public keys.

https://openid.net/specs/openid-connect-discovery-1_0.html
"""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import urllib3
from pydantic import ValidationError

from footnote.errors import ConfigurationError, FootnoteError, NotFoundError, UnavailableError
from footnote.model import Discovery

PATH = "/.well-known/openid-configuration"
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MOST_BYTES = 256_000  # real ones have 2 to 20 KB
SECONDS = 4.0  # for one document in all: a request waits for it
DISCOVERY_SECONDS = 3600.0  # endpoints hardly ever change
KEYS_SECONDS = 600.0  # a key that its issuer has withdrawn may count for this long
# Seconds between two fetches for unknown keys, so that tokens with made-up keys cause few. A new
# key may be refused as long: providers publish a key long before they use it.
PAUSE = 10.0
FAILED_PAUSE = 3.0  # seconds after a failure in which requests fail without asking again
ACTION = "Correct OidcIssuer (docs/deploying.md, Sign-in by OpenID) and deploy again."

type Keys = Mapping[str, Mapping[str, object]]


class HttpIssuer:
    """Asks the provider whose `issuer` is this URL, and remembers its answers for a time."""

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        timeout = urllib3.Timeout(connect=2.0, read=2.0)
        self._pool = urllib3.PoolManager(retries=False, timeout=timeout)
        self._described: Discovery | None = None
        self._described_until = 0.0
        self._keys: Keys = {}
        self._keys_until = 0.0  # when keys are to be fetched again
        self._next_look = 0.0  # when a key that is not known may be looked for again
        self._failure: FootnoteError | None = None
        self._failed_until = 0.0

    def describe(self) -> Discovery:
        if self._described is None or self._clock() >= self._described_until:
            self._described = self._ask(self._discover)
            self._described_until = self._clock() + DISCOVERY_SECONDS
        return self._described

    def key(self, name: str) -> Mapping[str, object]:
        now = self._clock()
        unknown = name not in self._keys and now >= self._next_look
        if now >= self._keys_until or unknown:
            self._keys = self._ask(self._fetch_keys)
            self._keys_until = self._clock() + KEYS_SECONDS
            self._next_look = self._clock() + PAUSE
        if name not in self._keys:
            raise NotFoundError("the sign-in service has no such key")
        return self._keys[name]

    def _ask[T](self, ask: Callable[[], T]) -> T:
        """Asks the provider. If it has just failed, raises that failure again instead."""
        if self._failure and self._clock() < self._failed_until:
            failed = self._failure
            raise type(failed)(failed.message, action=failed.action, detail=failed.detail)
        try:
            answer = ask()
        except FootnoteError as error:
            self._failure, self._failed_until = error, self._clock() + FAILED_PAUSE
            raise
        self._failure = None
        return answer

    def _discover(self) -> Discovery:
        document = self._fetch(self._url.rstrip("/") + PATH)
        fields = {name: document.get(name) for name in Discovery.model_fields}
        try:
            discovery = Discovery.model_validate(fields)
        except ValidationError as error:
            wrong = error.errors(include_input=False)[0]["loc"][0]
            raise ConfigurationError(
                f"the sign-in service says nothing of use for {wrong}", action=ACTION
            ) from None
        if discovery.issuer != self._url:
            raise ConfigurationError(
                "the sign-in service says that it is another issuer; the two must be the same,"
                " letter by letter",
                action=ACTION,
                detail=f"{self._url} says that it is {discovery.issuer[:200]}",
            )
        for url in (discovery.authorization_endpoint, discovery.token_endpoint):
            must_be_safe(url)
        return discovery

    def _fetch_keys(self) -> Keys:
        """Returns the issuer's keys for signatures, by name. It leaves out shared secrets."""
        keys = self._fetch(self.describe().jwks_uri).get("keys")
        if not isinstance(keys, list):
            raise UnavailableError("the sign-in service shows no list of keys")
        return {
            key["kid"]: key
            for key in keys
            if isinstance(key, dict)
            and isinstance(key.get("kid"), str)
            and key.get("kty") in ("RSA", "EC")
            and key.get("use", "sig") == "sig"
        }

    def _fetch(self, url: str) -> dict[str, Any]:
        """Returns the JSON object at a URL. It follows no redirect."""
        must_be_safe(url)
        until = time.monotonic() + SECONDS
        try:
            reply = self._pool.request("GET", url, redirect=False, preload_content=False)
            try:
                status, body = reply.status, read_some(reply, until)
            finally:
                reply.close()
        except urllib3.exceptions.LocationValueError:
            raise ConfigurationError(
                "an address of the sign-in service is no URL", action=ACTION, detail=url[:200]
            ) from None
        except urllib3.exceptions.HTTPError as error:
            raise unanswered(url, "gave no answer", repr(error)) from error
        if status != 200:
            raise unanswered(url, f"answered {status}")
        try:
            document = json.loads(body)
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise unanswered(url, "answered with something else than a JSON object")
        return document


def unanswered(url: str, why: str, cause: str = "") -> UnavailableError:
    detail = f"{url} {why}" + (f": {cause}" if cause else "")
    return UnavailableError(f"the sign-in service {why}", detail=detail)


def read_some(reply: urllib3.BaseHTTPResponse, until: float) -> bytes:
    """Reads a body. Raises UnavailableError for one that is too large or comes too slowly."""
    body = b""
    while piece := reply.read1(2**14):
        body += piece
        if len(body) > MOST_BYTES:
            raise UnavailableError(f"the sign-in service answered with over {MOST_BYTES:,} bytes")
        if time.monotonic() > until:
            raise UnavailableError(f"the sign-in service took over {SECONDS:.0f} s")
    return body


def must_be_safe(url: str) -> None:
    """Raises ConfigurationError for a URL whose answers others could change on their way."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        parts, host = urlsplit(""), None
    if not host or not (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK)):
        raise ConfigurationError(
            "an address of the sign-in service is no https URL",
            action=ACTION,
            detail=repr(url[:200]),
        )
