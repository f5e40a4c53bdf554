"""What a text browser shows of a page or a book, as words to find and words that may be found.

w3m prints the page, all of it: what may be found. What must be found is the same print without
what no reader of the page sees or looks for: texts in place of pictures, elements that are marked
as hidden (by an attribute, or by a rule of the page for an id or a class alone), and those marked
as navigation (`nav`, the roles of banners and menus), if the page holds anything else. Nor must
long lists of nothing but links be found, the unmarked menus of most pages. w3m shows of a list to
choose from what is chosen; a browser shows more of it, so all of it may be found.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from zipfile import ZipFile

from evals.office_readers import Shown

_SECONDS = 60
_VOID = frozenset(
    re.findall(r"\w+", "area base br col embed hr img input link meta source track wbr")
)
_ROLES = frozenset({"navigation", "banner", "search", "menu", "menubar"})
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_FEWEST_LINKS = 10  # of a list that is a menu
_LINKED = 0.9  # the share of its text that stands in links
_OPTION = re.compile(r"<option\b[^>]*>([^<]*)", re.IGNORECASE)
_HIDING_RULE = re.compile(
    r"(?<![\w-])([#.][\w-]+)\s*\{[^{}]*(?:display\s*:\s*none|visibility\s*:\s*hidden)[^{}]*\}"
)
_SPINE = re.compile(r'<itemref[^>]+idref="([^"]+)"')
_ITEM = re.compile(r"<item\b[^>]*>")
_ATTRIBUTE = re.compile(r'(\w[\w:-]*)="([^"]*)"')
_CHARSET = re.compile(rb"charset\s*=\s*[\"']?([\w-]+)|encoding=[\"']([\w-]+)", re.IGNORECASE)


def read_page(file: Path) -> Shown | None:
    """Returns what w3m shows of a page. One that is a menu alone is to be found as it is."""
    page = file.read_bytes()
    shown = show(page)
    return shown if not shown or shown.must.strip() else show(page, menus=True)


def show(page: bytes, *, menus: bool = False) -> Shown | None:
    """Renders a page whole, and again without what nobody looks for."""
    if shutil.which("w3m") is None:
        return None
    text = _decoded(page)
    may = "\n".join([_render(text), *_OPTION.findall(text)])
    return Shown(_render(seen_of(text, menus=menus)), may)


def read_book(file: Path) -> Shown | None:
    """Renders the chapters of a book in reading order."""
    try:
        with ZipFile(file) as book:
            package = next(name for name in book.namelist() if name.endswith(".opf"))
            listed = book.read(package).decode("utf-8", "replace")
            items = [dict(_ATTRIBUTE.findall(item)) for item in _ITEM.findall(listed)]
            places = {item.get("id", ""): item.get("href", "") for item in items}
            folder = package.rpartition("/")[0]
            texts = [
                show(book.read(f"{folder}/{places[key]}".lstrip("/")))
                for key in _SPINE.findall(listed)
                if places.get(key)
            ]
    except (StopIteration, KeyError, OSError, ValueError):
        return None
    chapters = [text for text in texts if text]
    if not chapters:
        return None
    return Shown(
        "\n".join(each.must for each in chapters), "\n".join(each.may for each in chapters)
    )


def _decoded(page: bytes) -> str:
    stated = _CHARSET.search(page[:2048])
    name = next(filter(None, stated.groups()), b"utf-8").decode() if stated else "utf-8"
    try:
        return page.decode(name)
    except (LookupError, ValueError):
        return page.decode("cp1252", "replace")


def _render(page: str) -> str:
    command = ["w3m", "-dump", "-T", "text/html", "-I", "UTF-8", "-O", "UTF-8", "-cols", "1000"]
    try:
        done = subprocess.run(  # noqa: S603 - a program named here, without a shell
            command, input=page.encode(), capture_output=True, timeout=_SECONDS, check=False
        )
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return done.stdout.decode("utf-8", "replace")


def seen_of(page: str, *, menus: bool = False) -> str:
    """Returns the page without pictures, hidden elements and, unless wanted, navigation."""
    seen = _Seen()
    seen.menus = menus
    seen.hidden = set(_HIDING_RULE.findall(page))
    seen.feed(page)
    seen.close()
    return "".join(seen.kept)


@dataclass
class _List:
    """A list that is open: where it began in what is kept, and how much of it is links."""

    start: int
    links: int = 0
    linked: int = 0
    characters: int = 0

    @property
    def is_menu(self) -> bool:
        return self.links >= _FEWEST_LINKS and self.linked > _LINKED * self.characters


class _Seen(HTMLParser):
    """Writes a page again without pictures, hidden elements and navigation."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.kept: list[str] = []
        self.menus = False
        self._lists: list[_List] = []
        self._is_in_link = False
        self._left: list[str] = []  # elements that are open inside one that is left out
        self.hidden: set[str] = set()  # ids and classes that a rule of the page hides

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._left or self._is_left(tag, dict(attrs)):
            if tag not in _VOID:
                self._left.append(tag)
        else:
            if tag in {"ul", "ol"}:
                self._lists.append(_List(len(self.kept)))
            self._is_in_link = self._is_in_link or tag == "a"
            for each in self._lists:
                each.links += tag == "a"
            self.kept.append(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._left and not self._is_left(tag, dict(attrs)):
            self.kept.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._left:
            while self._left.pop() != tag:
                pass
        elif not self._left:
            self.kept.append(f"</{tag}>")
            self._is_in_link = self._is_in_link and tag != "a"
            if tag in {"ul", "ol"} and self._lists:
                ended = self._lists.pop()
                if ended.is_menu and not self.menus:
                    del self.kept[ended.start :]

    def handle_data(self, data: str) -> None:
        if not self._left:
            self.kept.append(data)
            for each in self._lists:
                size = len(data.strip())
                each.characters += size
                each.linked += size * self._is_in_link

    def handle_entityref(self, name: str) -> None:
        self.handle_data(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.handle_data(f"&#{name};")

    def _is_left(self, tag: str, attributes: dict[str, str | None]) -> bool:
        names = {f".{name}" for name in (attributes.get("class") or "").split()}
        return (
            tag in {"img", "template", "title"}
            or (not self.menus and (tag == "nav" or attributes.get("role") in _ROLES))
            or "hidden" in attributes
            or _UNSEEN.search(attributes.get("style") or "") is not None
            or not self.hidden.isdisjoint({*names, f"#{attributes.get('id')}"})
        )
