"""`make screens`: pictures of the page's states for docs/page.md, in a real browser over a stack.

usage: python -m tests.e2e.screens     (FOOTNOTE_STACK names the stack)
"""

import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import expect

from tests.e2e.page_alone import Api, answered, citation, sentence, show
from tests.e2e.page_driver import ask, drop_files, send, start_browser
from tests.page_files import pack
from tests.stack import ROOT, find_stack

FOLDER = ROOT / "docs" / "page"
COLOURS = 128  # of a picture: text stays sharp, and a file has some 40 KB
SAMPLES = sorted((ROOT / "samples" / "documents").iterdir())
BIKES = "How many cargo bikes did Ottermoss deliver in 2025?"
HOTEL = "What may be spent on a hotel per night?"
RUNS = "The ferry runs twice a day, at eight and at four."
SUNDAYS = "On Sundays the ferry lies at the quay, and the pilots mend its nets."
FATES = answered(
    sentence(RUNS, "exact", 1),
    sentence("Two ferries leave each day.", "confirmed", 1),
    sentence("There is one in the morning and one in the afternoon.", "confirmed", 1,
             judged_by="model"),
    sentence("No ferry sails on Sundays.", "unconfirmed", 2),
    quotes=[citation(1, RUNS), citation(2, SUNDAYS)],
    question="When does the ferry run?",
    mode="anthropic",
)  # fmt: skip
NOWHERE = "Who won the lifeboat race in 2031?"


def shoot(page, name):
    """Takes a picture of what is seen, and stores it under this name."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)  # notes come and fonts settle
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS).save(FOLDER / f"{name}.png", optimize=True)
    print(f"{name}.png", flush=True)


def begin(page, question):
    """Asks, and returns as soon as a step of the answer is told."""
    send(page, question)
    page.locator(".turn .steps, .turn [role=status]").first.wait_for()


def walk(driver, key):
    """Goes through the states as a reader does, wide and light."""
    page = driver.open()
    page.locator("#key").wait_for()
    shoot(page, "sign-in")
    page = driver.open(key)
    page.locator(".welcome .button").wait_for()
    shoot(page, "empty")
    files = {file.name: file.read_bytes() for file in SAMPLES}
    page.click("[data-part=documents]")
    drop_files(page, files | {"broken.pdf": b"%PDF-1.7 broken"})
    page.locator(".ledger li.open").first.wait_for()
    shoot(page, "uploads")
    expect(page.locator(".ledger li.open")).to_have_count(0)
    shoot(page, "documents")
    page.click("[data-part=ask]")
    page.locator(".starter").first.wait_for()
    shoot(page, "home")
    begin(page, BIKES)
    shoot(page, "asking")
    expect(page.locator(".answer footer")).to_be_visible()
    shoot(page, "answer")
    page.locator(".cite").first.click()
    page.locator(".paper rect").first.wait_for()
    shoot(page, "evidence")
    page.keyboard.press("Escape")
    ask(page, HOTEL)
    page.locator(".turn").last.locator(".cite").last.click()
    page.locator(".readable mark").first.wait_for()
    shoot(page, "evidence-text")
    page.keyboard.press("Escape")
    turn = ask(page, NOWHERE)
    expect(turn.locator(".answer footer")).to_be_visible()
    turn.scroll_into_view_if_needed()
    shoot(page, "not-found")
    turn.get_by_text("Explain").click()
    turn.locator(".trace").wait_for()
    turn.get_by_text("Explain").scroll_into_view_if_needed()
    shoot(page, "explained")
    walk_on(page)


def walk_on(page):
    """Goes on to a document, to a grid and out of the network."""
    page.click("[data-part=documents]")
    page.locator(".documents a", has_text="annual-report").click()
    page.locator(".cover img").wait_for()
    shoot(page, "document")
    page.click("[data-part=grids]")
    page.get_by_label("Questions").fill(f"{BIKES}\n{HOTEL}")
    page.get_by_label("Name, if you like").fill("Bikes and hotels")
    page.get_by_role("button", name="Fill the grid").click()
    expect(page.locator(".totals")).to_contain_text(f"{2 * len(SAMPLES)} of {2 * len(SAMPLES)}")
    shoot(page, "grid")
    page.context.set_offline(True)
    page.click("[data-part=documents]")
    expect(page.locator("#network")).to_be_visible()
    shoot(page, "offline")


def walk_small(driver, key):
    """The same answer on a phone, dark."""
    page = driver.open(key, "phone", color_scheme="dark")
    ask(page, BIKES)
    shoot(page, "phone-answer")
    page.locator(".cite").first.click()
    page.locator(".paper rect").first.wait_for()
    shoot(page, "phone-evidence")


def show_fates(driver):
    """Shows how each way of checking looks, and what may be said beside the next question.

    These replies are made up: no sample has them all.
    """
    page = show(driver, Api(one=FATES), f"questions/{FATES['id']}", color_scheme="light")
    expect(page.locator(".answer footer")).to_be_visible()
    shoot(page, "fates")
    page.get_by_text("Options", exact=True).click()
    page.get_by_label("Written").select_option("analyst")
    page.get_by_label("Only documents with").fill('{"kind": "report"}')
    page.fill("#question", "And on Mondays?")
    shoot(page, "options")


def main():
    stack = find_stack()
    Path(FOLDER).mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, start_browser(stack["api_url"]) as driver:
        sys.path.insert(0, str(pack(Path(folder))))  # the page that is served without a stack
        walk(driver, stack["api_key"])
        walk_small(driver, stack["api_key"])
        show_fates(driver)
        driver.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
