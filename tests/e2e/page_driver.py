"""A real browser over the page that the stack serves, for tests that do what people do.

Nothing here calls the product's code: the page is looked at from outside.
"""

import io
from contextlib import contextmanager

from PIL import Image
from playwright.sync_api import expect, sync_playwright

from local.browser import find_browser
from tests.stack import PATIENCE

WAIT = PATIENCE * 1000  # milliseconds
SIZES = {"wide": (1280, 800), "phone": (360, 740), "tall": (1280, 1500)}
expect.set_options(timeout=WAIT)


class Driver:
    """Opens pages of a browser, each in a context of its own, like another person's."""

    def __init__(self, browser, url):
        self.url = url
        self._browser = browser
        self.contexts = []

    def open(self, key="", size="wide", routes=None, **options):
        """Returns a page, signed in if a key is given. Its `wrong` lists the errors of scripts.

        `routes` answers all its requests, and nothing is opened yet.
        """
        width, height = SIZES[size]
        context = self._browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(WAIT)
        self.contexts.append(context)
        page = context.new_page()
        page.wrong = []
        page.on("pageerror", lambda error: page.wrong.append(str(error)))
        page.on("console", lambda said: self._note(page, said))
        if routes:
            page.route("**/*", routes)
            return page
        page.goto(f"{self.url}/#key={key}" if key else f"{self.url}/")
        return page

    @staticmethod
    def _note(page, said):
        # a request that is refused is told by the browser too; the page shows those
        if said.type == "error" and "Failed to load resource" not in said.text:
            page.wrong.append(said.text)

    def close(self):
        for context in self.contexts:
            context.close()
        self.contexts.clear()


@contextmanager
def start_browser(url):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        yield Driver(browser, url)
        browser.close()


def drop_files(page, files):
    """Drops files, {path: bytes}, on the place for them, as a browser does."""
    page.set_input_files(
        "#files",
        [{"name": name, "mimeType": "", "buffer": body} for name, body in files.items()],
    )


def add_files(page, files):
    """Adds files by the page and waits until each has ended."""
    page.click("[data-part=documents]")
    drop_files(page, files)
    expect(page.locator(".ledger li")).to_have_count(len(files))
    try:
        expect(page.locator(".ledger li.open")).to_have_count(0, timeout=PATIENCE * 1000)
    except AssertionError as error:
        error.add_note(f"the page says: {page.locator('.uploads').inner_text()}; {page.wrong}")
        raise


def send(page, question):
    """Sends a new question by the page, and does not wait for its answer."""
    page.click("[data-part=ask]")
    # The address changes before what it names is shown: without waiting, the words are typed into
    # the form that is about to go.
    expect(page.locator(".welcome")).to_be_visible()
    page.fill("#question", question)
    page.press("#question", "Enter")


def ask(page, question):
    """Asks a question by the page and returns its turn once the answer is complete."""
    send(page, question)
    turn = page.locator(".turn", has_text=question).last
    expect(turn.locator(".answer footer")).to_be_visible()
    return turn


def picture_of(element):
    """Takes a picture of an element as the reader sees it."""
    return Image.open(io.BytesIO(element.screenshot())).convert("RGB")


def is_marked(colour):
    """Tells whether a pixel has the colour of a mark: yellow, darker in blue than in the others."""
    red, green, blue = colour
    return red > 180 and green > 150 and blue < 190 and red - blue > 50
