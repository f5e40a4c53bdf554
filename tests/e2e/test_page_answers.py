"""Answers on the page in a real browser, over an API that the test makes up: no stack is needed."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.page_alone import Api, answered, citation, record, sentence, show
from tests.page_files import WEB
from tests.pages import ROOT

CASES = json.loads((ROOT / "tests" / "data" / "layouts.json").read_text())
RUNS = "The ferry runs twice a day."
SUNDAYS = "On Sundays the ferry lies at the quay, and the pilots mend its nets."
COLUMNS = ["Stop", "Single (crowns)"]
FATES = answered(
    sentence(RUNS, "exact", 1),
    sentence("Two ferries leave each day.", "confirmed", 1),
    sentence("It leaves morning and evening.", "confirmed", 1, judged_by="model"),
    sentence("No ferry sails on Sundays.", "unconfirmed", 2),
    sentence("The fare was 3 crowns in 1911.", "ocr", 3),
    quotes=[citation(1, RUNS), citation(2, SUNDAYS), citation(3, "Fare: 3 crowns", read="ocr")],
)
TABLE = answered(
    sentence("The fares are these.", "exact", 1),
    sentence("Stop | Single (crowns)", "exact", 2),
    sentence("Quay of Wexmoor | 2.70", "exact", 3),
    sentence("Mill of Wexmoor | 3.60", "unconfirmed", 4),
    quotes=[
        citation(1, "The fares are these."),
        citation(2, "Stop | Single (crowns)"),
        citation(3, "Quay of Wexmoor | 2.70", header=COLUMNS, row="Quay of Wexmoor"),
        citation(4, "Mill of Wexmoor | 3.60", header=COLUMNS, row="Mill of Wexmoor"),
    ],
)


def searched(decision="enough", **changes):
    sub = {"id": "s1", "text": "ferry fare", "field": "", "searched": [{"text": "ferry fare"}]}
    sub["verdict"] = {"decision": decision, "confidence": 0.2, "missing": ""}
    said = "No document that was asked has: Wexmoor."
    if changes.get("outcome") == "none":
        said = "No passage with these words was found. Looked for: ferry fare."
    fields = {"found": False, "answer": said, "sentences": [sentence(said, None)]}
    plan = {"sub_questions": [sub], "resolved": "What does the ferry cost?"}
    return record(**fields | {"plan": plan, "confidence": 0} | changes)


def near():
    """Returns a question with its nearest passage: the first sentence says why it is shown."""
    why = "No sentence was found that surely states what was asked."
    return searched(
        outcome="nearest",
        sentences=[sentence(why, None), sentence(RUNS, None, 1)],
        answer=f"{why}\n\n{RUNS} [1]",
        citations=[citation(1, RUNS)],
    )


HIT = {
    "rank": 1,
    "score": 1.0,
    "probability": 0.7,
    "document": "ferry.md",
    "document_id": "d1",
    "version": "v1",
    "pages": [],
    "labels": [],
    "section": [],
    "text": RUNS,
    "start": 0,
    "end": 9,
    "read": "text",
}


def opened(driver, told, **options):
    api = Api(one=told)
    page = show(driver, api, f"questions/{told['id']}", **options)
    turn = page.locator(".turn")
    expect(turn.locator(".answer footer")).to_be_visible()
    return page, turn, api


def badges(turn):
    return turn.locator(".text .check").all_inner_texts()


# -- what was done ---------------------------------------------------------------------------------


def test_each_sentence_says_what_was_done_and_the_summary_counts_it(driver):
    page, turn, _ = opened(driver, FATES)
    assert badges(turn) == [
        "✓ word for word",
        "✓ confirmed by rules",
        "✓ confirmed by a model",
        "? not confirmed",
        "read by OCR: compare with the page",
    ]
    counted = (
        "1 word for word, 1 confirmed by rules, 1 confirmed by a model, 1 not confirmed,"
        " 1 read by OCR"
    )
    expect(turn.locator("footer p").first).to_contain_text(counted)
    assert page.wrong == []


def colour(place):
    return place.evaluate("(element) => getComputedStyle(element).color")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_only_what_holds_is_green_and_what_nothing_confirms_is_not_red(driver, scheme):
    page, turn, _ = opened(driver, FATES, color_scheme=scheme)
    told = {
        name: colour(turn.locator(f".text .check.{name}").first)
        for name in ("exact", "confirmed", "judged", "unconfirmed", "ocr")
    }
    assert told["exact"] == told["confirmed"] == told["judged"]
    assert len({told["exact"], told["unconfirmed"], told["ocr"]}) == 3
    bad = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--bad')")
    wanted = tuple(int(bad.strip()[at : at + 2], 16) for at in (1, 3, 5))
    assert told["unconfirmed"] != f"rgb{wanted}"


def test_the_quote_of_what_nothing_confirms_is_beside_it_without_a_click(driver):
    _, turn, _ = opened(driver, FATES)
    beside = turn.locator(".beside")
    expect(beside).to_have_count(1)
    expect(beside).to_be_visible()
    expect(beside.locator("q")).to_have_text(SUNDAYS)
    expect(beside).to_contain_text("[2] ferry.md")


def test_each_sentence_says_so_while_it_comes_and_old_events_say_what_they_know(driver):
    api = Api()
    how = {"judged_by": "rules", "read": "text"}
    words = [
        {"text": f"{RUNS} [1]", "checked": "exact", **how},
        {"text": "No ferry sails on Sundays. [2]", "checked": "unconfirmed", **how},
        {"text": "It was so in 1911. [3]", "read": "ocr"},
        {"text": "Quay | 2.70 [4]", "read": "text"},
    ]
    api.ask(FATES, [{"kind": "words", "data": data} for data in words], running=True)
    page = show(driver, api)
    page.fill("#question", "What does the ferry cost?")
    page.press("#question", "Enter")
    told = page.locator(".turn .answer .sentence")
    expect(told).to_have_count(4)
    assert [one.locator(".check").all_inner_texts() for one in told.all()] == [
        ["✓ word for word"],
        ["? not confirmed"],
        ["read by OCR: compare with the page"],
        [],
    ]
    expect(told.last).to_contain_text("Quay · 2.70")
    assert page.wrong == []


# -- tables ----------------------------------------------------------------------------------------


def test_rows_are_one_table_with_its_header_once_and_a_citation_a_row(driver):
    page, turn, _ = opened(driver, TABLE)
    expect(turn.locator(".text table")).to_have_count(1)
    assert turn.locator("th").all_inner_texts() == COLUMNS
    rows = turn.locator("tbody tr")
    assert [row.locator("td:not(.ends)").all_inner_texts() for row in rows.all()] == [
        ["Quay of Wexmoor", "2.70"],
        ["Mill of Wexmoor", "3.60"],
    ]
    assert rows.locator(".cite").all_inner_texts() == ["3", "4"]
    assert rows.locator(".check").all_inner_texts() == ["✓ word for word", "? not confirmed"]
    assert turn.locator(".text > p", has_text="|").count() == 0
    assert page.wrong == []


def test_the_page_lays_answers_out_as_the_other_faces_do(driver):
    page, _, _ = opened(driver, FATES)
    module = WEB / "footnote_web" / "js" / "layout.js"  # in the page it is packed with all others
    page.route("**/layout.js", lambda route: route.fulfill(path=module))
    found = page.evaluate(
        """async (cases) => {
            const script = document.querySelector("script[type=module]").src;
            const { layOut } = await import(script.replace("app.js", "layout.js"));
            return cases.map(({ answer, sentences }) => layOut(
                answer, sentences.map(([text]) => text), sentences.map(([, labels]) => labels)));
        }""",
        CASES,
    )
    assert found == [case["blocks"] for case in CASES]


# -- where nothing answers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("told", "heading"),
    [
        (searched("stopped"), "No sentence that answers this was found"),
        (
            searched(removed=[{"text": "It costs 9.", "reason": "no", "field": ""}]),
            "What was written did not hold",
        ),
        (searched("failed"), "It could not be looked up"),
        (searched(outcome="none"), "No passage with these words was found"),
        (near(), "Nearest passages, not an answer"),
        (searched(outcome="nearest"), "No sentence that answers this was found"),
    ],
    ids=["graded too low", "check failed", "search failed", "nothing there", "nearest", "no quote"],
)
def test_a_refusal_says_what_is_known_and_no_more(driver, told, heading):
    page, turn, _ = opened(driver, told)
    lost = turn.locator(".not-found")
    expect(lost.locator("h3")).to_have_text(heading)
    if told.get("outcome") == "none":
        expect(lost.locator("p").first).to_have_text("Looked for: ferry fare.")
    else:
        said = turn.locator(".answer").inner_text().lower()
        assert not re.search("not in the documents|no passage with these words", said)
        expect(lost).to_contain_text("Searched for: ferry fare")
    assert page.wrong == []


def test_the_nearest_passages_are_no_answer_and_have_no_badge(driver):
    _, turn, api = opened(driver, near())
    expect(turn.locator(".not-found .text")).to_contain_text(RUNS)
    assert turn.locator(".check").count() == 0
    assert "✓" not in turn.inner_text()
    assert "word for word" not in turn.inner_text()
    assert [path for path, _ in api.sent if path == "search"] == []


def test_neighbours_are_of_the_chosen_documents_and_have_no_badge(driver):
    scope = {"documents": ["d1", "d2"], "collection": None, "filtered": False}
    told = searched(scope=scope)
    api = Api(one=told)
    api.replies["POST", "search"] = {"hits": [HIT]}
    page = show(driver, api, "questions/q1")
    near = page.locator(".near li")
    expect(near).to_have_count(1)
    query = {"query": "What does the ferry cost?", "k": 3, "documents": ["d1", "d2"]}
    assert [body for path, body in api.sent if path == "search"] == [query]
    assert page.locator(".answer .check").count() == 0
    assert "✓" not in page.locator(".answer").inner_text()


def test_a_refusal_of_chosen_documents_says_so_and_all_can_be_asked(driver):
    told = searched(scope={"documents": ["d1"], "collection": None, "filtered": False})
    api = Api(one=told)
    page = show(driver, api, "questions/q1")
    chosen = {"documents": [{"id": "d1", "document": "ferry.md"}], "collection": None}
    page.evaluate("(scope) => sessionStorage.setItem('footnote.scope', scope)", json.dumps(chosen))
    page.reload()
    expect(page.locator(".chip")).to_contain_text("ferry.md")
    narrowed = page.locator(".narrowed")
    api.ask(FATES | {"id": "q2"})
    narrowed.get_by_role("button", name="Ask all documents").click()
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.locator(".turn").last.locator("footer")).to_be_visible()
    [(_, body)] = [one for one in api.sent if one[0] == "questions"]
    assert body["question"] == "What does the ferry cost?"
    assert "documents" not in body
    expect(page.locator(".chip")).to_have_count(0)
    assert page.wrong == []


def test_a_refusal_of_everything_says_nothing_of_a_choice(driver):
    scope = {"documents": [], "collection": None, "filtered": False}
    _, turn, _ = opened(driver, searched(scope=scope))
    assert turn.locator(".narrowed").count() == 0


# -- money and words -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("usd", "priced", "says"),
    [(0, False, "cost not counted"), (0.02, False, "not all is counted"), (0.02, True, "$0.02")],
)
def test_what_has_no_price_is_called_not_counted(driver, usd, priced, says):
    usage = {"tokens": 900, "usd": usd, "priced": priced, "by_step": {}}
    told = FATES | {"mode": "openai", "usage": usage}
    _, turn, _ = opened(driver, told)
    foot = turn.locator("footer p").first
    expect(foot).to_contain_text(says)
    assert "$0.0" not in foot.inner_text().replace("$0.02", "")


def test_a_refusal_is_headed_in_the_language_of_the_answer(driver):
    said = "Keine Stelle mit diesen Wörtern wurde gefunden. Gesucht: Fähre."
    lost = searched(outcome="none", answer=said, sentences=[sentence(said, None)])
    _, turn, _ = opened(driver, lost)
    head, rest = said.split(". ")
    expect(turn.locator("h3")).to_have_text(head)
    expect(turn.locator(".not-found p").first).to_have_text(rest)


@pytest.mark.parametrize("no_model", [True, False])
def test_that_there_is_no_model_is_said_once_whatever_its_words(driver, no_model):
    notes = ["Sprachmodelle gibt es nicht.", "One page could not be read."]
    _, turn, _ = opened(driver, FATES | {"degraded": notes, "no_model": no_model})
    expect(turn.locator("footer p").first).to_contain_text("no model")
    expect(turn.locator(".degraded li")).to_have_text(notes[1:] if no_model else notes)


def test_who_stopped_a_question_is_not_scolded_and_can_ask_again(driver):
    error = {"code": "stopped", "message": "the question was stopped by its caller", "action": ""}
    told = {"id": "q1", "status": "FAILED", "question": "What does the ferry cost?"}
    told |= {"session": "s1", "after": "", "estimate": None, "error": error}
    page, turn, api = opened(driver, told)
    expect(turn.locator(".answer")).to_contain_text("You stopped this question.")
    assert "caller" not in turn.inner_text()
    assert turn.locator(".wrong").count() == 0
    assert turn.get_by_role("button", name="Good").count() == 0
    api.ask(FATES | {"id": "q2"})
    turn.get_by_role("button", name="Ask again").click()
    expect(page.locator(".turn").last.locator("footer")).to_be_visible()
    assert [body["question"] for path, body in api.sent if path == "questions"] == [
        "What does the ferry cost?"
    ]


def chart(mark):
    """Returns a chart of two figures, one of a label that is markup."""
    values = [
        {"label": "<b>Quay</b>", "value": 12.0, "shown": "12", "citations": [1]},
        {"label": "Mill", "value": 4.0, "shown": "4", "citations": [2]},
    ]
    return {"spec": {"title": "Fares by stop", "mark": mark, "data": {"values": values}}}


@pytest.mark.parametrize("mark", ["bar", "line"])
def test_a_chart_is_drawn_as_it_is_and_a_mark_opens_its_quote(driver, mark):
    quotes = [citation(1, "Quay | 12"), citation(2, "Mill | 4")]
    told = answered(sentence("Fares: 12; 4.", "confirmed", 1, 2), quotes=quotes, chart=chart(mark))
    page, _, _ = opened(driver, told)
    figure = page.locator("figure.chart")
    expect(figure.locator("figcaption")).to_have_text("Fares by stop")
    expect(figure.locator("text", has_text="<b>Quay</b>")).to_have_count(1)
    marks = figure.locator(".mark")
    expect(marks).to_have_count(2)
    marks.nth(1).click()
    expect(page.locator("[data-open]").first).to_be_visible()
    assert page.evaluate("location.hash").endswith("/citations/2")
