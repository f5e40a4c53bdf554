"""How the page behaves in a real browser: where it scrolls, what it says, how it comes back.

The API is one that the test makes up: no stack is needed.
"""

import io
import json

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.e2e.page_alone import URL, Api, answered, citation, sentence, show
from tests.e2e.test_page_home import document

LONG = "What does the ferry to the island cost on a Sunday in winter for comparably tall people?"
RUNS = "The ferry runs twice a day."


def told(**changes):
    return answered(sentence(RUNS, "exact", 1), quotes=[citation(1, RUNS)], **changes)


@pytest.fixture
def api():
    return Api(one=told())


def ask(page, api, question, **changes):
    ended = told(**changes) | {"question": question}
    words = {"text": RUNS, "read": "text", "checked": "exact", "judged_by": "rules"}
    api.ask(ended, [{"kind": "words", "data": words}])
    before = page.locator(".turn").count()
    page.fill("#question", question)
    page.press("#question", "Enter")
    expect(page.locator(".turn")).to_have_count(before + 1)
    turn = page.locator(".turn").last
    expect(turn.locator("footer")).to_be_visible()
    return turn


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_each_new_question_goes_to_the_top(driver, api, size):
    page = driver.open(size=size, routes=api.answer, reduced_motion="reduce")
    page.goto(f"{URL}/#key=k&to=/")
    for n in range(1, 4):
        turn = ask(page, api, f"Question {n}?", id=f"q{n}")
    top = page.locator("main").bounding_box()["y"] if size == "wide" else 0
    at = "() => document.querySelector('.turn:last-child').getBoundingClientRect().top"
    page.wait_for_function(f"(top) => ({at})() - top < 60", arg=top)
    assert turn.bounding_box()["y"] >= top


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_nothing_shows_below_the_place_to_ask_however_long_the_page_is(driver, api, size):
    lines = [sentence(f"{RUNS} {n}", "exact", 1) for n in range(60)]
    api.replies["GET", "questions/q1"] = answered(*lines, quotes=[citation(1, RUNS)])
    heights = []
    for place in ("", "questions/q1"):
        page = show(driver, api, place, size=size)
        expect(page.locator(".welcome, .turn footer").first).to_be_attached()
        form = page.locator(".composer").bounding_box()
        assert form["y"] + form["height"] >= page.viewport_size["height"] - 1
        heights.append(form["y"])
    assert heights[0] == pytest.approx(heights[1], abs=1)


def test_what_is_on_screen_is_loaded_again_once_the_connection_is_back(driver, api):
    page = show(driver, api)
    expect(page.locator("#question")).to_be_visible()
    api.down = True
    page.click("[data-part=documents]")
    expect(page.locator("#network")).to_contain_text("goes on by itself")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    api.down = False  # and nobody clicks anything
    expect(page.locator("#network")).to_be_hidden()
    expect(page.get_by_role("button", name="Try again")).to_have_count(0)
    assert page.wrong == []


NO_PLACE = {"code": "unavailable", "message": "the service did not answer", "action": "Wait."}


def refuse_twice(page, api, place):
    """Has API Gateway find no place for two requests. Returns the headers of all that come."""
    seen = []

    def answer(route):
        seen.append(route.request.headers)
        if len(seen) <= 2:
            route.fulfill(status=500, json={"error": NO_PLACE})
        else:
            api.answer(route)

    page.route(place, answer)
    return seen


def test_a_question_that_finds_no_place_is_sent_again_with_the_same_key(driver, api):
    page = show(driver, api)
    expect(page.locator("#question")).to_be_visible()
    page.evaluate("() => { const wait = setTimeout; window.setTimeout = (work) => wait(work, 0); }")
    seen = refuse_twice(page, api, "**/prod/questions")
    ask(page, api, "When does the ferry run?")
    keys = [headers.get("idempotency-key") for headers in seen]
    assert len(keys) == 3 and len(set(keys)) == 1 and len(keys[0]) > 10
    read = refuse_twice(page, api, "**/prod/questions/q1")
    page.reload()
    expect(page.locator(".turn footer")).to_be_visible()
    assert len(read) == 3


def test_what_could_be_done_twice_is_sent_once(driver, api):
    page = show(driver, api, "questions/q1")
    sent = refuse_twice(page, api, "**/feedback")
    page.get_by_role("button", name="Good").click()
    expect(page.get_by_text("The service did not answer")).to_be_visible()
    assert len(sent) == 1


def test_a_key_that_does_not_count_is_told_without_the_words_of_the_api(driver, api):
    page = show(driver, api)
    expect(page.locator("#question")).to_be_visible()
    action = "Send a valid key in x-api-key; `footnote endpoint` prints that of the stack."
    error = {"code": "forbidden", "message": "the x-api-key header holds no key", "action": action}

    def refuse(route):
        route.fulfill(status=403, json={"error": error})

    page.route("**/questions", refuse)
    page.fill("#question", "Why?")
    page.press("#question", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("This key does not count here")
    assert "x-api-key" not in page.locator("main").inner_text()


def test_a_key_in_letters_that_no_header_takes_is_refused_like_any_other(driver, api):
    page = driver.open(routes=api.answer)
    page.goto(f"{URL}/")
    error = {"code": "forbidden", "message": "the x-api-key header holds no key", "action": "."}
    page.route("**/health", lambda route: route.fulfill(status=403, json={"error": error}))
    with page.expect_request("**/health") as sent:
        page.fill("#key", "ключ")
        page.press("#key", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("This key does not count here")
    assert sent.value.headers["x-api-key"].isascii()
    expect(page.locator("#network")).to_be_hidden()


REFUSED = {
    "over-name.txt": ("bad_path", "over-name.txt is no name. Rename it. (bad_path)"),
    "large.txt": (
        "too_large",
        "The file has 7 bytes; the limit is 5 bytes. Split the file. (too_large)",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_second_try_makes_right_is_replaced_by_another_file(driver, api, name):
    code, says = REFUSED[name]

    def ticket(route):
        error = {"code": code, "message": f"{name} is no name", "action": "Rename it."}
        if code == "bad_path" and route.request.post_data_json["document"] == name:
            route.fulfill(status=400, json={"error": error})
        else:
            route.fulfill(json={"id": "d1", "max_bytes": 5, "url": "", "fields": {}})

    page = show(driver, api, "documents")
    page.route(
        "**/documents",
        lambda route: ticket(route) if route.request.method == "POST" else route.fallback(),
    )
    page.set_input_files("#files", [{"name": name, "mimeType": "", "buffer": b"A note."}])
    line = page.locator(".ledger li.bad")
    expect(line.locator(".why")).to_have_text(says)
    expect(line.get_by_role("button", name=f"Try {name} again")).to_have_count(0)
    expect(page.get_by_role("button", name="Try all again")).to_have_count(0)
    with (
        page.expect_file_chooser() as chosen,
        page.expect_request(
            lambda one: one.method == "POST" and one.url.endswith("/documents")
        ) as sent,
    ):
        line.get_by_role("button", name=f"Replace the file {name}").click()
        chosen.value.set_files([{"name": "right.txt", "mimeType": "", "buffer": b"A longer note."}])
    other = "right.txt" if code == "bad_path" else name
    assert sent.value.post_data_json["document"] == other


def test_an_error_is_a_sentence_that_begins_with_a_capital(driver, api):
    error = {"code": "limited", "message": "today's `questions` are used up", "action": "wait."}
    failed = {"id": "q1", "status": "FAILED", "question": "Why?", "session": "s1", "after": ""}
    api.replies["GET", "questions/q1"] = failed | {"estimate": None, "error": error}
    page = show(driver, api, "questions/q1")
    expect(page.get_by_role("alert")).to_have_text("Today's questions are used up. Wait. (limited)")


def test_a_long_question_is_not_cut_and_what_is_wrong_with_it_is_told(driver, api):
    page = show(driver, api)
    field = page.locator("#question")
    expect(field).to_be_visible()
    low = field.bounding_box()["height"]
    field.fill("word " * 20_000)
    assert low * 3 < field.bounding_box()["height"] < 250
    field.press("Enter")  # nothing here answers it
    expect(page.locator(".note.error")).to_be_visible()
    assert len(field.input_value()) == 100_000
    field.fill("word")
    assert field.bounding_box()["height"] == low
    api.ask(answered(id="q2", session="s1"))
    field.press("Enter")
    expect(page.locator(".turn")).to_be_visible()
    expect(page.locator(".note")).to_have_count(0)


DROP = """() => {
    const data = new DataTransfer();
    data.items.add(new File(["Salt."], "salt.txt"));
    const drop = new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true});
    document.querySelector("#question").dispatchEvent(drop);
    return drop.defaultPrevented;
}"""


def test_a_file_that_is_dropped_anywhere_is_added(driver, api):
    page = show(driver, api)
    expect(page.locator("#question")).to_be_visible()
    with page.expect_request("**/documents"):
        assert page.evaluate(DROP)
    expect(page.locator(".note")).to_contain_text("are being added")
    [body] = [body for path, body in api.sent if path == "documents"]
    assert (body["document"], body["collection"]) == ("salt.txt", "default")


def test_a_message_covers_neither_the_place_to_ask_nor_half_a_word(driver, api):
    api.replies["GET", "questions/q1"] = told(question=LONG)
    page = show(driver, api, "questions/q1")
    page.get_by_role("button", name="Ask from here").click()
    note = page.locator(".note")
    expect(note).to_contain_text("“What does the ferry to the island cost on a Sunday in…”")
    place, form = note.bounding_box(), page.locator(".composer").bounding_box()
    assert place["y"] + place["height"] < form["y"]


def test_escape_closes_the_evidence_also_from_the_place_to_ask_and_the_address_stays(driver, api):
    page = show(driver, api)
    ask(page, api, "First?", id="q1")
    ask(page, api, "Second?", id="q2")
    assert page.url.endswith("#/questions/q2")
    page.locator(".turn").first.locator(".cite").click()
    expect(page.locator("#evidence")).to_be_visible()
    assert page.url.endswith("#/questions/q1/citations/1")
    page.locator("#question").focus()
    page.keyboard.press("Escape")
    expect(page.locator("#evidence")).to_be_hidden()
    assert page.url.endswith("#/questions/q2")


def picture():
    made = io.BytesIO()
    Image.new("RGB", (600, 800), "white").save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def paged(api):
    """An answer that cites words low on the right of page 2."""
    box = {"page": 2, "x0": 500, "y0": 700, "x1": 560, "y1": 720}
    cited = citation(1, RUNS, pages=[2], boxes=[box])
    ended = answered(sentence(RUNS, "exact", 1), quotes=[cited])
    api.replies["GET", "questions/q1"] = ended
    api.replies["GET", "picture.png"] = picture()
    told = {"url": "/prod/picture.png", "expires_in": 300, "pages": 3, "width": 600}
    told |= {"height": 800, "live": True, "label": ""}
    for page in (1, 2, 3):
        api.replies["GET", f"documents/d1/pages/{page}"] = told | {"page": page}
    return api


def test_the_way_out_of_the_evidence_is_a_small_button_beside_its_name(driver, paged):
    quotes = [*paged.replies["GET", "questions/q1"]["citations"], citation(2, RUNS)]
    paged.replies["GET", "questions/q1"]["citations"] = quotes
    page = show(driver, paged, "questions/q1/citations/1")
    expect(page.locator(".stepper + .pager span")).to_be_visible()
    assert page.get_by_role("button", name="Close the evidence").bounding_box()["width"] < 60


def test_the_mark_stays_in_sight_while_the_page_grows(driver, paged):
    page = show(driver, paged, "questions/q1/citations/1")
    mark = page.locator("#evidence .paper rect")
    expect(mark).to_be_in_viewport()
    for _ in range(3):
        page.get_by_role("button", name="Larger").click()
        expect(mark).to_be_in_viewport()
    assert page.wrong == []


def test_from_another_page_there_is_a_way_back_to_the_quote(driver, paged):
    page = show(driver, paged, "questions/q1/citations/1")
    back = page.get_by_role("button", name="Back to the quote")
    expect(page.locator(".pager span")).to_have_text("page 2 of 3")
    expect(back).to_have_count(0)
    page.get_by_role("button", name="Next page").click()
    expect(page.locator(".pager span")).to_have_text("page 3 of 3")
    back.click()
    expect(page.locator(".pager span")).to_have_text("page 2 of 3")
    expect(page.locator("#evidence .paper rect")).to_be_in_viewport()


def test_a_new_conversation_asks_all_documents(driver, api):
    page = show(driver, api)
    chosen = '{"documents": [{"id": "d1", "document": "ferry.md"}], "collection": null}'
    page.evaluate("(scope) => sessionStorage.setItem('footnote.scope', scope)", chosen)
    page.reload()
    expect(page.locator(".chip")).to_contain_text("ferry.md")
    page.get_by_role("link", name="New").click()
    expect(page.locator(".chips")).to_contain_text("Asked of all documents")


def test_new_leaves_a_question_that_is_being_sent_and_keeps_its_words(driver, api):
    page = show(driver, api)
    expect(page.locator(".welcome")).to_be_visible()
    page.route("**/questions", lambda _: None)  # no answer
    page.fill("#question", "First?")
    with page.expect_request("**/questions"):
        page.press("#question", "Enter")
    with page.expect_event("requestfailed"):
        page.get_by_role("link", name="New").click()
    expect(page.locator(".welcome")).to_be_visible()
    expect(page.locator(".note")).to_have_count(0)  # it was left, not lost
    expect(page.locator("#question")).to_have_value("First?")
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_enabled()
    assert page.wrong == []


def test_a_citation_tells_its_quote_before_it_is_opened(driver, api):
    page = show(driver, api, "questions/q1")
    expect(page.locator(".cite")).to_have_attribute("title", f"ferry.md: {RUNS}")


def test_the_button_is_level_with_the_place_to_ask(driver, api):
    page = show(driver, api)
    page.fill("#question", "One.\nTwo.\nThree.")
    field = page.locator("#question").bounding_box()
    button = page.get_by_role("button", name="Ask", exact=True).bounding_box()
    ends = [box["y"] + box["height"] for box in (field, button)]
    assert ends[0] == pytest.approx(ends[1], abs=1)


LOCKED = {"code": "encrypted", "message": "it is locked", "action": "Unlock it."}


def test_a_file_that_cannot_be_read_is_removed_once_that_is_confirmed(driver, api):
    failed = document("a.pdf", 1, status="FAILED", searchable=False, error=LOCKED)
    api.replies["GET", "documents"] = {"documents": [failed], "after": ""}
    api.replies["DELETE", "documents/d-a.pdf"] = failed
    line = {"number": 1, "document": "a.pdf", "collection": "default", "size": 9}
    line |= {"state": "ended", "sent": 9, "id": "d-a.pdf"}
    line |= {"record": {"status": "FAILED", "error": LOCKED}}
    page = show(driver, api, "documents")
    page.evaluate("(kept) => localStorage.setItem('footnote.ledger', kept)", json.dumps([line]))
    page.reload()
    expect(page.locator("tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Remove a.pdf").click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".ledger li")).to_have_count(0)
    expect(page.locator("tbody tr")).to_have_count(0)
    assert page.wrong == []


def test_the_open_conversation_is_marked_and_its_deletion_names_it(driver, api):
    last = {"id": "q1", "question": "And in winter?", "status": "DONE"}
    session = {"session": "s1", "updated": "2026-11-27T10:00:00+00:00", "last": last, "first": LONG}
    api.replies["GET", "sessions"] = {"sessions": [session], "after": ""}
    page = show(driver, api, "questions/q1")
    expect(page.locator("#side li[aria-current]")).to_have_count(1)
    page.get_by_role("button", name="Delete the conversation").click()
    expect(page.locator("dialog[open]")).to_contain_text("What does the ferry to the island")
