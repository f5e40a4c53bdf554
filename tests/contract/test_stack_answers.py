"""What is said of a stack whose parts do not answer, over real sockets: silent, broken, gone."""

import dataclasses
import json
import os
import socket
import threading
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from footnote.client import Client
from footnote.errors import UnavailableError
from local import opensearch
from local.answers import advice, ask_parts
from local.doctor import stack_line
from local.lifecycle import confirm, wait_for
from local.process import ProcessId, start_time
from local.stack import describe
from local.state import Stack, StackError, write_stack
from tests.serving import LoopbackServer, serving
from tests.stack import PATIENCE

SECONDS = 1.0  # until a part that is silent is given up
SILENT = json.dumps({"error": {"code": "unavailable", "message": "no answer", "action": "Wait."}})
ILL = json.dumps({"error": {"code": "unavailable", "message": "the index does not answer"}})


class Server(LoopbackServer):
    """Answers requests by their paths; waits for ever where the answer is None."""

    def __init__(self, answers):
        self.answers = answers
        self.keys = []
        self.over = threading.Event()
        super().__init__(Handler)


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        answer = self.server.answers.get(self.path, (200, "{}"))
        self.server.keys.append(self.headers.get("x-api-key"))
        if answer is None:
            self.server.over.wait()
            return
        self.send_response(answer[0])
        self.end_headers()
        self.wfile.write(answer[1].encode())

    def do_POST(self):
        self.do_GET()

    def log_message(self, *_):
        """Says nothing."""


def answering(**answers):
    server = Server({f"/{name}": answer for name, answer in answers.items()})
    return serving(server, server.over)


def stack_at(server):
    url = f"http://127.0.0.1:{server.server_port}"
    return Stack(
        name="dev", aws_url=f"{url}/aws", opensearch_url=f"{url}/search", region="us-east-1",
        pids={"localstack": ProcessId(os.getpid(), start_time(os.getpid()) or "")},
        ready=True, api_url=f"{url}/api", api_key="secret",
    )  # fmt: skip


def ask_until_others_answer(stack, silent="none"):
    """Asks until only the silent part, if any, is not heard in time: beside work all are slow."""
    while True:
        problems = ask_parts(stack, SECONDS)
        late = {name for name, problem in problems.items() if "within" in problem}
        if late <= {silent}:
            return problems


def test_a_stack_that_answers_is_up():
    with answering() as server:
        stack = stack_at(server)
        assert ask_until_others_answer(stack) == {"AWS": "", "OpenSearch": "", "API": ""}
        assert "secret" in server.keys
        lines = describe(stack, {"AWS": "", "OpenSearch": "", "API": ""})
    assert lines[0].startswith("stack dev is up, ")
    assert len(lines) == 4


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (None, f"does not answer within {SECONDS:.0f} s"),
        ((502, "Bad Gateway"), "answers HTTP 502: Bad Gateway"),
        ((503, ILL), "answers HTTP 503: the index does not answer"),
    ],
)
def test_an_api_that_does_not_answer_is_told_with_what_to_do(answer, problem):
    with answering(**{"api/health": answer}) as server:
        stack = stack_at(server)
        problems = ask_until_others_answer(stack, "" if answer else "API")
        lines = describe(stack, problems)
    assert problems == {"AWS": "", "OpenSearch": "", "API": problem}
    assert lines[0].startswith("stack dev is ill (API), ")
    assert lines[3] == f"  API         {stack.api_url}  {problem}"
    assert lines[4] == advice(stack)
    assert "make logs" in lines[4]
    assert "make down deploy" in lines[4]


def test_a_stack_of_another_name_is_named_in_the_advice():
    with answering() as server:
        other = dataclasses.replace(stack_at(server), name="other")
    assert "make down deploy NAME=other" in advice(other)


def test_what_is_gone_refuses_the_connection():
    with answering() as server:
        stack = dataclasses.replace(stack_at(server), api_url=None)
    problems = ask_until_others_answer(stack)
    assert list(problems) == ["AWS", "OpenSearch"]
    assert all("Connection refused" in problem for problem in problems.values())


def test_a_stack_that_runs_and_is_silent_is_not_called_up(monkeypatch):
    monkeypatch.setattr("local.answers.SECONDS", PATIENCE)
    with answering(aws=(500, "no threads")) as server, pytest.raises(StackError) as error:
        confirm(stack_at(server))
    assert str(error.value).startswith("stack dev runs, but AWS answers HTTP 500: ")
    assert "with empty data" in str(error.value)


def test_the_doctor_says_that_the_api_does_not_answer(monkeypatch, tmp_path):
    monkeypatch.setattr("local.answers.SECONDS", PATIENCE)
    with answering(**{"api/health": (502, "Bad Gateway")}) as server:
        (tmp_path / "dev").mkdir()
        write_stack(stack_at(server), tmp_path)
        monkeypatch.setattr("local.doctor.STACKS", tmp_path)
        line = stack_line()
    assert line.startswith("stack dev: ill: API answers HTTP 502: Bad Gateway. `make logs`")


def test_a_client_of_a_silent_local_stack_is_told_what_to_do():
    with answering(**{"api/health": (502, SILENT)}) as server:
        url = stack_at(server).api_url
        with Client(url, "key") as client, pytest.raises(UnavailableError) as silent:
            client.health()
    with Client(url, "key") as client, pytest.raises(UnavailableError) as gone:
        client.health()
    with answering(**{"api/health": None}) as server:
        url = stack_at(server).api_url
        with Client(url, "key", timeout=SECONDS) as client, pytest.raises(UnavailableError) as hung:
            client.health()
    for error in (silent, gone, hung):
        assert "`make status`" in error.value.action
        assert "make down deploy" in error.value.action


def test_another_stacks_opensearch_on_the_same_port_is_not_ours():
    nodes = json.dumps({"nodes": {"n": {"process": {"id": 7}}}})
    with answering(**{"search/_nodes/_local/process": (200, nodes)}) as server:
        url = stack_at(server).opensearch_url
        assert opensearch.is_ready(url, 7)
        assert not opensearch.is_ready(url, 8)
    assert not opensearch.is_ready(url, 7)


def test_a_server_that_ended_is_not_ready_though_another_answers(tmp_path):
    (tmp_path / "localstack.log").write_text("Address already in use\n")
    with pytest.raises(StackError, match=r"(?s)localstack ended.*Address already in use"):
        wait_for("localstack", ProcessId(1, "another boot:1"), lambda: True, tmp_path)


def test_another_footnotes_gateway_keeps_its_own_advice():
    """On AWS `make status` would help nobody."""

    def refuse(_):
        raise httpx.ConnectError("refused")

    for url, told in (("https://api.example.test/prod", False), ("http://127.0.0.1:4566", True)):
        with Client(url, "key", transport=httpx.MockTransport(refuse)) as client:
            with pytest.raises(UnavailableError) as error:
                client.health()
            assert ("make status" in error.value.action) is told


def test_a_port_that_accepts_and_says_nothing_is_no_answer():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with answering() as server:
            stack = dataclasses.replace(stack_at(server), opensearch_url=url, api_url=None)
            problems = ask_until_others_answer(stack, "OpenSearch")
    assert problems == {"AWS": "", "OpenSearch": f"does not answer within {SECONDS:.0f} s"}
