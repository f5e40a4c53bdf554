"""How one begins on the page, and goes on: what is there, what to ask, of what, and what next.

The API is one that the test makes up: no stack is needed.
"""

import pytest
from playwright.sync_api import expect

from tests.e2e.page_alone import Api, answered, citation, sentence, show

RUNS = "The ferry runs twice a day."
FERRY, TIDES, SHEET = "ferry.md", "tides.pdf", "fares.xlsx"


def document(name, day, **changes):
    fields = {
        "id": f"d-{name}",
        "document": name,
        "collection": "default",
        "version": "v1",
        "status": "READY",
        "error": None,
        "searchable": True,
        "title": f"About the {name}",
        "media_type": "text/markdown",
        "language": "en",
        "size": 100,
        "pages": 2,
        "chunks": 3,
        "warnings": [],
        "metadata": {},
        "acl": None,
        "received": f"2026-11-{day:02}T10:00:00+00:00",
        "updated": f"2026-11-{day:02}T10:00:00+00:00",
    }
    return fields | changes


def contents(*questions, **changes):
    page = {"n": 1, "label": "", "start": 0, "end": 9, "words": False, "read": "text"}
    fields = {
        "picture": False,
        "pages": [page],
        "sections": [{"title": "Fares", "level": 1, "start": 0, "end": 9, "page": 1}],
        "tables": [],
        "not_read": [{"message": "2 charts are not read: sheet 1."}],
        "questions": list(questions),
    }
    return fields | changes


def session(name, first, last):
    turn = {"id": f"q-{name}", "question": last, "status": "DONE"}
    told = {"session": name, "updated": "2026-11-27T10:00:00+00:00", "last": turn}
    return told | {"first": first, "name": ""}


def told(**changes):
    return answered(
        sentence(RUNS, "exact", 1), quotes=[citation(1, RUNS, document_id="d-ferry.md")], **changes
    )


@pytest.fixture
def api():
    made = Api(one=told())
    records = [document(FERRY, 1), document(TIDES, 3), document(SHEET, 2)]
    made.replies["GET", "documents"] = {"documents": records, "after": ""}
    made.replies["GET", "sessions"] = {
        "sessions": [session("s1", "What does the ferry cost?", "And in winter?")],
        "after": "",
    }
    made.replies["POST", "questions/estimate"] = {"mode": "extractive"}
    for record, heading in zip(records, ("Fares", "Tides", "Prices"), strict=True):
        place = f"documents/{record['id']}"
        made.replies["GET", place] = record
        made.replies["GET", f"{place}/contents"] = contents(f"What is said about “{heading}”?")
    return made


# -- home ------------------------------------------------------------------------------------------


def test_home_says_what_is_there_and_what_one_could_ask(driver, api):
    page = show(driver, api)
    home = page.locator(".welcome")
    expect(home).to_contain_text("3 documents")
    expect(home).to_contain_text("No language model is set")
    expect(home.locator(".starter")).to_have_text(
        [f"What is said about “{one}”?" for one in ("Tides", "Prices", "Fares")]
    )
    expect(home.get_by_role("link", name="What does the ferry cost?")).to_be_visible()
    assert page.wrong == []


def test_a_question_that_is_suggested_is_asked_of_its_document(driver, api):
    api.ask(told(id="q2"))
    page = show(driver, api)
    page.get_by_role("button", name="What is said about “Prices”?").click()
    expect(page.locator(".turn footer")).to_be_visible()
    [body] = [body for path, body in api.sent if path == "questions"]
    assert (body["question"], body["documents"]) == (
        "What is said about “Prices”?",
        ["d-fares.xlsx"],
    )


def test_home_without_documents_says_how_to_add_some(driver, api):
    api.replies["GET", "documents"] = {"documents": [], "after": ""}
    page = show(driver, api)
    expect(page.locator(".welcome")).to_contain_text("Drop files anywhere on this page")


# -- what is asked ---------------------------------------------------------------------------------


def test_documents_are_ticked_beside_the_question(driver, api):
    page = show(driver, api)
    page.get_by_role("button", name="Choose some").click()
    page.get_by_label("Find a document to ask").fill("tide")
    expect(page.locator(".picker li")).to_have_count(1)
    page.get_by_label(TIDES, exact=True).check()
    expect(page.locator(".chip")).to_contain_text(TIDES)
    page.get_by_role("button", name="Ask all").click()
    expect(page.locator(".chips")).to_contain_text("Asked of all documents")


def test_whoever_ticks_by_the_keyboard_keeps_the_place(driver, api):
    page = show(driver, api)
    page.get_by_role("button", name="Choose some").click()
    second = page.locator(".picker li input").nth(1)
    second.press("Space")
    expect(page.locator(".chip")).to_have_count(1)
    expect(second).to_be_focused()
    page.click("[data-part=documents]")
    second = page.locator("tbody input").nth(1)
    second.press("Space")
    expect(page.get_by_role("button", name="Ask this one")).to_be_visible()
    expect(second).to_be_focused()
    page.get_by_role("button", name="Size").press("Enter")
    expect(page.locator("th[aria-sort] button")).to_have_text("Size ↓")
    expect(page.get_by_role("button", name="Size")).to_be_focused()
    expect(page.locator("tbody input:checked")).to_have_count(1)


def test_a_document_is_named_by_an_at_sign_in_the_question(driver, api):
    page = show(driver, api)
    page.locator("#question").press_sequentially("What does it cost @fares")
    expect(page.locator(".picker li")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".chip")).to_contain_text(SHEET)
    expect(page.locator("#question")).to_have_value("What does it cost ")
    assert [path for path, _ in api.sent if path == "questions"] == []


# -- conversations ---------------------------------------------------------------------------------


def test_a_conversation_has_the_name_of_its_first_question_until_it_is_renamed(driver, api):
    [named] = api.replies["GET", "sessions"]["sessions"]
    api.replies["PATCH", "sessions/s1"] = lambda body, _: named.update(body) or body
    page = show(driver, api, "questions/q1")
    link = page.locator("#side li a")
    expect(link).to_have_text("What does the ferry cost?")
    page.get_by_role("button", name="Rename the conversation").click()
    page.get_by_label("Name of the conversation").locator("input").fill("Ferries")
    page.get_by_role("button", name="Rename", exact=True).click()
    expect(link).to_have_text("Ferries")
    driver.close()
    another = show(driver, api, "questions/q1")  # a browser that has not seen it
    expect(another.locator("#side li a")).to_have_text("Ferries")


def test_a_question_is_edited_and_asked_again_where_it_was_asked(driver, api):
    api.replies["GET", "questions/q1"] = told(after="q0", question="What does it cost?")
    page = show(driver, api, "questions/q1")
    page.get_by_role("button", name="Edit").click()
    expect(page.locator("#question")).to_have_value("What does it cost?")
    api.ask(told(id="q2", session="s1"))
    page.press("#question", "Enter")
    expect(page.locator(".turn")).to_have_count(2)
    [body] = [body for path, body in api.sent if path == "questions"]
    assert (body["session"], body["after"]) == ("s1", "q0")


def test_what_the_cited_document_suggests_is_shown_after_an_answer(driver, api):
    api.ask(told(id="q2"))
    page = show(driver, api)
    page.fill("#question", "When does it run?")
    page.press("#question", "Enter")
    expect(page.locator(".further .starter")).to_have_text(["What is said about “Fares”?"])


def test_open_evidence_follows_the_newest_answer(driver, api):
    page = show(driver, api, "questions/q1")
    page.locator(".cite").click()
    expect(page.locator(".quote")).to_have_text(RUNS)
    late = "The last ferry leaves at four."
    cited = citation(1, late, document="late.md")
    api.ask(answered(sentence(late, "exact", 1), quotes=[cited], id="q2"))
    page.fill("#question", "When does the last one leave?")
    page.press("#question", "Enter")
    expect(page.locator(".quote")).to_have_text(late)


def test_what_was_found_is_shown_with_its_places(driver, api):
    place = {
        "document_id": "d-ferry.md",
        "document": FERRY,
        "collection": "default",
        "version": "v1",
        "pages": [],
        "start": 0,
        "end": len(RUNS),
        "quote": RUNS,
    }
    found = {
        "question_id": "q1",
        "question": "When does it run?",
        "statement": "",
        "by": "rules",
        "confidence": 0.9,
        "places": [place],
    }
    api.replies["GET", "questions/q1/findings"] = {"findings": [found]}
    page = show(driver, api, "questions/q1")
    page.get_by_text("Found so far").click()
    expect(page.locator(".findings")).to_contain_text("When does it run?")
    page.locator(".findings").get_by_role("button", name=FERRY).click()
    expect(page.locator("#evidence .quote")).to_have_text(RUNS)


# -- documents -------------------------------------------------------------------------------------


def test_the_newest_document_is_first_and_a_column_sorts(driver, api):
    page = show(driver, api, "documents")
    names = page.locator("tbody .name a")
    expect(names).to_have_text([TIDES, SHEET, FERRY])
    page.get_by_role("button", name="Document").click()
    expect(names).to_have_text([SHEET, FERRY, TIDES])
    expect(page.locator("th[aria-sort]")).to_have_attribute("aria-sort", "ascending")
    page.get_by_role("button", name="Document").click()
    expect(names).to_have_text([TIDES, FERRY, SHEET])


def test_the_list_is_there_at_once_when_one_comes_back_and_what_is_gone_goes(driver, api):
    page = show(driver, api, "documents")
    names = page.locator("tbody .name a")
    expect(names).to_have_count(3)
    page.click("[data-part=ask]")
    expect(names).to_have_count(0)
    held = []
    page.route("**/documents?*", lambda late: held.append(late))  # noqa: PLW0108 - playwright marks it
    page.click("[data-part=documents]")
    expect(names).to_have_text([TIDES, SHEET, FERRY])
    expect(page.get_by_text("Loading")).to_be_visible()
    left = [one for one in api.replies["GET", "documents"]["documents"] if one["document"] != SHEET]
    api.replies["GET", "documents"] = {"documents": left, "after": ""}
    for request in held:
        api.answer(request)
    expect(names).to_have_text([TIDES, FERRY])


@pytest.mark.parametrize(
    ("name", "title", "shown"),
    [
        ("annual-report_2025.pdf", "Annual Report 2025", 0),
        ("annual-report_2025.pdf", "annual-report_2025.pdf", 0),
        ("annual-report_2025.docx", "Annual report 2025 (final)", 1),
        ("r-2025.pdf", "2025", 0),
        (".pdf", "Fares", 1),
        ("Gebu\u0308hren.pdf", "Geb\u00fchren", 0),
    ],
)
def test_a_title_that_only_repeats_the_name_is_not_shown(driver, api, name, title, shown):
    named = document(name, 1, title=title)
    api.replies["GET", "documents"] = {"documents": [named], "after": ""}
    page = show(driver, api, "documents")
    expect(page.locator("tbody .name a")).to_have_text(name)
    expect(page.locator("tbody .title")).to_have_count(shown)


def test_a_document_opens_with_its_outline_and_a_sheet_is_called_a_sheet(driver, api):
    page = show(driver, api, f"documents/d-{SHEET}")
    expect(page.get_by_text("Outline: 1 heading")).to_be_visible()
    expect(page.get_by_text("2 charts are not read")).to_be_visible()
    expect(page.locator("dt", has_text="sheets")).to_have_count(1)
    page.get_by_text("1 sheet", exact=True).click()
    expect(page.get_by_role("button", name="Sheet 1")).to_be_visible()
    page.get_by_role("button", name="What is said about “Prices”?").click()
    expect(page.locator("#question")).to_have_value("What is said about “Prices”?")
    expect(page.locator(".chip")).to_contain_text(SHEET)


def test_a_document_is_summarised_when_one_asks(driver, api):
    page = show(driver, api, f"documents/d-{FERRY}")
    page.get_by_role("button", name="Summarise this document").click()
    expect(page.locator("#question")).to_have_value("Summarise this document")
    expect(page.locator(".chip")).to_contain_text(FERRY)


def test_a_table_is_called_after_the_heading_that_it_stands_under(driver, api):
    headings = [
        {"title": title, "level": 1, "start": start, "end": start + 9, "page": 1}
        for title, start in (("Fares", 10), ("Winter", 50))
    ]
    tables = [
        {"start": start, "end": start + 5, "page": 2, "rows": 3, "columns": 1}
        for start in (2, 12, 60)
    ]
    found = contents(sections=headings, tables=tables)
    api.replies["GET", f"documents/d-{FERRY}/contents"] = found
    page = show(driver, api, f"documents/d-{FERRY}")
    page.get_by_text("3 tables", exact=True).click()
    assert page.locator("details[open] li button", has_text="rows").all_inner_texts() == [
        f"{name}: 3 rows, 1 column, page 2" for name in ("Table 1", "Fares", "Winter")
    ]


@pytest.mark.parametrize(
    ("code", "offered"), [("encrypted", "Replace file"), ("unavailable", "Try again")]
)
def test_a_file_is_tried_again_only_where_that_may_help(driver, api, code, offered):
    error = {"code": code, "message": "it is not read", "action": ""}
    failed = document(FERRY, 1, status="FAILED", searchable=False, error=error)
    api.replies["GET", f"documents/d-{FERRY}"] = failed
    page = show(driver, api, f"documents/d-{FERRY}")
    expect(page.get_by_role("button", name=offered)).to_be_visible()
    buttons = page.locator("main .actions button").all_inner_texts()
    assert buttons == [offered, "Delete"]


def test_a_document_that_is_open_is_loaded_again_once_the_connection_is_back(driver, api):
    page = show(driver, api)
    expect(page.locator(".welcome")).to_be_visible()
    api.down = True
    page.evaluate(f"location.hash = '#/documents/d-{FERRY}'")
    expect(page.get_by_role("alert")).to_be_visible()
    api.down = False
    expect(page.locator("h1", has_text=FERRY)).to_be_visible()
