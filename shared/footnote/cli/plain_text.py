"""Text that a terminal shows and never obeys, wherever the text came from.

rich takes no word for markup, but it passes escape characters on. With those a document's name
could colour, hide or link the output.
"""

import re

from rich import text as rich_text
from rich.style import Style

# Control characters but the line feed, marks that turn the direction of writing, half characters.
_OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def plain(text: str) -> str:
    """Returns the text without the characters that a terminal obeys. A tab becomes a blank."""
    return _OBEYED.sub("", text.replace("\t", " "))


def plain_json(text: str) -> str:
    """Returns equal JSON, with escapes for the characters that a terminal obeys."""
    return _OBEYED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class PlainText(rich_text.Text):
    """rich's Text for words of any origin."""

    def __init__(self, text: str = "", style: str | Style = "") -> None:
        super().__init__(plain(text), style)

    def append(self, text: "rich_text.Text | str", style: str | Style | None = None) -> "PlainText":
        super().append(plain(text) if isinstance(text, str) else text, style)
        return self
