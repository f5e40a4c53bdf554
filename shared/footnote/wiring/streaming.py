"""The runtime of a function that streams: Lambda's own for Python sends a reply whole.

The wrapper `functions/stream/bootstrap` starts it in that one's place. It speaks the Runtime API
itself (Lambda Developer Guide, "Building a custom runtime for AWS Lambda"). A streamed reply begins
with status and headers as JSON and eight NULs (API Gateway Developer Guide, "Set up a Lambda proxy
integration with payload response streaming").
"""

import base64
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPConnection, HTTPMessage
from importlib import import_module

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.wire import Json
from footnote.wiring.logs import logger

type Handler = Callable[[Json, LambdaContext], Json]
"""Returns `statusCode`, `multiValueHeaders` and `body`: a text, or an iterator of its pieces."""

API = "/2018-06-01/runtime"
NULS = b"\0" * 8
ERROR_TYPE = "Lambda-Runtime-Function-Error-Type"
ERROR_BODY = "Lambda-Runtime-Function-Error-Body"
STREAMED = {
    "Content-Type": "application/vnd.awslambda.http-integration-response",
    "Lambda-Runtime-Function-Response-Mode": "streaming",
    "Transfer-Encoding": "chunked",
    "Trailer": f"{ERROR_TYPE}, {ERROR_BODY}",
}


class Invocation(LambdaContext):
    """What the Runtime API says of an invocation, in the form that handlers are given."""

    def __init__(self, headers: HTTPMessage, environ: Mapping[str, str]) -> None:
        self._aws_request_id = headers["Lambda-Runtime-Aws-Request-Id"]
        self._invoked_function_arn = headers["Lambda-Runtime-Invoked-Function-Arn"]
        self._function_name = environ.get("AWS_LAMBDA_FUNCTION_NAME", "")
        self._memory_limit_in_mb = int(environ.get("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "0"))
        self._deadline = float(headers["Lambda-Runtime-Deadline-Ms"])

    def get_remaining_time_in_millis(self) -> int:  # type: ignore[override]  # theirs is static
        return max(0, round(self._deadline - time.time() * 1000))


def serve(address: str, handler: Handler, environ: Mapping[str, str]) -> None:
    """Answers one invocation. Raises RuntimeError where there are no more."""
    waiting = HTTPConnection(address)  # without a time limit: it waits for somebody to ask
    waiting.request("GET", f"{API}/invocation/next")
    given = waiting.getresponse()
    body = given.read()
    waiting.close()
    if given.status != 200:
        raise RuntimeError(f"the Runtime API replied {given.status}: {body[:200]!r}")
    context = Invocation(given.headers, environ)
    path = f"{API}/invocation/{context.aws_request_id}"
    try:
        reply = handler(json.loads(body), context)
        pieces = pieces_of(reply)
        first = next(pieces)
    except Exception as error:  # noqa: BLE001 - whatever it is, Lambda is told; the next may come
        logger.exception("request failed")
        post_error(address, f"{path}/error", error)
    else:
        stream(address, f"{path}/response", first, pieces)


def pieces_of(reply: Json) -> Iterator[bytes]:
    """Yields a reply in the form that API Gateway reads, without empty pieces."""
    body = reply["body"] or ""
    head = {name: reply[name] for name in ("statusCode", "multiValueHeaders")}
    yield json.dumps(head).encode() + NULS
    for piece in [body] if isinstance(body, str) else body:
        if piece:
            yield piece.encode("utf-8", "replace")


def stream(address: str, path: str, first: bytes, pieces: Iterator[bytes]) -> None:
    """Sends pieces as chunks, each as soon as it is there. An error among them ends the reply."""
    connection = HTTPConnection(address)
    connection.putrequest("POST", path)
    for name, value in STREAMED.items():
        connection.putheader(name, value)
    connection.endheaders()
    try:
        for chunk in chunks(first, pieces):
            connection.send(chunk)
        connection.getresponse().read()
    except OSError as error:  # Lambda wants no more of it: the time is over, or nobody reads
        logger.warning("reply was cut", kind=type(error).__name__)
    connection.close()  # the Runtime API wants that after a stream


def chunks(first: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yields pieces as chunks of HTTP/1.1, and the end with what there is to say of an error."""
    piece: bytes | None = first
    trailers = ""
    while piece:
        yield b"%x\r\n%b\r\n" % (len(piece), piece)
        try:
            piece = next(pieces, None)
        except Exception as error:  # noqa: BLE001 - the status is sent: only a trailer can tell
            logger.exception("reply broke off")
            told = base64.b64encode(describe(error)).decode()
            trailers = f"{ERROR_TYPE}: {type(error).__name__}\r\n{ERROR_BODY}: {told}\r\n"
            piece = None
    yield f"0\r\n{trailers}\r\n".encode()


def describe(error: Exception) -> bytes:
    """Returns what Lambda is told of an error: its kind. The words are in the log."""
    told = {"errorType": type(error).__name__, "errorMessage": "the request failed"}
    return json.dumps(told).encode()


def post_error(address: str, path: str, error: Exception) -> None:
    connection = HTTPConnection(address)
    headers = {"Content-Type": "application/json", ERROR_TYPE: type(error).__name__}
    connection.request("POST", path, describe(error), headers)
    connection.getresponse().read()
    connection.close()


def main(environ: Mapping[str, str]) -> None:
    """Serves the handler that `_HANDLER` names, as "module.function", until the process ends."""
    address = environ["AWS_LAMBDA_RUNTIME_API"]
    module, _, name = environ["_HANDLER"].rpartition(".")
    try:
        handler: Handler = getattr(import_module(module), name)
    except Exception as error:
        post_error(address, f"{API}/init/error", error)
        raise
    while True:
        serve(address, handler, environ)


if __name__ == "__main__":
    main(os.environ)
