"""What a client sends is bounded and is text, in whatever field, parameter or argument it comes."""

import json
from base64 import urlsafe_b64encode
from collections import defaultdict
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest

from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.api import draw_routes, routes
from footnote.api.given import MAX_BODY, MAX_VALUES, check_given
from footnote.api.refused_requests import parse_json
from footnote.api.waiting import Waiting
from footnote.ask.question import sessions
from footnote.errors import FootnoteError
from footnote.mcp.service_face import ServiceFace
from footnote.mcp.tool_table import TOOLS, Call
from footnote.service import Service
from footnote.service.grid_service import Wanted
from footnote.text.characters import is_text
from tests.contract.suites.ids import ODD
from tests.dynamo import Dynamo
from tests.unit.faces import IS_DRAWN, Context, event, small

LARGE, HALF = "x" * 500_000, "a\ud800"
WAYS = {
    "a text": lambda word: word,
    "a list": lambda word: [word],
    "a value": lambda word: {"a": word},
    "a name": lambda word: {word: 1},
    "deep inside": lambda word: {"or": [{"a": {"gte": word}}, {"not": {"a": [word]}}]},
}
OPENAPI = json.loads((Path(__file__).parents[2] / "docs" / "openapi.json").read_text())
SMALLEST = {
    "AddOrTextBody": {"document": "a.txt"},
    "BatchBody": {"documents": [{"document": "a.txt"}]},
    "StatusBody": {"ids": ["a"]},
    "QuestionBody": {"question": "What?"},
    "GridBody": {"questions": ["What?"]},
    "CellsBody": {},
    "FeedbackBody": {"verdict": "up"},
    "ReindexBody": {},
    "SearchBody": {"query": "What?"},
    "ChatBody": {"messages": [{"role": "user", "content": "What?"}]},
    "RetentionBody": {},
    "SessionBody": {"name": "What?"},
}
METHODS = {
    path: method
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
    if "requestBody" in operation
}
BODIES = {
    path: SMALLEST[name]
    for path, method in METHODS.items()
    for name in SMALLEST
    if f"/{name}" in json.dumps(OPENAPI["paths"][path][method]["requestBody"])
}
FIELDS = [
    (path, name)
    for path, method in METHODS.items()
    for schema in SMALLEST
    if f"/{schema}" in json.dumps(OPENAPI["paths"][path][method]["requestBody"])
    for name in OPENAPI["components"]["schemas"][schema]["properties"]
]
PARAMETERS = [
    (method, path, one["in"], one["name"])
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
    for one in operation.get("parameters", ())
]
ARGUMENTS = [(name, field) for name, tool in TOOLS.items() for field in tool.takes.model_fields]


@pytest.fixture(autouse=True)
def pipeline():
    return small()


def send(method, path, query=None, body=None, headers=None):
    handle = (draw_routes if IS_DRAWN.fullmatch(path) else routes).handle
    text = None if body is None else json.dumps(body)
    answer = handle(event(method.upper(), path, query, text, headers), Context())
    return answer["statusCode"], answer["body"]


def test_every_route_with_a_body_is_tried():
    with_body = {p for p, all_of in OPENAPI["paths"].items() if "requestBody" in str(all_of)}
    assert set(BODIES) == with_body
    assert len(FIELDS) > 30
    assert len(PARAMETERS) > 20


@pytest.mark.parametrize(("path", "field"), [one for one in FIELDS if one[1] != "new_text"])
def test_no_field_takes_more_than_it_needs(path, field):
    for way in WAYS.values():
        status, told = send(METHODS[path], path, body=BODIES[path] | {field: way(LARGE)})
        assert status in {400, 403, 404}, told[:300]
        assert len(told) < 2_000


@pytest.mark.parametrize(("path", "field"), FIELDS)
def test_no_field_takes_half_a_character(path, field):
    for way in WAYS.values():
        status, told = send(METHODS[path], path, body=BODIES[path] | {field: way(HALF)})
        assert (status, json.loads(told)["error"]["code"]) == (400, "bad_text")


@pytest.mark.parametrize(("method", "path", "kind", "name"), PARAMETERS)
def test_no_parameter_takes_half_a_character(method, path, kind, name):
    given = {"query": {name: HALF}} if kind == "query" else {}
    if kind == "header":
        given["headers"] = {"x-api-key": "acme-key", name: HALF}
    where = path.replace(f"{{{name}}}", HALF) if kind == "path" else path
    status, told = send(method, where, body=BODIES.get(path), **given)
    assert (status, json.loads(told)["error"]["code"]) in {(400, "bad_text"), (400, "bad_request")}


@pytest.mark.parametrize(("tool", "argument"), ARGUMENTS)
@pytest.mark.parametrize("word", [LARGE * 3, HALF], ids=["large", "half"])
def test_no_argument_of_a_tool_takes_either(pipeline, tool, argument, word):
    given = {"query": "What?", "question": "What?", "document": "a.txt", "text": "x"}
    known = {name: one for name, one in given.items() if name in TOOLS[tool].takes.model_fields}
    made = Call(ServiceFace(Service(pipeline, "acme")), Waiting(0, None))
    for way in WAYS.values():
        with pytest.raises(FootnoteError) as refused:
            TOOLS[tool].call(known | {argument: way(word)}, made)
        assert refused.value.http_status in {400, 404}
        assert len(str(refused.value)) < 2_000
        assert word != HALF or refused.value.code == "bad_text"


# -- numbers and cursors, over tables that refuse what DynamoDB refuses ----------------------------


@pytest.fixture
def tables(pipeline):
    """Puts the adapters of DynamoDB in the place of those in memory."""
    client = Dynamo()
    pipeline.questions = DynamoQuestions(client, "QuestionsTable")
    pipeline.catalog = DynamoCatalog(client, "DocumentsTable")
    pipeline.upload("acme/default/a.txt", b"The fee is 84 crowns.")
    for n in range(3):
        asked = Service(pipeline, "acme").questions.ask("What is the fee?", session=f"s{n % 2}")
        Service(pipeline, "acme").questions.say(asked.question_id, "up")
    return pipeline


NUMBERS = ("1e300", "-1e-200", "1" * 39, "-" + "9" * 400, "NaN", "Infinity")


@pytest.mark.parametrize(
    "field", ["filters", "context", "schema", "budget", "min_confidence", "documents"]
)
def test_no_number_is_more_than_the_tables_hold(tables, field):
    schema = {"type": "object", "properties": {"fee": {"type": "number", "enum": ["NUMBER"]}}}
    values = [way("NUMBER") for way in WAYS.values()]
    bodies = [{field: one} for one in values] + [{field: schema}]
    for number, body in product(NUMBERS, bodies):
        text = json.dumps({"question": "Hello!"} | body).replace('"NUMBER"', number)
        answer = routes.handle(event("POST", "/questions", None, text), Context())
        assert answer["statusCode"] in {202, 400}, (text, answer["body"])


def cursor(text: str) -> str:
    return urlsafe_b64encode(text.encode()).decode()


CURSORS = (
    "%", "é", "!!!!", "WzFd", "~", "00000001", "-1", "READY:x", "FAILED:x", "FAILED:!!!!",
    *map(cursor, (
        '["a","b"]', '["",""]', '["","",""]', "[[],{}]", "[1,2]", "null", "{}", "[" * 50_000, "\0",
        '["2026-11-20T10:00:00+00:00","\\ud800"]', '["2026-11-20T10:00:00+00:00",""]',
        json.dumps(["2026-11-20T10:00:00+00:00", "x" * 2049]), json.dumps(["x" * 2000, "q"]),
        json.dumps(["2026-11-20T10:00:00+00:00", "q", "x" * 1025]), "acme/" + "x" * 1100,
        json.dumps(["2026-11-20T10:00:00+00:00", "q", "\ud800"]),
    )),
)  # fmt: skip
LISTS = [
    (method, path) for method, path, kind, name in PARAMETERS if (kind, name) == ("query", "after")
]


QUERIES = ({}, {"code": "bad_document"})
OF_QUESTIONS = {"/sessions", "/feedback", "/sessions/{session}"}


@pytest.mark.parametrize(("method", "path"), LISTS)
def test_a_cursor_that_nobody_was_given_is_a_bad_request(tables, method, path):
    [(first, *_), *_] = Service(tables, "acme").sessions.newest()[0]
    grid = Service(tables, "acme").grids.create(Wanted(("What?",))).id
    where = path.format(session="s0", question=first.question_id, document="a.txt", grid=grid)
    for after in CURSORS:
        found = [send(method, where, query | {"after": after})[0] for query in QUERIES]
        assert set(found) <= {200, 400}, (after, found)
        assert path not in OF_QUESTIONS or set(found) == {400}, (after, found)


IN_PATHS = [one for one in PARAMETERS if one[2] == "path"]


@pytest.mark.parametrize(("method", "path", "_kind", "name"), IN_PATHS)
def test_no_id_in_a_path_is_an_error_of_ours(tables, method, path, _kind, name):
    others = {"question": "q", "document": "a.txt", "session": "s", "number": "1", "n": "1"}
    for one in (word for word in ODD if word and is_text(word)):
        where = path.replace(f"{{{name}}}", quote(one, safe="")).format_map(
            defaultdict(lambda: "1", others)
        )
        body = BODIES.get(path)
        status, told = send(method, where, body=body)
        assert status in {400, 403, 404, 409}, (one[:30], told[:200])


@pytest.mark.parametrize("path", ["/sessions", "/feedback", "/sessions/s0", "/documents"])
def test_a_cursor_that_was_given_goes_on(tables, monkeypatch, path):
    monkeypatch.setattr(sessions, "PAGE", 1)
    every = []
    after = ""
    while True:
        query = {"after": after} | ({"limit": "1"} if path == "/documents" else {})
        page = json.loads(send("GET", path, query)[1])
        every += next(iter(one for one in page.values() if isinstance(one, list)))
        if not (after := page["after"]):
            break
    wanted = {"/sessions": 2, "/feedback": 3, "/sessions/s0": 2, "/documents": 1}
    assert len({one.get("session") or one["id"] for one in every}) == wanted[path]


def test_a_body_of_many_fields_is_refused_before_they_are_looked_at():
    many = {f"k{n}": 1 for n in range(MAX_VALUES + 1)}
    status, told = send("POST", "/search", body={"query": "a"} | many)
    assert (status, json.loads(told)["error"]["code"]) == (400, "body_too_large")
    assert send("POST", "/search", body={"query": "a", "filters": {}})[0] == 200


def test_a_body_is_refused_by_its_bytes():
    whole = {"query": "a", "collection": None, "documents": []}
    room = MAX_BODY - len(json.dumps(whole | {"query": ""}, ensure_ascii=False).encode())
    for size, code in ((room, "query_too_long"), (room + 2, "body_too_large")):
        text = json.dumps(whole | {"query": "é" * (size // 2)}, ensure_ascii=False)
        answer = routes.handle(event("POST", "/search", None, text), Context())
        assert json.loads(answer["body"])["error"]["code"] == code


def test_a_text_that_is_added_may_fill_its_body():
    named = {"document": "a.md", "new_text": ""}
    room = MAX_BODY - len(json.dumps(named).encode())
    assert send("POST", "/documents", body=named | {"new_text": "a" * room})[0] == 200
    status, told = send("POST", "/documents", body=named | {"new_text": "a" * (room + 1)})
    assert (status, json.loads(told)["error"]["code"]) == (400, "body_too_large")


def test_the_place_of_half_a_character_is_told():
    for body, place in (
        ({"a": [{"b": HALF}]}, "the body.a[0].b has"),
        ({"a": {HALF: 1}}, "a name in the body.a has"),
    ):
        with pytest.raises(FootnoteError, match="half of a surrogate pair") as refused:
            parse_json(json.dumps(body))
        assert refused.value.message.startswith(place)


def test_a_body_that_is_nested_deep_is_looked_at_without_the_stack():
    deep: list[object] = []
    for _ in range(MAX_VALUES - 2):
        deep = [deep]
    check_given(deep, "the body")
    with pytest.raises(FootnoteError, match="more than"):
        check_given([[deep]], "the body")


def test_whole_characters_pass():
    for text, way in product(["é", "\U0001f600", "e\u0301", "\0", ""], WAYS.values()):
        check_given(way(text), "the body")
