"""MCP on the deployed stack, by the official SDK's client: streamable HTTP, and `footnote mcp`."""

import sys
from contextlib import asynccontextmanager

import httpx
import httpx2
import pytest
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from footnote.mcp.tool_table import TOOLS
from tests.mcp_clients import call, talk, text_of
from tests.stack import PATIENCE, ROOT

QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"
COMMAND = ["-c", "from footnote.cli import main; main()", "mcp"]


@asynccontextmanager
async def over_http(url, headers):
    async with (
        httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http,
        streamable_http_client(url, http_client=http) as streams,
    ):
        yield streams


@pytest.fixture(params=["http", "stdio"])
def connect(request, stack, samples):
    """Makes what the SDK's client connects to, as the tenant of the sample documents."""
    key = samples[0]._api.http.headers["x-api-key"]

    def make():
        if request.param == "stdio":
            env = {"FOOTNOTE_URL": stack["api_url"], "FOOTNOTE_API_KEY": key}
            env["PYTHONPATH"] = str(ROOT / "shared")  # the checkout's own, whatever is installed
            return StdioServerParameters(
                command=sys.executable, args=COMMAND, env=env, cwd=str(ROOT)
            )
        return over_http(f"{stack['api_url']}/mcp", {"x-api-key": key})

    return make


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_tools_are_listed_and_a_question_is_answered(connect, mode):
    listed = talk(connect(), lambda client: client.list_tools(), mode).tools
    assert [one.name for one in listed] == list(TOOLS)
    asked = call(connect(), "ask", mode, question=QUESTION)
    while asked.structured_content["status"] == "RUNNING":
        asked = call(connect(), "ask", mode, question_id=asked.structured_content["id"])
    answer = asked.structured_content
    assert "10,840" in answer["answer"]
    citation = answer["citations"][0]
    assert (citation["document"], citation["pages"]) == ("annual-report-2025.pdf", [2])
    page = call(connect(), "open_section", document=citation["document_id"], page=2)
    assert citation["quote"] in page.structured_content["text"]
    assert "[1] annual-report-2025.pdf, page 2" in text_of(asked)
    said = call(connect(), "say", question_id=answer["id"], verdict="up")
    assert said.structured_content["question_id"] == answer["id"]
    ended = call(connect(), "stop", question_id=answer["id"]).structured_content
    assert (ended["status"], ended["stopped"]) == ("DONE", False)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_wants_progress_is_told_each_sentence(connect, mode):
    told = []

    async def ask(client):
        async def note(number, _total, message):
            told.append((number, message))

        return await client.call_tool("ask", {"question": QUESTION}, progress_callback=note)

    talk(connect(), ask, mode)
    assert any("word for word: Ottermoss delivered" in message for _, message in told)
    numbers = [number for number, _ in told]
    assert numbers == sorted({*numbers})


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_client_that_hears_of_a_grid_can_still_stop_it(connect, mode, samples):
    """Whoever got all at the end could only stop what has ended."""
    told, stopped = [], []

    async def fill(client):
        async def note(filled, total, _message):
            told.append((filled, total))
            if not stopped:
                newest = next(samples[0].grids())
                stopped.append(samples[0].stop_grid(newest["id"]))

        questions = [QUESTION, "Which insurer covers the warehouse?", "Who leads the company?"]
        return await client.call_tool("grid", {"questions": questions}, progress_callback=note)

    talk(connect(), fill, mode)
    assert stopped[0] > 0
    filled, totals = zip(*told, strict=True)
    assert [*filled] == sorted({*filled}) and set(totals) == {3 * len(samples[1])}


def test_passages_are_found_and_documents_read_as_resources(connect):
    found = call(connect(), "search", query="cargo bikes delivered").structured_content
    assert found["hits"][0]["document"] == "annual-report-2025.pdf"
    listed = talk(connect(), lambda client: client.list_resources()).resources
    uri = next(one.uri for one in listed if one.name == "annual-report-2025.pdf")
    page = talk(connect(), lambda client: client.read_resource(f"{uri}/pages/2"))
    assert "10,840 cargo bikes" in page.contents[0].text


def test_a_text_is_added_found_and_removed(connect, samples, request):
    name = f"{request.node.callspec.params['connect']}-tide.md"
    added = call(connect(), "add_document", document=name, text="High tide is at 4:12.\n")
    samples[0].wait([added.structured_content | {"sidecar": False}], lambda _: None)
    listed = call(connect(), "search", query="high tide", documents=[name]).structured_content
    assert listed["hits"][0]["document"] == name
    again = call(connect(), "add_document", document=name, text="x")
    assert again.structured_content["error"]["code"] == "document_exists"
    removed = call(connect(), "remove_document", document=name).structured_content
    assert removed["id"] == added.structured_content["id"]


@pytest.mark.parametrize("headers", [{}, {"x-api-key": "wrong"}])
def test_nobody_gets_in_without_a_key_that_counts(stack, headers):
    sent = headers | {"accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = httpx.post(f"{stack['api_url']}/mcp", json=body, headers=sent, timeout=PATIENCE)
    assert answer.status_code in {401, 403}


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_and_no_session(stack, method):
    headers = {"x-api-key": stack["api_key"], "accept": "text/event-stream"}
    answer = httpx.request(method, f"{stack['api_url']}/mcp", headers=headers, timeout=PATIENCE)
    assert answer.status_code == 405
