"""Tells which fragment of a page is a line of prose, and at what height it stands."""

from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.ingest.parse.pdf.scripts import count_unspaced

_LETTERS = 20  # the least letters in a line of prose
_SHARE = 0.6  # the least share of letters in it


def is_prose(fragment: Fragment) -> bool:
    text = fragment.text
    letters = sum(map(str.isalpha, text))
    if letters <= _SHARE * len(text):
        return False
    if not text.isascii() and (unspaced := count_unspaced(text)) > 0.5 * letters:
        return letters + unspaced >= _LETTERS  # one of them is as wide as two letters
    return letters >= _LETTERS and len(fragment.words) > 2


def middle(fragment: Fragment) -> float:
    """Returns the height of a line's middle, whatever its size."""
    return (fragment.y0 + fragment.y1) / 2
