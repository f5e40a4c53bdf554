"""Writes the lists of ODF and numbers their items and the headings."""

from footnote.ingest.parse.odf.numbers import Counter, Levels, ListCounters, begins_with_list
from footnote.ingest.parse.odf.styles import Styles
from footnote.ingest.parse.odf.targets import Writer
from footnote.ingest.parse.odf.xml import attribute, children, number, own_attribute
from footnote.ingest.parse.safe_xml import Element, local_name


class Lists:
    """The lists of a document, in its order."""

    def __init__(self, writer: Writer, styles: Styles) -> None:
        self._writer = writer
        self._styles = styles
        self._counters = ListCounters()
        self._headings = Counter()

    def write(self, bullets: Element) -> None:
        self._items(bullets, 1, None, own_attribute(bullets, "style-name"), "\n\n")

    def _items(
        self, bullets: Element, depth: int, counter: Counter | None, style: str, before: str
    ) -> str:
        """Writes the items of a list. Those of a nested list continue it."""
        style = own_attribute(bullets, "style-name") or style
        if not style and self._styles.has_lists:
            style = self._style_of_items(bullets)
        levels = self._styles.list_levels(style)
        if levels and counter is None:
            counter = self._counters.of(bullets, style)
        for item in bullets:
            mark = self._mark(item, depth, counter, levels) if counter else "-"
            for child in item:
                tag = local_name(child.tag)
                if tag == "list":
                    before = self._items(child, depth + 1, counter, style, before)
                    continue
                if tag == "p":
                    self._writer.paragraph(child, mark, before)
                elif tag == "h":
                    self._writer.heading(child, mark.removeprefix("-"))
                else:
                    self._writer.block(child)
                mark, before = "", "\n"
        return before

    def _style_of_items(self, bullets: Element) -> str:
        first = next(bullets.iter("{*}p", "{*}h"), None)
        name = own_attribute(first, "style-name") if first is not None else ""
        return self._styles.own("paragraph", name, "list-style-name") or ""

    def _mark(self, item: Element, depth: int, counter: Counter, levels: Levels) -> str:
        if local_name(item.tag) != "list-item" or begins_with_list(item):
            return ""
        if override := own_attribute(item, "style-override"):
            levels = self._styles.list_levels(override) or levels
        return counter.next(depth, levels, own_attribute(item, "start-value")) or "-"

    def numbered_paragraph(self, paragraph: Element) -> None:
        levels = self._styles.list_levels(attribute(paragraph, "style-name"))
        counter = self._counters.named(attribute(paragraph, "list-id"))
        start = attribute(paragraph, "start-value")
        mark = counter.next(number(paragraph, "level"), levels, start) or "-"
        for child in children(paragraph, "p", "h"):
            if local_name(child.tag) == "h":
                self._writer.heading(child, mark.removeprefix("-"))
            else:
                self._writer.paragraph(child, mark, "\n")

    def outline_number(self, heading: Element, level: int) -> str:
        if not self._styles.outline or own_attribute(heading, "is-list-header") == "true":
            return ""
        own = self._styles.own("paragraph", own_attribute(heading, "style-name"), "list-style-name")
        if own not in {None, "Outline"}:
            return ""
        start = own_attribute(heading, "start-value")
        return self._headings.next(level, self._styles.outline, start)
