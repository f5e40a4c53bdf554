"""Follows the lists of a page and gives each item its mark: "-", or the number a browser shows."""

import re

from lxml import html

from footnote.ingest.parse.numerals import numeral, to_number

_STYLE = re.compile(r"list-style(?:-type)?\s*+:([^;]*+)")
_KIND = re.compile(r"none|(?:lower|upper)-(?:alpha|latin|roman)")
_KINDS = {
    "lower-alpha": "a",
    "lower-latin": "a",
    "upper-alpha": "A",
    "upper-latin": "A",
    "lower-roman": "i",
    "upper-roman": "I",
    "none": "",
}
_LISTS = frozenset({"ol", "ul", "menu", "dir"})
_BULLET = "-"


class Lists:
    """The lists around the walk's place, and the mark of the item that begins there."""

    def __init__(self) -> None:
        self._open: list[_Numbers | None] = []
        self._mark = ""

    def start(self, element: html.HtmlElement) -> None:
        if element.tag == "ol":
            self._open.append(_Numbers(element))
        elif element.tag in _LISTS:
            self._open.append(None)
        elif element.tag == "li":
            numbers = self._open[-1] if self._open else None
            self._mark = numbers.mark(element) if numbers else _BULLET

    def end(self, element: html.HtmlElement) -> None:
        if element.tag in _LISTS and self._open:
            self._open.pop()
        elif element.tag == "li":
            self._mark = ""

    def mark(self) -> str:
        """Returns the mark of an item at its first text, and "" afterwards."""
        mark, self._mark = self._mark, ""
        return mark

    def number(self) -> str:
        """Returns the mark of an item if it is a number."""
        mark = self.mark()
        return mark if mark != _BULLET else ""


class _Numbers:
    """The numbers of an ordered list."""

    def __init__(self, element: html.HtmlElement) -> None:
        styles = "".join(_STYLE.findall(element.get("style", "").casefold()))
        style = _KIND.search(styles)
        self._kind = _KINDS[style[0]] if style else element.get("type", "1").strip()
        self._step = 1 if element.get("reversed") is None else -1
        first = 1 if self._step > 0 else len(element.findall("li"))
        self._next = to_number(element.get("start", ""), first)

    def mark(self, item: html.HtmlElement) -> str:
        number = to_number(item.get("value", ""), self._next)
        self._next = number + self._step
        return f"{numeral(number, self._kind)}." if self._kind else _BULLET
