"""Stands for API Gateway in this process: an HTTP request becomes the event of the API's function.

With it `footnote.client` talks to `functions/api` without a socket, and the processor time of each
request is that of the function alone.
"""

import time
from typing import Any
from urllib.parse import parse_qsl

import httpx
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.api import routes
from footnote.client import Client

URL = "http://footnote.invalid/prod"
KEY_ID = "eval"


class Context(LambdaContext):
    """The context of an invocation, as far as the API's function looks at it."""

    _aws_request_id = "eval"


class Gateway(httpx.BaseTransport):
    """Hands each request to the API's function and notes its milliseconds of processor."""

    def __init__(self) -> None:
        self.cpu_ms: list[float] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        event = to_event(request)
        started = time.process_time()
        answer = routes.handle(event, Context())
        self.cpu_ms.append((time.process_time() - started) * 1000)
        headers = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        return httpx.Response(answer["statusCode"], headers=headers, text=answer["body"])

    def connect(self) -> Client:
        return Client(URL, KEY_ID, transport=self)


def to_event(request: httpx.Request) -> dict[str, Any]:
    """Makes the event of a REST API with proxy integration, as in events/api-search.json."""
    raw_path, _, query = request.url.raw_path.decode().partition("?")
    path = raw_path.removeprefix("/prod")
    headers = dict(request.headers)
    parameters = dict(parse_qsl(query, keep_blank_values=True)) or None
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": request.method,
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": parameters,
        "multiValueQueryStringParameters": {
            name: [value] for name, value in (parameters or {}).items()
        }
        or None,
        "pathParameters": {"proxy": path.removeprefix("/")},
        "stageVariables": None,
        "requestContext": {
            "httpMethod": request.method,
            "path": raw_path,
            "stage": "prod",
            "requestId": "eval",
            "identity": {"apiKeyId": request.headers["x-api-key"]},
        },
        "body": request.content.decode() or None,
        "isBase64Encoded": False,
    }
