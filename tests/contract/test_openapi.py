"""The OpenAPI document: the stored one is the served one, and says what the routes do."""

import json
import re
from pathlib import Path

import pytest

from footnote.api.described import ERRORS
from footnote.api.openapi import OPEN, openapi_text
from footnote.api.routes import whole
from tests.contract.test_docs import served_routes
from tests.template import read_template

STORED = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"


@pytest.fixture(scope="module")
def document():
    return json.loads(openapi_text(whole()))


def operations(document):
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield f"{method.upper()} {path}", told


def test_the_stored_document_is_the_one_that_is_served(request):
    served = openapi_text(whole())
    if request.config.getoption("--update"):
        STORED.write_text(served)
    assert STORED.read_text() == served


def test_it_is_openapi_3_1_and_has_every_route(document):
    assert document["openapi"].startswith("3.1")
    told = [re.sub(r"\{\w+\}", "{}", name) for name, _ in operations(document)]
    assert sorted(told) == sorted(served_routes())


def test_every_operation_has_a_name_of_its_own_and_a_sentence(document):
    names = [told["operationId"] for _, told in operations(document)]
    assert len(set(names)) == len(names)
    for name, told in operations(document):
        assert not told["summary"].startswith(name.split()[0]), name


def test_every_error_has_our_form_and_no_other(document):
    for name, told in operations(document):
        for status in () if " /v1/" in name else ERRORS:
            reference = told["responses"][str(status)]
            assert reference == {"$ref": f"#/components/responses/Error{status}"}, name
        assert "422" not in told["responses"], name
    assert "HTTPValidationError" not in json.dumps(document)


def test_every_reference_leads_somewhere(document):
    for target in re.findall(r'"#/([^"]+)"', json.dumps(document)):
        found = document
        for part in target.split("/"):
            found = found[part]


def test_bodies_refuse_unknown_fields_and_replies_may_grow(document):
    schemas = document["components"]["schemas"]
    closed = {name for name, one in schemas.items() if one.get("additionalProperties") is False}
    assert {"SearchBody", "QuestionBody", "Limits", "Followee"} <= closed
    assert not closed & {"DocumentReply", "Answered", "HitReply", "Citation", "Problem"}


def test_no_reply_tells_where_evidence_lies(document):
    assert "evidence" not in json.dumps(document["components"]["schemas"]["SubQuestion"])


def test_only_what_the_template_leaves_open_is_said_to_need_no_key(document):
    """A route without a key in the document must have an event without one, and the other way."""
    events = read_template()["Resources"]["ApiFunction"]["Properties"]["Events"].values()
    opened = {one["Properties"]["Path"] for one in events if "Auth" in one["Properties"]}
    told = {name.split()[1] for name, one in operations(document) if one.get("security") == []}
    assert opened == told == set(OPEN)
    [_, settings, _] = read_template()["Resources"]["Api"]["Properties"]["MethodSettings"]
    throttled = {one["ResourcePath"].replace("~1", "/").removeprefix("//") for one in settings}
    functions = read_template()["Resources"].values()
    every = [one for each in functions for one in each["Properties"].get("Events", {}).values()]
    without_a_key = {one["Properties"]["Path"] for one in every if "Auth" in one["Properties"]}
    assert opened < without_a_key
    assert {f"/{one.strip('/')}" for one in throttled} == without_a_key
