"""Posts JSON to a provider's API and returns JSON, with its refusals as footnote's errors.

urllib3 comes with botocore and opensearch-py, so no layer grows by it.
"""

import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import urllib3

from footnote.adapters.calls.door import REFUSED
from footnote.adapters.calls.http_headers import open_pool
from footnote.adapters.calls.lateness import LATE
from footnote.errors import ConfigurationError, UnavailableError
from footnote.wire import Json

CONNECTIONS = 8  # to one host that are kept
CONNECT_SECONDS = 3.0
READ_SECONDS = 30.0  # of silence; the chain ends a call at its deadline in any case
STREAM_BYTES = 2**14  # read at once at most; what has come is read at once
NO_REASON = "no reason given"
LONGEST_WHY = 300  # characters of a provider's message in ours
BUSY = frozenset({408, 409, 425, 429})  # and all from 500: the same call may work later
OWN = frozenset({400, 413, 422})  # of this one request, which is too long or has a wrong field
CHECK = "Check key, model and limits (docs/deploying.md, Models of others)."
ELSEWHERE = "The API is at another URL: set that one in the deployment's parameters."
TOO_MUCH = "Where the text was too long, choose a model that reads more at a time (docs/models.md)."

type Post = Callable[[str, Json], Json]


class RefusalError(Exception):
    """An answer with an error status: the cause of the error that is raised."""

    def __init__(self, status: int, headers: Mapping[str, str]) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status
        self.headers = headers


class HttpJson:
    """Posts to the paths of one API. Threads may share it. The key goes into no message.

    A redirect is refused: the key would go to wherever it leads.
    """

    def __init__(
        self,
        name: str,
        url: str,
        key: str = "",
        read_seconds: float = READ_SECONDS,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._url = url.rstrip("/")
        self._headers = {"content-type": "application/json", "accept": "application/json"}
        if key:
            self._headers["authorization"] = f"Bearer {key}"
        self._read_seconds = read_seconds
        self._clock = clock
        self._pool = open_pool(CONNECTIONS)

    def post(self, path: str, body: Json, seconds: float | None = None) -> Json:
        """Returns the reply; after `seconds`, if given, the connection is closed.

        Raises UnavailableError or, for what no retry mends, ConfigurationError.
        """
        with self._open(path, body, seconds, seconds) as pieces:
            data = b"".join(pieces)
        answer = self._read(data, "answered with something else than JSON")
        if not isinstance(answer, dict):
            raise UnavailableError(f"{self._name} answered with something else than an object")
        return answer

    def events(
        self, path: str, body: Json, silence: float | None = None, seconds: float | None = None
    ) -> Iterator[Json]:
        """Yields the server-sent events of a reply, which are JSON. Raises as `post` does.

        A server that does not stream sends one object. The last event may be missing where the
        connection broke politely: the caller sees to it. `silence` bounds the time between two
        bytes, `seconds` all of it: comments may come for ever.
        """
        with self._open(path, body, silence, seconds) as pieces:
            whole = b""
            for line in _lines(pieces):
                if line.startswith(b"data:"):
                    if event := self._event(line[5:].strip()):
                        yield event
                elif line.startswith(b"{") or whole:
                    whole += line
            if whole and (event := self._event(whole)):
                yield event

    @contextmanager
    def _open(
        self, path: str, body: Json, silence: float | None, seconds: float | None
    ) -> Iterator[Iterator[bytes]]:
        """Yields the body of a reply as it comes, and closes it. Raises what `_refused` returns."""
        until = math.inf if seconds is None else self._clock() + seconds
        with self._translated():
            reply = self._send(path, body, silence)
            try:
                pieces = self._pieces(reply, until)
                if reply.status != 200:
                    raise self._refused(reply.status, reply.headers, b"".join(pieces))
                yield pieces
            finally:
                reply.close()

    def _pieces(self, reply: urllib3.BaseHTTPResponse, until: float) -> Iterator[bytes]:
        while piece := reply.read1(STREAM_BYTES):
            if self._clock() >= until:
                raise UnavailableError(f"{self._name} did not end its answer in time", code=LATE)
            yield piece

    def _read(self, data: bytes, otherwise: str) -> object:
        try:
            return json.loads(data)
        except (ValueError, RecursionError) as error:
            raise UnavailableError(f"{self._name} {otherwise}") from error

    def _event(self, text: bytes) -> Json | None:
        if text == b"[DONE]":
            return None
        event = self._read(text, "sent an event that is no JSON")
        return event if isinstance(event, dict) else None

    def _send(self, path: str, body: Json, seconds: float | None) -> urllib3.BaseHTTPResponse:
        silence = seconds or self._read_seconds
        return self._pool.request(
            "POST",
            self._url + path,
            body=json.dumps(body).encode(),
            headers=self._headers,
            preload_content=False,
            redirect=False,
            timeout=urllib3.Timeout(connect=min(CONNECT_SECONDS, silence), read=silence),
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (urllib3.exceptions.LocationValueError, urllib3.exceptions.SSLError) as error:
            raise self._misplaced(error) from error
        except urllib3.exceptions.TimeoutError as error:
            raise self._silent("gave no answer in time", error) from error
        except urllib3.exceptions.HTTPError as error:
            raise self._silent("gave no answer", error) from error

    def _silent(self, what: str, error: Exception) -> UnavailableError:
        code = LATE if isinstance(error, urllib3.exceptions.ReadTimeoutError) else ""
        return UnavailableError(
            f"{self._name} {what}", code=code, detail=f"{self._name}: {error!r}"
        )

    def _misplaced(self, error: Exception) -> ConfigurationError:
        return ConfigurationError(
            f"{self._name} cannot be called at its URL",
            action="Correct the URL in the deployment's parameters.",
            detail=f"{self._name}: {error!r}",
        )

    def _refused(
        self, status: int, headers: Mapping[str, str], data: bytes
    ) -> UnavailableError | ConfigurationError:
        message = f"{self._name} answered {status}: {_reason(data)}"
        error: UnavailableError | ConfigurationError
        if status in BUSY or status >= 500:
            error = UnavailableError(message)
        elif status in OWN:
            error = ConfigurationError(message, code=REFUSED, action=TOO_MUCH)
        else:
            error = ConfigurationError(message, action=ELSEWHERE if is_redirect(status) else CHECK)
        error.__cause__ = RefusalError(status, headers)
        return error


def retry_after(error: UnavailableError) -> float | None:
    """Returns for how many seconds the API asked to be left alone, None if it did not."""
    cause = error.__cause__
    if not isinstance(cause, RefusalError):
        return None
    try:
        return max(0.0, float(cause.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def _lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yields the lines of a body that comes in pieces of any size."""
    left = b""
    for chunk in chunks:
        *whole, left = (left + chunk).split(b"\n")
        yield from whole
    yield left


def is_redirect(status: int) -> bool:
    return 300 <= status < 400


def _reason(data: bytes) -> str:
    try:
        return reason_in(json.loads(data))
    except (ValueError, RecursionError):
        return NO_REASON


def reason_in(body: object) -> str:
    """Finds the message in the error bodies that providers send."""
    if isinstance(body, dict):
        body = body.get("error", body.get("detail", body.get("message")))
    if isinstance(body, dict):
        body = body.get("message")
    return str(body or NO_REASON)[:LONGEST_WHY]
