"""What the page lets one say beside a question, in a real browser: no stack is needed."""

import json

import pytest
from playwright.sync_api import expect

from footnote.api.bodies import GridBody, QuestionBody
from tests.e2e.page_alone import Api, answered, sentence, show
from tests.e2e.test_page_grids import FARE, grid, row
from tests.offered import told

CHOSEN = {"documents": [{"id": "d1", "document": "ferry.md"}], "collection": "default"}
SCHEMA = {"type": "object", "properties": {"fare": {"type": "integer"}}}
TYPED = {
    "Written": "terse",
    "Asks for": "fact",
    "What nothing confirms": "true",
    "A chart": "true",
    "Least confidence": "0.4",
    "Most dollars": "0.5",
    "Most seconds": "30",
    "Only documents with": '{"year": {"gte": 2023}}',
    "About this record": '{"quay": "Wexmoor"}',
    "Data by this JSON Schema": json.dumps(SCHEMA),
}
BODY = {
    "persona": "terse",
    "kind": "fact",
    "strict": True,
    "chart": True,
    "min_confidence": 0.4,
    "budget": {"usd": 0.5, "seconds": 30},
    "filters": {"year": {"gte": 2023}},
    "context": {"quay": "Wexmoor"},
    "schema": SCHEMA,
}
OF_GRIDS = ("persona", "strict", "min_confidence", "filters")


@pytest.fixture
def api():
    made = Api()
    made.ask(answered(sentence("The ferry costs 3 crowns.", "exact")))
    made.replies["GET", "grids"] = {"grids": [], "after": ""}
    made.replies["POST", "grids"] = made.replies["GET", "grids/g1"] = grid(row("ferry.md", None))
    return made


def fill_in(page, typed=TYPED):
    page.locator(".options summary").click()
    for label, text in typed.items():
        field = page.locator(".options").get_by_label(label)
        if not field.count():
            continue
        if field.evaluate("one => one.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)


def ask(page, question=FARE):
    page.get_by_label("Your question").fill(question)
    page.get_by_role("button", name="Ask", exact=True).click()


def bodies(api, path):
    return [body for name, body in api.sent if name == path]


def choose(page):
    page.evaluate("one => sessionStorage.setItem('footnote.scope', one)", json.dumps(CHOSEN))
    page.reload()


def test_a_question_is_sent_with_all_that_the_table_of_faces_says(driver, api):
    page = show(driver, api)
    choose(page)
    fill_in(page)
    expect(page.locator(".options summary")).to_have_text("Options (10 set)")
    ask(page)
    expect(page.locator(".turn .answer")).to_contain_text("3 crowns")
    ask(page, "And on Sundays?")
    expect(page.locator(".turn")).to_have_count(2)
    first, second = bodies(api, "questions")
    assert BODY.items() <= first.items()
    assert (first["documents"], first["collection"]) == (["d1"], "default")
    assert set(second) == told("A question", "page")
    assert QuestionBody.model_validate(second).after == "q1"
    assert page.wrong == []


def test_a_grid_is_sent_with_all_that_the_table_of_faces_says(driver, api):
    page = show(driver, api, "grids")
    choose(page)
    fill_in(page)
    page.get_by_label("Questions").fill(FARE)
    page.get_by_role("button", name="Fill the grid").click()
    expect(page.locator("table.grid")).to_be_visible()
    [body] = bodies(api, "grids")
    assert set(body) == told("A grid", "page")
    assert {name: body[name] for name in OF_GRIDS} == {name: BODY[name] for name in OF_GRIDS}
    assert body["budget"] == {"usd": 0.5}
    assert GridBody.model_validate(body).strict
    assert page.wrong == []


def test_what_is_not_said_is_not_sent(driver, api):
    page = show(driver, api)
    ask(page)
    expect(page.locator(".turn .answer")).to_contain_text("3 crowns")
    [body] = bodies(api, "questions")
    assert set(body) == {"question", "session"}


def test_what_was_said_stays_until_it_is_taken_back(driver, api):
    page = show(driver, api)
    fill_in(page, {"Written": "terse"})
    page.reload()
    expect(page.locator(".options summary")).to_have_text("Options (1 set)")
    page.locator(".options summary").click()
    page.locator(".options").get_by_label("Written").select_option("")
    expect(page.locator(".options summary")).to_have_text("Options")


@pytest.mark.parametrize("wrong", ["{", "[1]", "null", '"year"'])
def test_what_is_no_object_is_told_and_not_sent(driver, api, wrong):
    page = show(driver, api)
    fill_in(page, {"Only documents with": wrong})
    ask(page)
    expect(page.locator(".note.error")).to_contain_text("“Only documents with” is no JSON object")
    assert bodies(api, "questions") == []
    expect(page.get_by_label("Your question")).to_have_value(FARE)
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
