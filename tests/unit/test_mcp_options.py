"""What the tools of the MCP server may be told beside a question, over both of its faces."""

import json
import re

import pytest

from footnote.model import AnswerOptions, Caps
from tests.mcp_clients import call, text_of
from tests.unit.faces import connect, small
from tests.unit.test_mcp import QUESTION, refused, server

assert server

SCHEMA = {
    "type": "object",
    "properties": {"fee": {"type": "integer", "description": QUESTION}},
}


@pytest.fixture
def pipeline():
    found = small()
    for year in (2024, 2025):
        sidecar = json.dumps({"metadataAttributes": {"year": year}})
        found.uploads.put(f"acme/default/fees-{year}.md.metadata.json", sidecar.encode())
        text = f"# Fees\n\nThe harbour fee for a barge is {year - 1940} crowns.\n"
        found.upload(f"acme/default/fees-{year}.md", text.encode())
    return found


def documents_of(citations):
    return {one["document"] for one in citations}


def test_data_by_a_schema_is_given_as_json_and_between_fences_with_its_citation(server):
    asked = call(server, "ask", question=QUESTION, documents=["fees-2024.md"], schema=SCHEMA)
    answer = asked.structured_content
    assert answer["data"] == {"fee": 84}
    [field] = answer["fields"]
    assert answer["citations"][field["citations"][0] - 1]["document"] == "fees-2024.md"
    fence = re.search(r"<<<([0-9a-f]{16}) data>>>\n(.*?)\n<<<end \1>>>", text_of(asked), re.DOTALL)
    data, _, sources = fence[2].rpartition("\n")
    assert (json.loads(data), sources) == ({"fee": 84}, f"fee: [{field['citations'][0]}]")


def test_without_a_schema_no_data_is_told(server):
    asked = call(server, "ask", question=QUESTION)
    assert asked.structured_content["data"] is None
    assert " data>>>" not in text_of(asked)


@pytest.mark.parametrize("year", [2024, 2025])
def test_filters_hold_for_every_tool_that_asks(server, year):
    filters = {"year": {"gte": year, "lt": year + 1}}
    found = call(server, "search", query=QUESTION, filters=filters).structured_content
    asked = call(server, "ask", question=QUESTION, filters=filters).structured_content
    table = call(server, "grid", questions=[QUESTION], filters=filters).structured_content
    name = {f"fees-{year}.md"}
    assert documents_of(found["hits"]) == documents_of(asked["citations"]) == name
    assert documents_of(table["rows"]) == name


def test_a_question_is_stored_with_all_that_was_said_of_it(server, pipeline):
    first = call(server, "ask", question=QUESTION, session="one").structured_content["id"]
    said = {"persona": "terse", "kind": "fact", "min_confidence": 0.2, "strict": True}
    context = {"ship": "barge"}
    budget = {"seconds": 30, "searches": 3, "usd": 0.5}
    asked = call(server, "ask", question="And now?", after=first, context=context, budget=budget,
                 chart=True, **said)  # fmt: skip
    record = pipeline.questions.get("acme", asked.structured_content["id"])
    assert (record.after, record.session) == (first, "one")
    assert record.budget == Caps(searches=3, usd=0.5)
    assert record.deadline <= pipeline.clock() + 30
    assert record.wishes == AnswerOptions(context=json.dumps(context), chart=True, **said)


def test_a_grid_is_made_with_all_that_was_said_of_it(server, pipeline):
    said = {"persona": "terse", "min_confidence": 0.2, "strict": True}
    table = call(server, "grid", questions=[QUESTION], name="Fees", **said).structured_content
    assert connect(pipeline).grid(table["id"])["name"] == "Fees"
    record = pipeline.questions.get("acme", table["rows"][0]["cells"][0]["question_id"])
    assert record.wishes == AnswerOptions(**said)


def test_a_search_follows_a_document_and_tells_what_became_of_it(server):
    found = call(server, "search", query=QUESTION, k=1, explain=True, min_score=0.01,
                 why={"document": "fees-2024.md"})  # fmt: skip
    told = found.structured_content
    assert told["hits"][0]["explain"]["legs"]
    assert told["why"]["document"] == "fees-2024.md"
    assert f"{told['why']['looks'][0]['at']}: " in text_of(found)


@pytest.mark.parametrize(
    ("name", "arguments", "code", "said"),
    [
        ("ask", {"persona": "pirate"}, "bad_persona", "analyst"),
        ("ask", {"budget": {"hours": 1}}, "bad_arguments", "Known arguments of `budget`: rounds,"),
        ("ask", {"budget": {"usd": 0}}, "bad_arguments", "budget.usd: "),
        ("ask", {"kind": "riddle"}, "bad_arguments", "'riddle' is not known"),
        ("ask", {"filters": {"year": {"about": 3}}}, "bad_filter", "about"),
        ("ask", {"schema": {"type": "array"}}, "bad_schema", "object"),
        ("ask", {"schema": SCHEMA, "min_confidence": 0.5}, "bad_request", "min_confidence"),
        ("ask", {"context": {"a": "b" * 17_000}}, "context_too_large", "16,000"),
        ("ask", {"data_schema": SCHEMA}, "bad_arguments", "persona, kind, schema, context"),
        ("ask", {"after": "none"}, "not_found", "none"),
        ("search", {"min_score": 2}, "bad_arguments", "min_score: "),
        ("search", {"why": {"page": 1}}, "bad_arguments", "Known arguments of `why`: document,"),
        ("grid", {"budget": {"seconds": 1}}, "bad_arguments", "Known arguments of `budget`: usd."),
    ],
)  # fmt: skip
def test_a_wrong_argument_is_told_with_what_is_known(server, name, arguments, code, said):
    words = {"ask": {"question": QUESTION}, "search": {"query": QUESTION}}
    given = words.get(name, {"questions": [QUESTION]})
    answer = call(server, name, **given, **arguments)
    assert refused(answer) == code
    problem = answer.structured_content["error"]
    assert said in f"{problem['message']} {problem['action']}"
