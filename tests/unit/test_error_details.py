"""Whatever AWS or OpenSearch says of an error, no reply, record or event of a caller repeats it."""

import json
import re

import pytest
from botocore import exceptions as boto
from opensearchpy import exceptions as opensearch

from footnote.adapters.aws import clients as aws_clients
from footnote.adapters.opensearch import client as opensearch_client
from footnote.api import draw_routes, routes
from footnote.api.waiting import Waiting
from footnote.errors import FootnoteError
from footnote.mcp import over_http
from footnote.mcp.server import make_server
from footnote.mcp.service_face import ServiceFace
from footnote.mcp.tool_table import TOOLS
from footnote.service import Service
from tests.contract.test_docs import served_routes
from tests.mcp_clients import call
from tests.unit.faces import IS_DRAWN, Context, event, small

ARN = "arn:aws:dynamodb:eu-west-1:123456789012:table/footnote-hidden-Table"
PLACE = "s3://footnote-hidden-bucket/acme/x"
HOST = "search-hidden.eu-west-1.es.amazonaws.com"
SAID = f"User {ARN} at {HOST} may not"
TOLD = re.compile(r"arn:|hidden|123456789012|amazonaws|s3://|Traceback|botocore|opensearchpy")
QUESTION = "What is the harbour fee for a barge?"


def refusal(code, status):
    answer = {"Error": {"Code": code, "Message": SAID}}
    return boto.ClientError({**answer, "ResponseMetadata": {"HTTPStatusCode": status}}, "Get")


def errors():
    """Returns one way to fail for each kind that the tables of AWS and OpenSearch lead to."""
    kinds = {kind: code for code, kind in aws_clients.CODES.items()}
    made = {f"aws {kind.__name__}": refusal(code, 400) for kind, code in kinds.items()}
    made["aws unknown"] = refusal("Newfangled", 500)
    made["no answer"] = boto.EndpointConnectionError(endpoint_url=f"https://{HOST}")
    made["search down"] = opensearch.ConnectionError("N/A", SAID, Exception(SAID))
    made["search refuses"] = opensearch.RequestError(400, SAID, {"error": SAID})
    made["search forbids"] = opensearch.AuthorizationException(403, SAID, {})
    return made


def translated(error):
    """Returns ours, as the adapters make it."""
    try:
        if isinstance(error, opensearch.OpenSearchException):
            with opensearch_client.translate_errors(f"asking {HOST}"):
                raise error
        with aws_clients.translate_errors("get", f"{ARN} {PLACE}"):
            raise error
    except FootnoteError as ours:
        return ours


class Broken:
    """Stands for a port whose service fails each call in one way."""

    def __init__(self, error):
        self.error = error

    def __getattr__(self, name):
        def fail(*_, **__):
            raise translated(self.error)

        return fail


SOME = ["aws ConfigurationError", "aws NotFoundError", "aws UnavailableError", "search refuses"]
PORTS = ["uploads", "artifacts", "catalog", "questions", "repeats", "index", "workflow"]
BODIES = {
    "POST /documents": {"document": "a.md"},
    "POST /documents/batch": {"documents": [{"document": "a.md"}]},
    "POST /documents/status": {"ids": ["x"]},
    "POST /search": {"query": "fee"},
    "POST /questions": {"question": QUESTION},
    "POST /questions/estimate": {"question": QUESTION},
    "POST /grids": {"questions": [QUESTION]},
    "POST /grids/estimate": {"questions": [QUESTION]},
    "POST /questions/{}/feedback": {"verdict": "up"},
    "POST /v1/chat/completions": {"messages": [{"role": "user", "content": QUESTION}]},
}
TOOL_ARGUMENTS = {
    "search": {"query": "fee", "collection": "default"},
    "ask": {"question": QUESTION},
    "findings": {"question_id": "f" * 32},
    "stop": {"question_id": "f" * 32},
    "say": {"question_id": "f" * 32, "verdict": "up"},
    "open_section": {"document": "fees.md"},
    "list_documents": {},
    "add_document": {"document": "a.md", "text": "x"},
    "remove_document": {"document": "fees.md"},
    "grid": {"questions": [QUESTION]},
}
ROUTES = sorted(route for route in served_routes() if "page" not in route or "/pages/" in route)


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/default/fees.md", b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n")
    return made


def send(route, asked):
    method, path = route.split(" ")
    path = path.replace("{}", asked if "question" in path else "fees.md", 1).replace("{}", "1")
    body = BODIES.get(route, {} if method == "POST" else None)
    headers = {"x-api-key": "acme-key", "Idempotency-Key": "k1"}
    made = event(method, path, None, body if body is None else json.dumps(body), headers)
    handle = draw_routes.handle if IS_DRAWN.fullmatch(path) else routes.handle
    return handle(made, Context())


@pytest.mark.slow
@pytest.mark.parametrize("port", PORTS)
def test_no_reply_of_any_route_repeats_what_a_service_said(pipeline, port, caplog):
    asked = Service(pipeline, "acme").questions.ask(QUESTION).question_id
    pipeline.drain()
    failed = 0
    for name in SOME:
        setattr(pipeline, port, Broken(errors()[name]))
        for route in ROUTES:
            answer = send(route, asked)
            failed += answer["statusCode"] >= 400
            assert not TOLD.search(json.dumps(answer)), (name, route)
    assert failed > len(SOME)
    assert any("hidden" in str(vars(line)) for line in caplog.records)  # the log has it


@pytest.mark.parametrize("port", PORTS)
def test_no_tool_repeats_what_a_service_said(pipeline, port):
    assert set(TOOL_ARGUMENTS) == set(TOOLS)
    for name in SOME:
        setattr(pipeline, port, Broken(errors()[name]))
        server = make_server(ServiceFace(Service(pipeline, "acme")), lambda: Waiting(0, None))
        for tool, arguments in TOOL_ARGUMENTS.items():
            result = call(server, tool, **arguments)
            assert not TOLD.search(result.model_dump_json()), (name, tool)


class Surprise(Broken):
    """Stands for a port that fails as nobody expected: a mistake of ours, or of a library."""

    def __getattr__(self, name):
        def fail(*_, **__):
            raise RuntimeError(SAID)

        return fail


def tell_mcp(method, **params):
    asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"content-type": "application/json", "accept": "application/json"}
    made = event("POST", "/mcp", None, json.dumps(asked), headers | {"x-api-key": "acme-key"})
    return over_http.handle(made, Context())


def test_no_tool_or_resource_repeats_an_error_that_nobody_expected(pipeline, caplog):
    pipeline.catalog = pipeline.questions = pipeline.index = Surprise("")
    given = TOOL_ARGUMENTS | {"ask": {"question_id": "q1"}}
    calls = [("tools/call", {"name": name, "arguments": one}) for name, one in given.items()]
    calls += [("resources/list", {}), ("resources/read", {"uri": "footnote://documents/x"})]
    for method, params in calls:
        caplog.clear()
        answer = tell_mcp(method, **params)
        assert json.loads(answer["body"])["error"]["message"].startswith("internal: "), params
        assert not TOLD.search(answer["body"])
        [line] = [one for one in caplog.records if one.message == "call failed"]
        assert SAID in line.reason
        assert line.exc_info


@pytest.mark.parametrize("name", sorted(errors()))
def test_no_record_keeps_what_a_service_said(pipeline, name):
    """Callers look at documents and questions later, and announcements tell of them."""
    whole = pipeline.index
    pipeline.index = Broken(errors()[name])
    pipeline.upload("acme/default/late.md", b"A tug is 97 crowns.\n")
    record = next(one for one in pipeline.catalog.documents("acme")[0] if "late" in one.key)
    assert record.error is not None
    asked = Service(pipeline, "acme").questions.ask(QUESTION)
    pipeline.drain()
    found = pipeline.questions.get("acme", asked.question_id)
    trace = pipeline.questions.events(asked.question_id)
    kept = [record.model_dump_json(), found.model_dump_json(), *map(str, trace)]
    assert [one for one in kept if TOLD.search(one)] == []
    pipeline.index = whole
