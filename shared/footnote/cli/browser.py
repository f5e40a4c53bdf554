"""Opens the page in a browser, signed in: `footnote open`."""

import webbrowser
from urllib.parse import quote

from footnote.endpoint import endpoint
from footnote.errors import UnavailableError


def address(place: str = "") -> str:
    """Returns the address of the page, or of a `place` in it such as `/documents/ID`.

    The key stands behind the `#`, which browsers send to no server. The page removes it.
    """
    url, key = endpoint()
    return f"{url}/#key={quote(key, safe='')}" + (f"&to={quote(place)}" if place else "")


def open_browser(place: str = "") -> None:
    """Opens the page. Raises UnavailableError where there is no browser."""
    if not webbrowser.open(address(place)):
        raise UnavailableError(
            "no browser was found",
            code="no_browser",
            action="`footnote open --print` prints the address, with the key in it.",
        )
