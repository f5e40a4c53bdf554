"""A client of MCP over HTTP that wants progress is told it in a stream that ends with the reply."""

import json
from threading import Event as Signal

import pytest

from footnote.mcp import over_http
from footnote.mcp.in_pieces import in_pieces
from footnote.mcp.over_http import handle
from footnote.mcp.progress import wait_for_grid
from footnote.service import Service
from tests.held import PATIENCE, hold
from tests.unit.faces import Context, event, small
from tests.unit.test_api import Idle
from tests.unit.test_grids import Held as Turns
from tests.unit.test_mcp import QUESTION, TEXT

ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
OLD, NEW = "2025-11-25", "2026-07-28"
LASTS = {"stream_seconds": 45, "streams": 2}


@pytest.fixture
def pipeline():
    found = small()
    found.upload("acme/default/fees.md", TEXT.encode())
    found.settings = found.settings.model_copy(update=LASTS)
    return found


def envelope(era, name):
    """Returns what each era of the protocol wants beside a call: headers, and fields of `_meta`."""
    if era == OLD:
        return {"mcp-protocol-version": OLD}, {}
    meta = {
        "io.modelcontextprotocol/protocolVersion": NEW,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"mcp-protocol-version": NEW, "mcp-method": "tools/call", "mcp-name": name}, meta


def call(name, era=OLD, accept=ACCEPT["accept"], token=None, **arguments):
    headers, meta = envelope(era, name)
    meta = meta | ({} if token is None else {"progressToken": token})
    params = {"name": name, "arguments": arguments, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params})
    given = ACCEPT | headers | {"accept": accept, "x-api-key": "acme-key"}
    return handle(event("POST", "/mcp", None, body, given), Context())


def messages(pieces):
    """Yields the messages of a stream as they come."""
    for piece in pieces:
        for line in piece.split("\r\n"):
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("era", [OLD, NEW])
@pytest.mark.parametrize("token", [0, "a token"])
def test_each_sentence_is_told_before_the_next_and_the_reply_ends_the_stream(pipeline, era, token):
    model, work = hold(pipeline, "The harbour fee for a barge is 84 crowns. [1]", "It *is*. [1]")
    model.go()  # the first sentence is whole; the end comes once the client has heard of it
    answer = call("ask", era, token=token, question=QUESTION)
    assert answer["statusCode"] == 200
    assert answer["multiValueHeaders"]["content-type"] == ["text/event-stream"]
    assert answer["multiValueHeaders"]["Cache-Control"] == ["no-store"]
    told = []
    for message in messages(answer["body"]):
        told.append(message)
        if "84 crowns" in message.get("params", {}).get("message", ""):
            [record] = pipeline.questions._records.values()
            assert record.status == "RUNNING"
            model.go()
    work.join()
    *progress, reply = told
    assert {one["method"] for one in progress} == {"notifications/progress"}
    assert {one["params"]["progressToken"] for one in progress} == {token}
    numbers = [one["params"]["progress"] for one in progress]
    assert numbers == [*range(1, len(progress) + 1)] and len(progress) > 2
    assert reply["id"] == 7
    assert reply["result"]["structuredContent"]["status"] == "DONE"


@pytest.mark.parametrize(
    ("name", "token", "accept"),
    [
        ("ask", None, ACCEPT["accept"]),
        ("ask", 1, "application/json"),
        ("ask", 1, "application/json, text/*"),
        ("search", 1, ACCEPT["accept"]),  # it is done before there is something to tell
    ],
)
@pytest.mark.parametrize("era", [OLD, NEW])
def test_all_else_is_one_piece_of_json(pipeline, name, token, accept, era):
    given = {"question": QUESTION} if name == "ask" else {"query": QUESTION}
    answer = call(name, era, accept, token, **given)
    assert answer["multiValueHeaders"]["content-type"] == ["application/json"]
    assert "84 crowns" in json.loads(answer["body"])["result"]["content"][0]["text"]


def test_where_none_may_last_or_as_many_last_as_may_the_reply_is_json(pipeline, monkeypatch):
    pipeline.workflow = Idle()
    monkeypatch.setattr(over_http, "MAX_WAIT", 0.0)
    first, second = (call("ask", token=n, question=QUESTION)["body"] for n in range(2))
    third = call("ask", token=2, question=QUESTION)["body"]
    assert json.loads(third)["result"]["structuredContent"]["status"] == "RUNNING"
    first.close()
    fourth = call("ask", token=3, question=QUESTION)["body"]
    for stream in (second, fourth):
        stream.close()
    pipeline.settings = pipeline.settings.model_copy(update={"stream_seconds": 0})
    assert isinstance(call("ask", token=4, question=QUESTION)["body"], str)


def test_a_reply_that_nobody_reads_on_ends_and_leaves_its_place_and_its_line(pipeline):
    """The question goes on: it is stored, and another request may ask for its answer."""
    pipeline.workflow = Idle()
    longer = {"audit_group": "audit", "stream_seconds": 3_600}  # whoever waits for that has failed
    pipeline.settings = pipeline.settings.model_copy(update=longer)
    stream = call("ask", token=1, question=QUESTION)["body"]
    assert [*pipeline.audit_log.lines] == []
    stream.close()  # waits for the thread
    [line] = map(json.loads, pipeline.audit_log.lines)
    assert (line["act"], line["outcome"]) == ("MCP tools/call ask", "done")
    [record] = pipeline.questions._records.values()
    assert record.status == "RUNNING"
    streams = Service(pipeline, "acme").streams
    assert streams.take() and streams.take() and not streams.take()


def test_the_audit_has_the_code_of_an_error_that_ends_a_stream(pipeline):
    pipeline.settings = pipeline.settings.model_copy(update={"audit_group": "audit"})
    answer = call("ask", token=1, question_id="none")
    *_, reply = messages(answer["body"])
    assert reply["result"]["structuredContent"]["error"]["code"] == "not_found"
    [line] = map(json.loads, pipeline.audit_log.lines)
    assert (line["act"], line["outcome"]) == ("MCP tools/call ask", "not_found")


class Filling:
    """A face whose grid has one more cell filled each second look."""

    def __init__(self, cells):
        self.cells, self.looks = cells, 0

    def grid(self, grid_id):
        filled = self.looks // 2
        self.looks += 1
        counts = {"waiting": self.cells - filled, "running": 0, "answered": filled, "stale": 1}
        status = "DONE" if filled == self.cells else "RUNNING"
        return {"id": grid_id, "status": status, "counts": counts}


class Always:
    def pause(self):
        return True


def test_a_grid_tells_how_many_cells_are_filled_each_number_once():
    told = []
    grid = wait_for_grid("g", Filling(3), Always(), told.append)
    assert grid["status"] == "DONE"
    assert told == [(f"{n} of 3 cells are filled", n, 3) for n in range(3)]


def test_a_grid_is_told_of_over_http_too(pipeline):
    pipeline.workflow = turns = Turns()
    told = messages(call("grid", token="g", questions=[QUESTION])["body"])
    first = next(told)["params"]
    assert first == {
        "progressToken": "g",
        "progress": 0,
        "total": 1,
        "message": "0 of 1 cells are filled",
    }
    [grid] = turns.filled
    Service(pipeline, "acme", person="k1").grids.stop(grid)
    *_, reply = told
    assert reply["result"]["structuredContent"]["counts"]["waiting"] == 0


# -- pieces ----------------------------------------------------------------------------------------


def test_a_piece_is_read_before_the_next_is_made_and_an_error_comes_behind_them():
    go = Signal()

    def work(say, _gone):
        say("one")
        assert go.wait(PATIENCE)
        say("two")
        raise ValueError("broken")

    pieces = in_pieces(work)
    assert next(pieces) == "one"
    go.set()
    assert next(pieces) == "two"
    with pytest.raises(ValueError, match="broken"):
        next(pieces)


def test_work_hears_that_nobody_reads_and_is_waited_for():
    ended = []

    def work(say, gone):
        say("one")
        ended.append(gone.wait(PATIENCE))

    pieces = in_pieces(work)
    next(pieces)
    pieces.close()
    assert ended == [True]
