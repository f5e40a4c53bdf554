"""Grids on the page in a real browser, over an API that the test makes up: no stack is needed."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.page_alone import Api, answered, citation, sentence, show

FARE, CREW = "What does the ferry cost?", "Who crews the ferry?"
SAID = "The ferry costs 3 crowns."


def cell(shown, question, **changes):
    fields = {
        "status": "DONE",
        "question_id": question,
        "stale": False,
        "kind": "answer",
        "outcome": "answer",
        "shown": shown,
        "text": shown,
        "checked": "exact",
        "citation": {"pages": [2], "labels": [], "quote": shown, "read": "text"},
        "confidence": 0.9,
        "usd": 0,
        "error": None,
    }
    return fields | changes


def row(name, *cells):
    names = {"document_id": f"d-{name}", "document": name, "collection": "default", "title": ""}
    return names | {"cells": list(cells)}


def grid(*rows, status="DONE", **counts):
    none = dict.fromkeys(
        ("waiting", "running", "answered", "nearest", "none", "other", "failed", "stale"), 0
    )
    return {
        "id": "g1",
        "name": "fares",
        "questions": [FARE, CREW],
        "created": "2026-11-28T10:00:00+00:00",
        "status": status,
        "scope": {"collection": None, "documents": [], "filtered": False},
        "documents": len(rows),
        "counts": none | counts,
        "estimate": None,
        "rows": list(rows),
        "after": "",
    }


WHOLE = grid(
    row("ferry.md", cell(SAID, "q1"), cell("not in it", "q2", outcome="none", citation=None)),
    row(
        "<b>old</b>.md",
        cell("no answer, nearest: Fares rise.", "q3", outcome="nearest"),
        cell("failed: timeout", "q4", status="FAILED", error={"code": "timeout"}),
    ),
    answered=1,
    nearest=1,
    none=1,
    failed=1,
)


@pytest.fixture
def api():
    asked = answered(sentence(SAID, "exact", 1), quotes=[citation(1, SAID)], id="q1", session="")
    made = Api(one=asked)
    made.replies["GET", "grids/g1"] = WHOLE
    entry = {name: WHOLE[name] for name in ("id", "name", "questions", "created")}
    made.replies["GET", "grids"] = {"grids": [entry], "after": ""}
    return made


def cells(page):
    return [
        [
            one.inner_text().split("\n")[0].removesuffix("↻").strip()
            for one in row.locator("td").all()
        ]
        for row in page.locator("tbody tr").all()
    ]


def test_a_grid_is_a_table_and_a_cell_opens_its_question(driver, api):
    page = show(driver, api, "grids")
    page.get_by_role("link", name="fares").click()
    expect(page.locator("h1")).to_have_text("fares")
    heads = page.locator("thead th").all_inner_texts()
    assert heads == ["Document", FARE, CREW]
    assert page.locator("tbody th").all_inner_texts() == ["ferry.md", "<b>old</b>.md"]
    assert cells(page) == [
        [SAID, "not in it"],
        ["no answer, nearest: Fares rise.", "failed: timeout"],
    ]
    expect(page.locator(".totals")).to_have_text(
        "4 of 4 cells: 1 answered, 1 nearest, 1 none, 1 failed"
    )
    page.get_by_role("link", name=SAID).click()
    expect(page.locator(".turn .answer")).to_contain_text(SAID)
    assert page.wrong == []


def test_a_new_grid_is_priced_made_and_filled_while_one_looks(driver, api):
    looks = []
    begun = grid(row("ferry.md", None, cell("", "", status="WAITING")), status="RUNNING", waiting=2)

    def look(_, __):
        looks.append(1)
        return begun if len(looks) < 2 else WHOLE

    api.replies["GET", "grids/g1"] = look
    api.replies["POST", "grids"] = begun
    api.replies["POST", "grids/estimate"] = {
        "cells": 2, "documents": 1, "tokens": 9_000, "usd": 0.05, "priced": True,
    }  # fmt: skip
    page = show(driver, api, "grids")
    page.get_by_label("Questions").fill(f"{FARE}\n\n  {CREW} ")
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.locator(".newgrid")).to_contain_text("2 cells of 1 document: 9,000 tokens, $0.05.")
    api.replies["POST", "grids/estimate"] |= {"tokens": 0, "usd": 0}
    page.get_by_role("button", name="What would it cost?").click()
    expect(page.locator(".newgrid")).to_contain_text("2 cells of 1 document: it costs nothing.")
    page.get_by_role("button", name="Fill the grid").click()
    expect(page.locator(".totals")).to_contain_text("0 of 2 cells")
    expect(page.get_by_role("button", name="Stop")).to_be_visible()
    expect(page.get_by_role("link", name=SAID)).to_be_visible()
    paths = [path for path, _ in api.sent]
    assert paths == ["grids/estimate", "grids/estimate", "grids"]
    assert api.sent[2][1] == {"name": "", "questions": [FARE, CREW]}
    assert page.wrong == []


def test_one_cell_is_asked_again_and_what_is_new_is_filled(driver, api):
    api.replies["POST", "grids/g1/cells"] = WHOLE
    page = show(driver, api, "grids/g1")
    for name in (f"Ask again: {CREW} of ferry.md", "Fill"):
        with page.expect_response("**/grids/g1/cells"):
            page.get_by_role("button", name=name, exact=True).click()
    asked = {"cells": [{"document": "d-ferry.md", "question": 2}]}
    assert api.sent == [("grids/g1/cells", asked), ("grids/g1/cells", {})]


def test_a_grid_is_deleted_once_it_is_confirmed(driver, api):
    api.replies["DELETE", "grids/g1"] = {"id": "g1", "deleted": 4, "more": False}
    page = show(driver, api, "grids/g1")
    page.get_by_role("button", name="Delete").click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile("#/grids$"))


def test_a_grid_that_is_not_there_says_so(driver, api):
    page = show(driver, api, "grids/nope")
    expect(page.locator(".totals")).to_contain_text("No grids/nope.")
