"""`doctor --aws` against an endpoint that answers rightly, wrongly, or not at all."""

import json
import socket
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest

from local import account, doctor
from tests.serving import LoopbackServer, serving

STS = (
    "<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::1:user/ana</Arn>"
    "</GetCallerIdentityResult></GetCallerIdentityResponse>"
)
NO_STACK = (
    "<ErrorResponse><Error><Code>ValidationError</Code>"
    "<Message>Stack with id footnote-dev does not exist</Message></Error></ErrorResponse>"
)
FAILED_STACK = (
    "<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>footnote-dev"
    "</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>ROLLBACK_COMPLETE"
    "</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>"
)
FRESH = {"ConcurrentExecutions": 10, "UnreservedConcurrentExecutions": 10}
GOOD = {
    "GetCallerIdentity": (200, STS),
    "DescribeStacks": (400, NO_STACK),
    "/2016-08-19/account-settings": (200, {"AccountLimit": FRESH}),
    "/account": (200, {"throttleSettings": {"rateLimit": 10_000, "burstLimit": 5_000}}),
    "/2021-01-01/opensearch/versions": (200, {"Versions": ["OpenSearch_3.3"]}),
    "/2021-01-01/opensearch/instanceTypeDetails/OpenSearch_3.3": (
        200,
        {"InstanceTypeDetails": [{"InstanceType": "t3.small.search"}]},
    ),
    "AmazonSSM.GetParameter": (
        200,
        {"Parameter": {"Name": "key", "Type": "SecureString", "Value": "sk"}},
    ),
    "/v1/models": (200, {"data": [{"id": "claude-haiku-5-5"}]}),
}


@contextmanager
def endpoint(answers):
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def answer(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            path = self.path.partition("?")[0]
            target = self.headers.get("x-amz-target", path)
            action = next((name for name in answers if f"Action={name}&" in body), target)
            asked.append(action)
            status, reply = answers.get(action.rstrip("/"), (403, {"message": "not allowed"}))
            text = reply if isinstance(reply, str) else json.dumps(reply)
            self.send_response(status)
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = answer  # noqa: N815  # http.server's names

        def log_message(self, format, *_):  # noqa: A002  # http.server's name
            pass

    server = LoopbackServer(Handler)
    with serving(server):
        yield server.url, asked


@pytest.fixture
def look(socket_enabled, monkeypatch):
    """Looks at an account that answers so, for a deployment with these parameters."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "AWS_MAX_ATTEMPTS": "1",
    }.items():
        monkeypatch.setenv(name, value)
    plain = account.parameters("default")

    def found(answers, **given):
        with endpoint(GOOD | answers) as (url, asked):
            monkeypatch.setenv("AWS_ENDPOINT_URL", url)
            parameters = plain[0] | {"AnthropicBaseUrl": url} | given
            monkeypatch.setattr(account, "parameters", lambda _: (parameters, plain[1]))
            return {one.name: one for one in account.findings()}, asked

    return found


def test_a_new_account_bears_the_defaults(look):
    found, _ = look({})
    assert [name for name, one in found.items() if not one.ok] == []
    assert set(found) == {"credentials", "lambda", "api", "opensearch"}
    assert found["lambda"].found == "10 executions at a time; parse, chunk and index may hold 6"


def test_nothing_is_asked_of_what_is_not_used(look):
    _, asked = look({})
    assert not {"AmazonSSM.GetParameter", "/v1/models"} & set(asked)


@pytest.mark.parametrize(
    ("name", "answers", "given", "says", "do"),
    [
        ("lambda", {}, {"Concurrency": "10"}, "may hold 22", "Concurrency=2 IndexConcurrency=2"),
        ("lambda", {}, {"ApiConcurrency": "5"}, "leaves too few", "at most ApiConcurrency=0"),
        ("stack", {"DescribeStacks": (200, FAILED_STACK)}, {}, "ROLLBACK_COMPLETE", "sam delete"),
        (
            "api",
            {"/account": (200, {"throttleSettings": {"rateLimit": 5, "burstLimit": 5}})},
            {},
            "takes 5 requests",
            "RequestsPerSecond=5",
        ),
        (
            "opensearch",
            {"/2021-01-01/opensearch/versions": (200, {"Versions": ["OpenSearch_2.19"]})},
            {},
            "no OpenSearch_3.3 in this region, but OpenSearch_2.19",
            "OpenSearchVersion",
        ),
        *(
            ("opensearch", {}, {"OpenSearchVersion": old}, f"{old} is too old", "3.2 or later")
            for old in ("OpenSearch_3.1", "OpenSearch_2.19", "Elasticsearch_7.10")
        ),
        (
            "opensearch",
            {},
            {"OpenSearchInstanceType": "x9.huge.search"},
            "is not offered",
            "another OpenSearchInstanceType",
        ),
        (
            "model",
            {"AmazonSSM.GetParameter": (400, {"__type": "ParameterNotFound"})},
            {"AnthropicKeyParameter": "key"},
            "cannot be read",
            "put-parameter --name key",
        ),
        (
            "model",
            {"AmazonSSM.GetParameter": (200, {"Parameter": {"Type": "String", "Value": "sk"}})},
            {"AnthropicKeyParameter": "key"},
            "no SecureString",
            "--type SecureString",
        ),
        (
            "model",
            {"/v1/models": (401, {})},
            {"AnthropicKeyParameter": "key"},
            "answers 401",
            "put-parameter",
        ),
        (
            "model",
            {},
            {"AnthropicKeyParameter": "key", "WriterModel": "claude-none"},
            "no access to claude-none",
            "WriterModel",
        ),
        ("api", {"/account": (403, {"message": "no"})}, {}, "no answer", "credentials"),
    ],
)
def test_what_would_not_work_is_said_with_what_to_do(look, name, answers, given, says, do):  # noqa: PLR0917
    found, _ = look(answers, **given)
    assert not found[name].ok
    assert says in found[name].found
    assert do in found[name].get


def test_a_model_that_the_key_may_use_is_good(look):
    found, _ = look({}, AnthropicKeyParameter="key", WriterModel="claude-haiku-5-5")
    assert found["model"].ok


@pytest.mark.parametrize(("region", "ok"), [("eu-central-1", True), ("eu-north-1", False)])
def test_textract_is_looked_for_where_it_is_chosen(look, monkeypatch, region, ok):
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    found, _ = look({}, OcrProvider="textract")
    assert found["textract"].ok is ok


def test_without_credentials_nothing_else_is_asked(look):
    found, asked = look({"GetCallerIdentity": (403, "<ErrorResponse/>")})
    assert list(found) == ["credentials"]
    assert asked == ["GetCallerIdentity"]


def test_no_network_is_used_unless_asked_for(monkeypatch, capsys):
    """Sockets are disabled here: a call would fail."""
    monkeypatch.setattr("sys.argv", ["local.doctor", "--json"])
    doctor.main()
    told = json.loads(capsys.readouterr().out)
    assert {"disk", "memory"} <= {one["name"] for one in told["requirements"]}
    with pytest.raises(Exception, match="socket"):
        socket.create_connection(("127.0.0.1", 1), 1)


def test_the_parameters_are_those_of_the_profile():
    given, stack = account.parameters("prod")
    assert (given["OpenSearchReplicas"], given["Concurrency"], stack) == ("1", "2", "footnote")
