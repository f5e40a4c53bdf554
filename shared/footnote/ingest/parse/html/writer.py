"""Writes the elements of a page as blocks of a document, in one walk without recursion."""

import re
from itertools import islice

from lxml import etree, html

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.html.css import StyleSheet
from footnote.ingest.parse.html.lists import Lists
from footnote.ingest.parse.html.replaced import Replaced
from footnote.ingest.parse.html.survey import BLOCKS, Survey
from footnote.ingest.parse.html.tables import Grid, is_data_table
from footnote.ingest.parse.raised_text import Scripts

_SILENT = frozenset(
    re.findall(
        r"\w+",
        "script style template head title meta link param source track col colgroup datalist meter "
        "progress rp xml area basefont bgsound",
    )
)
_NEVER_SHOWN = frozenset({"noscript", "noframes", "noembed", "canvas"})
_WHOLE = frozenset({"html", "body", "main"})
_SCRIPTS = frozenset({"sup", "sub", "ruby", "rt", "a"})
_PARTS = frozenset({"tr", "td", "th", "caption"})
_APART = frozenset({"br", "button"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SWITCHES, _CASES = frozenset({"switch", "epub:switch"}), frozenset({"case", "epub:case"})
_MOST_CASES = 10  # of a switch that are looked at
_CHOICES = _CASES | {"default", "epub:default"}
_REPEATS_FORMULA = re.compile(r"\b(?:katex-html|mwe-math-fallback-image)")


class Writer:
    """Adds a page to a builder, and counts in its ledger what it leaves out.

    `place` names the chapter of a book in the ledger.
    """

    def __init__(
        self, builder: DocumentBuilder, sheet: StyleSheet, seen: Survey, place: str = ""
    ) -> None:
        self.builder = builder
        self._sheet = sheet
        self._seen = seen
        self._place = place
        self._text: list[str] = []
        self._scripts = Scripts(self._text)
        self._lists = Lists()
        self._grid: Grid | None = None
        self._table_depth = 0
        self._keep_lines = 0
        self._replaced = Replaced(self._scripts.add, self._lines, self._count)

    def write(self, root: html.HtmlElement) -> None:
        skipping: html.HtmlElement | None = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if event == "start":
                if skipping is None and self._is_skipped(element):
                    skipping = element
                elif skipping is None:
                    self._start(element)
                continue
            if skipping is None:
                self._end(element)
            elif skipping is element:
                skipping = None
            if skipping is None and element is not root:
                self._scripts.add(element.tail or "")
        self._flush()

    def _count(self, code: str, place: str = "") -> None:
        self.builder.ledger.count(code, self._place or place)

    def _is_skipped(self, element: html.HtmlElement) -> bool:
        """Tells whether the walk passes an element over; writes what stands in its place."""
        tag = element.tag
        if not isinstance(tag, str) or tag in _SILENT:
            return True
        if element in self._seen.navigation:
            self._count_text("navigation", element)
        elif tag in _NEVER_SHOWN or self._is_hidden(element):
            self._hidden(element)
        elif _REPEATS_FORMULA.search(element.get("class", "")):
            pass
        elif tag in _CHOICES and not _is_chosen(element):
            pass  # it stands for the same as the other one
        else:
            return self._replaced.write(element)
        return True

    def _hidden(self, element: html.HtmlElement) -> None:
        """Counts a hidden element; a formula in it is the words for a picture that is shown."""
        if len(element) and element[0].tag == "math":
            self._replaced.write(element[0])
        else:
            self._count_text("hidden_text", element)

    def _is_hidden(self, element: html.HtmlElement) -> bool:
        if element.tag in _WHOLE:
            return False  # a script is about to show it
        is_closed = element.tag == "dialog" and element.get("open") is None
        return is_closed or element.get("hidden") is not None or self._sheet.hides(element)

    def _count_text(self, code: str, element: html.HtmlElement) -> None:
        if any(map(str.strip, element.itertext())):
            self._count(code)

    def _apart(self, text: str) -> None:
        self._scripts.add(f" {text} " if text else "")

    def _lines(self, lines: list[str]) -> None:
        """Writes the texts of a drawing, each as a line; in a table they stay in their cell."""
        if self._grid is not None:
            self._apart(" ".join(lines))
            return
        if any(lines):
            self._flush()
        for line in lines:
            self.builder.item(line)

    def _start(self, element: html.HtmlElement) -> None:
        tag = element.tag
        if element in self._seen.unknown:
            self.builder.ledger.count("unknown_markup", str(tag))
        if tag in BLOCKS and self._grid is None:
            self._flush()
        elif tag in BLOCKS or tag in _APART:
            self._text.append(" ")
        if tag in _SCRIPTS:
            self._scripts.start(tag)
        elif tag == "table":
            self._start_table(element)
        elif self._grid is not None and tag in _PARTS:
            self._line_above()
            if tag == "tr":
                self._grid.start_row()
        self._keep_lines += tag == "pre"
        self._lists.start(element)
        if tag == "li" and self._grid is not None:
            self._apart(self._lists.number())
        self._scripts.add(element.text or "")

    def _end(self, element: html.HtmlElement) -> None:
        tag = element.tag
        if tag in _SCRIPTS:
            self._scripts.end(tag)
        elif tag == "table":
            self._end_table()
        elif self._grid is not None:
            self._end_part(self._grid, element)
        elif tag in _HEADINGS:
            number = self._lists.number()
            self.builder.heading(f"{number} {self._take()}", _HEADINGS[tag])
        elif tag in BLOCKS:
            self._flush(is_item=tag in {"dd", "dt", "tr"})
        elif tag in _APART:
            self._text.append("\n" if tag == "br" else " ")
        self._keep_lines -= tag == "pre"
        self._lists.end(element)

    def _end_part(self, grid: Grid, element: html.HtmlElement) -> None:
        if element.tag in {"td", "th"}:
            grid.add(element, self._take())
        elif element.tag in BLOCKS or element.tag in _APART:
            self._text.append(" ")

    def _start_table(self, element: html.HtmlElement) -> None:
        self._table_depth += 1
        if self._table_depth == 1 and is_data_table(element):
            self._grid = Grid()

    def _end_table(self) -> None:
        self._table_depth -= 1
        if self._table_depth == 0 and self._grid is not None:
            self._line_above()
            self._grid.end()
            self.builder.table(self._grid.rows, max(1, self._grid.header_rows))
            self._grid = None

    def _line_above(self) -> None:
        """Writes text of a table outside its cells, as its caption, above it."""
        self.builder.paragraph(self._take())

    def _take(self) -> str:
        text = squeeze("".join(self._text))
        self._text.clear()
        return text

    def _flush(self, *, is_item: bool = False) -> None:
        if self._keep_lines:
            self.builder.paragraph("".join(self._text))
            self._text.clear()
            return
        text = self._take()
        mark = (text and self._lists.mark()) or ("-" if is_item else "")
        if text and mark:
            self.builder.item(f"{mark} {text}")
        else:
            self.builder.paragraph(text)


def _is_chosen(choice: html.HtmlElement) -> bool:
    """Tells which part of EPUB's `switch` is shown: a formula, else the default."""
    switch = choice.getparent()
    if switch is None or switch.tag not in _SWITCHES:
        return True
    if choice.tag in _CASES:
        return str(choice.get("required-namespace", "")).endswith("MathML")
    return not any(each.tag in _CASES and _is_chosen(each) for each in islice(switch, _MOST_CASES))
