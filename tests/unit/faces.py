"""Runs footnote in this process: a pipeline without a model, and its API without a socket.

`InProcess` takes the place of API Gateway and the uploads bucket. It turns an HTTP request into the
event that Lambda gets, and the function's answer into an HTTP reply.
"""

import email
import email.policy
import re
from dataclasses import dataclass
from threading import Lock
from urllib.parse import parse_qsl, unquote

import httpx

from footnote.adapters.memory.small import MemoryTenants
from footnote.api import draw_routes, routes
from footnote.client import Client
from footnote.settings import Settings
from footnote.wiring import bootstrap, logs, step  # both log to the stdout of their import
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.described import must_be_described

URL = "http://footnote.test/prod"
OUTAGE = Settings().max_waits + Settings().max_receives
"""How many times in a row a service must be unavailable before a message is given up."""
KEYS = {"acme-key": "k1", "other-key": "k2", "nobody-key": "k3"}
TENANTS = {"k1": "acme", "k2": "other"}
IS_DRAWN = re.compile(r"/documents/[^/]+/pages/[^/]+|/questions/[^/]+/export")
"""The paths that API Gateway sends to the function that draws (template.yaml)."""
assert step.logger and logs.logger


@dataclass(frozen=True)
class Context:
    """The context object that Lambda gives a handler."""

    function_name: str = "footnote-test"
    aws_request_id: str = "request-1"

    def get_remaining_time_in_millis(self):
        return 300_000


class Words:
    """Implements Tokenizer: each word and each punctuation mark is a token."""

    def count(self, texts):
        return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]


class Flaky:
    """Makes a port fail: `Flaky(index, write=[error, error])` raises one of these in each call."""

    def __init__(self, port, **errors):
        self._port = port
        self._errors = {name: list(raised) for name, raised in errors.items()}

    def __getattr__(self, name):
        raised = self._errors.get(name)
        if not raised:
            return getattr(self._port, name)

        def failing(*_, **__):
            raise raised.pop(0)

        return failing


class CountingCatalog:
    """Makes a catalog count the records that are read from it."""

    def __init__(self, catalog):
        self._catalog = catalog
        self.read = 0

    def __getattr__(self, name):
        return getattr(self._catalog, name)

    def documents(self, *args, **options):
        records, after = self._catalog.documents(*args, **options)
        self.read += len(records)
        return records, after

    def records(self, ids):
        self.read += len(ids)
        return self._catalog.records(ids)

    def get(self, document_id):
        self.read += 1
        return self._catalog.get(document_id)

    def collections(self, tenant):
        for found in self._catalog.collections(tenant):
            self.read += 1
            yield found


def small():
    """Returns this process's services (see tests/conftest.py). Their model is a hash of words."""
    pipeline = bootstrap.services()
    assert isinstance(pipeline, Pipeline)
    pipeline.encoder = HashEmbedder()
    pipeline.tokenizer = Words()
    pipeline.tenants = MemoryTenants(TENANTS)
    return pipeline


def connect(pipeline, key="acme-key"):
    return Client(URL, key, transport=InProcess(pipeline))


class InProcess(httpx.BaseTransport):
    """Stands for API Gateway, its function and the uploads bucket."""

    def __init__(self, pipeline):
        self.pipeline = pipeline
        self.uploads_answer = None
        self._turn = Lock()  # the memory adapters are not for threads, but clients upload in four

    def handle_request(self, request):
        with self._turn:
            return self._handle(request)

    def _handle(self, request):
        request.read()
        if not str(request.url).startswith(URL):
            if request.method == "GET":
                return self._fetch(request)
            return self.uploads_answer or self._upload(request)
        if request.headers["x-api-key"] not in KEYS:
            return httpx.Response(403, json={"message": "Forbidden"})
        found = event_of(request)
        handle = draw_routes.handle if IS_DRAWN.fullmatch(found["path"]) else routes.handle
        answer = handle(found, Context())
        must_be_described(request.method, found["path"], answer)
        self.pipeline.drain()
        body = answer["body"].encode()
        headers = {name: values[0] for name, values in answer["multiValueHeaders"].items()}
        return httpx.Response(answer["statusCode"], headers=headers, content=body)

    def _fetch(self, request):
        """Follows a presigned link, which `link_of` stands for."""
        assert "x-api-key" not in request.headers  # the bucket must not see it
        key, said = unquote(request.url.path.removeprefix("/")), dict(request.url.params)
        if request.url.host == "artifacts":
            body = self.pipeline.artifacts.get(key)
        else:
            body = self.pipeline.uploads.read(key, said["version"])
        headers = {"content-type": said["type"], "content-disposition": said["disposition"]}
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(body))

    def _upload(self, request):
        assert "x-api-key" not in request.headers  # the bucket must not see it
        form = form_of(request)
        attributes = {
            name.removeprefix("x-amz-meta-"): value.decode()
            for name, value in form.items()
            if name.startswith("x-amz-meta-")
        }
        revision = self.pipeline.uploads.put(form["key"].decode(), form["file"], attributes)
        self.pipeline.drain()
        return httpx.Response(204, headers={"x-amz-version-id": revision.version})


def event_of(request):
    """Makes the event that API Gateway (REST, proxy integration) makes of an HTTP request."""
    raw_path, _, query = request.url.raw_path.decode().partition("?")
    parameters = dict(parse_qsl(query, keep_blank_values=True)) or None
    return event(
        request.method,
        raw_path.removeprefix("/prod"),
        parameters,
        request.content.decode() or None,
        request.headers,
    )


def event(method, path, parameters=None, body=None, headers=None):
    """Makes an event like events/api-*.json: the path still percent-encoded, parameters decoded."""
    headers = dict(headers or {"x-api-key": "acme-key"})
    multi = {name: [value] for name, value in headers.items()}
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": headers,
        "multiValueHeaders": multi,
        "queryStringParameters": parameters,
        "multiValueQueryStringParameters": (
            {name: [value] for name, value in parameters.items()} if parameters else None
        ),
        "pathParameters": {"proxy": path.removeprefix("/")},
        "stageVariables": None,
        "requestContext": {
            "httpMethod": method,
            "path": f"/prod{path}",
            "stage": "prod",
            "requestId": "c6af9ac6",
            "identity": {"apiKeyId": KEYS.get(headers.get("x-api-key", ""), "")},
        },
        "body": body,
        "isBase64Encoded": False,
    }


def form_of(request):
    """Returns the fields of a multipart POST, the file among them."""
    head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
    message = email.message_from_bytes(head + request.content, policy=email.policy.HTTP)
    return {
        part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
        for part in message.iter_parts()
    }
