"""Page labels: the numbers that a PDF declares for its pages ("iv", "A-3")."""

import re
from codecs import BOM_UTF16_BE
from typing import Any

from footnote.ingest.parse.characters import squeeze

_LONGEST = 20  # characters
_MOST = 100_000  # a larger figure is no page's, and in Roman ones it would be pages long
_HEXADECIMAL = re.compile("<(?:[0-9A-Fa-f]{2})+>")
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"),
    (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def label(file: Any, number: int) -> str:
    """Returns the label of page `number` by the file's rules (PDF 32000-1, 12.4.2).

    It is "" if it equals the number, or if the file declares none.
    """
    rules = [rule for rule in file.get_page_labels() if rule["startpage"] < number]
    if not rules:
        return ""
    rule = max(rules, key=lambda rule: int(rule["startpage"]))
    at = rule.get("firstpagenum", 1) + number - 1 - rule["startpage"]
    prefix = _prefix(str(rule.get("prefix", "")))
    if not 0 < at < _MOST:
        return ""
    printed = prefix + _figure(rule.get("style", ""), at)
    return printed if printed != str(number) and len(printed) <= _LONGEST else ""


def _prefix(text: str) -> str:
    """Decodes a prefix: PyMuPDF leaves a hexadecimal string as it is written."""
    if _HEXADECIMAL.fullmatch(text):
        coded = bytes.fromhex(text[1:-1])
        text = coded.decode("utf-16" if coded.startswith(BOM_UTF16_BE) else "latin-1", "replace")
    return squeeze(text)


def _figure(style: str, number: int) -> str:
    if style in {"R", "r"}:
        roman = _roman(number)
        return roman.upper() if style == "R" else roman
    if style in {"A", "a"}:
        # a to z, then aa to zz, then aaa: the standard repeats the letter
        letters = chr(ord(style) + (number - 1) % 26)
        return letters * ((number - 1) // 26 + 1)
    return str(number) if style == "D" else ""


def _roman(number: int) -> str:
    figure = ""
    for value, letters in _ROMAN:
        figure += letters * (number // value)
        number %= value
    return figure
