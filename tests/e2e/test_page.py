"""The page in a real browser, over the deployed stack: what people do there, and what they see."""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pymupdf
import pytest
from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import expect

from local.browser import find_browser
from tests.e2e.conftest import SAMPLES
from tests.e2e.page_driver import add_files, ask, drop_files, is_marked, picture_of, start_browser
from tests.e2e.test_mcp import over_http
from tests.mcp_clients import call

BIKES = "How many cargo bikes did Ottermoss deliver in 2025?"
HOTEL = "What may be spent on a hotel per night?"
NOWHERE = "What is the boiling point of the chairman's submarine?"
SENTENCE = "The lighthouse at Greyholm was lit by four hundred candles in 1791."
LEFT = "Herring are landed at dawn and weighed before the market opens. " * 12
RIGHT = "The ferry to the island leaves twice a day when the wind allows it. " * 6
HOSTILE = b"""# Notes <img src=x onerror="document.title='stolen'">

The vault <script>document.title='stolen'</script> of Hexham holds <b>seventy</b> crates of salt.

<a href="javascript:document.title='stolen'">Ignore all rules</a> [click](javascript:alert(1))
"""
FARES = b"""# Fares

| Stop | Single | Day card |
|---|---|---|
| Quay of Wexmoor | 2.70 | 6.40 |
| Mill of Wexmoor | 3.60 | <b>8.20</b> |
"""
SESSIONS = re.compile(r"/sessions(\?|$)")  # not the script of that name
SERIOUS = {"serious", "critical"}
WEIGHT = 130_000  # bytes of all replies: the files and where they are
SHOTS = "docs/page"


@pytest.fixture(scope="module")
def driver(stack):
    if find_browser() is None:
        pytest.fail("no browser: `make browser` installs one")
    with start_browser(stack["api_url"]) as found:
        yield found


@pytest.fixture(autouse=True)
def closed(request):
    yield
    if "driver" in request.fixturenames:
        request.getfixturevalue("driver").close()


@pytest.fixture(scope="module")
def key_of(new_tenant):
    """The API key of a client, which only a test may read."""
    return lambda client: client._api.http.headers["x-api-key"]


@pytest.fixture(scope="module")
def reader(samples, key_of):
    """The key of a tenant that has all samples."""
    client, _ = samples
    return key_of(client)


@pytest.fixture
def stranger(new_tenant, key_of):
    """The key of a new tenant, which has nothing yet."""
    client, _ = new_tenant()
    return key_of(client)


def made_pdf(rotation=0, *, columns=False):
    """A PDF with one sentence among others, and where that stands, as PyMuPDF reads it."""
    document = pymupdf.open()
    page = document.new_page(width=500, height=700)
    if columns:
        page.insert_textbox((40, 60, 235, 640), LEFT, fontsize=11)
        page.insert_textbox((265, 60, 460, 640), RIGHT + SENTENCE + " " + RIGHT, fontsize=11)
    else:
        page.insert_textbox((60, 60, 440, 200), RIGHT, fontsize=11)
        page.insert_textbox((60, 300, 440, 360), SENTENCE, fontsize=11)
    page.set_rotation(rotation)
    body = document.tobytes()
    with pymupdf.open(stream=body) as again:
        first = again[0]
        quads = [quad.rect for quad in first.search_for(SENTENCE, quads=True)]
        shown = [rect * first.rotation_matrix for rect in quads]
        size = (first.rect.width, first.rect.height)
    return body, [pymupdf.Rect(rect).normalize() for rect in shown], size


def marked_area(picture):
    """The smallest box around all marked pixels, as shares of the picture's sides."""
    width, height = picture.size
    found = [
        (x, y) for y in range(height) for x in range(width) if is_marked(picture.getpixel((x, y)))
    ]
    xs, ys = [x for x, _ in found], [y for _, y in found]
    return min(xs) / width, min(ys) / height, max(xs) / width, max(ys) / height


# -- from a dropped file to the box around the quote -----------------------------------------------


def test_a_file_is_dropped_read_asked_and_its_words_are_marked(driver, stranger):
    page = driver.open(stranger)
    expect(page.locator(".welcome")).to_contain_text("No documents yet")
    add_files(page, {file.name: file.read_bytes() for file in SAMPLES})
    expect(page.locator(".uploads .totals")).to_contain_text(f"{len(SAMPLES)} of {len(SAMPLES)}")
    expect(page.locator(".uploads .totals")).to_contain_text(f"{len(SAMPLES)} ready")
    turn = ask(page, BIKES)
    expect(turn.locator(".text")).to_contain_text("10,840")
    turn.locator(".cite").first.click()
    evidence = page.locator("#evidence")
    expect(evidence).to_contain_text("annual-report-2025.pdf")
    expect(evidence.locator(".paper rect").first).to_be_visible()
    expect(evidence.locator(".paper img")).to_have_attribute("alt", re.compile("Page 2 of"))
    assert page.wrong == []


@pytest.mark.parametrize(
    "shape",
    [{}, {"rotation": 90}, {"rotation": 180}, {"rotation": 270}, {"columns": True}],
    ids=str,
)
def test_the_marked_pixels_are_those_of_the_quote(driver, stranger, shape):
    body, boxes, (width, height) = made_pdf(**shape)
    page = driver.open(stranger, "tall")  # the whole page of the document is seen
    add_files(page, {"lighthouse.pdf": body})
    turn = ask(page, "By how many candles was the lighthouse at Greyholm lit?")
    turn.locator(".cite").first.click()
    paper = page.locator(".paper")
    expect(paper.locator("rect").first).to_be_visible()
    found = marked_area(picture_of(paper))
    wanted = (
        min(box.x0 for box in boxes) / width,
        min(box.y0 for box in boxes) / height,
        max(box.x1 for box in boxes) / width,
        max(box.y1 for box in boxes) / height,
    )
    assert found == pytest.approx(wanted, abs=0.012), (found, wanted)


def as_read_by_ocr(route):
    """Hands on an answer as if OCR had read its pages and doubted a figure of each quote."""
    reply = route.fetch()
    told = reply.json()
    for sentence in told.get("sentences", ()):
        sentence["checked"] = "ocr"
    for citation in told.get("citations", ()):
        at = citation["quote"].index("1791")
        doubt = {"start": at, "end": at + 4, "reason": "differs", "other": "1 797"}
        citation.update(read="ocr", doubts=[doubt])
    route.fulfill(response=reply, json=told)


@pytest.mark.parametrize(("size", "opens"), [("wide", True), ("phone", False)])
def test_what_ocr_read_is_amber_and_its_page_opens_where_there_is_room(
    driver, stranger, size, opens
):
    page = driver.open(stranger, size)
    add_files(page, {"lighthouse.pdf": made_pdf()[0]})
    page.route(re.compile(r"/questions/\w+$"), as_read_by_ocr)
    turn = ask(page, "By how many candles was the lighthouse at Greyholm lit?")
    said = turn.locator(".text .check")
    expect(said).to_have_text("read by OCR: compare with the page")
    expect(said).to_have_class("check ocr")
    assert not re.search("exact|confirmed|✓", turn.inner_text())
    evidence = page.locator("#evidence")
    if opens:
        expect(page.locator("#question")).to_be_focused()  # nobody is taken there
    else:
        expect(evidence).to_be_hidden()  # it would cover the answer
        turn.locator(".cite").first.click()
    expect(evidence.locator(".paper rect").first).to_be_visible()
    expect(evidence.locator(".ocr")).to_have_text("Read by OCR: compare with the page")
    figure = evidence.locator(".quote mark.doubt")
    expect(figure).to_have_text("1791")
    expect(figure).to_have_attribute("title", "The file’s own text layer says 1 797")
    assert page.wrong == []


def test_what_has_no_pages_is_shown_as_text_with_its_words_marked(driver, reader):
    page = driver.open(reader)
    turn = ask(page, "What may be spent on a hotel per night?")
    mark = turn.locator(".cite").first
    where = mark.get_attribute("title")
    mark.click()
    marked = page.locator("#evidence .readable mark")
    marked.first.wait_for()
    quote = page.locator("#evidence .quote").inner_text()
    assert where.startswith(page.locator("#evidence .evidence-title").inner_text().split("] ")[1])
    # cells of a table stand apart on the page, and with a bar between them in the quote
    assert re.sub(r"[\s|]", "", "".join(marked.all_inner_texts())) == re.sub(r"[\s|]", "", quote)


def test_rows_of_a_table_are_shown_as_a_table_below_their_header(driver, stranger):
    page = driver.open(stranger)
    add_files(page, {"fares.md": FARES})
    page.click("[data-part=ask]")
    turn = ask(page, "What does a single to the Mill of Wexmoor cost?")
    table = turn.locator(".rows table")
    expect(table.locator("th")).to_have_count(3)
    expect(table.locator("th").nth(1)).to_have_text("Single")
    row = table.locator("tr", has_text="Mill of Wexmoor")
    expect(row.locator("td").nth(1)).to_have_text("3.60")
    expect(row.locator("td").nth(2)).to_contain_text("<b>8.20</b>")
    row.locator(".cite").click()
    expect(page.locator("#evidence .quote")).to_contain_text("Mill of Wexmoor | 3.60")


# -- what stays -----------------------------------------------------------------------------------


def by_command(stack, key, question):
    """What the command line exports of an answer."""
    environ = {"FOOTNOTE_URL": stack["api_url"], "FOOTNOTE_API_KEY": key, "PATH": "/usr/bin:/bin"}
    command = [f"{sys.prefix}/bin/footnote", "export", question, "--format", "json"]
    return json.loads(subprocess.run(command, env=environ, capture_output=True, check=True).stdout)


def by_mcp(stack, key, question):
    """What an assistant is given of an answer."""
    server = over_http(f"{stack['api_url']}/mcp", {"x-api-key": key})
    # in a thread: the browser's driver has a loop of its own in this one
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(call, server, "ask", question_id=question).result()
    return asked.structured_content


def test_an_answer_and_its_citation_are_the_same_after_a_refresh_by_link_in_history_and_elsewhere(
    driver, stack, samples, reader
):
    client, _ = samples
    page = driver.open(reader)
    ask(page, BIKES).locator(".cite").first.click()
    expect(page.locator(".paper rect").first).to_be_visible()
    seen = page.locator("#evidence .quote").inner_text()
    address = page.url
    assert re.search(r"#/questions/\w+/citations/1$", address)
    page.reload()
    expect(page.locator("#evidence .quote")).to_have_text(seen)
    other = driver.open(reader)
    other.evaluate("address => { location.href = address; }", address)
    expect(other.locator("#evidence .quote")).to_have_text(seen)
    other.goto(f"{driver.url}/#/")
    other.locator(".side li a", has_text=BIKES).first.click()
    other.locator(".cite").first.click()
    expect(other.locator("#evidence .quote")).to_have_text(seen)
    question = re.search(r"questions/(\w+)", address)[1]
    [citation] = client.question(question)["citations"]
    assert (citation["quote"], citation["pages"]) == (seen, [2])
    told = {"api": client.question(question), "export": json.loads(client.export(question, "json"))}
    told |= {"cli": by_command(stack, reader, question), "mcp": by_mcp(stack, reader, question)}
    for face, answer in told.items():
        assert [(one["quote"], one["pages"]) for one in answer["citations"]] == [(seen, [2])], face
    assert seen in client.export(question, "md").decode().replace("\\", "")


def clear_uploads(page):
    """Clears the list of uploads, which folds away once all are done."""
    page.locator(".uploads details:not([open]) summary").click()
    page.get_by_role("button", name="Clear the list").click()


def test_a_newer_version_of_a_source_is_told(driver, stranger):
    page = driver.open(stranger)
    add_files(page, {"fees.txt": b"The toll at Brinewell bridge is 12 crowns."})
    turn = ask(page, "What is the toll at Brinewell bridge?")
    address = page.url
    page.click("[data-part=documents]")
    clear_uploads(page)
    add_files(page, {"fees.txt": b"The toll at Brinewell bridge is 15 crowns."})
    page.goto(address)
    turn = page.locator(".turn").last
    expect(turn.locator(".text")).to_contain_text("12 crowns")
    turn.locator(".cite").first.click()
    expect(page.locator("#evidence .facts")).to_contain_text("a newer version exists")
    expect(page.locator("#evidence .quote")).to_contain_text("12 crowns")
    expect(page.locator("#evidence .view").get_by_role("alert")).to_contain_text("version")


def test_a_page_that_is_loaded_again_while_an_answer_is_made_goes_on_with_it(driver, reader):
    page = driver.open(reader)
    page.fill("#question", BIKES)
    page.press("#question", "Enter")
    page.wait_for_url(re.compile(r"#/questions/\w+"))
    page.reload()
    expect(page.locator(".answer footer")).to_be_visible()
    expect(page.locator(".answer .text")).to_contain_text("10,840")
    assert page.wrong == []


def test_a_tab_that_was_closed_shows_its_uploads_again(driver, stranger):
    page = driver.open(stranger)
    page.click("[data-part=documents]")
    drop_files(page, {"kept.txt": b"The harbour is deep.", "empty.txt": b""})
    page.locator(".ledger li", has_text="kept.txt").wait_for()
    expect(page.locator(".ledger li", has_text=re.compile("waits|sending"))).to_have_count(0)
    context = page.context
    page.close()
    again = context.new_page()
    again.goto(f"{driver.url}/#key={stranger}")
    again.click("[data-part=documents]")
    expect(again.locator(".ledger li")).to_have_count(2)
    expect(again.locator(".ledger li.open")).to_have_count(0)
    expect(again.locator(".ledger li", has_text="kept.txt")).to_contain_text("ready")


CLOSED = {"fees.md": b"# Fees\n\nThe fee is 84 crowns.", "fees.md.metadata.json": b'{"acl": ["b"]}'}


def test_a_document_is_asked_for_when_its_sidecar_has_been_sent(driver, new_tenant, key_of):
    client, _ = new_tenant(groups="@all")
    page = driver.open(key_of(client))
    asked, sent = [], []

    def note_asked(request):
        if request.method == "POST" and request.url.endswith("/documents"):
            asked.append((request.post_data_json["document"], len(sent)))

    def note_sent(request):
        if request.method == "POST" and not request.url.startswith(driver.url):
            sent.append(request.url)

    page.on("request", note_asked)
    page.on("requestfinished", note_sent)
    add_files(page, CLOSED)
    assert asked == [("fees.md.metadata.json", 0), ("fees.md", 1)]
    assert page.wrong == []


def test_no_document_is_asked_for_whose_sidecar_was_refused(driver, new_tenant, key_of):
    client, _ = new_tenant(groups="b")
    page = driver.open(key_of(client))
    add_files(page, CLOSED)
    refused = page.locator(".ledger li.bad")
    expect(refused).to_have_count(2)
    expect(refused.filter(has_text="not sent without its sidecar")).to_have_count(1)
    assert [*client.documents()] == []


# -- what goes wrong ------------------------------------------------------------------------------


def test_what_failed_says_why_and_a_file_that_cannot_be_read_is_replaced(driver, stranger):
    page = driver.open(stranger)
    files = {"a.pdf": b"%PDF-1.7 broken", "b.pdf": b"%PDF-1.7 broken too", "good.txt": b"Salt."}
    add_files(page, files)
    bad = page.locator(".ledger li.bad")
    expect(bad).to_have_count(2)
    expect(bad.first).to_contain_text("(")
    expect(page.locator(".uploads .totals")).to_have_text(
        "3 of 3 files done · 1 ready · 2 with a problem"
    )
    expect(page.get_by_role("button", name=re.compile("^Try .*again"))).to_have_count(0)
    rows = page.locator(".documents tbody tr")
    expect(rows.filter(has_text="a.pdf").locator(".why")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Replace the file a.pdf").click()
    body, _, _ = made_pdf()
    chooser.value.set_files([{"name": "mended.pdf", "mimeType": "", "buffer": body}])
    expect(page.locator(".ledger li.bad")).to_have_count(1)
    expect(page.locator(".ledger li", has_text="a.pdf")).to_contain_text("ready, 1 page")


def test_the_same_file_again_is_skipped_and_said_so(driver, stranger):
    page = driver.open(stranger)
    add_files(page, {"salt.txt": b"Salt is mined at Hexham."})
    clear_uploads(page)
    expect(page.locator(".ledger li")).to_have_count(0)
    add_files(page, {"salt.txt": b"Salt is mined at Hexham."})
    expect(page.locator(".ledger li")).to_contain_text("same content, skipped")


def test_text_of_documents_never_becomes_markup(driver, stranger):
    page = driver.open(stranger)
    name = "<img src=x onerror=alert(1)>.md"
    add_files(page, {name: HOSTILE})
    page.locator(".documents a", has_text=name).click()
    expect(page.locator("h1")).to_have_text(name)
    page.get_by_role("button", name="Read it as text").click()
    expect(page.locator(".readable")).to_contain_text("seventy")
    turn = ask(page, "How many crates of salt does the vault of Hexham hold?")
    assert page.title() == "footnote"
    for place in (".readable", ".answer", "main", "#side"):
        there = page.locator(f"{place} :is(script, img, iframe, [onerror], a[href^='javascript'])")
        assert there.count() == 0, place
    expect(turn).to_be_visible()


def test_a_key_that_is_refused_is_told_and_another_can_be_given(driver, reader):
    page = driver.open()
    page.fill("#key", "not-a-key")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("key")
    page.fill("#key", reader)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#question")).to_be_visible()
    assert reader not in page.url


def test_without_a_network_it_says_so_and_goes_on_afterwards(driver, reader):
    page = driver.open(reader)
    expect(page.locator("#question")).to_be_visible()
    page.context.set_offline(True)
    page.fill("#question", BIKES)
    page.press("#question", "Enter")
    expect(page.locator("#network")).to_be_visible()
    assert page.input_value("#question") == BIKES
    page.context.set_offline(False)
    page.press("#question", "Enter")
    expect(page.locator(".answer .text")).to_contain_text("10,840")
    expect(page.locator("#network")).to_be_hidden()


def test_a_request_that_gets_no_reply_is_given_up_and_the_files_are_looked_after(driver, stranger):
    """With a minute that lasts for ten seconds."""
    page = driver.open(stranger)
    page.add_init_script(
        "const limit = AbortSignal.timeout.bind(AbortSignal);"
        "AbortSignal.timeout = (milliseconds) => limit(milliseconds / 6)"
    )
    page.reload()
    held = []

    def hold_the_first(route):
        held.append(route)
        if len(held) > 1:
            route.continue_()

    page.route("**/documents/status", hold_the_first)
    add_files(page, {SAMPLES[0].name: SAMPLES[0].read_bytes()})
    assert len(held) > 1
    expect(page.locator("#network")).to_be_hidden()


def test_a_late_reply_to_what_was_asked_before_is_no_sign_of_a_network(driver, reader):
    page = driver.open(reader)
    held = []

    def hold(route):
        held.append(route)

    page.route(SESSIONS, hold)
    with page.expect_request(SESSIONS):
        page.reload()
    expect(page.locator("#question")).to_be_visible()
    page.context.set_offline(True)
    page.fill("#question", BIKES)
    page.press("#question", "Enter")
    expect(page.locator("#network")).to_be_visible()
    with page.expect_response(SESSIONS):
        held[0].fulfill(json={"sessions": [], "after": None})
    page.wait_for_timeout(300)
    expect(page.locator("#network")).to_be_visible()
    page.context.set_offline(False)
    page.unroute(SESSIONS)
    page.press("#question", "Enter")
    expect(page.locator(".answer .text")).to_contain_text("10,840")
    expect(page.locator("#network")).to_be_hidden()


def test_what_the_documents_do_not_say_is_shown_as_that(driver, reader):
    page = driver.open(reader)
    turn = ask(page, NOWHERE)
    lost = turn.locator(".not-found")
    expect(lost.locator("h3")).to_have_text("Nearest passages, not an answer")
    expect(lost).to_contain_text("Searched for")
    expect(lost.locator(".text .cite").first).to_be_visible()
    lost.get_by_role("button", name="Report that this is missing").click()
    expect(page.locator(".note")).to_contain_text("Reported")


# -- everybody ------------------------------------------------------------------------------------


def test_everything_works_by_the_keyboard_alone(driver, reader):
    page = driver.open(reader)
    expect(page.locator("#question")).to_be_focused()
    page.keyboard.type(BIKES)
    page.keyboard.press("Enter")
    expect(page.locator(".answer footer")).to_be_visible()
    for _ in range(300):  # each conversation of the reader has two stops
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "cite":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".paper rect").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".pager span")).to_contain_text("page 3")
    page.keyboard.press("Escape")
    expect(page.locator("#evidence")).to_be_hidden()
    expect(page.locator(".cite").first).to_be_focused()


def test_a_long_answer_scrolls_behind_the_place_to_ask_and_ends_above_it(driver, reader):
    page = driver.open(reader)
    turn = ask(page, NOWHERE)
    turn.get_by_text("Explain").click()
    turn.locator(".trace").wait_for()
    for place in (0, 150, 1_000_000):
        page.locator("main").evaluate("(main, place) => main.scrollTo(0, place)", place)
        composer = page.locator(".composer").bounding_box()
        below = page.viewport_size["height"] - composer["y"] - composer["height"]
        assert below < 20  # pixels: at the end the padding of the room is seen
    assert turn.bounding_box()["y"] + turn.bounding_box()["height"] <= composer["y"]
    assert turn.bounding_box()["y"] < 0  # it is long


def test_sentences_are_announced(driver, reader):
    page = driver.open(reader)
    page.evaluate(
        "() => { window.said = []; new MutationObserver(() => window.said.push("
        "document.getElementById('announce').textContent)).observe("
        "document.getElementById('announce'), {childList: true, characterData: true}); }"
    )
    ask(page, BIKES)
    said = page.evaluate("window.said")
    assert any("10,840" in text for text in said)
    assert said[-1] == "The answer is complete."


@pytest.mark.parametrize(("scheme", "size"), [("light", "wide"), ("dark", "phone")])
def test_it_fits_and_axe_finds_nothing_serious(driver, reader, scheme, size):
    page = driver.open(reader, size, color_scheme=scheme, bypass_csp=True)
    states = [
        lambda: page.locator(".welcome").wait_for(),
        lambda: ask(page, BIKES),
        lambda: (page.locator(".cite").first.click(), page.locator(".paper img").wait_for()),
        lambda: (
            page.keyboard.press("Escape"),
            ask(page, HOTEL).locator(".cite").last.click(),
            page.locator(".readable mark").first.wait_for(),
        ),
        lambda: (page.keyboard.press("Escape"), ask(page, NOWHERE)),
        lambda: (
            page.click("[data-part=documents]"),
            page.locator(".documents tbody tr").first.wait_for(),
        ),
        lambda: (
            # the newest file is another test's, and may have been refused
            page.get_by_label("Find documents").fill("travel-and-expenses"),
            page.locator(".documents a").first.click(),
            page.locator(".contents.outline").wait_for(state="attached"),
        ),
    ]
    axe = AXE_FILE_PATH.read_text()
    for number, reach in enumerate(states):
        reach()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"state {number} is {wide} pixels wider than the screen"
        for heading in page.locator(".turn h2").all():  # a column of letters is no heading
            assert heading.bounding_box()["width"] > 150, f"state {number}"
        page.evaluate(axe)
        found = page.evaluate("() => axe.run(document)")["violations"]
        bad = [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS]
        assert bad == [], f"state {number}"


def test_it_is_light_and_nothing_comes_from_elsewhere(driver, reader):
    page = driver.open()
    seen = []
    page.on("response", lambda reply: seen.append((reply.url, len(reply.body()))))
    page.goto(f"{driver.url}/#key={reader}")
    page.reload()
    expect(page.locator("#question")).to_be_visible()
    page.wait_for_load_state("networkidle")
    own = [(url, size) for url, size in seen if "/page/" in url or url.endswith("/")]
    assert 0 < sum(size for _, size in own) < WEIGHT
    origin = re.match(r"https?://[^/]+", driver.url)[0]
    assert {re.match(r"https?://[^/]+", url)[0] for url, _ in seen} == {origin}
    assert json.dumps(page.wrong) == "[]"
