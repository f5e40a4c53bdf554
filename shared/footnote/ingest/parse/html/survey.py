"""Looks over a page before it is read: what is surely navigation, and which tags are unknown.

Navigation is what says so (`nav`, a role), parts of known page generators that are mostly links,
lists of links to other languages, and long lists of links at the edges. All else is read, and a
page that is navigation alone, such as a table of contents, is read as well.
"""

import re
from dataclasses import dataclass

from lxml import etree, html

from footnote.ingest.parse.characters import squeeze

BLOCKS = frozenset(
    re.findall(
        r"\w+",
        "address article aside blockquote body center dd details dialog dir div dl dt fieldset "
        "figcaption figure footer form header hgroup hr html legend li main menu nav ol p pre "
        "search section summary table tbody td tfoot th thead tr ul caption h1 h2 h3 h4 h5 h6",
    )
)
_INLINE = frozenset(
    re.findall(
        r"[\w:]+",
        "a abbr acronym applet area audio b base basefont bdi bdo bgsound big blink br button "
        "canvas cite code col colgroup data datalist del dfn em embed font frame frameset head i "
        "iframe image img input ins isindex kbd label link listing map mark marquee math meta "
        "meter nobr noembed noframes noscript object option optgroup output param picture "
        "plaintext progress q rb rp rt rtc ruby s samp script select slot small source spacer "
        "span strike strong style sub sup svg template textarea time title track tt u var video "
        "wbr xml xmp o:p switch case default epub:switch epub:case epub:default",
    )
)
_NAVIGATION_ROLES = frozenset({"navigation", "menu", "menubar", "toolbar"})
_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:navbox|navbar|nav|sidebar-toc|breadcrumbs?|mw-editsection|mw-jump-link"
    r"|catlinks|skip-link|vector-page-toolbar|vector-column-start|vector-page-titlebar-toc)"
    r"(?:$|[\s_-])"
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_UNSEEN = frozenset({"script", "style", "title"})  # their text is no text of the page
_EDGES = frozenset({"footer", "aside"})
_FEWEST_LINKS = 20  # in a list at an edge from which on it is a menu
_FEWEST_LANGUAGES = 5  # in a list of links to other languages
_LONGEST_LINK = 25  # characters of a menu's link on average
_LONGEST_EDGE = 200  # characters that are no links, above which the edge of a page has ended


@dataclass
class Survey:
    """Elements to leave out as navigation, and unknown ones that hold text."""

    navigation: set[html.HtmlElement]
    unknown: set[html.HtmlElement]


@dataclass
class _Extent:
    """The amount of an element's text, its links and their text, and where the element began."""

    characters: int = 0
    links: int = 0
    linked: int = 0
    translations: int = 0  # links to the page in other languages
    navigation: int = 0  # characters of what is left out as navigation
    is_at_edge: bool = False

    def add(self, other: "_Extent") -> None:
        self.characters += other.characters
        self.links += other.links
        self.linked += other.linked
        self.translations += other.translations
        self.navigation += other.navigation

    @property
    def is_menu(self) -> bool:
        is_mostly_links = self.linked > 0.9 * self.characters
        if self.links >= _FEWEST_LANGUAGES and self.translations > 0.8 * self.links:
            return is_mostly_links
        is_long = self.links >= _FEWEST_LINKS and self.linked < _LONGEST_LINK * self.links
        return self.is_at_edge and is_long and is_mostly_links


def survey(root: html.HtmlElement, *, is_book: bool) -> Survey:
    """Looks at each element once, however deep they nest. A book's `nav` is its contents."""
    seen = Survey(set(), set())
    is_open = [_Extent()]
    edges = headings = links = plain = 0
    for event, element in etree.iterwalk(root, events=("start", "end")):
        tag = element.tag
        step = 1 if event == "start" else -1
        edges += step * (tag in _EDGES)
        links += step * (tag == "a")
        is_unseen = event == "start" and tag in _UNSEEN
        count = 0 if is_unseen else _count(element.text if event == "start" else element.tail)
        plain += count if not links else 0
        if event == "start":
            headings += tag in _HEADINGS
            at_top = not headings and plain < _LONGEST_EDGE
            is_open.append(_Extent(count, is_at_edge=at_top or edges > 0))
            continue
        extent = is_open.pop()
        if tag == "a":
            extent.links, extent.linked = 1, extent.characters
            extent.translations = int(element.get("hreflang") is not None)
        if not is_book and _is_navigation(element, extent):
            seen.navigation.add(element)
            extent.navigation = extent.characters
        if extent.characters and tag not in BLOCKS and tag not in _INLINE:
            seen.unknown.add(element)
        is_open[-1].add(extent)
        is_open[-1].characters += count
    if is_open[0].navigation == is_open[0].characters:
        seen.navigation.clear()
    return seen


def _is_navigation(element: html.HtmlElement, extent: _Extent) -> bool:
    if element.tag == "nav" or element.get("role") in _NAVIGATION_ROLES:
        return True
    if element.tag in {"html", "body", "main"}:
        return False
    if element.tag in {"ul", "ol"} and extent.is_menu:
        return True
    if 2 * extent.linked < extent.characters or not extent.linked:
        return False
    marks = f"{element.get('class', '')} {element.get('id', '')}"
    return len(marks) > 1 and bool(_FURNITURE.search(marks.casefold()))


def _count(text: str | None) -> int:
    return len(squeeze(text)) if text else 0
