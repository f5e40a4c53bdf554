"""Each act of a caller leaves one line in the audit log, whichever route or tool it comes by.

Routes and tools are those of the real tables. A new one fails here until it has a request below.
"""

import json
import re

import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.api import draw_routes, routes
from footnote.errors import UnavailableError
from footnote.mcp.over_http import handle as handle_mcp
from footnote.mcp.tool_table import TOOLS
from footnote.model import document_id
from tests.unit.faces import TENANTS, Context, Flaky, connect, event, small
from tests.unit.test_logs import PAPER, lines

assert lines  # a fixture
KEY = "acme/default/harbour/fees.md"
DOCUMENT = document_id(KEY)
WORDS = ("harbour", "barge", "crowns", "fees.md", "Fees")
OPEN = {"GET /signin", "GET /openapi.json", "GET /docs"}
"""They ask nobody who they are, and have nothing of documents."""
QUESTION = {"question": "What is the harbour fee for a barge?"}
CHAT = {"model": "footnote", "messages": [{"role": "user", "content": QUESTION["question"]}]}
BODIES = {
    "POST /documents": {"document": "harbour/fees.md"},
    "POST /documents/batch": {"documents": [{"document": "harbour/fees.md"}]},
    "POST /documents/status": {"ids": [DOCUMENT]},
    "PATCH /sessions/<session>": {"name": "Barges"},
    "POST /grids": {"questions": [QUESTION["question"]]},
    "POST /grids/<grid>/cells": {},
    "POST /grids/estimate": {"questions": [QUESTION["question"]]},
    "POST /questions": QUESTION,
    "POST /questions/<question>/feedback": {"verdict": "up"},
    "POST /questions/estimate": QUESTION,
    "POST /search": {"query": "harbour fee"},
    "POST /v1/chat/completions": CHAT,
    "PUT /collections/<collection>/retention": {"days": 900},
}
QUERIES = {
    "POST /documents/retry": {"code": "internal"},
    "GET /grids/<grid>/export": {"format": "csv"},
}
OUTCOMES = {
    "POST /documents/<document>/retry": "conflict",
    "GET /documents/<document>/pages/<number>": "no_picture",
    "GET /documents/<document>/pages/<number>/text": "no_page",
    "POST /reindex/rollback": "no_earlier_generation",
}
"""What the rest does, is done. These end so with what is here."""
NAMELESS = {"POST /search", "POST /documents/status", "GET /documents", "POST /documents",
            "POST /documents/batch", "GET /questions/<question>",
            "GET /questions/<question>/export", "GET /grids/<grid>"}  # fmt: skip
"""Acts whose path names no document, and which show or change one all the same."""
TOOL_ARGUMENTS = {
    "search": {"query": "harbour fee"},
    "ask": QUESTION,
    "findings": {},
    "stop": {},
    "say": {"verdict": "up"},
    "remove_document": {"document": DOCUMENT},
    "open_section": {"document": DOCUMENT},
    "list_documents": {},
    "add_document": {"document": "harbour/more.md", "text": "The harbour fee is 84 crowns."},
    "grid": {"questions": [QUESTION["question"]]},
}
ABOUT_A_QUESTION = ("findings", "stop", "say")
RESOURCES = {
    "resources/list": {},
    "resources/read": {"uri": f"footnote://documents/{DOCUMENT}"},
}


def table():
    """Returns the routes of both functions: the app that has each, by its act."""
    return {
        f"{method} {route.path}": (module, method, route.path)
        for module in (routes, draw_routes)
        for route in (*module.app._static_routes, *module.app._dynamic_routes)
        for method in ([route.method] if isinstance(route.method, str) else route.method)
    }


@pytest.fixture
def services():
    pipeline = small()
    pipeline.settings = pipeline.settings.model_copy(update={"audit_group": "audit"})
    return pipeline


@pytest.fixture
def ids(services):
    """Returns the ids that paths may name, of things that are there. Begins with an empty log."""
    services.tenants = MemoryTenants(TENANTS, dict.fromkeys(TENANTS, ("@all",)))
    services.upload(KEY, PAPER)
    client = connect(services)
    asked = client.start(QUESTION["question"], session="s1")
    grid = client.start_grid([QUESTION["question"]])
    later = {"documents": [{"document": "harbour/later.md"}]}
    batch = json.loads(send("POST", "/documents/batch", later)["body"])
    run = json.loads(send("POST", "/reindex", {})["body"])
    services.audit_log.lines.clear()
    services.upload("acme/default/harbour/old.md", PAPER)
    erased = client.begin_erasure("harbour/old.md")
    services.audit_log.lines.clear()
    made = {"question": asked["id"], "grid": grid["id"], "batch": batch["id"], "run": run["id"]}
    made |= {"erasure": erased["id"], "collection": "default"}
    return made | {"document": DOCUMENT, "number": "1", "session": "s1"}


def send(method, path, body=None, *, query=None, who="acme-key", handle=routes.handle):
    text = None if body is None else json.dumps(body)
    return handle(event(method, path, query, text, {"x-api-key": who}), Context())


def request(act, ids, who="acme-key"):
    module, method, path = table()[act]
    for name in re.findall(r"<(\w+)>", path):
        path = path.replace(f"<{name}>", ids[name])
    given = {"query": QUERIES.get(act), "who": who, "handle": module.handle}
    return send(method, path, BODIES.get(act), **given)


def call(method, params):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    accept = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    return handle_mcp(
        event("POST", "/mcp", None, body, accept | {"x-api-key": "acme-key"}), Context()
    )


def told(services):
    return [json.loads(line) for line in services.audit_log.lines]


def test_each_route_leaves_one_line(services, ids):
    """Deletions come last: the others need what is there."""
    acts = sorted(set(table()) - OPEN, key=lambda act: (act.startswith("DELETE"), act))
    for act in sorted(acts, key=lambda act: act.endswith("/erase")):
        services.audit_log.lines.clear()
        answer = request(act, ids)
        assert len(told(services)) == 1, (act, answer["body"])
        [line] = told(services)
        assert (line["act"], line["outcome"]) == (act, OUTCOMES.get(act, "done")), answer["body"]
        assert (line["tenant"], line["caller"], line["by"]) == ("acme", "k1", "key")
        assert line["correlation_id"] == "c6af9ac6"
        named = ({*ids} - {"document", "number"}) & {*re.findall(r"<(\w+)>", act)}
        assert {name: line[name] for name in named} == {name: ids[name] for name in named}
        if "<document>" in act or act in NAMELESS:
            assert DOCUMENT in line["documents"], act
        assert not any(word in json.dumps(line) for word in WORDS)


def test_an_open_route_leaves_none(services, ids):
    assert [request(act, ids)["statusCode"] for act in OPEN] == [200] * len(OPEN)
    assert told(services) == []


def test_each_tool_and_each_resource_leaves_one_line(services, ids):
    added = document_id("acme/default/harbour/more.md")
    for method, params in RESOURCES.items():
        services.audit_log.lines.clear()
        call(method, params)
        [line] = told(services)
        assert (line["act"], line["outcome"]) == (f"MCP {method}", "done")
        assert DOCUMENT in line["documents"]
    for name in sorted(TOOLS, key=lambda name: name == "remove_document"):
        services.audit_log.lines.clear()
        given = TOOL_ARGUMENTS[name]
        if name in ABOUT_A_QUESTION:
            given = given | {"question_id": ids["question"]}
        call("tools/call", {"name": name, "arguments": given})
        [line] = told(services)
        assert (line["act"], line["outcome"]) == (f"MCP tools/call {name}", "done")
        named = {"add_document": added, "ask": None, "stop": None, "say": None}.get(name, DOCUMENT)
        assert named is None or named in line["documents"]
        assert not any(word in json.dumps(line) for word in WORDS)


def test_a_tool_that_is_refused_says_with_which_code(services, ids):
    call("tools/call", {"name": "open_section", "arguments": {"document": "elsewhere"}})
    [line] = told(services)
    assert (line["outcome"], line["documents"]) == ("unknown_document", [])


def test_who_is_refused_leaves_a_line_of_nobody(services, ids):
    request("GET /documents/<document>", ids, "nobody-key")
    [line] = told(services)
    assert (line["tenant"], line["outcome"], line["documents"]) == ("", "forbidden", [])


def test_another_tenants_act_names_no_document_that_it_may_not_read(services, ids):
    request("GET /documents/<document>", ids, "other-key")
    [line] = told(services)
    assert (line["tenant"], line["outcome"]) == ("other", "unknown_document")
    assert line["documents"] == []


def test_an_act_that_breaks_is_a_line_as_well(services, ids, monkeypatch):
    services.catalog = Flaky(services.catalog, get=[RuntimeError("broken")])
    with pytest.raises(RuntimeError):
        request("GET /documents/<document>", ids)
    [line] = told(services)
    assert line["outcome"] == "internal"


def test_a_line_that_cannot_be_kept_apart_is_in_the_functions_log(services, ids, lines):
    services.audit_log = Flaky(services.audit_log, keep=[UnavailableError("not now")])
    assert request("GET /documents/<document>", ids)["statusCode"] == 200
    [failed, act] = lines()
    assert (failed["message"], failed["level"]) == ("act not kept apart", "ERROR")
    assert (act["message"], act["audit"]["documents"]) == ("act", [DOCUMENT])


def test_without_a_group_of_its_own_it_is_in_the_functions_log(services, ids, lines):
    services.settings = services.settings.model_copy(update={"audit_group": ""})
    request("DELETE /documents/<document>", ids)
    acts = [line["audit"] for line in lines() if line["message"] == "act"]
    assert [(act["act"], act["documents"]) for act in acts] == [
        ("DELETE /documents/<document>", [DOCUMENT])
    ]
    assert told(services) == []


def test_a_sidecar_is_an_act_on_its_document(services, ids):
    services.tenants = MemoryTenants(TENANTS)  # no group
    send("POST", "/documents", {"document": "harbour/fees.md.metadata.json"})
    [line] = told(services)
    assert (line["outcome"], line["documents"]) == ("sidecar_forbidden", [DOCUMENT])
