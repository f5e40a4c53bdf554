"""Makes the OpenSearch client and translates its exceptions to ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol
from urllib.parse import urlsplit

from opensearchpy import OpenSearch, Urllib3AWSV4SignerAuth, exceptions
from opensearchpy.serializer import JSONSerializer
from pydantic_core import from_json, to_json

from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)

TIMEOUT = 10
_RETRIES = 2  # of the socket only; the caller's queue or state machine retries a refusal
_CONNECTIONS = 16

type Auth = tuple[str, str] | Urllib3AWSV4SignerAuth


class QuickJson(JSONSerializer):
    """Reads and writes JSON by pydantic's parser, in three quarters of the time Python's own takes.

    The reply to a search of five legs is 125 KB; to read it took as long as to embed the query.
    """

    def loads(self, s: str) -> Any:
        try:
            return from_json(s, cache_strings="keys")
        except ValueError as exc:
            raise exceptions.SerializationError(s, exc) from exc

    def dumps(self, data: Any) -> Any:
        if isinstance(data, str):  # the lines of a bulk request are text already
            return data
        try:
            return to_json(data).decode()
        except ValueError as exc:
            raise exceptions.SerializationError(data, exc) from exc


class Credentials(Protocol):
    """The part of boto3's `Session().get_credentials()` that signing needs."""

    def get_frozen_credentials(self) -> object: ...


def aws_auth(credentials: Credentials, region: str) -> Urllib3AWSV4SignerAuth:
    """Returns an auth that signs requests to an Amazon OpenSearch Service domain."""
    return Urllib3AWSV4SignerAuth(credentials, region, "es")


def connect(url: str, auth: Auth | None) -> OpenSearch:
    """Makes a client. It opens no connection before its first request, and threads may share it.

    Raises ConfigurationError for a URL that is no HTTP address.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError(
            "what is set is not the address of an OpenSearch server",
            detail=f"{url!r} is no address",
            action="Set it like https://search.example.org or http://127.0.0.1:9200.",
        )
    return OpenSearch(
        hosts=[url],
        http_auth=auth,
        timeout=TIMEOUT,
        max_retries=_RETRIES,
        retry_on_status=(),
        pool_maxsize=_CONNECTIONS,
        verify_certs=True,
        serializer=QuickJson(),
    )


ERRORS: dict[type[Exception], type[FootnoteError]] = {
    exceptions.AuthenticationException: ConfigurationError,
    exceptions.AuthorizationException: ConfigurationError,
    exceptions.ConflictError: UnavailableError,  # someone else wrote at the same moment
    exceptions.ConnectionError: UnavailableError,
    exceptions.ConnectionTimeout: UnavailableError,
    exceptions.IllegalOperation: ConfigurationError,
    exceptions.ImproperlyConfigured: ConfigurationError,
    exceptions.NotFoundError: NotFoundError,
    exceptions.OpenSearchDslException: ConfigurationError,
    exceptions.OpenSearchException: UnavailableError,
    exceptions.RequestError: BadRequestError,
    exceptions.SSLError: ConfigurationError,
    exceptions.SerializationError: ConfigurationError,
    exceptions.TransportError: ConfigurationError,  # when its status is not in `TRANSIENT`
    exceptions.UnknownDslObject: ConfigurationError,
    exceptions.ValidationException: ConfigurationError,
}
TRANSIENT = frozenset({408, 429, 500, 502, 503, 504})
"""Statuses of requests, and of items in a bulk reply, that may succeed when sent again."""

# A full disk or a missing cluster manager causes it. Its status is 403, but it passes.
_BLOCKED = "cluster_block_exception"


MESSAGES: dict[type[FootnoteError], str] = {
    BadRequestError: "the index cannot take this request",
    ConfigurationError: "footnote cannot use its index as it is set up",
    NotFoundError: "the index, or a part of it, is not there",
    UnavailableError: "the index does not answer now",
}
"""Our error → what callers read of it."""


@contextmanager
def translate_errors(doing: str) -> Iterator[None]:
    """Raises the client's exceptions as ours. `doing` says what was tried, and on what."""
    try:
        yield
    except tuple(ERRORS) as exc:
        raise to_footnote(exc, doing) from exc


def to_footnote(exc: Exception, doing: str) -> FootnoteError:
    kind = ERRORS[type(exc)]
    if isinstance(exc, exceptions.TransportError) and (
        exc.status_code in TRANSIENT or exc.error == _BLOCKED
    ):
        kind = UnavailableError
    return kind(MESSAGES[kind], detail=f"{doing}: OpenSearch says {_reason(exc)}")


def _reason(exc: Exception) -> str:
    """Returns the server's words without the request (a query, a vector) that it repeats."""
    return f"{type(exc).__name__}: {exc}"[:500]
