"""A link can carry a key. It signs in whoever is not signed in, and silently replaces nobody.

The page is the real one, in a real browser, served without a stack; replies of the API are made up.
"""

import json
from http.server import BaseHTTPRequestHandler

import pytest
from playwright.sync_api import expect

from footnote.api import serve
from tests.e2e.page_driver import start_browser
from tests.serving import LoopbackServer, serving

TENANTS = {"mine": "harbour", "again": "harbour", "theirs": "quarry"}
TOKEN = "e30.e30.e30"
SAID = {
    "signin": {"methods": ["key"]},
    "health": {"status": "ok"},
    "documents": {"documents": [], "after": ""},
    "sessions": {"sessions": [], "after": ""},
}


class Server(LoopbackServer):
    """The page, and an API that knows who has which key."""

    def __init__(self):
        super().__init__(Handler)
        self.asked = []  # path and credential of each request of the API


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        path = self.path.partition("?")[0].removeprefix("/dev/")
        if not path or path.startswith("page/"):
            file = {"file": path.removeprefix("page/")} if path else None
            self.reply(
                serve.handle({"requestContext": {"path": "/dev/"}, "pathParameters": file}, None)
            )
            return
        given = self.headers["x-api-key"] or self.headers["authorization"]
        self.server.asked.append((path, given))
        status, body = 200, SAID.get(path, {})
        if path == "me" or (path != "signin" and who(given)[0] != 200):
            status, body = who(given)
        headers = {"Content-Type": "application/json"}
        self.reply({"statusCode": status, "headers": headers, "body": json.dumps(body)})

    def reply(self, made):
        self.send_response(made["statusCode"])
        for name, value in made["headers"].items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(made["body"].encode())


def who(given):
    if given == f"Bearer {TOKEN}":
        return 200, {"tenant": "harbour", "by": "token", "person": "ada@harbour.example"}
    if given in TENANTS:
        return 200, {"tenant": TENANTS[given], "by": "key", "person": ""}
    error = {"code": "forbidden", "message": "no key", "action": "Sign in."}
    return 403, {"error": error}


@pytest.fixture(scope="module")
def page_served(page_files):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(page_files))
        patch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")  # no https is asked for here
        serve.site.cache_clear()
        yield
    serve.site.cache_clear()


@pytest.fixture
def server(page_served):
    """A server for each test: the last request of a closed page reaches no other test."""
    with serving(Server()) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with start_browser("") as driver:
        yield driver


@pytest.fixture
def driver(browser, server):
    browser.url = f"{server.url}/dev"
    yield browser
    browser.close()


def go(page, driver, key, to="/documents"):
    page.goto(f"{driver.url}/#key={key}&to={to}")


def stored(page):
    read = "store => store.getItem('footnote.credential')"
    here = page.evaluate(f"({read})(sessionStorage)")
    kept = page.evaluate(f"({read})(localStorage)")
    return [json.loads(one) if one else None for one in (here, kept)]


def keys(server, path="documents"):
    return {given for asked, given in server.asked if asked == path}


def test_whoever_is_not_signed_in_is_signed_in_by_the_link(driver, server):
    page = driver.open()
    expect(page.locator("#key")).to_be_visible()
    with page.expect_request("**/documents?*"):
        go(page, driver, "mine")
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.url.endswith("/dev/#/documents")
    assert keys(server) == {"mine"}
    assert page.wrong == []


def test_the_same_key_asks_nothing(driver, server):
    page = driver.open("mine")
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    go(page, driver, "mine")
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)
    assert page.url.endswith("#/documents")


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("new_tab", [False, True])
def test_another_key_does_not_replace_who_is_signed_in_unless_they_say_so(
    driver, server, keep, new_tab
):
    page = driver.open()
    page.fill("#key", "mine")
    page.set_checked("#keep", keep)
    page.press("#key", "Enter")
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    if new_tab:
        page = page.context.new_page()
        if not keep:  # nobody is signed in there
            go(page, driver, "theirs")
            expect(page.locator("#account summary")).to_have_text("Account quarry")
            return
    go(page, driver, "theirs")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(
        "You are signed in as account harbour. Sign in as account quarry instead?"
    )
    assert "theirs" not in page.url
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    assert keys(server) == {"mine"}
    assert [one for one in stored(page) if one] == [{"key": "mine"}]


def test_who_agrees_is_signed_in_as_the_other_and_nothing_of_before_stays(driver, server):
    page = driver.open("mine")
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    page.evaluate("sessionStorage.setItem('footnote.draft', 'secret')")
    go(page, driver, "theirs")
    page.get_by_role("button", name="Sign in as account quarry").click()
    expect(page.locator("#account summary")).to_have_text("Account quarry")
    assert stored(page) == [{"key": "theirs"}, None]
    assert page.evaluate("sessionStorage.getItem('footnote.draft')") is None


@pytest.mark.parametrize("escape", ["Escape", "Cancel"])
def test_a_person_signed_in_by_a_token_is_asked_too(driver, server, escape):
    page = driver.open()
    kept = json.dumps({"token": TOKEN})
    page.evaluate("kept => localStorage.setItem('footnote.credential', kept)", kept)
    page.reload()
    expect(page.locator("#account summary")).to_have_text("ada@harbour.example")
    go(page, driver, "theirs")
    expect(page.get_by_role("dialog")).to_contain_text("ada@harbour.example, account harbour")
    if escape == "Escape":
        page.keyboard.press("Escape")
    else:
        page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    assert keys(server) == {f"Bearer {TOKEN}"}


def test_a_key_that_was_refused_is_still_not_replaced_silently(driver, server):
    page = driver.open("old")
    expect(page.locator("#key")).to_be_visible()
    go(page, driver, "theirs")
    expect(page.get_by_role("dialog")).to_contain_text("counts no more")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#key")).to_be_visible()
    assert keys(server) & {"theirs"} == set()


@pytest.mark.parametrize("link", ["#key=nobody", "#key=", "#key=%", "#key=%E0%A4%A"])
def test_a_key_that_does_not_count_changes_nothing(driver, server, link):
    page = driver.open("mine")
    expect(page.locator("#account summary")).to_have_text("Account harbour")
    page.goto(f"{driver.url}/{link}")
    expect(page.locator("#question")).to_be_visible()
    if link == "#key=nobody":
        expect(page.locator("#notes")).to_contain_text("does not count")
    expect(page.locator("dialog")).to_have_count(0)
    assert [one for one in stored(page) if one] == [{"key": "mine"}]
    assert page.url.endswith("/dev/#/") or page.url.endswith("/dev/#")
    assert page.wrong == []


def test_of_who_signs_out_nothing_stays_in_the_tab(driver, server):
    page = driver.open("mine")
    page.evaluate("window.ofBefore = true; sessionStorage.setItem('footnote.draft', 'secret')")
    page.locator("#account summary").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#key")).to_be_visible()
    assert page.evaluate("window.ofBefore") is None
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
