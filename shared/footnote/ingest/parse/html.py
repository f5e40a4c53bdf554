"""Parses HTML: headings, lists and tables of the main content, without what a browser hides."""

import re

from lxml import etree, html

from footnote.ingest.parse import properties
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import HTML
from footnote.ingest.parse.refusals import translate_errors
from footnote.ingest.parse.safe_xml import DECLARATION
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (etree.LxmlError, ValueError)
_CHARSET = re.compile(
    rb"<meta[^<>]+charset\s*+=\s*+(?:[\"']\s*+)?([\w-]+)|<\?xml[^<>]+encoding=[\"']([\w-]+)",
    re.IGNORECASE,
)
_SKIP = frozenset(
    re.findall(
        r"\w+",
        "script style noscript template head nav svg math iframe object canvas audio video "
        "select button input textarea footer dialog map",
    )
)
_ROLES = frozenset({"navigation", "banner", "contentinfo", "search", "menu", "dialog"})
_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:navbox|navbar|nav|sidebar-toc|toc|breadcrumbs?|cookie|cookies|mw-editsection"
    r"|mw-jump-link|noprint|catlinks|skip-link|vector-page-toolbar|vector-column-start"
    r"|vector-page-titlebar-toc)(?:$|[\s_-])"
)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])"
)
_BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body center dd details div dl dt fieldset "
        "figcaption figure footer form header hr html li main ol p pre section summary table "
        "tbody td tfoot th thead tr ul caption h1 h2 h3 h4 h5 h6",
    )
)
_LONG_TAG = re.compile(r"<([a-zA-Z][\w:-]{0,40})([^<>]{20000,}+)")
_ATTRIBUTE_END = re.compile(r"[\s/=\"']+")
_MOST_ATTRIBUTES = 2_000  # of one tag: libxml2 takes time quadratic in their number
_FEWEST_MENU_LINKS = 20  # links in a list from which on it may be a menu
# Signs that documentation generators show as a link to its own place
_OWN_LINK_SIGNS = frozenset({"¶", "§", "#", "🔗", "↩", "↩︎"})
_MAX_SPAN = 50  # columns of a cell
_LONGEST_SPAN = 6  # digits; Python refuses to read very long numbers
_HEADINGS = {f"h{level}": level for level in range(1, 7)}


def parse(body: bytes, name: str) -> ParsedDocument:
    declared = _CHARSET.search(body[:4096])
    encoding = (declared[1] or declared[2]).decode() if declared else ""
    text, warnings = decode(body, name, encoding)
    with translate_errors(name, _BROKEN):
        # huge_tree lifts the limit of 256 levels: the walk below does not recurse
        parser = html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
        text = _LONG_TAG.sub(_without_attributes, DECLARATION.sub("", text, count=1))
        root = html.document_fromstring(text, parser=parser)
    _empty_links_to_themselves(root)
    writer = _Writer()
    writer.builder.warnings.extend(warnings)
    writer.write(_main(root))
    titles = [heading for heading in _first_text(root, "h1") if heading]
    titles += [heading.split(" | ")[0] for heading in _first_text(root, "title")]
    return properties.add_metadata(
        writer.builder.to_parsed(HTML, name, titles), properties.web(*_meta(root))
    )


def _without_attributes(tag: re.Match[str]) -> str:
    """Returns a very long tag without its attributes if they may be very many."""
    return f"<{tag[1]}" if len(_ATTRIBUTE_END.findall(tag[2])) > _MOST_ATTRIBUTES else tag[0]


def _empty_links_to_themselves(root: html.HtmlElement) -> None:
    """Removes the text of links that show only a sign, as "¶" after a heading."""
    for link in root.findall(".//a[@href]"):
        sign = (link.text or "").strip()
        if sign in _OWN_LINK_SIGNS and not len(link) and link.get("href").startswith("#"):
            link.text = None  # taking the element out would join texts again and again


def _meta(root: html.HtmlElement) -> tuple[list[tuple[str, str]], str]:
    """Returns the names and contents of the meta elements, and the title."""
    pairs = [
        (element.get("name") or element.get("property") or "", element.get("content") or "")
        for element in root.iter("meta")
    ]
    return pairs, next(iter(_first_text(root, "title")), "")


def _first_text(root: html.HtmlElement, tag: str) -> list[str]:
    element = root.find(f".//{tag}")
    return [] if element is None else [squeeze("".join(element.itertext()))]


def _main(root: html.HtmlElement) -> html.HtmlElement:
    """Returns the element marked as content if it has over a third of the text, else `root`."""
    everything = len("".join(root.itertext()))
    for path in (".//main", ".//*[@role='main']", ".//article"):
        candidates = root.findall(path)
        if len(candidates) == 1 and len("".join(candidates[0].itertext())) * 3 > everything:
            main: html.HtmlElement = candidates[0]
            return main
    return root


class _Writer:
    """Walks the tree once, without recursion, and writes blocks to a builder."""

    def __init__(self) -> None:
        self.builder = DocumentBuilder()
        self._text: list[str] = []
        self._rows: list[list[str]] | None = None
        self._header_rows = 0
        self._kinds: set[str] = set()  # of the cells in the row: "td", "th"
        self._table_depth = 0
        self._keep_lines = 0

    def write(self, root: html.HtmlElement) -> None:
        menus = _menus(root)
        skipping: html.HtmlElement | None = None
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if skipping is None and event == "start":
                if element in menus or _is_hidden(element):
                    skipping = element
                else:
                    self._start(element)
            elif event == "end":
                if skipping is None:
                    self._end(element)
                elif skipping is element:
                    skipping = None
                if skipping is None and element is not root:
                    self._text.append(element.tail or "")
        self._flush()

    def _start(self, element: html.HtmlElement) -> None:
        tag = element.tag
        if tag in _BLOCKS and self._rows is None:
            self._flush()
        if tag == "table":
            self._table_depth += 1
            if self._table_depth == 1 and _is_data_table(element):
                self._rows, self._header_rows = [], 0
        elif self._rows is not None and tag == "tr":
            self._end_row()
            self._rows.append([])
        elif self._rows is not None and tag in {"td", "th"}:
            self._text.clear()
        elif tag == "br":
            self._text.append("\n" if self._rows is None else " ")
        elif tag == "pre":
            self._keep_lines += 1
        self._text.append(element.text or "")

    def _end(self, element: html.HtmlElement) -> None:
        tag = element.tag
        if tag == "table":
            self._table_depth -= 1
            if self._table_depth == 0 and self._rows is not None:
                self._end_row()
                self.builder.table(self._rows, max(1, self._header_rows))
                self._rows = None
                self._text.clear()
        elif self._rows is not None:
            if tag in {"td", "th"}:
                self._cell(element)
            elif tag in _BLOCKS:
                self._text.append(" ")
        elif tag in _HEADINGS:
            self.builder.heading("".join(self._text), _HEADINGS[tag])
            self._text.clear()
        elif tag in _BLOCKS:
            self._flush(item=tag in {"li", "dd", "dt", "tr"})
        if tag == "pre":
            self._keep_lines -= 1

    def _cell(self, element: html.HtmlElement) -> None:
        rows = self._rows if self._rows is not None else []
        if not rows:
            rows.append([])  # cells without a row
        rows[-1].append(squeeze("".join(self._text)))
        self._text.clear()
        span = element.get("colspan", "1")
        is_number = span.isdecimal() and len(span) <= _LONGEST_SPAN
        rows[-1].extend([""] * (min(int(span), _MAX_SPAN) - 1 if is_number else 0))
        self._kinds.add(element.tag)

    def _end_row(self) -> None:
        """Counts the ended row as a header if all its cells and all rows above are headers."""
        rows = self._rows or []
        if self._kinds == {"th"} and len(rows) == self._header_rows + 1:
            self._header_rows += 1
        self._kinds.clear()

    def _flush(self, *, item: bool = False) -> None:
        text = "".join(self._text)
        self._text.clear()
        if not self._keep_lines:
            text = "\n".join(filter(None, map(squeeze, text.split("\n")))) if "\n" in text else text
        if item:
            self.builder.item(f"- {squeeze(text)}" if squeeze(text) else "")
        else:
            self.builder.paragraph(text if self._keep_lines else squeeze(text))


def _is_hidden(element: html.HtmlElement) -> bool:
    if not isinstance(element.tag, str) or element.tag in _SKIP:
        return True
    if element.get("hidden") is not None or element.get("role") in _ROLES:
        return True
    if _HIDDEN.search(element.get("style", "").casefold()):
        return True
    marks = f"{element.get('class', '')} {element.get('id', '')}"
    if element.tag in {"html", "body", "main"}:
        return False
    return bool(_FURNITURE.search(marks.casefold()))


class _Extent:
    """The amount of an element's text, its number of links, and the amount of their text."""

    def __init__(self) -> None:
        self.characters = self.links = self.linked = 0

    def add(self, other: "_Extent") -> None:
        self.characters += other.characters
        self.links += other.links
        self.linked += other.linked

    @property
    def is_menu(self) -> bool:
        """Tells whether this is a menu: many links, all short, and hardly any other text."""
        is_mostly_links = self.linked > 0.9 * self.characters
        return (
            self.links >= _FEWEST_MENU_LINKS and self.linked < 25 * self.links and is_mostly_links
        )


def _menus(root: html.HtmlElement) -> set[html.HtmlElement]:
    """Returns the lists that are menus. Looks at each element once, however deep they nest."""
    menus: set[html.HtmlElement] = set()
    is_open = [_Extent()]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            is_open.append(_Extent())
            is_open[-1].characters = _count(element.text)
            continue
        extent = is_open.pop()
        if element.tag == "a":
            extent.links, extent.linked = 1, extent.characters
        elif element.tag == "ul" and extent.is_menu:
            menus.add(element)
        is_open[-1].add(extent)
        is_open[-1].characters += _count(element.tail)
    return menus


def _count(text: str | None) -> int:
    return len(squeeze(text)) if text else 0


def _is_data_table(table: html.HtmlElement) -> bool:
    """Tells whether a table holds data, instead of laying out a page.

    Tables for layout nest other tables, or hold whole articles in a cell.
    """
    if table.find(".//table") is not None or table.get("role") == "presentation":
        return False
    rows = table.findall(".//tr")
    return len(rows) > 1 and any(len(row) > 1 for row in rows)
