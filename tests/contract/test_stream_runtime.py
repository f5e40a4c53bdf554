"""The runtime of the function that streams, started by its wrapper, against the Runtime API.

The executor's side of that API reads what the runtime sends. It is the one of the local stack.
"""

import json
import os
import socket
import subprocess
import sys
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from footnote.wiring import streaming
from tests.template import read_template

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "local" / "executor"))
from footnote_executor.functions.runtime_api import Invocation, RuntimeApi  # noqa: E402
from footnote_executor.functions.streams import (  # noqa: E402
    NULS,
    Stream,
    StreamError,
    read_head,
)

SECONDS = 30.0
APP = """
import pathlib, time

def handler(event, context):
    if event["do"] == "fail":
        raise ValueError("secret words")
    def pieces():
        yield "one"
        while not pathlib.Path(event["flag"]).exists():
            time.sleep(0.01)
        yield "two \\udc80"
        if event["do"] == "break":
            raise ValueError("secret words")
    head = {"statusCode": 201, "multiValueHeaders": {"A": ["b", "c"]}}
    told = f"{context.aws_request_id} {context.get_remaining_time_in_millis() > 1000}"
    return {**head, "body": told if event["do"] == "whole" else pieces()}
"""


class Running:
    """The runtime's process, with the handler above."""

    def __init__(self, folder):
        self.folder, self.api, self.count = folder, RuntimeApi(), 0
        (folder / "app.py").write_text(APP)
        environ = {
            **os.environ,
            "AWS_LAMBDA_RUNTIME_API": self.api.address,
            "_HANDLER": "app.handler",
            "LAMBDA_TASK_ROOT": str(folder),
            "PYTHONPATH": str(ROOT / "shared"),
        }
        wrapper = ROOT / "functions" / "stream" / "bootstrap"
        self.process = subprocess.Popen(
            [wrapper, sys.executable, "-m", "awslambdaric", "app.handler"], env=environ
        )

    def close(self):
        self.process.kill()
        self.process.wait()
        self.api.close()

    def begin(self, do, stream=None):
        """Hands an event over. Returns the invocation, and the file that its reply waits for."""
        self.count += 1
        flag = self.folder / f"flag-{self.count}"
        event = json.dumps({"do": do, "flag": str(flag)}).encode()
        one = Invocation(f"r-{self.count}", event, "arn:aws:lambda", "trace", SECONDS, stream)
        if stream:
            one.done.add_done_callback(lambda end: stream.end(end.result()[1].decode()))
        self.api.submit(one)
        return one, flag


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    made = Running(tmp_path_factory.mktemp("runtime"))
    yield made
    made.close()


def test_a_piece_is_there_before_the_next_one_is_made(running):
    stream = Stream()
    _, flag = running.begin("stream", stream)
    pieces = iter(stream)
    head, behind = read_head(pieces)
    assert (head, behind) == ({"statusCode": 201, "multiValueHeaders": {"A": ["b", "c"]}}, b"")
    assert next(pieces) == b"one"
    flag.touch()  # only now the second piece is made
    assert [*pieces] == [b"two ?"]


def test_a_reply_that_nobody_streams_is_put_together(running):
    one, _ = running.begin("whole")
    is_error, body = one.done.result(SECONDS)
    assert not is_error
    assert body.partition(NULS)[2].decode() == f"{one.request_id} True"


def test_what_fails_before_the_reply_is_an_error_without_its_words(running):
    is_error, body = running.begin("fail")[0].done.result(SECONDS)
    assert is_error
    assert json.loads(body) == {"errorType": "ValueError", "errorMessage": "the request failed"}


def test_what_fails_within_the_reply_breaks_it_off(running):
    stream = Stream()
    _, flag = running.begin("break", stream)
    flag.touch()
    pieces = iter(stream)
    read_head(pieces)
    assert [next(pieces), next(pieces)] == [b"one", b"two ?"]
    with pytest.raises(StreamError, match="ValueError"):
        next(pieces)
    assert running.process.poll() is None


def test_a_reply_to_another_invocation_is_refused(running):
    running.begin("whole")[0].done.result(SECONDS)
    connection = HTTPConnection(running.api.address)
    headers = {"Lambda-Runtime-Function-Response-Mode": "streaming"}
    connection.request("POST", "/2018-06-01/runtime/invocation/r-0/response", b"", headers)
    assert connection.getresponse().status == 400
    connection.close()


class Leaving(BaseHTTPRequestHandler):
    """A Runtime API that takes the beginning of a reply and then goes away."""

    def log_message(self, *_args):
        pass

    def do_GET(self):
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", "r-1")
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", "arn")
        self.send_header("Lambda-Runtime-Deadline-Ms", "0")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def do_POST(self):
        self.rfile.read(100)
        self.connection.shutdown(socket.SHUT_RDWR)


def test_a_reply_that_nobody_takes_is_closed_before_the_next_event():
    """What it holds, a place among those that may last, is free then."""
    ended = []

    def pieces():
        try:
            while True:  # it has no end of its own
                yield "x" * 65_536
        finally:
            ended.append(True)

    def handler(*_):
        return {"statusCode": 200, "multiValueHeaders": {}, "body": pieces()}

    with ThreadingHTTPServer(("127.0.0.1", 0), Leaving) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        streaming.serve(f"127.0.0.1:{server.server_port}", handler, {})
        assert ended == [True]
        server.shutdown()


def test_a_reply_without_its_head_is_none():
    for pieces in ([b"x" * 20_000], [b"no json", NULS], [b'{"statusCode": 200}']):
        with pytest.raises(StreamError):
            read_head(iter(pieces))


# -- the functions that stream ---------------------------------------------------------------------


def functions():
    """Returns the properties of each function that the API sends requests to, by its name."""
    resources = read_template()["Resources"].items()
    kind = "AWS::Serverless::Function"
    given = {name: one["Properties"] for name, one in resources if one["Type"] == kind}
    return {name: one for name, one in given.items() if routes_of(one)}


def routes_of(properties):
    events = properties.get("Events", {}).values()
    return [one["Properties"] for one in events if one["Type"] == "Api"]


def with_wrapper():
    """Returns those of them that our runtime serves."""
    wrapper = "AWS_LAMBDA_EXEC_WRAPPER"
    given = functions().items()
    return {name: one for name, one in given if wrapper in one["Environment"]["Variables"]}


def test_a_function_with_the_wrapper_has_routes_that_stream_and_no_other_has_one():
    """Its replies have one form, which API Gateway reads on such a route alone."""
    modes = {
        name: {route.get("ResponseTransferMode") for route in routes_of(one)}
        for name, one in functions().items()
    }
    named = {name for name, found in modes.items() if found == {"RESPONSE_STREAM"}}
    assert named == {*with_wrapper()} == {"McpFunction", "StreamFunction"}
    assert all(modes[name] == {None} for name in modes.keys() - named)


def test_the_gateway_waits_for_a_reply_as_long_as_its_function_may_run():
    """Its timeout is 29 s unless a route names another; of a stream it may be 15 minutes."""
    for properties in with_wrapper().values():
        variables = properties["Environment"]["Variables"]
        seconds = variables["FOOTNOTE_STREAM_SECONDS"]
        longest = seconds[1] if isinstance(seconds, list) else seconds
        assert longest + 10 <= properties["Timeout"] <= 900
        waits = {route["TimeoutInMillis"] for route in routes_of(properties)}
        assert waits == {properties["Timeout"] * 1000}


def test_the_wrapper_is_one():
    folders = [ROOT / properties["CodeUri"] for properties in with_wrapper().values()]
    assert len({(folder / "bootstrap").read_bytes() for folder in folders}) == 1
    assert all((folder / "bootstrap").stat().st_mode & 0o111 for folder in folders)
