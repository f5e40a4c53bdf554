"""Every state of the page that one can reach: axe finds nothing in it, and nothing is too wide.

Each state is reached once, with names as long as they come, then looked at wide and on a phone, in
both colour schemes. The API is one that the test makes up: no stack is needed.
"""

import json

import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from tests.e2e.page_alone import URL, Api, answered, citation, record, sentence, show
from tests.e2e.test_page_answers import COLUMNS, FATES, HIT, TABLE, chart, near, searched
from tests.e2e.test_page_grids import cell, grid, row
from tests.e2e.test_page_home import contents, document, session
from tests.e2e.test_page_manners import picture

WIDTHS = {1280: 800, 320: 640, 360: 740}  # 320: a wide screen at 400 %
SCHEMES = {1280: ("light", "dark"), 320: (), 360: ("light", "dark")}
LONG = "Quarterly" + "_statement" * 9
NAME = f"{LONG}.pdf"
SHEET = f"{LONG}.xlsx"
WORDS = f"What does {LONG} say about the {LONG.lower()} of the ferry?"
QUOTE = f"The ferry {LONG} runs twice a day."
CELLS = (LONG, *"abcde")
AXE = AXE_FILE_PATH.read_text()
FOUND = """async () => (await axe.run(document)).violations.map(
    (one) => [one.id, one.nodes.map((node) => node.html.slice(0, 160))])"""
# What is too wide scrolls in these, and is cut in those of the last line, whose titles say it all.
MAY_SCROLL = (
    ".rows, .wide, .readable, .view, .quote, pre, textarea, input, select, .unseen, .skip,"
    " .side li a, .account summary"
)
TOO_WIDE = """(mayScroll) => [...document.querySelectorAll("body, body *")].filter((one) => {
    if (!one.checkVisibility() || one.closest(mayScroll) || one.closest("svg")) return false;
    const { left, right } = one.getBoundingClientRect();
    const scrolls = getComputedStyle(one).overflowX !== "visible";
    const hidden = scrolls && one.scrollWidth > one.clientWidth + 1;
    return hidden || left < -1 || right > innerWidth + 1;
}).map((one) => one.outerHTML.slice(0, 160))"""
STATES = {}


def state(reach):
    """Adds a state: the function that reaches it is given a `Visit`."""
    STATES[reach.__name__] = reach
    return reach


class Visit:
    """A visit of the page with an API that has documents, conversations and grids."""

    def __init__(self, driver):
        self.driver = driver
        self.page = None
        self.api = api = Api()
        self.documents = [
            document(NAME, 1, title=f"About {LONG}", collection=LONG.lower()),
            document(SHEET, 2, media_type="text/csv", warnings=["One sheet is hidden."]),
            document(f"late-{NAME}", 3, status="INDEXING", searchable=False),
            document(
                f"broken-{NAME}",
                4,
                status="FAILED",
                searchable=False,
                error={"code": "encrypted", "message": f"{NAME} is locked", "action": "Unlock it."},
            ),
        ]
        api.replies["GET", "documents"] = {"documents": self.documents, "after": ""}
        api.replies["POST", "documents/status"] = {"documents": [self.documents[0] | {"id": "d1"}]}
        api.replies["POST", "questions/estimate"] = {"mode": "extractive"}
        for one in self.documents:
            api.replies["GET", f"documents/{one['id']}"] = one
            api.replies["GET", f"documents/{one['id']}/contents"] = contents(f"What is {LONG}?")
        api.replies["GET", "sessions"] = {
            "sessions": [
                session("s1", WORDS, "And in winter?"),
                session("s2", "Who crews the ferry?", "Who crews it?"),
            ],
            "after": "",
        }
        api.replies["GET", "me"] |= {
            "tenant": LONG,
            "groups": ["@all", LONG],
            "limits": {"questions_per_day": 50, "usd_per_day": 2},
            "used": {"questions": 3, "usd": 0.1},
        }
        self.paged("d1")

    def paged(self, identity, pages=3):
        """Gives a document pictures of its pages, and its text."""
        told = {"url": "/prod/picture.png", "expires_in": 300, "pages": pages, "width": 600}
        told |= {"height": 800, "live": True, "label": ""}
        self.api.replies["GET", "picture.png"] = picture()
        for page in range(1, pages + 1):
            self.api.replies["GET", f"documents/{identity}/pages/{page}"] = told | {"page": page}
        self.api.replies["GET", f"documents/{identity}/text"] = {
            "language": "en",
            "read": "ocr",
            "start": 9,
            "next": 900,
            "blocks": [
                {"kind": "heading", "level": 1, "text": LONG, "start": 0},
                {"kind": "heading", "level": 4, "text": "Fares", "start": 100},
                {"kind": "text", "text": QUOTE, "start": 200},
                {
                    "header": True,
                    "cells": [{"text": one, "start": 400} for one in (LONG, *"abcde")],
                },
                {
                    "header": False,
                    "cells": [{"text": one, "start": 600} for one in (LONG, *"12345")],
                },
            ],
        }

    def open(self, place="", wait=".turn footer", told=None):
        """Opens the page at an address and waits until something is seen."""
        if told:
            self.api.replies["GET", f"questions/{told['id']}"] = told
            self.api.replies["GET", f"sessions/{told['session']}"] = {"turns": [], "after": ""}
        self.page = show(self.driver, self.api, place)
        return self.see(wait)

    def see(self, selector):
        expect(self.page.locator(selector).first).to_be_visible()
        return self.page

    def press(self, name, **options):
        self.page.get_by_role("button", name=name, **options).first.click()

    def keep(self, where, name, value):
        """Keeps a value in the browser as an earlier visit has, and opens the page again."""
        store = f"([name, value]) => {where}.setItem(name, value)"
        self.page.evaluate(store, [f"footnote.{name}", json.dumps(value)])
        self.page.reload()


def cited(n=1, **changes):
    """Returns a citation whose names are all long."""
    box = {"page": 2, "x0": 60, "y0": 300, "x1": 400, "y1": 320}
    fields = {"document": NAME, "pages": [2], "boxes": [box], "section": [LONG, "Fares"]}
    fields |= {"start": 200, "end": 200 + len(QUOTE)}
    return citation(n, QUOTE, **fields | changes)


def told(*sentences, **changes):
    said = sentences or (sentence(QUOTE, "exact", 1),)
    fields = {"question": WORDS, "quotes": [cited()]}
    return answered(*said, **fields | changes)


EVENTS = [
    {"kind": "plan", "data": {"kind": "retrieve", "questions": [WORDS], "resolved": WORDS}},
    {
        "kind": "found",
        "data": {
            "question": WORDS,
            "strategy": "hybrid",
            "chosen": "auto",
            "passages": 4,
            "ms": 20,
            "top": [{"document": NAME, "pages": [2], "score": 0.5}],
        },
    },
    {"kind": "words", "data": {"text": QUOTE, "checked": "exact", "judged_by": "rules"}},
]


# -- home ------------------------------------------------------------------------------------------


@state
def home(visit):
    visit.open(wait=".starter")
    visit.see(".recent a")
    visit.page.locator(".model summary").click()


@state
def home_with_a_model(visit):
    visit.api.replies["POST", "questions/estimate"] = {"mode": "anthropic"}
    visit.open(wait=".starter")


@state
def home_without_documents(visit):
    visit.api.replies["GET", "documents"] = {"documents": [], "after": ""}
    visit.open(wait=".welcome .button")


@state
def picker(visit):
    visit.open(wait=".starter")
    visit.press("Choose some")
    visit.page.locator(".picker li input").first.check()
    visit.see(".chip")


@state
def picker_without_a_match(visit):
    visit.open(wait=".starter")
    visit.press("Choose some")
    visit.page.get_by_label("Find a document to ask").fill("nowhere")
    expect(visit.page.locator(".picker [role=status]")).to_contain_text("No document")


@state
def picker_by_name(visit):
    visit.open(wait=".starter").locator("#question").press_sequentially("Of @quart")
    visit.see(".picker li")


@state
def chosen_documents_and_a_collection(visit):
    chosen = [{"id": one["id"], "document": one["document"]} for one in visit.documents[:2]]
    visit.open(wait=".starter")
    visit.keep("sessionStorage", "scope", {"documents": chosen, "collection": LONG.lower()})
    visit.see(".chip")


@state
def options(visit):
    page = visit.open(wait=".starter")
    page.locator(".options summary").click()
    page.get_by_label("Only documents with").fill("{")
    page.fill("#question", WORDS)
    page.press("#question", "Enter")
    visit.see(".note.error")


# -- a question ------------------------------------------------------------------------------------


@state
def asking(visit):
    visit.api.ask(told(), EVENTS, running=True)
    page = visit.open(wait=".starter")
    page.fill("#question", WORDS)
    page.press("#question", "Enter")
    visit.see(".turn .sentence")
    page.locator(".steps summary").click()
    visit.see(".trace")


@state
def asking_before_anything_is_done(visit):
    visit.api.ask(told(), running=True)
    page = visit.open(wait=".starter")
    page.fill("#question", WORDS)
    page.press("#question", "Enter")
    visit.see(".turn .steps")


@state
def answer_with_what_one_could_ask_next(visit):
    visit.api.replies["GET", "documents/d1/contents"] = contents(WORDS, f"What is {LONG}?")
    visit.api.ask(told(), EVENTS)
    page = visit.open(wait=".starter")
    page.fill("#question", "Why?")
    page.press("#question", "Enter")
    visit.see(".further .starter")


@state
def answer_of_all_fates(visit):
    visit.open("questions/q1", told=FATES | {"question": WORDS})


@state
def answer_that_is_a_table(visit):
    visit.open("questions/q1", told=TABLE)


@state
def answer_that_is_a_wide_table(visit):
    cells = " | ".join([LONG, *(str(n) for n in range(9))])
    header = [f"{one} {n}" for n in range(5) for one in COLUMNS]
    quotes = [cited(header=header, row=LONG)]
    visit.open("questions/q1", told=told(sentence(cells, "exact", 1), quotes=quotes))


@state
def answer_with_a_bar_chart(visit):
    visit.open("questions/q1", ".chart", told=told(chart=chart("bar")))


@state
def answer_with_a_line_chart(visit):
    visit.open("questions/q1", ".chart", told=told(chart=chart("line")))


@state
def answer_with_data_and_notes(visit):
    worked = sentence(QUOTE, "confirmed", 1) | {"computed": ["1 + 2 = 3"], "repaired": True}
    ended = told(
        worked,
        data={LONG: {"days": 3, "words": WORDS}},
        fields=[{"field": LONG, "value": WORDS, "read": "ocr"}],
        degraded=[f"The model {LONG} was not there."],
        removed=[{"text": WORDS, "reason": f"{LONG} is not in it", "field": ""}],
        mode="anthropic",
        usage={"tokens": 9, "usd": 0.02, "priced": False, "by_step": {}},
    )
    visit.open("questions/q1", ".data", told=ended).locator(".removed summary").click()


@state
def answer_of_what_documents_there_are(visit):
    catalogue = {"documents": [{"id": "d1", "document": NAME, "collection": LONG.lower()}]}
    plan = {"sub_questions": [], "resolved": "", "catalogue": {"shows": "list"}}
    ended = record(kind="direct", answer=f"Two: {LONG}.", catalogue=catalogue, plan=plan)
    visit.open("questions/q1", ".sources", told=ended)


@state
def answer_explained(visit):
    visit.open("questions/q1", told=told() | {"trace": EVENTS})
    visit.page.get_by_text("Explain").click()
    visit.see(".trace")


@state
def answer_with_what_was_found(visit):
    place = {"document_id": "d1", "document": NAME, "collection": "default", "version": "v1"}
    place |= {"pages": [2], "start": 0, "end": 9, "quote": QUOTE}
    found = {"question_id": "q1", "question": WORDS, "statement": QUOTE, "by": "rules"}
    visit.api.replies["GET", "questions/q1/findings"] = {
        "findings": [found | {"confidence": 0.9, "places": [place]}]
    }
    visit.open("questions/q1", told=told())
    visit.page.get_by_text("Found so far").click()
    visit.see(".findings")


@state
def answer_without_any_findings(visit):
    visit.api.replies["GET", "questions/q1/findings"] = {"findings": []}
    visit.open("questions/q1", told=told())
    visit.page.get_by_text("Found so far").click()
    expect(visit.page.get_by_text("sure enough to build on")).to_be_visible()


@state
def conversation_of_two_turns(visit):
    first = {"id": "q0", "question": WORDS, "status": "DONE", "after": ""}
    visit.api.replies["GET", "questions/q0"] = told(id="q0")
    ended = told(after="q0")
    visit.api.replies["GET", "questions/q1"] = ended
    visit.api.replies["GET", "sessions/s1"] = {"turns": [first], "after": ""}
    visit.open("questions/q1").locator(".turn").first.scroll_into_view_if_needed()
    expect(visit.page.locator(".turn footer")).to_have_count(2)
    visit.see(".side li[aria-current]")
    visit.press("Ask from here")
    visit.see(".note")


@state
def question_that_failed(visit):
    error = {"code": "timeout", "message": f"the model {LONG} gave no answer", "action": "wait."}
    ended = {"id": "q1", "status": "FAILED", "question": WORDS, "session": "s1", "after": ""}
    visit.open("questions/q1", told=ended | {"estimate": None, "error": error})


@state
def question_that_was_stopped(visit):
    error = {"code": "stopped", "message": "the question was stopped by its caller", "action": ""}
    ended = {"id": "q1", "status": "FAILED", "question": WORDS, "session": "s1", "after": ""}
    visit.open("questions/q1", ".again", told=ended | {"estimate": None, "error": error})


@state
def question_that_is_not_there(visit):
    visit.open("questions/nope", "[role=alert]")


# -- where nothing answers -------------------------------------------------------------------------


@state
def refusal_with_the_nearest_passages(visit):
    visit.open("questions/q1", ".not-found .text", told=near() | {"question": WORDS})


@state
def refusal_with_hits_of_the_chosen_documents(visit):
    hits = [HIT | {"document": NAME, "text": f"{QUOTE} {WORDS}", "read": "ocr"}]
    visit.api.replies["POST", "search"] = {"hits": hits}
    scope = {"documents": ["d1", "d2"], "collection": None, "filtered": False}
    visit.open("questions/q1", ".near li", told=searched(scope=scope, question=WORDS))
    visit.see(".narrowed")


@state
def refusal_as_no_passage_has_the_words(visit):
    visit.open("questions/q1", ".not-found", told=searched(outcome="none"))


@state
def refusal_as_the_search_failed(visit):
    visit.open("questions/q1", ".not-found", told=searched("failed"))


@state
def refusal_as_what_was_written_did_not_hold(visit):
    left = [{"text": WORDS, "reason": "no", "field": ""}]
    visit.open("questions/q1", ".not-found", told=searched(removed=left))


# -- evidence --------------------------------------------------------------------------------------


@state
def evidence_on_a_page(visit):
    visit.open("questions/q1/citations/1", ".paper rect", told=told(quotes=[cited(), cited(2)]))
    visit.see(".facts button")


@state
def evidence_enlarged_on_another_page(visit):
    visit.open("questions/q1/citations/1", ".paper rect", told=told())
    visit.press("Larger")
    visit.press("Next page")
    expect(visit.page.get_by_role("button", name="Back to the quote")).to_be_visible()


@state
def evidence_whose_place_is_not_certain(visit):
    visit.open("questions/q1/citations/1", ".uncertain", told=told(quotes=[cited(boxes=[])]))


@state
def evidence_as_text(visit):
    ended = told(quotes=[cited(pages=[], boxes=[])])
    visit.open("questions/q1/citations/1", ".readable mark", told=ended)


@state
def evidence_as_text_that_has_changed(visit):
    ended = told(quotes=[cited(pages=[], boxes=[], start=5000, end=5010)])
    visit.open("questions/q1/citations/1", ".uncertain", told=ended)


@state
def evidence_read_by_ocr(visit):
    doubt = {"start": 4, "end": 9, "reason": "differs", "other": LONG}
    ended = told(sentence(QUOTE, "ocr", 1), quotes=[cited(read="ocr", doubts=[doubt])])
    visit.open("questions/q1/citations/1", ".doubt", told=ended)
    visit.see(".paper rect")


@state
def evidence_of_a_newer_version(visit):
    ended = told(quotes=[cited(version="v0")])
    visit.open("questions/q1/citations/1", ".facts strong", told=ended)


@state
def evidence_of_a_document_that_went(visit):
    visit.api.replies["POST", "documents/status"] = {"documents": []}
    ended = told(quotes=[cited(document_id="gone", url=f"https://{LONG}.example/", fetched="now")])
    visit.open("questions/q1/citations/1", ".view [role=alert]", told=ended)
    visit.see(".facts strong")


# -- documents -------------------------------------------------------------------------------------


@state
def documents(visit):
    visit.open("documents", "tbody tr")
    visit.page.locator("tbody input").first.check()
    visit.see(".picked button")


@state
def documents_without_a_match(visit):
    visit.open("documents", "tbody tr").get_by_label("Find documents").fill("nowhere")
    expect(visit.page.locator(".documents")).to_be_hidden()


@state
def documents_before_there_are_any(visit):
    visit.api.replies["GET", "documents"] = {"documents": [], "after": ""}
    visit.open("documents", ".drop")
    expect(visit.page.locator("main > section > .totals")).to_contain_text("No documents yet")


@state
def documents_that_cannot_be_listed(visit):
    del visit.api.replies["GET", "documents"]
    visit.open("documents", ".drop")
    expect(visit.page.get_by_role("button", name="Try again")).to_be_visible()


def entry(number, name, state, **changes):
    fields = {"number": number, "document": name, "collection": "default", "size": 2_000_000}
    return fields | {"state": state, "sent": 900_000, "id": f"d-{name}"} | changes


READY = {"status": "READY", "pages": 12, "error": None}


@state
def uploads_under_way(visit):
    wrong = {"code": "unavailable", "message": f"{NAME} was not read", "action": "Wait."}
    locked = {"code": "encrypted", "message": f"{NAME} is locked", "action": "Unlock it."}
    entries = [
        entry(1, NAME, "waiting"),
        entry(2, NAME, "working", record={"status": "INDEXING", "parts": {"of": 3, "done": 1}}),
        entry(3, SHEET, "ended", record=READY),
        entry(4, NAME, "same"),
        entry(5, NAME, "ended", record={"status": "FAILED", "error": wrong}),
        entry(6, NAME, "ended", record={"status": "UNSUPPORTED", "error": locked}),
    ]
    visit.open("documents", "tbody tr")
    visit.keep("localStorage", "ledger", entries)
    visit.see(".ledger li.open")
    visit.see(".ledger .bad button")


@state
def uploads_that_are_all_ready(visit):
    visit.open("documents", "tbody tr")
    entries = [entry(1, NAME, "ended", record=READY), entry(2, SHEET, "same")]
    visit.keep("localStorage", "ledger", entries)
    visit.see(".uploads summary").locator(".uploads summary").click()
    visit.see(".ledger li.over")


@state
def document_with_its_reading(visit):
    one = visit.documents[0]
    one["metadata"] = {LONG: [LONG, "b"], "year": 2023}
    one["warnings"] = [f"{LONG} was left out."]
    sections = [
        {"title": f"{LONG} {level}", "level": level, "start": 0, "end": 9, "page": 1}
        for level in (1, 2, 3, 4)
    ]
    tables = [{"rows": 3, "columns": 4, "page": 2, "start": 0, "end": 9}]
    visit.api.replies["GET", f"documents/{one['id']}/contents"] = contents(
        WORDS, picture=True, sections=sections, tables=tables
    )
    visit.paged(one["id"])
    visit.open(f"documents/{one['id']}", ".cover img")
    visit.see("main summary")
    visit.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")


@state
def document_read_as_text(visit):
    one = visit.documents[0]
    visit.paged(one["id"])
    visit.open(f"documents/{one['id']}", "summary")
    visit.press("Read it as text")
    visit.see(".readable h3")


@state
def document_at_one_of_its_pages(visit):
    one = visit.documents[0]
    visit.paged(one["id"])
    visit.open(f"documents/{one['id']}/pages/2", ".paper img")


@state
def document_without_an_outline(visit):
    one = visit.documents[1]
    visit.api.replies["GET", f"documents/{one['id']}/contents"] = contents(
        pages=[], sections=[], not_read=[]
    )
    visit.open(f"documents/{one['id']}", "summary")


@state
def document_that_failed(visit):
    visit.open(f"documents/{visit.documents[3]['id']}", "p.wrong")


@state
def document_under_way(visit):
    visit.open(f"documents/{visit.documents[2]['id']}", ".record")


@state
def document_that_is_not_there(visit):
    visit.open(f"documents/{LONG}", "[role=alert]")


# -- grids -----------------------------------------------------------------------------------------


def grids_of(visit, **changes):
    whole = grid(
        row(NAME, cell(QUOTE, "q1"), cell("not in it", "q2", outcome="none", stale=True)),
        row(
            SHEET,
            cell(LONG, "q3", outcome="nearest"),
            cell("failed", "", status="FAILED", error={"code": "timeout"}),
        ),
        answered=1,
        nearest=1,
        none=1,
        failed=1,
        stale=1,
    )
    whole |= {"name": LONG, "questions": [WORDS, LONG]} | changes
    listed = {name: whole[name] for name in ("id", "name", "questions", "created")}
    visit.api.replies["GET", "grids"] = {"grids": [listed], "after": ""}
    visit.api.replies["GET", "grids/g1"] = whole


@state
def grids(visit):
    grids_of(visit)
    estimate = {"cells": 2, "documents": 1, "tokens": 9000, "usd": 0.05, "priced": True}
    visit.api.replies["POST", "grids/estimate"] = estimate
    page = visit.open("grids", ".grids a")
    page.locator(".options summary").click()
    page.get_by_label("Questions").fill(WORDS)
    visit.press("What would it cost?")
    expect(page.locator(".newgrid [role=status]").last).to_contain_text("2 cells")


@state
def grids_before_there_are_any(visit):
    visit.api.replies["GET", "grids"] = {"grids": [], "after": ""}
    visit.open("grids", ".grids .quiet")


@state
def grid_that_is_filled(visit):
    grids_of(visit)
    visit.open("grids/g1", "tbody tr")


@state
def grid_under_way(visit):
    waits = [row(NAME, None, cell("", "", status="RUNNING"))]
    grids_of(visit, status="RUNNING", rows=waits)
    visit.open("grids/g1", "tbody tr")


@state
def grid_that_is_not_there(visit):
    visit.open(f"grids/{LONG}", ".totals button")


# -- signing in, dialogs, what goes wrong ----------------------------------------------------------


def leave(visit, **signin):
    """Opens the page as somebody who is not signed in."""
    visit.api.replies["GET", "signin"] = {"methods": ["key"]} | signin
    visit.page = visit.driver.open(routes=visit.api.answer)
    visit.page.goto(f"{URL}/")
    return visit.see("#key")


@state
def sign_in_by_key_or_provider(visit):
    leave(visit, methods=["key", "oidc"], issuer=f"https://{LONG[:60]}.example")
    visit.see(".signin div button")


@state
def sign_in_that_was_refused(visit):
    page = leave(visit)
    page.fill("#key", "nobody's")
    visit.press("Sign in")
    visit.see("[role=alert]")


@state
def sign_in_that_a_provider_broke_off(visit):
    visit.page = visit.driver.open(routes=visit.api.answer)
    visit.page.goto(f"{URL}/")
    visit.keep("sessionStorage", "flow", {"state": "a", "hash": "#/"})
    visit.page.goto(f"{URL}/?error=access_denied&error_description={LONG}")
    visit.see(".note.error")


@state
def account(visit):
    visit.open(wait=".starter")
    expect(visit.page.locator("#account summary")).to_contain_text("Account")
    visit.page.locator("#account summary").click()
    visit.see(".menu button")


@state
def account_of_a_person(visit):
    visit.api.replies["GET", "me"] |= {"by": "token", "person": f"{LONG}@example.org"}
    visit.open(wait=".starter")
    expect(visit.page.locator("#account summary")).to_contain_text("@example.org")
    visit.page.locator("#account summary").click()
    visit.see(".menu button")


@state
def dialog_of_another_key(visit):
    visit.open(wait=".starter").goto(f"{URL}/#key=other&to=/")
    visit.see("dialog")


@state
def dialog_of_keys(visit):
    visit.open("documents", "tbody tr").keyboard.press("?")
    visit.see("dialog")


@state
def dialog_before_documents_are_deleted(visit):
    page = visit.open("documents", "tbody tr")
    for tick in page.locator("tbody input").all():
        tick.check()
    visit.press("Delete 4")
    visit.see("dialog")


@state
def dialog_before_a_conversation_is_deleted(visit):
    visit.open("questions/q1", told=told())
    visit.see(".side li a")
    visit.press("Delete the conversation")
    visit.see("dialog")


@state
def dialog_of_a_name(visit):
    visit.open("questions/q1", told=told())
    visit.see(".side li a")
    visit.press("Rename the conversation")
    visit.see("dialog")


@state
def dialog_of_what_is_wrong(visit):
    visit.open("questions/q1", told=told())
    visit.press("Bad …")
    visit.see("dialog")


@state
def conversations_without_a_match(visit):
    page = visit.open(wait=".starter")
    page.get_by_label("Find a conversation").fill("nowhere")
    expect(page.locator(".side")).to_contain_text("None of them")


@state
def conversations_before_there_are_any(visit):
    visit.api.replies["GET", "sessions"] = {"sessions": [], "after": ""}
    visit.open(wait=".starter")
    expect(visit.page.locator(".side")).to_contain_text("None yet")


@state
def notes(visit):
    visit.open("questions/q1", told=told())
    visit.api.replies["POST", "questions/q1/feedback"] = {}
    visit.press("Good")
    visit.see(".note.info")
    visit.press("Word")  # no such export here
    visit.see(".note.error")


@state
def offline_at_home(visit):
    page = visit.open(wait=".starter")
    visit.api.down = True
    page.fill("#question", WORDS)
    page.press("#question", "Enter")
    visit.see("#network")
    visit.see(".note.error")


@state
def offline_at_the_documents(visit):
    page = visit.open(wait=".starter")
    visit.api.down = True
    page.click("[data-part=documents]")
    visit.see("#network")


@state
def address_of_nothing(visit):
    visit.open(LONG, "h1")


# -- looked at -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", STATES)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(driver, name):
    visit = Visit(driver)
    STATES[name](visit)
    page = visit.page
    page.evaluate(AXE)
    found = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        found += [(width, "too wide", one) for one in page.evaluate(TOO_WIDE, MAY_SCROLL)]
        for scheme in SCHEMES[width]:
            page.emulate_media(color_scheme=scheme)
            found += [(width, scheme, *one) for one in page.evaluate(FOUND)]
    assert found == []
    assert page.wrong == []
