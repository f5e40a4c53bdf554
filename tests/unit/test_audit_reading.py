"""An operator reads from the audit log who did what. The lines are those that real acts leave."""

import json

import pytest
from typer.testing import CliRunner

from footnote.adapters.aws.cloudwatch_lines import CloudwatchLines
from footnote.cli import commands
from footnote.errors import BadRequestError
from footnote.mcp.tool_table import TOOLS
from footnote.wiring import audit_reading
from footnote.wiring.audit_reading import kind_of
from tests.unit.test_audit import DOCUMENT, KEY, ids, request, services, table

__all__ = ["ids", "services"]

ASKED = {
    "POST /search",
    "POST /questions",
    "POST /questions/estimate",
    "POST /v1/chat/completions",
    "POST /grids",
    "POST /grids/<grid>/cells",
    "POST /grids/estimate",
}
DELETED = {"POST /documents/<document>/erase", "POST /erasures/<erasure>"}
READ = {"POST /documents/status"}
CHANGED = {
    "PATCH /sessions/<session>",
    "POST /documents",
    "POST /documents/<document>/retry",
    "POST /documents/batch",
    "POST /documents/retry",
    "POST /grids/<grid>/stop",
    "POST /questions/<question>/feedback",
    "POST /questions/<question>/stop",
    "POST /reindex",
    "POST /reindex/rollback",
    "PUT /collections/<collection>/retention",
}


def test_every_route_has_a_kind():
    routes = set(table())
    expected = dict.fromkeys(ASKED, "asked") | dict.fromkeys(READ, "read")
    expected |= dict.fromkeys(DELETED, "deleted") | dict.fromkeys(CHANGED, "changed")
    for act in routes:
        if act.startswith(("GET ", "DELETE ")):
            expected[act] = "read" if act.startswith("GET ") else "deleted"
    assert {act: kind_of(act) for act in routes} == expected


def test_every_tool_has_a_kind():
    kinds = {name: kind_of(f"MCP tools/call {name}") for name in TOOLS}
    assert {name for name, kind in kinds.items() if kind == "changed"} == {
        "add_document",
        "say",
        "stop",
    }
    assert [name for name, kind in kinds.items() if kind == "deleted"] == ["remove_document"]
    assert {name for name, kind in kinds.items() if kind == "asked"} == {"ask", "grid", "search"}
    assert kind_of("MCP resources/read") == "read"


class Log:
    """Stands for a log group: pages of two lines, each of the time that is asked for."""

    def __init__(self, lines):
        self.lines = lines
        self.asked = []

    def filter_log_events(self, **given):
        self.asked.append(given)
        first = int(given.get("nextToken", 0))
        events = [{"message": line} for line in self.lines[first : first + 2]]
        more = first + 2 < len(self.lines)
        return {"events": events} | ({"nextToken": str(first + 2)} if more else {})


@pytest.fixture
def log(services, ids, monkeypatch):
    """Has the lines of four acts of two callers, one of which was refused."""
    request("GET /documents/<document>/text", ids)
    request("POST /search", ids)
    request("GET /documents/<document>", ids, who="other-key")
    request("DELETE /documents/<document>", ids)
    kept = list(services.audit_log.lines)
    # as in a function's log, where there is no other
    kept[1] = json.dumps({"message": "act", "audit": json.loads(kept[1])})
    log = Log([*kept, "START RequestId: 1", "[]", "{}"])
    found = CloudwatchLines(log, "audit")
    monkeypatch.setattr(audit_reading, "find_lines", lambda _: found)
    return log


def audit(*words):
    result = CliRunner().invoke(commands.app, ["audit", *words, "--json"])
    if isinstance(result.exception, Exception):
        raise result.exception
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_who_did_what_to_which_document(log):
    assert [(deed["kind"], deed["caller"], deed["outcome"]) for deed in audit()] == [
        ("read", "k1", "done"),
        ("asked", "k1", "done"),
        ("read", "k2", "unknown_document"),
        ("deleted", "k1", "done"),
    ]
    assert len(log.asked) > 1  # all pages


def test_by_person_document_tenant_and_kind(log):
    assert [deed["kind"] for deed in audit("--person", "k2")] == ["read"]
    assert [deed["tenant"] for deed in audit("--tenant", "other")] == ["other"]
    assert [deed["kind"] for deed in audit("--kind", "deleted")] == ["deleted"]
    for named in (DOCUMENT, KEY):
        deeds = audit("--document", named, "--person", "k1")
        assert {deed["kind"] for deed in deeds} == {"read", "asked", "deleted"}
        assert all(DOCUMENT in deed["documents"] for deed in deeds)
    assert audit("--document", "acme/default/another.md") == []


def test_the_log_is_asked_for_the_words_and_the_day(log):
    audit("--person", "k1", "--document", DOCUMENT, "--day", "2026-11-28")
    asked = log.asked[0]
    assert asked["filterPattern"] == f'"k1" "{DOCUMENT}"'
    assert (asked["startTime"], asked["endTime"]) == (1_795_824_000_000, 1_795_910_400_000)
    audit("--person", 'a"b')
    assert "filterPattern" not in log.asked[-1]
    audit("--days", "2")
    assert 86_400_000 <= log.asked[-1]["endTime"] - log.asked[-1]["startTime"] < 2 * 86_400_000


def test_a_line_is_printed_for_people(log):
    shown = CliRunner().invoke(commands.app, ["audit", "--kind", "deleted"]).stdout
    assert f"deleted  acme/k1  DELETE /documents/<document>  done  {DOCUMENT}" in shown
    none = CliRunner().invoke(commands.app, ["audit", "--person", "nobody"])
    assert "no such line" in none.stderr


def test_what_is_no_day_is_refused():
    with pytest.raises(BadRequestError, match="is no day"):
        audit("--day", "yesterday")
