"""Requests to the REST API: throttled ones are sent again, errors become our exceptions."""

import random
import time
import uuid
from collections.abc import Mapping
from typing import Any

import httpx

from footnote.errors import (
    BadRequestError,
    ConflictError,
    FootnoteError,
    ForbiddenError,
    LimitedError,
    NotFoundError,
    UnauthorizedError,
    UnavailableError,
)
from footnote.wire import Json

KINDS = (
    BadRequestError,
    UnauthorizedError,
    ForbiddenError,
    NotFoundError,
    ConflictError,
    UnavailableError,
)
ERRORS: Mapping[int, type[FootnoteError]] = {kind.http_status: kind for kind in KINDS} | {
    413: BadRequestError,
    429: UnavailableError,
    502: UnavailableError,
    504: UnavailableError,
}
"""The exception for each HTTP status of our API and of API Gateway."""
GATEWAY_SILENT = (502, 504)
"""Statuses of a gateway whose function did not answer."""
NOBODY = ("throttled", "sign_in_unavailable")
"""Codes of API Gateway for requests that have reached no function of ours."""
NO_PLACE = 500
"""With `unavailable`, what API Gateway says where a function finds no place to run."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
STACK_ACTION = (
    "`make status` says what of the local stack answers, `make logs` why. `make up deploy` starts "
    "what ended; `make down deploy` starts all afresh, with empty data: then add the files again."
)
URL_ACTION = "Mend FOOTNOTE_URL, or unset it and start a local stack with `make up deploy`."
RETRY_PAUSES = (0.5, 1.0, 2.0, 4.0, 8.0, 8.0, 8.0)  # seconds, plus or minus half


class Connection:
    """Sends requests to one API. All have the same headers, which hold the credential."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: float,
        transport: httpx.BaseTransport | None,
    ) -> None:
        base = url.rstrip("/") + "/"
        try:
            self.http = httpx.Client(
                base_url=base, headers=headers, timeout=timeout, transport=transport
            )
        except httpx.InvalidURL as error:
            raise unreachable(base, error, URL_ACTION) from None

    def close(self) -> None:
        self.http.close()

    def call(self, method: str, path: str, *, read: bool = False, **options: Any) -> Json:
        """Sends a request and returns the JSON of the reply. Options are those of httpx."""
        return json_of(self.send(method, path, read=read, **options))

    def send(self, method: str, path: str, *, read: bool = False, **options: Any) -> httpx.Response:
        """Sends a request, again where it found no place to run. Raises the error of the reply.

        `read` says that a POST changes nothing. A POST that does is sent again only if it has an
        idempotency key (`once`), or has reached nobody.
        """
        safe = read or method != "POST" or KEY in options.get("headers", ())
        for pause in RETRY_PAUSES:
            answer = self._once(method, path, **options)
            if answer.status_code < 300:
                return answer
            problem = self._problem(answer)
            if not is_passing(answer.status_code, problem, safe=safe):
                raise problem
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - no secret
        answer = self._once(method, path, **options)
        if answer.status_code < 300:
            return answer
        raise self._problem(answer)

    def _once(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            return self.http.request(method, path, **options)
        except UnicodeEncodeError as error:
            raise no_text(error) from None
        except httpx.HTTPError as error:
            action = STACK_ACTION if self._is_local else URL_ACTION
            raise unreachable(str(self.http.base_url), error, action) from None

    def _problem(self, answer: httpx.Response) -> FootnoteError:
        body = json_of(answer)
        body = body if isinstance(body, dict) else {}  # a gateway's own JSON may be anything
        problem = error_of(answer.status_code, body, answer.headers.get("retry-after", ""))
        if answer.status_code in GATEWAY_SILENT and self._is_local:
            problem.action = STACK_ACTION
        return problem

    @property
    def _is_local(self) -> bool:
        return self.http.base_url.host in LOOPBACK


KEY = "idempotency-key"


def once() -> dict[str, str]:
    """Returns the header by which a request is done once, however often it is sent."""
    return {KEY: uuid.uuid4().hex}


def is_passing(status: int, problem: FootnoteError, *, safe: bool) -> bool:
    """Returns whether to send a request again: it reached nobody, or it may have and is safe."""
    if isinstance(problem, LimitedError):
        return problem.seconds <= 1  # else it is a limit of the day
    if problem.code in NOBODY:
        return True
    busy = status == NO_PLACE and problem.code == UnavailableError.default_code
    return safe and (busy or problem.code == "request_running")


SILENCE: Mapping[type[Exception], str] = {
    httpx.TimeoutException: "it took too long",
    httpx.UnsupportedProtocol: "its address begins with neither http:// nor https://",
    httpx.ConnectError: "no connection can be made",
    httpx.HTTPError: "the connection broke",
    httpx.InvalidURL: "its address is none",
}
"""Why a service gives no answer, by httpx's exception. The first class that fits counts."""


def reason_of(error: BaseException) -> str:
    """Returns why no answer came: the operating system's reason, else one of ours."""
    words = next((why for kind, why in SILENCE.items() if isinstance(error, kind)), "it failed")
    cause: BaseException | None = error
    while cause:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return words


def unreachable(url: str, error: Exception, action: str) -> UnavailableError:
    return UnavailableError(
        f"{url} does not answer: {reason_of(error)}", code="unreachable", action=action
    )


def no_text(error: UnicodeEncodeError) -> BadRequestError:
    """Returns the error for a character without bytes, as from a terminal in another encoding."""
    near = error.object[max(0, error.start - 50) : error.start + 50]
    return BadRequestError(
        f"{near!r} has a character that cannot be sent",
        code="bad_text",
        action="Write it anew, in UTF-8.",
    )


def json_of(answer: httpx.Response) -> Json:
    try:
        body: Json = answer.json()
    except ValueError:
        return {}
    return body


def error_of(status: int, body: Json, retry_after: str = "") -> FootnoteError:
    """Returns the exception for an HTTP reply that is not a success."""
    kind = ERRORS.get(status, FootnoteError)
    problem = body.get("error")
    if not isinstance(problem, dict):
        return kind(f"HTTP {status}: {str(body.get('message', 'no explanation'))[:300]}")
    code = str(problem.get("code", ""))
    if code == LimitedError.default_code:
        kind = LimitedError
    elif code == UnavailableError.default_code:  # whatever the status: a gateway says 500
        kind = UnavailableError
    error = kind(str(problem.get("message")), code=code, action=str(problem.get("action", "")))
    if isinstance(error, LimitedError) and retry_after.isdecimal():
        error.seconds = int(retry_after)
    return error
